"""The best rule set of a small budget, by looking at all of them.

A budget of 7 holds at most three clauses. Over the candidates of the closing step that is a few
thousand vectorised looks, exact in integers, where an integer program may take minutes.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

import numpy as np
from numpy.typing import NDArray

from corels.problem.captures import supports, weight_planes
from corels_colgen.closing import Candidates
from corels_colgen.instance import Instance

LARGEST_BUDGET = 7
MOST_LOOKS = 1_000_000  # some ten seconds


def looks(found: Candidates, instance: Instance) -> int:
    """How many vectorised looks all rule sets of these candidates need at most."""
    most = min(instance.budget // 2, len(found))
    return sum(comb(len(found), size) for size in range(most))


class Exhaustive:
    """`run()` yields after each piece of work; `best` is the cheapest set of rows so far."""

    def __init__(self, found: Candidates, instance: Instance) -> None:
        self._order = np.argsort(found.complexity, kind="stable")
        self._found = found.take(self._order)
        self._budget = instance.budget
        self._planes = weight_planes(instance.positive_weights)
        self.cost = instance.empty_cost
        self.best: list[int] = []

    def run(self) -> Iterator[None]:
        nothing = np.zeros(self._found.cover.shape[1], dtype=np.uint64)
        yield from self._extend([], nothing, 0, self._budget)

    def _extend(
        self, chosen: list[int], covered: NDArray[np.uint64], cost: int, room: int
    ) -> Iterator[None]:
        """Try every last clause, then every clause that leaves room for one as long as itself."""
        first = chosen[-1] + 1 if chosen else 0
        end = int(np.searchsorted(self._found.complexity, room, side="right"))
        if first >= end:
            return
        missed = supports(~(covered | self._found.cover[first:end]), self._planes)
        totals = cost + self._found.cost[first:end] + missed
        at = int(totals.argmin())
        if int(totals[at]) < self.cost:
            self.cost = int(totals[at])
            self.best = [int(self._order[k]) for k in [*chosen, first + at]]
        yield None
        for row in range(first, int(np.searchsorted(self._found.complexity, room // 2, "right"))):
            yield from self._extend(
                [*chosen, row],
                covered | self._found.cover[row],
                cost + int(self._found.cost[row]),
                room - int(self._found.complexity[row]),
            )
