"""The path from the root that depth-first walks: what it tells of itself."""

from __future__ import annotations

import math

from corels.search import Kind, Memo, Progress
from corels_python.claims import Claims
from corels_python.expand import Expand
from corels_python.node import Node
from corels_python.tally import Tables


class Path(Expand):
    """The sets from the root to the present one, each with the children that are left of it.

    Nothing here decides anything; the search is in `depth_first.py`.
    """

    def __init__(self, tables: Tables, memo: Memo | None) -> None:
        super().__init__(tables)
        self.claims = Claims(memo, self.instance, self.best_objective, self.binding_limit)
        self.path: list[Node] = []
        self.next_serial = 1

    def tell(self, kind: Kind, node: Node, *, part: int = 0, proved: int = 0) -> None:
        """A child that is not entered; the record names its parent."""
        self.emit_fine(
            kind,
            node.above.serial,
            part=part,
            antecedent=node.antecedent,
            length=node.length,
            lower_bound=node.lower_bound + proved,
        )

    def tell_open_claims(self) -> None:
        """What is known of the sets of the path where the search stops, from the deepest up: the
        least of what is settled, of what is left, and of the set below; and no less than any list
        costs."""
        below, least = None, 0
        for node in reversed(self.path):
            left = [bound - node.lower_bound for bound in node.bounds_left(self.rule_cost)]
            if below is not None:
                left.append(below.cost - node.cost + least)
            least = min([node.least, *left]) if node.listed else 0
            counted = node.counted or self.count(node.prefix.remaining)
            least = max(least, min(self.rule_cost, self.unit * int(counted.totals.min())))
            self.record(node.prefix.antecedents, least)
            below = node

    def levels(self) -> tuple[int, ...]:
        return (0, *(len(node.rows) for node in self.path))

    def progress(self) -> Progress:
        """Counters, and the proven lower bound: the least of what the path has left to solve."""
        bounds = [bound for node in self.path for bound in node.bounds_left(self.rule_cost)]
        root = [] if self.path else [self.instance.base]
        below = self.path[1] if len(self.path) > 1 else None
        return self.snapshot(
            [*root, *bounds],
            memory=self.claims.bytes() + sum(node.bytes() for node in self.path),
            queued=sum(len(node.rows) for node in self.path),
            cached=len(self.claims),
            settled=self.path[0].settled(below) if self.path else math.nan,
        )
