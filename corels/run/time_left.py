"""How long a search will still take: the work that it expects, at the pace that it has.

Searches report `Progress.work_left`, told from what their passes took, or from the share of their
tree that is done (docs/internals/time-left.md says how, docs/studies/time-left.md how good the
estimates were). Here this becomes seconds:

- The work is divided by the pace of its later half. Time in which tables were made is not a part of
  that pace, since no work was done then. Tables will be made again, though less and less often, so
  the estimate is longer by a quarter of what they took for each second of work so far.
- Estimates leap when a pass ends. So each is mixed with those before it, as logarithms.
- What is told is a range on a ladder of round numbers, as wide as the estimates of many searches
  were wrong, and it stays where it is while the next one is hardly another.

While tables are made and nothing else is known, their share that is done says how long they take at
least.
"""

from __future__ import annotations

import math
from collections import deque
from typing import NamedTuple

from corels.model.spans import neighbours, range_around, range_text, rung_below
from corels.search import Progress

SOON = 1.0  # seconds of measurement before anything is said
SMOOTHING = 0.03  # of the time so far: what is older counts for less than e to the -1
SAFELY = 1.5  # so much sooner may tables be made than they seem to be
WORTH = 5.0  # seconds of tables that are worth telling, where nothing else is known
AGAIN = 0.25  # of the share of the time that tables took: so much will be made again
MOST_AGAIN = 0.5  # of the time of the work, at most
NAN = math.nan


class TimeEstimate(NamedTuple):
    """Seconds left: an estimate, and the range that is shown; each NaN where it is not known.

    least alone: nothing but that it takes longer than this.
    """

    seconds: float = NAN
    least: float = NAN
    most: float = NAN


class TimeLeft:
    """Fed with every snapshot of one search; `now` is the newest estimate."""

    def __init__(self) -> None:
        self.now = TimeEstimate()
        self._before: float | None = None  # `elapsed` of the look before
        self._walked = self._built = 0.0  # seconds of walking and of making tables since it is told
        self._seen: deque[tuple[float, float]] = deque()  # seconds walked, work done; oldest first
        self._first = NAN  # work that was done when the first estimate came
        self._smooth = NAN
        self._tables_since: tuple[float, float] | None = None  # elapsed and share, of these tables

    def look(self, elapsed: float, now: Progress) -> TimeEstimate:
        """What is left after `elapsed` seconds."""
        passed = 0.0 if self._before is None else max(0.0, elapsed - self._before)
        self._before = elapsed
        tables = self._tables(elapsed, now.building)
        done = now.extra.get("counts")
        if math.isinf(now.work_left) and not math.isnan(self.now.most):
            return self.now  # between two passes
        if not math.isfinite(now.work_left) or not isinstance(done, int):
            self._smooth = NAN
            least = rung_below(tables / SAFELY)
            self.now = TimeEstimate(least=least) if least >= WORTH else TimeEstimate()
            return self.now
        pace = self._pace(passed, float(done), building=not math.isnan(now.building))
        if math.isnan(pace):
            return self.now
        self._smooth = self._smoothed(elapsed, passed, now.work_left * pace + tables)
        self.now = self._steady(self._smooth)
        return self.now

    def to_extra(self) -> dict[str, float]:
        """For the certificate of a search that was stopped: the range, as far as it is known."""
        told = {"seconds_left_least": self.now.least, "seconds_left_most": self.now.most}
        return {name: seconds for name, seconds in told.items() if math.isfinite(seconds)}

    def _tables(self, elapsed: float, share: float) -> float:
        """Seconds that the tables under way still take; 0 where none are, or nobody knows."""
        if math.isnan(share) or share <= 0:  # what comes before the first share has no pace
            self._tables_since = None
            return 0.0
        since = self._tables_since
        if since is None or share < since[1]:
            since = self._tables_since = elapsed, share
        began, before = since
        if share - before < 0.05 or elapsed - began < SOON:
            return 0.0
        return (1 - share) * (elapsed - began) / (share - before)

    def _pace(self, passed: float, done: float, *, building: bool) -> float:
        """Seconds for each unit of work, tables to come included; NaN where it is too soon."""
        if building:
            self._built += passed
        else:
            self._walked += passed
        if math.isnan(self._first):
            self._first = done
        self._seen.append((self._walked, done))
        middle = (self._first + done) / 2
        while len(self._seen) > 1 and self._seen[1][1] <= middle:
            self._seen.popleft()
        since, before = self._seen[0]
        if self._walked + self._built < SOON or done <= before or self._walked <= since:
            return NAN
        again = min(MOST_AGAIN, AGAIN * self._built / self._walked)
        return (1 + again) * (self._walked - since) / (done - before)

    def _smoothed(self, elapsed: float, passed: float, seconds: float) -> float:
        seconds = max(seconds, 1e-3)
        if math.isnan(self._smooth):
            return seconds
        share = 1 - math.exp(-passed / max(SOON, SMOOTHING * elapsed))
        return math.exp((1 - share) * math.log(self._smooth) + share * math.log(seconds))

    def _steady(self, seconds: float) -> TimeEstimate:
        """The range of an estimate, or the one before it where that still serves."""
        least, most = range_around(seconds)
        now = self.now
        serves = not math.isnan(now.most) and now.least <= seconds <= now.most
        if serves and neighbours(least, now.least) and neighbours(most, now.most):
            return TimeEstimate(seconds, now.least, now.most)
        return TimeEstimate(seconds, least, most)


def time_left_text(now: Progress) -> str:
    """'2 to 7 min', 'about 4 min', 'over 20 s', 'not known yet', 'not known'.

    Where a time limit is given and the search is not expected to end before it: '2 to 6 h, likely
    beyond the limit'.
    """
    if math.isnan(now.work_left) and math.isnan(now.seconds_left_least):
        return "not known"
    text = range_text(now.seconds_left_least, now.seconds_left_most)
    if now.seconds_left_least > now.limit_left:
        return f"{text}, likely beyond the limit"
    return text
