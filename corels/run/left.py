"""How long a search will still take, told from how fast the work that is open shrinks.

A search reports `Progress.open_weight`: the children that it has not searched yet, each weighted by
two to the number of rules for which its bound leaves room. While the bounds stay the same, the
weight falls with the work; when new tables make the bounds better, it falls at once, and the
measurement begins anew. Where the weight has not fallen by a tenth, nothing is said.
docs/internals/depth-first.md says how good the estimates were.
"""

from __future__ import annotations

import math

from corels.search import Progress

FALLEN = 0.9  # of the greatest weight: an estimate needs at most so much
SOON = 5.0  # seconds of measurement before anything is said
STAGES = ("price_stage", "block_stage")
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
        self._tables: tuple[object, ...] = ()
        self._since, self._most = 0.0, 0.0

    def look(self, elapsed: float, now: Progress) -> float:
        """The seconds left after `elapsed` seconds, or NaN where that cannot be told."""
        tables = tuple(now.extra.get(name) for name in STAGES)
        weight = now.open_weight
        if tables != self._tables or not weight < self._most:
            self._tables, self._since, self._most = tables, elapsed, weight
        self.seconds = math.nan
        took = elapsed - self._since
        if took >= SOON and weight <= FALLEN * self._most:
            self.seconds = took * weight / (self._most - weight)
        return self.seconds


def in_words(seconds: float) -> str:
    """'minutes', 'hours': an estimate that may be wrong by a factor of four is no better."""
    if math.isnan(seconds):
        return "unknown"
    return next((word for most, word in WORDS if seconds < most), "days")
