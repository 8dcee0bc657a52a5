"""The columns, which are the clauses made so far, and the best rule set so far."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.problem.captures import Captures
from corels_colgen.instance import Bools, Clause, Instance, Ints, complexity


class Columns:
    """Clauses in the order in which they were added, without repeats; what each covers and costs.

    Arrays grow by doubling, so that the coverage of all clauses is one matrix at any time and
    adding a round of clauses does not copy the earlier ones.
    """

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._index: dict[Clause, int] = {}
        self._cover = np.zeros((64, instance.positives.shape[1]), dtype=np.bool_)
        self._loss = np.zeros(64, dtype=np.int64)
        self._size = np.zeros(64, dtype=np.int64)

    def __len__(self) -> int:
        return len(self._index)

    def numbers(self, clauses: Iterable[Clause]) -> list[int]:
        """The numbers of those of these clauses that are here."""
        return [self._index[clause] for clause in clauses if clause in self._index]

    @property
    def clauses(self) -> list[Clause]:
        return list(self._index)

    @property
    def cover(self) -> Bools:
        """bool[K, P]: which positive points each clause covers."""
        return self._cover[: len(self)]

    @property
    def loss(self) -> Ints:
        """int64[K]: weight of the negatives that each clause covers."""
        return self._loss[: len(self)]

    @property
    def conditions(self) -> Ints:
        """int64[K]: number of conditions."""
        return self._size[: len(self)]

    @property
    def complexity(self) -> Ints:
        """int64[K]: 1 + conditions."""
        return self.conditions + 1

    @property
    def cost(self) -> Ints:
        """int64[K]: loss and penalties."""
        return self.loss + self._instance.penalty(self.conditions)

    def add(self, clauses: Iterable[Clause]) -> None:
        """Add the clauses that are not there yet."""
        for clause in clauses:
            if clause in self._index:
                continue
            self._grow()
            at = self._index[clause] = len(self._index)
            self._cover[at] = self._instance.positives[list(clause)].all(axis=0)
            self._loss[at] = self._instance.clause_loss(clause)
            self._size[at] = len(clause)

    def _grow(self) -> None:
        if len(self) == len(self._loss):
            held = self._cover, self._loss, self._size
            self._cover, self._loss, self._size = (np.concatenate([one, one]) for one in held)


class Incumbent:
    """The best rule set that keeps to the constraints; its cost is counted from the data.

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
