"""Closing the gap between the best rule set and the bound of the master.

Asked for a cost u, looks at all sets of the clauses that rule sets below u could use find the best
of these, or prove u (looks.py). u grows from the lower bound in doubling steps, so that the last
one is the dearest. If that is too much work, an integer program over the clauses goes on. Costs
of many digits are above its tolerance: what is left of the gap then is looked at again.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING

from corels.clock import Clock
from corels.problem.captures import unpack
from corels_colgen.closing import Candidates, candidates, closing_query
from corels_colgen.looks import MOST_TABLE, Looks
from corels_colgen.pricing import Status
from corels_colgen.program import IntegerProgram

if TYPE_CHECKING:
    from corels_colgen.search import CoverSearch

SMALL_BUDGET = 7  # at most three clauses: all rule sets are looked at, however many
MOST_ENUMERATED = 400_000  # clauses, before the needless ones are dropped
FIRST_LOOKS = 100_000_000  # cells of the table that are looked at, before anything else ...
MOST_LOOKS = 3_000_000_000  # ... and in all under constraints
STEPS = 256  # the first step towards the incumbent is one of so many
FIRST_PROGRAM = 8_000  # clauses in a closing program, at first ...
LARGEST_PROGRAM = 100_000  # ... and at last
RESTRICTED_SECONDS = 5.0  # for the integer program over the columns of the master

EXHAUSTED = "enumeration of all rule sets"

Pause = Iterator[bool]


class Gap:
    """Of one search; `close` raises its bound until it meets the incumbent, or nothing helps."""

    def __init__(self, search: CoverSearch) -> None:
        self._search = search
        self._restricted = False
        self._above = 0  # how far the last step went

    def close(self) -> Pause:
        own, given = self._search, self._search.instance
        yield from self._look(float("inf") if given.budget <= SMALL_BUDGET else FIRST_LOOKS)
        if own.proved or not own.thorough:
            return
        if len(given.rates) or given.by_errors:
            self._restricted = True
            yield from own.restricted(RESTRICTED_SECONDS)
            yield from self._look(MOST_LOOKS)
        yield from self._programs()
        yield from self._look(FIRST_LOOKS)

    def _look(self, most: float) -> Pause:
        """By looks at most so much."""
        own = self._search
        while not own.proved:
            gap = own.incumbent.cost - own.lower_bound
            first = max(1, (gap if own.incumbent.known else own.lower_bound) // STEPS)
            self._above = 2 * self._above or first
            below = min(own.incumbent.cost, own.lower_bound + self._above)
            found = yield from self._candidates(below)
            if found is None or found.cover.size * 64 > MOST_TABLE:
                return
            assert own.duals is not None
            own.phase, clock = "looks", Clock()
            looks, cells = Looks(found, own.duals, own.instance, below), 0
            for cells in looks.run():
                own.integer_seconds += clock.elapsed
                if looks.cost < own.incumbent.cost and looks.cost < below:
                    own.offer([found.clause(row) for row in looks.best])
                if cells > most:
                    self._above = max(1, self._above // 4)
                    return
                yield True
                clock.restart()
            most -= cells
            if looks.cost < below:
                own.offer([found.clause(row) for row in looks.best])
            own.raise_bound(looks.cost, EXHAUSTED)

    def _candidates(self, below: int) -> Generator[bool, None, Candidates | None]:
        """The clauses that matter for rule sets that cost less; None if there are too many."""
        own = self._search
        assert own.duals is not None
        own.phase = "enumeration"
        query = closing_query(own.duals, own.instance, below, MOST_ENUMERATED)
        if (yield from own.enumerate(query)) is not Status.DONE:
            return None
        return (yield from candidates(own.pricer, own.instance))

    def _programs(self) -> Pause:
        """By integer programs: first for the incumbent's cost, then for less, and larger ones."""
        own, most = self._search, FIRST_PROGRAM
        while not own.proved:
            below, found = yield from self._largest(most)
            if found is not None:
                yield from self._settle(found, below)
                if own.lower_bound < min(below, own.incumbent.cost):
                    return
            elif not self._restricted:
                self._restricted = True
                yield from own.restricted(RESTRICTED_SECONDS)
            elif most < LARGEST_PROGRAM:
                most *= 4
            else:
                return

    def _largest(self, most: int) -> Generator[bool, None, tuple[int, Candidates | None]]:
        """The largest cost u for which at most so many clauses matter, and these clauses."""
        own = self._search
        above = own.incumbent.cost - own.lower_bound
        while above > 0:
            below = own.lower_bound + above
            found = yield from self._candidates(below)
            if found is not None and len(found) <= most:
                return below, found
            above = above // 2 if self._restricted else 0
        return 0, None

    def _settle(self, found: Candidates, below: int) -> Pause:
        """Solve the integer program over the candidates: a better rule set, or a proof."""
        own = self._search
        own.phase = "closing program"
        program = IntegerProgram(
            own.instance,
            unpack(found.cover, own.instance.positives.shape[1]),
            found.cost,
            found.complexity,
            prove=True,
        )
        for pause in own.run_program(program, float("inf"), found.clause):
            bound = below if program.none else program.bound()
            if bound is not None:
                own.raise_bound(min(bound, below), "enumeration and integer program")
            yield pause
