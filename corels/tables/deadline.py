"""Deadline: how much time the work before a search has, and how far it is.

Reading, mining and collapsing a large table may take longer than the search. They count towards the
time limit of a run like the search itself: the run makes one `Deadline` and hands
it down. Work that can end early with what it has (mining) asks `expired`; work that cannot
(reading) asks `check`, which ends it with an error that says so.
"""

from __future__ import annotations

from corels.clock import Clock
from corels.errors import InputError

LONG = 1 << 20  # bytes: reading so many is announced at once


class Deadline(Clock):
    """The clock of a run before its search."""

    def check(self, what: str) -> None:
        """Raise InputError if the time is up; `what` is what was being done."""
        if self.expired():
            raise InputError(
                f"the time limit of {self.limit:g} s was reached while {what}: there is no "
                "model yet, give it more time"
            )

    def look(self, work: str, done: int, total: int, what: str) -> None:
        """`tell` how far something is, and `check` the time."""
        self.tell(work, done, total)
        self.check(what)

    _begun = ""

    def begin(self, what: str, size: int) -> None:
        """Say what is begun, before a call whose progress is not known, if `size` bytes are many.

        What was said last is not said again.
        """
        if self._report is not None and size >= LONG and what != self._begun:
            self._begun = what
            self._report(f"{what} ({size / 1e6:,.0f} MB)", 0, 0)
            self._due = self.elapsed + self._first


NO_DEADLINE = Deadline()
