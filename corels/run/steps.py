"""How much work one step of an engine is given, so that it takes about a twentieth of a second.

Short enough for Ctrl-C, limits and the display, and long enough that the looks in between cost
nothing. Every loop that drives an engine in steps asks here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from corels.clock import Clock

STEP_SECONDS = 0.05
MOST_BUDGET = 1 << 40  # units of work that one step may be given

Outcome = TypeVar("Outcome")


class Steps:
    """The budget of the next step, by what the ones before it took."""

    def __init__(self) -> None:
        self._budget = 1

    def take(self, step: Callable[[int], Outcome]) -> Outcome:
        """One step of the budget."""
        clock = Clock()
        outcome = step(self._budget)
        took = clock.elapsed
        if took < STEP_SECONDS / 8:  # the first steps are short: a small search takes three
            self._budget = min(8 * self._budget, MOST_BUDGET)
        elif took < STEP_SECONDS / 2:
            self._budget = min(2 * self._budget, MOST_BUDGET)
        elif took > STEP_SECONDS * 2:
            self._budget = max(1, self._budget // 2)
        return outcome
