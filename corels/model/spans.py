"""Spans of time as people read them: as coarse as the estimate, and steady.

An estimate is shown as a range between two *rungs* of a ladder of round numbers (1, 2, 3, 5, 10 s
and so on). A range that moves by less than a rung to either side is shown as it was, so what
people read does not jump to and fro.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right

MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0
UNITS = (
    (DAY, "day", (1, 2, 3, 5, 7, 10, 15, 20, 30)),
    (HOUR, "h", (1, 1.5, 2, 3, 4, 6, 8, 12, 18)),
    (MINUTE, "min", (1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 45)),
    (1.0, "s", (1, 2, 3, 5, 7, 10, 15, 20, 30, 45)),
)
RUNGS = tuple(sorted(unit * number for unit, _, numbers in UNITS for number in numbers))
WIDTH = 2.0  # a range goes from the estimate over this to the estimate times it
NARROW = 1.6  # a range of no larger factor is told as one number


def rung_below(seconds: float) -> float:
    """The largest rung that is not above; 0 below the first one."""
    at = bisect_right(RUNGS, seconds)
    return RUNGS[at - 1] if at else 0.0


def rung_above(seconds: float) -> float:
    """The least rung that is not below; infinite above the last one."""
    at = bisect_left(RUNGS, seconds)
    return RUNGS[at] if at < len(RUNGS) else math.inf


def range_around(seconds: float) -> tuple[float, float]:
    """The rungs that are shown of an estimate; NaN where nothing is known."""
    if math.isnan(seconds):
        return math.nan, math.nan
    return rung_below(seconds / WIDTH), rung_above(seconds * WIDTH)


def neighbours(one: float, other: float) -> bool:
    """Whether two rungs are the same, or next to each other."""
    ladder = (0.0, *RUNGS, math.inf)
    return abs(ladder.index(one) - ladder.index(other)) <= 1


def span_text(seconds: float) -> str:
    """'45 s', '7 min', '1.5 h', '3 days': the nearest rung by ratio; '30 days' is the last one."""
    if seconds <= RUNGS[0]:
        return "1 s"
    low, high = rung_below(seconds), min(rung_above(seconds), RUNGS[-1])
    rung = low if seconds / low < high / seconds else high
    size, unit, _ = next(unit for unit in UNITS if rung >= unit[0])
    number = rung / size
    return f"{number:g} {unit}{'s' if unit == 'day' and number > 1 else ''}"


def range_text(least: float, most: float) -> str:
    """'about 4 min', '2 to 7 min', '45 s to 3 min'; 'over 20 s' where nobody knows the most.

    NaN for what is not known.
    """
    if math.isnan(least) or (math.isnan(most) and least < RUNGS[0]):
        return "not known yet"
    if math.isnan(most) or math.isinf(most) or least >= RUNGS[-1]:
        return f"over {span_text(least)}"
    if least < RUNGS[0]:
        return f"under {span_text(most)}"
    if most / least <= NARROW:
        return f"about {span_text(math.sqrt(least * most))}"
    low, high = span_text(least), span_text(most)
    number, _, unit = low.partition(" ")
    same = unit.rstrip("s") == high.partition(" ")[2].rstrip("s")
    return f"{number} to {high}" if same else f"{low} to {high}"
