"""The best rule set so far that keeps to the constraints."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.problem.captures import Captures
from corels_colgen.instance import Bools, Clause, Instance, complexity


class Incumbent:
    """Its cost is counted from the data, never taken from a solver.

    known: whether there is one. If the rule set without clauses breaks a constraint there is none
    at first, and `cost` is more than any rule set costs.
    """

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self.clauses: list[Clause] = []
        self.known = instance.rates.keeps(instance.caught(()))
        self.cost = instance.empty_cost if self.known else instance.dearest + 1

    def offer(self, clauses: Iterable[Clause]) -> bool:
        """Take a rule set if it keeps the budget and the constraints and is better: costs less, or
        as much with less complexity. Whether it keeps them."""
        distinct, given = sorted(set(clauses)), self._instance
        size = complexity(distinct)
        if given.budgeted and size > given.budget:
            return False
        if not given.rates.keeps(given.caught(distinct)):
            return False
        cost = given.cost(distinct)
        if not self.known or (cost, size) < (self.cost, complexity(self.clauses)):
            self.clauses, self.cost, self.known = distinct, cost, True
        return True


def merged_points(cover: Bools, *columns: NDArray[Any]) -> tuple[Bools, list[NDArray[Any]]]:
    """Points that the same clauses cover, as one point with what its points have in each column
    added up. cover: bool[K, P]; columns: (..., P)."""
    group, first = Captures.of(cover).groups()
    merged = [np.zeros((*one.shape[:-1], len(first)), dtype=one.dtype) for one in columns]
    for sums, one in zip(merged, columns, strict=True):
        np.add.at(sums, (..., group), one)
    return np.ascontiguousarray(cover[:, first]), merged
