"""The best rule set below a cost, by looks at all sets of clauses that the slack allows.

With duals of L at prices m (duals.py), every rule set within the budget C that keeps to the
constraints has

    scale * cost >= L + sum over its clauses of rc_k
        + sum over the points left of      max(0, s_i) - mu_i
        + sum over the points covered of   max(0, -s_i) + mu_i (times covered - 1) - nu_i c(i),

c(i) the complexity of its clauses that cover i, and no term is negative. So the *slack* scale *
(u - 1) - L has to pay for all of them. Of a part of a rule set, with `room` left in the budget, the
last term is at most nu_i (room + c(i)); so much at least the part takes of the slack, and the whole
no less. Clauses are added one by one while the slack pays, the last one of all that are left at
once. Everything is a whole number, at any budget.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from corels.problem.captures import unpack
from corels_colgen.closing import Candidates
from corels_colgen.columns import merged_points
from corels_colgen.duals import Duals
from corels_colgen.instance import Instance, Ints

MOST_TABLE = 200_000_000  # clauses times points
PIECE = 1_000_000  # cells of the table between two looks at the clock
A_LOOK = 5_000  # what a look takes besides its cells, in cells
TAKEN, RELEASED, SAVED, RATED = 0, 1, 2, 3  # columns of `_Part.each`


@dataclass(frozen=True)
class _Part:
    """A part of a rule set. usable: the clauses that may be added, by rising rc. each: int64[U, 3 +
    R], of these: what their points take of the slack beside rc; the nu of those not covered yet;
    what it saves to catch those; what that adds to the sums. rc, taken: what the part takes of
    the slack at least."""

    chosen: tuple[int, ...]
    usable: NDArray[np.intp]
    each: Ints
    left: NDArray[np.bool_]
    cost: int
    sums: Ints
    released: int  # nu of the points covered
    rc: int
    taken: int
    room: int


@dataclass(eq=False)
class Looks:
    """`run()` yields now and then. cost, best: of the cheapest rule set below `below` so far, its
    rows of `found`; cells: the size of what was looked at."""

    found: Candidates
    duals: Duals
    instance: Instance
    cost: int  # looks only for rule sets below it
    best: list[int] = field(default_factory=list)
    cells: int = 0

    def __post_init__(self) -> None:
        found, duals, given = self.found, self.duals, self.instance
        self._order = np.lexsort((found.complexity, found.reduced))
        self._told = 0
        own = np.maximum(-duals.saved, 0)
        leave = np.maximum(duals.saved, 0) - duals.mu
        net = given.positive_weights - given.once
        cover = unpack(found.cover[self._order], given.positives.shape[1])
        columns = np.stack([duals.mu - own, -duals.charged, -net, *(-given.rates.values), leave])
        self._cover, (columns,) = merged_points(cover, columns)
        self._columns, self._leave = columns[:-1].T.copy(), columns[-1]
        _, (own_and,) = merged_points(cover, np.stack([own, duals.charged, net]))
        self._begin = np.concatenate([own_and, -columns[RATED:-1]]).T
        self._rc, self._sizes = found.reduced[self._order], found.complexity[self._order]
        self._costs = found.cost[self._order]
        self._nu = self._cover @ own_and[RELEASED]
        self._low, self._high = np.array(given.rates.low), np.array(given.rates.high)

    def _slack(self) -> int:
        return self.duals.scale * (self.cost - 1) - self.duals.total

    def run(self) -> Iterator[int]:
        """The rule set without clauses, then all others; yields how much was looked at."""
        given = self.instance
        start = np.array(given.rates.start, dtype=np.int64)
        if given.empty_cost < self.cost and given.rates.allows(list(given.rates.start)):
            self.cost, self.best = given.empty_cost, []
        everything = np.arange(len(self._rc))
        each, left = self._cover @ self._begin, np.ones(len(self._leave), dtype=np.bool_)
        numbers = given.empty_cost, start, 0, 0, 0, given.budget
        yield from self._extend(_Part((), everything, each, left, *numbers))
        yield self.cells

    def _extend(self, part: _Part) -> Iterator[int]:
        """Try every last clause, then every clause that leaves slack and room for another one."""
        part = self._paid(part)
        usable, each = part.usable, part.each
        if not len(usable):
            return
        self._look(part)
        takes, rc, sizes = self._takes(part), self._rc[usable], self._sizes[usable]
        for at in range(len(usable) - 1):
            most = self._slack() - part.rc - int(rc[at])
            if rc[at + 1] > most:
                return
            size, end = int(sizes[at]), int(np.searchsorted(rc, most, side="right"))
            rest = at + 1 + np.flatnonzero(sizes[at + 1 : end] <= part.room - size)
            if not len(rest):
                continue
            newly = np.flatnonzero(self._cover[usable[at]] & part.left)
            some = self._cover[np.ix_(usable[rest], newly)]
            left = part.left.copy()
            left[newly] = False
            further = _Part(
                (*part.chosen, int(usable[at])),
                usable[rest],
                each[rest] + some @ self._columns[newly],
                left,
                part.cost + int(self._costs[usable[at]] - each[at, SAVED]),
                part.sums + each[at, RATED:],
                part.released + int(each[at, RELEASED]),
                part.rc + int(rc[at]),
                part.taken + int(takes[at]),
                part.room - size,
            )
            self.cells += some.size + A_LOOK
            yield from self._extend(further)
            if self.cells >= self._told + PIECE:
                self._told = self.cells
                yield self.cells

    def _takes(self, part: _Part) -> Ints:
        """What each usable clause takes of the slack."""
        at, each = part.usable, part.each
        found = self._rc[at] + each[:, TAKEN]
        if self.instance.by_errors:
            again = self._nu[at] - each[:, RELEASED]
            found = found + self._sizes[at] * (part.released - again)
            found -= part.room * each[:, RELEASED]
        return np.asarray(found)

    def _paid(self, part: _Part) -> _Part:
        """With the usable clauses that there is slack and room for. Points that none of them covers
        are left in any case."""
        taken = part.taken
        for _ in range(2):
            fits = (self._sizes[part.usable] <= part.room) & (
                self._takes(part) <= self._slack() - taken
            )
            part = replace(part, usable=part.usable[fits], each=part.each[fits])
            alone = part.left & ~self._cover[part.usable].any(axis=0)
            taken = part.taken + int(self._leave[alone].sum())
        return part

    def _look(self, part: _Part) -> None:
        """At every last clause."""
        totals = part.cost + self._costs[part.usable] - part.each[:, SAVED]
        sums = part.sums + part.each[:, RATED:]
        kept = (sums >= self._low) & (sums <= self._high)
        totals = np.where(kept.all(axis=1), totals, self.cost)
        at = int(totals.argmin())
        if int(totals[at]) < self.cost:
            self.cost = int(totals[at])
            chosen = (*part.chosen, int(part.usable[at]))
            self.best = [int(self._order[k]) for k in chosen]
