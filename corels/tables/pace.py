"""Pace: what the work before a search is told of the time, and tells of its progress.

Reading, mining and collapsing a large table may take longer than the search. They count towards the
time limit of a run like the search itself: whoever starts the run makes one `Pace`, and hands it
down. Work that can end early with what it has (mining) asks `expired`; work that cannot (reading)
asks `check`, which ends it with an error that says so.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from corels.errors import InputError

Report = Callable[[str, int, int], None]
"""What is done, how much of it, and of how much (0 where nobody knows)."""

PATIENCE = 1.0  # seconds before the first report: quick work is not worth a line
MOST_SILENCE = 5.0  # seconds between two reports of work that takes long
LONG = 8 << 20  # bytes: who begins to read so many says so at once


class Pace:
    """A deadline that began when the object was made, and a listener for progress.

    Args:
        seconds: when the time is up; None for never.
        report: is called now and then, the more seldom the longer the work takes: after a
            second, and then when a fifth more of the time has passed, at least every 5 seconds.
    """

    def __init__(self, seconds: float | None = None, report: Report | None = None) -> None:
        self._began = time.perf_counter()
        self._seconds = seconds
        self._report = report
        self._next = self._began + PATIENCE

    @property
    def elapsed(self) -> float:
        """Seconds since the work began."""
        return time.perf_counter() - self._began

    def left(self) -> float | None:
        """Seconds until the time is up, 0 if it is; None where there is no limit."""
        return None if self._seconds is None else max(0.0, self._seconds - self.elapsed)

    def expired(self) -> bool:
        """Whether the time is up."""
        return self._seconds is not None and self.elapsed >= self._seconds

    def spent(self, share: float) -> bool:
        """Whether a share of the whole time is gone, 0 to 1."""
        return self._seconds is not None and self.elapsed >= share * self._seconds

    def check(self, what: str) -> None:
        """Raise InputError if the time is up; `what` is what was being done."""
        if self.expired():
            raise InputError(
                f"the time limit of {self._seconds:g} s was reached while {what}: there is no "
                "model yet, give it more time"
            )

    def tell(self, what: str, done: int, total: int = 0) -> None:
        """Report progress, if somebody listens and it is time for it."""
        if self._report is not None and (now := time.perf_counter()) >= self._next:
            self._next = now + min(MOST_SILENCE, max(PATIENCE, (now - self._began) / 5))
            self._report(what, done, total)

    def begin(self, what: str, size: int) -> None:
        """Say what is begun, before a call that nobody can look into, if `size` bytes are many."""
        if self._report is not None and size >= LONG:
            self._report(f"{what} ({size / 1e6:,.0f} MB)", 0, 0)
            self._next = time.perf_counter() + PATIENCE


UNHURRIED = Pace()
