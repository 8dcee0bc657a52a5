"""Spans of time as people read them: the nearest of a few round numbers."""

from __future__ import annotations

from bisect import bisect_left

UNITS = (
    (1.0, "s", (1, 2, 3, 5, 7, 10, 15, 20, 30, 45)),
    (60.0, "min", (1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 45)),
    (3600.0, "h", (1, 1.5, 2, 3, 4, 6, 8, 12, 18)),
    (86400.0, "day", (1, 2, 3, 5, 7, 10, 15, 20, 30)),
)
ROUND = [(unit * number, number, name) for unit, name, numbers in UNITS for number in numbers]


def span_text(seconds: float) -> str:
    """'45 s', '7 min', '1.5 h', '3 days': the nearest by ratio, from 1 s to 30 days."""
    above = min(max(1, bisect_left(ROUND, (seconds,))), len(ROUND) - 1)
    low, high = ROUND[above - 1], ROUND[above]
    _, number, unit = low if seconds * seconds < low[0] * high[0] else high
    return f"{number:g} {unit}{'s' if unit == 'day' and number > 1 else ''}"
