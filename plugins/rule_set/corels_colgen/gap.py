"""Closing the gap between the best rule set and the bound of the master.

Asked for a cost u, looks at all sets of the clauses that rule sets below u could use find the best
of these, or prove u (looks.py). u grows from the lower bound in doubling steps, so that the last
one is the dearest; in smaller ones if these were too many clauses.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING

from corels.clock import Clock
from corels_colgen.closing import Candidates, candidates, closing_query
from corels_colgen.looks import MOST_TABLE, Looks
from corels_colgen.pricing import Status

if TYPE_CHECKING:
    from corels_colgen.search import CoverSearch

MOST_ENUMERATED = 400_000  # clauses, before the needless ones are dropped
STEPS = 256  # the first step towards the incumbent is one of so many


def close_gap(search: CoverSearch) -> Iterator[bool]:
    """Raise the bound of a search until it meets the incumbent, or nothing helps."""
    most, gap = search.looks, search.incumbent.cost - search.lower_bound
    above = max(1, (gap if search.incumbent.known else search.lower_bound) // STEPS)
    larger = 2
    while not search.proved and most > 0:
        below = min(search.incumbent.cost, search.lower_bound + above)
        found = yield from _candidates(search, below)
        if found is not None:
            most -= yield from _looked(search, found, below, most)
            above *= larger
        elif above > 1:
            above, larger = max(1, above // 4), 1
        else:
            return


def _candidates(search: CoverSearch, below: int) -> Generator[bool, None, Candidates | None]:
    """The clauses that matter for rule sets that cost less; None if there are too many."""
    assert search.duals is not None
    search.phase = "enumeration"
    query = closing_query(search.duals, search.instance, below, MOST_ENUMERATED)
    if (yield from search.enumerate(query)) is not Status.DONE:
        return None
    found = yield from candidates(search.pricer, search.instance)
    return None if found.cover.size * 64 > MOST_TABLE else found


def _looked(
    search: CoverSearch, found: Candidates, below: int, most: float
) -> Generator[bool, None, int]:
    """Look at all sets of these clauses, but at no more than so much: how much it was."""
    assert search.duals is not None
    search.phase, clock = "looks", Clock()
    looks, cells = Looks(found, search.duals, search.instance, below), 0
    for cells in looks.run():
        search.looking_seconds += clock.elapsed
        if looks.cost < min(below, search.incumbent.cost):
            search.offer([found.clause(row) for row in looks.best])
        if cells > most:
            return cells
        yield True
        clock.restart()
    search.raise_bound(looks.cost, "enumeration of all rule sets")
    return cells
