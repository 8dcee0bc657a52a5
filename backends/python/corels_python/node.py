"""A set of points on the path from the root, as the depth-first search holds it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from corels.search import Children
from corels_python.expand import Counts, Prefix
from corels_python.masks import NOTHING, Mask


@dataclass(slots=True, eq=False)
class Node:
    """A prefix and the set of points that it leaves. Costs leave out the unavoidable errors.

    counted: what every antecedent captures of the set. table: the n children that the bounds
    kept. rows: the rows of
    `table` that are still to be settled, the next one last. listed: whether `take` was called.
    """

    prefix: Prefix
    serial: int
    left: int  # rules that a completion may have at most; -1: any number
    cost: int  # of the rules of the prefix and their errors
    need: int  # the rest of a list must cost less than this, to beat the incumbent
    above: Node | None  # the parent
    guess: Mask = NOTHING  # its key in the memo before it is counted, see claims.py
    key: Mask | None = None  # its key in the memo after it is counted
    least: int = 0  # a lower bound of f(S) that is proved
    none: int = 0  # what the completion without a rule costs
    asked: bool = False  # the root of `walk_from`, if the completion without a rule is left out
    began: int = 0  # how many expansions there had been when it was entered
    counted: Counts | None = None
    table: Children | None = None
    rows: list[int] = field(default_factory=list)
    listed: bool = False

    @property
    def length(self) -> int:
        """Rules of the prefix."""
        return len(self.prefix.antecedents)

    @property
    def antecedent(self) -> int:
        """The last rule's; -1 for the root."""
        return self.prefix.antecedents[-1] if self.prefix.antecedents else -1

    @property
    def lower_bound(self) -> int:
        """What every list with this prefix costs, with the unavoidable errors."""
        return self.prefix.lower_bound

    def fill(self, table: Children, order: NDArray[np.intp]) -> None:
        """Its children, to be settled in this order."""
        self.table, self.rows = table, order[::-1].tolist()

    def take(self) -> int | None:
        """The row of the next child."""
        self.listed = True
        return self.rows.pop() if self.rows else None

    def settled(self, below: Node | None) -> float:
        """The share of its children that is settled. below: the child that is searched now."""
        if self.table is None:
            return 0.0
        left = len(self.rows) + (below is not None)
        return 1 - left / len(self.table) if len(self.table) else 1.0

    def bounds_left(self, rule_cost: int) -> Iterator[int]:
        """Lower bounds of the lists through what is left to settle here: through the children that
        are not settled, or through the whole set before they are listed."""
        if not self.listed:
            yield self.lower_bound
        elif self.rows:
            left = self.table.where(np.array(self.rows))
            ends = left.lower_bound + left.unit * left.default_errors
            yield int(np.minimum(left.lower_bound + rule_cost, ends).min())

    def bytes(self) -> int:
        """About what it takes."""
        return (
            1000
            + (0 if self.counted is None else 8 * self.counted.regrets.size)
            + 100 * len(self.rows)
        )
