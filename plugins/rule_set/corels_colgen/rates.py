"""Constraints on rates, as sums over the points that some clause of a rule set catches.

With t_i = 1 for a point that is caught, constraint r asks for

    low_r <= start_r + sum_i values[r, i] t_i <= high_r,

each row counted once, however many clauses catch it. A DNF says the positive class of what it
catches; a CNF, learned as a DNF of the negated data, says the other class of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from corels.problem import Problem

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Rates:
    """R constraints over P points. values: int64[R, P]; the rest: R whole numbers each."""

    values: Ints
    start: tuple[int, ...]
    low: tuple[int, ...]
    high: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.start)

    @cached_property
    def largest(self) -> list[int]:
        """The largest size of a value of each constraint, 1 or more."""
        return [max(1, int(np.abs(row).max(initial=0))) for row in self.values]

    def at(self, points: NDArray[np.intp]) -> Rates:
        """Of some of the points: those left out are of value 0."""
        return Rates(self.values[:, points], self.start, self.low, self.high)

    def sums(self, caught: NDArray[np.bool_]) -> list[int]:
        """The sum of each constraint. caught: bool[P]."""
        found = self.values[:, caught].sum(axis=1).tolist()
        return [a + b for a, b in zip(self.start, found, strict=True)]

    def keeps(self, caught: NDArray[np.bool_]) -> bool:
        """Whether a rule set that catches these points keeps to all constraints."""
        return self.allows(self.sums(caught))

    def allows(self, sums: Sequence[int]) -> bool:
        """Whether all sums are within their limits."""
        return all(
            low <= one <= high for low, one, high in zip(self.low, sums, self.high, strict=True)
        )


def rates_of(problem: Problem, form: str) -> Rates:
    """The problem's constraints over its points: there are two classes if there are any."""
    asked = problem.constraints
    caught, rest = (1, 0) if form == "dnf" else (0, 1)
    values = np.zeros((len(asked), problem.n_points), dtype=np.int64)
    start = []
    for row, one in zip(values, asked, strict=True):
        of = one.values
        row[:] = of[caught] - of[rest]
        start.append(int(of[rest].sum()))
    low, high = (tuple(getattr(one, name) for one in asked) for name in ("low", "high"))
    return Rates(values, tuple(start), low, high)
