"""How long a search will still take: the work that it expects, at the pace that it has.

A search that deepens reports `Progress.work_left`, told from what each of its passes took (docs/
internals/depth-first.md says how, and how good the estimates were). Here this is divided by the
pace: the work of the later half of the time since the first such report.
"""

from __future__ import annotations

import math
from collections import deque

from corels.search import Progress

SOON = 2.0  # seconds of measurement before anything is said
MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0
WORDS = (
    (MINUTE, "under a minute"),
    (20 * MINUTE, "minutes"),
    (2 * HOUR, "about an hour"),
    (2 * DAY, "hours"),
)


class TimeLeft:
    """Fed with every snapshot of one search; `seconds` is the newest estimate, NaN for none."""

    def __init__(self) -> None:
        self.seconds = math.nan
        self._began = math.nan
        self._seen: deque[tuple[float, float]] = deque()  # seconds and work done, oldest first

    def look(self, elapsed: float, now: Progress) -> float:
        """The seconds left after `elapsed` seconds, or NaN where that cannot be told."""
        self.seconds = math.nan
        done = now.extra.get("counts")
        if not math.isfinite(now.work_left) or not isinstance(done, int):
            return self.seconds
        if math.isnan(self._began):
            self._began = elapsed
        self._seen.append((elapsed, float(done)))
        while len(self._seen) > 1 and self._seen[1][0] <= (self._began + elapsed) / 2:
            self._seen.popleft()
        since, before = self._seen[0]
        if elapsed - self._began >= SOON and done > before:
            self.seconds = now.work_left * (elapsed - since) / (done - before)
        return self.seconds


def in_words(seconds: float) -> str:
    """'minutes', 'hours': an estimate that may be wrong by a factor of three is no better."""
    if math.isnan(seconds):
        return "unknown"
    return next((word for most, word in WORDS if seconds < most), "days")
