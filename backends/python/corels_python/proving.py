"""What a search has proved, as the records of a proof (docs/internals/proof.md)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from corels import RuleList
from corels.problem import Instance, Problem
from corels.proof.log import ProofLog
from corels.proof.records import claim, limit, list_record
from corels.search import Parts, SetSearch
from corels.search.calls import refuse_unknown

if TYPE_CHECKING:
    from corels_python.depth_first import DepthFirst
    from corels_python.node import Node


def open_claims(search: DepthFirst) -> Iterator[tuple[Node, int]]:
    """What is known of the sets of the path where a search stops, from the deepest up: the least of
    what is settled, of what is left, and of the set below; and no less than any list costs."""
    below, least = None, 0
    for node in reversed(search.path):
        left = [bound - node.lower_bound for bound in node.bounds_left(search.rule_cost)]
        if below is not None:
            left.append(below.cost - node.cost + least)
        least = min([node.least, *left]) if node.listed else 0
        counted = node.counted or search.count(node.prefix.remaining)
        least = max(least, min(search.rule_cost, search.unit * int(counted.totals.min())))
        yield node, least
        below = node


class Proving(SetSearch):
    """Tells the log what is proved; nothing where nobody asked for a proof."""

    instance: Instance
    _parts: Parts
    problem: Problem
    _logged = -1  # the cost of the list that the log knows

    def start_log(self, log: ProofLog) -> None:
        """From now on; not with bounds that the checkers do not know."""
        refuse_unknown(self._parts)
        self.log = log

    @abstractmethod
    def model(self) -> RuleList: ...

    def begin(self) -> None:
        """The walk begins: now it is known whether lists are limited."""
        self.forget_needless_limit()
        if self.log is not None and self.binding_limit is not None:
            self.log.proved(limit(self.binding_limit))

    def tell_list(self, objective: int) -> None:
        """The best list, where it is a better one than the log knows."""
        if self.log is not None and objective != self._logged:
            self._logged = objective
            self.log.found(list_record(self.problem, self.model()))

    def record(self, antecedents: Iterable[int], value: int, kind: str = "c") -> None:
        """Behind rules with these antecedents whatever follows costs at least so much; kind "x":
        the prefix costs so much, and what follows the rest of the bound."""
        if self.log is not None and (value > 0 or kind == "x"):
            rules = [int(self.instance.origin[r]) for r in antecedents]
            self.log.proved(claim(rules, max(0, value), kind))
