"""How far a check is, and when it has to end.

A check may take longer than one cares to wait, and what it has looked at until then is worth
saying. So whoever checks tells a `Watch`, often, what it does and how much of it is done.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

PATIENCE = 1.0  # seconds before the first report: quick work is not worth a line
MOST_SILENCE = 5.0  # seconds between two reports of work that takes long

Item = TypeVar("Item")
Report = Callable[[str, int, int], None]


class EndedError(Exception):
    """The time for a check is up."""


class Watch:
    """A deadline that began when the object was made, and a listener for progress.

    seconds: when the time is up; None for never. report: is called with what is done, how much of
    it, and of how much (0 where nobody knows), the more seldom the longer the check takes: after
    a second, and then when a fifth more of the time has passed, at least every 5 seconds. held:
    what was checked to its end, in words.
    """

    def __init__(self, seconds: float | None = None, report: Report | None = None) -> None:
        self._began = time.monotonic()
        self._seconds, self._report = seconds, report
        self._next = self._began + PATIENCE
        self._now: tuple[str, int, int] | None = None
        self.held: list[str] = []

    def tell(self, what: str, done: int, total: int = 0) -> None:
        """Note progress. Raises EndedError where the time is up."""
        self._now = what, done, total
        now = time.monotonic()
        if self._seconds is not None and now - self._began >= self._seconds:
            raise EndedError(f"the time limit of {self._seconds:g} s was reached")
        if self._report is not None and now >= self._next:
            self._next = now + min(MOST_SILENCE, max(PATIENCE, (now - self._began) / 5))
            self._report(what, done, total)

    def over(self, what: str, items: Sequence[Item]) -> Iterator[Item]:
        """Each item, with a look at the clock before it. Raises EndedError."""
        for number, item in enumerate(items):
            self.tell(what, number, len(items))
            yield item

    def holds(self, what: str) -> None:
        """Something was checked to its end."""
        self.held.append(what)
        self._now = None

    def summary(self) -> str:
        """What was checked, and what was not finished, in words."""
        parts = [f"checked: {'; '.join(self.held)}"] if self.held else []
        if self._now is not None:
            what, done, total = self._now
            parts.append(f"not finished: {what}, {done:,}" + (f" of {total:,}" if total else ""))
        return "; ".join(parts) or "nothing was checked yet"


UNWATCHED = Watch()
