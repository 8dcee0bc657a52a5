"""How long a count of good lists will still take.

The budget grows in steps, each counted from the beginning, and the time that a step takes grows by
a nearly steady factor with the budget. So from the last two steps that are complete the next ones
are foretold. Before there are two, nothing is said.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

LEAST = 0.25  # of a step's time so far is left at least, while it lasts
MEASURED = 0.02  # seconds that a step must take to be measured
STEEPEST = 40.0  # of the logarithm, over one step


class TimeEstimate:
    """Hears of each step that is complete; foretells the others.

    budgets: the steps to come, rising; none where it is not known which they are.
    """

    def __init__(self, budgets: Sequence[float] = ()) -> None:
        self._budgets = list(budgets)
        self._done: list[tuple[float, float]] = []  # budget, seconds

    def complete(self, budget: float, seconds: float) -> None:
        """This step took so long."""
        self._done.append((budget, max(seconds, MEASURED)))

    def seconds_left(self, budget: float, spent: float) -> float:
        """Seconds until all steps are complete; the one of `budget` has taken `spent`. Or NaN."""
        if len(self._done) < 2 or not self._budgets:
            return math.nan
        (one, before), (other, after) = self._done[-2:]
        slope = max(0.0, math.log(after / before)) / max(other - one, 1e-12)
        here = self._foretold(other, after, slope, budget) - spent
        later = sum(self._foretold(other, after, slope, b) for b in self._budgets if b > budget)
        return max(here, LEAST * spent) + later

    @staticmethod
    def _foretold(other: float, after: float, slope: float, budget: float) -> float:
        return after * math.exp(min(STEEPEST, slope * max(0.0, budget - other)))
