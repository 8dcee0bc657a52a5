"""How far a check is, and when it has to end.

A check may take longer than one cares to wait, and what it has looked at until then is worth
saying. So a checker reports to a `Watch`, often, what it does and how much of it is done.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from corels.clock import Clock, Report

Item = TypeVar("Item")


class EndedError(Exception):
    """The time for a check is up."""


class Watch(Clock):
    """The clock of a check. held: what was checked to its end, in words."""

    def __init__(self, seconds: float | None = None, report: Report | None = None) -> None:
        super().__init__(seconds, report)
        self._now: tuple[str, int, int] | None = None
        self.held: list[str] = []

    def tell(self, what: str, done: int, total: int = 0) -> None:
        """Note progress. Raises EndedError if the time is up."""
        self._now = what, done, total
        if self.expired():
            raise EndedError(f"the time limit of {self.limit:g} s was reached")
        super().tell(what, done, total)

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
