"""What a search has proved, as the records of a proof (docs/internals/proof.md)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from corels.problem import Instance
from corels.proof.records import claim, limit
from corels.search import Parts, Search
from corels.search.calls import origin

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


class Proving(Search):
    """The records that wait to be written; none where nobody asked for a proof."""

    instance: Instance
    _parts: Parts
    _proved: list[bytes] | None = None

    def prove(self) -> str | None:
        """From now on; not with bounds that the checkers do not know."""
        strangers = [origin("bound", bound) for bound in self._parts.bounds]
        for stranger in filter(None, strangers):
            return f"the checkers do not know the {stranger}"
        self._proved = []
        return None

    def begin(self) -> None:
        """The walk begins: now it is known whether lists are limited."""
        self.forget_needless_limit()
        if self._proved is not None and self.max_rules is not None:
            self._proved.append(limit(self.max_rules))

    def proof(self, *, last: bool = False) -> bytes:
        """The records since the last call."""
        if self._proved is None:
            return b""
        if last:
            self.prove_open()
        records, self._proved = b"".join(self._proved), []
        return records

    def prove_open(self) -> None:
        """Claims about what is open, where the search stops."""

    def record(self, antecedents: Iterable[int], value: int, kind: str = "c") -> None:
        """Behind rules with these antecedents whatever follows costs at least so much; kind "x":
        the prefix costs so much, and what follows the rest of the bound."""
        if self._proved is not None and (value > 0 or kind == "x"):
            rules = [int(self.instance.origin[r]) for r in antecedents]
            self._proved.append(claim(rules, max(0, value), kind))
