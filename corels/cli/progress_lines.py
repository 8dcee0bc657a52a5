"""Lines about work of many equal pieces: how much is done, and how long the rest takes."""

from __future__ import annotations

from corels.cli.streams import say
from corels.clock import Clock, span_text

TELLING = 1.0  # seconds of work before its pace is believed


class ProgressLines:
    """Hears what is done, how much of it, and of how much (0: not known); writes a line.

    The time left is that of the pieces so far; the first call of each `what` starts its clock.
    """

    def __init__(self, head: str = "") -> None:
        self._head = head
        self._what = ""
        self._clock, self._before = Clock(), 0

    def __call__(self, what: str, done: int, total: int) -> None:
        if what != self._what or done < self._before:
            self._what, self._before = what, done
            self._clock.restart()
        counted = f": {done:,}" + (f" of {total:,}" if total else "") if done or total else ""
        say(f"{self._head}{what}{counted}{self._left(done, total)}", passing=True)

    def _left(self, done: int, total: int) -> str:
        done, total = done - self._before, total - self._before
        if self._clock.elapsed < TELLING or done <= 0 or total <= done:
            return ""
        return f", about {span_text(self._clock.pieces_left(done, total))} left"
