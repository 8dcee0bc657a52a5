"""The clock: how long something has taken, when its time is up, and when the next line is due.

What starts work that may take long makes one `Clock` and hands it down. The work asks it
whether the time is up, tells it what is done, and the clock decides when that is worth a line. No
other part of the project does this sum (a search has its own estimate of the time left, from its
tree: `corels.run.time_left`).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import ClassVar

Report = Callable[[str, int, int], None]
"""What is done, how much of it, and of how much (0 if that is not known)."""

FIRST_LINE = 1.0  # seconds before the first line: quick work is not worth one
LINE_SECONDS = 2.0  # between two lines of work that takes long, at most


class Clock:
    """Seconds since it was made, a limit, and a listener for progress.

    limit: when the time is up, in seconds; None for never. report: is called now and then with
    what is done. first, every: when a line is due, in seconds. Work looks at the clock piece by
    piece: if another piece like the last one would be too long to wait for, a line is due now.

    Each part of a command has a clock of its own, whose first line comes late. So that they are not
    silent one after another, `said` is when a command has begun or last written a line; None if
    no command runs.
    """

    said: ClassVar[float | None] = None

    def __init__(
        self,
        limit: float | None = None,
        report: Report | None = None,
        *,
        first: float = FIRST_LINE,
        every: float = LINE_SECONDS,
    ) -> None:
        self.limit, self._report = limit, report
        self._first, self._every = first, every
        self.restart()

    def restart(self) -> None:
        """Count from now on."""
        self._began = time.perf_counter()
        self._due, self._looked = self._first, 0.0

    @property
    def elapsed(self) -> float:
        """Seconds since the work began."""
        return time.perf_counter() - self._began

    def left(self) -> float | None:
        """Seconds until the time is up, 0 if it is; None if there is no limit."""
        return None if self.limit is None else max(0.0, self.limit - self.elapsed)

    def within(self, limit: float | None = None, share: float = 1.0) -> float | None:
        """Seconds that a part may take: at most its own limit, and a share of what is left; None
        if neither is limited."""
        left = self.left()
        if left is None:
            return limit
        return share * left if limit is None else min(float(limit), share * left)

    def expired(self, share: float = 1.0) -> bool:
        """Whether the time is up, or a share of it (0 to 1)."""
        return self.limit is not None and self.elapsed >= share * self.limit

    def pieces_left(self, done: int, total: int) -> float:
        """Seconds for the rest of `total` equal pieces, the first `done` of them done."""
        return self.elapsed * (total - done) / done

    def due(self) -> bool:
        """Whether it is time for a line; if so, the next one is due later."""
        now = self.elapsed
        piece, self._looked = now - self._looked, now
        late = self._due > self._first and now + piece > self._due
        if now < self._due and not late:
            return False
        self._due = now + self._every
        return True

    def line_due(self) -> bool:
        """Whether it is time for a line: `due`, or a command has said nothing for two seconds."""
        said, piece = Clock.said, self.elapsed - self._looked
        quiet = said is not None and time.perf_counter() - said + piece > LINE_SECONDS
        due = self.due() or quiet
        if due:
            Clock.speak()
        return due

    @staticmethod
    def speak() -> None:
        """A line is written, by any part of a command."""
        if Clock.said is not None:
            Clock.said = time.perf_counter()

    def tell(self, what: str, done: int, total: int = 0) -> None:
        """Report progress, if there is a listener and a line is due."""
        if self._report is not None and self.line_due():
            self._report(what, done, total)


def span_text(seconds: float) -> str:
    """'45 s', '7 min', '2 h', '3 days': two of a unit at least, but for a second."""
    for unit, of_next in (("s", 60), ("min", 60), ("h", 24)):
        if seconds < 2 * of_next:
            return f"{max(1, round(seconds))} {unit}"
        seconds /= of_next
    return f"{seconds:.0f} days"
