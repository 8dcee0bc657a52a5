"""Times of runs: how far they spread, and whether two differ by more than that.

The spread is the middle four fifths of the times. Where the spreads of two configurations overlap,
the times are said to be about the same. Of 120 pairs in which a search was compared with itself, on
a machine whose other users made some of the medians differ by a factor of three, this rule called
none different; with the middle half it would have been 5, with the medians of repeats 10.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass

import numpy as np

SAME = "about the same"


@dataclass(frozen=True, slots=True)
class Times:
    """The seconds of each run of one configuration. ended: no run was stopped by a limit."""

    seconds: tuple[float, ...]
    ended: bool

    @property
    def median(self) -> float | None:
        """None where no run has a time."""
        return statistics.median(self.seconds) if self.seconds else None

    @property
    def _middle(self) -> tuple[float, float]:
        low, high = np.quantile(self.seconds, (0.1, 0.9)).tolist()
        return low, high

    @property
    def spread(self) -> str:
        """The middle four fifths: "0.69 to 0.84"; of one run nothing is known."""
        if len(self.seconds) < 2:
            return "one run" if self.seconds else ""
        low, high = self._middle
        return f"{low:.3g} to {high:.3g}"

    def beside(self, first: Times) -> str:
        """How long these runs are, compared with those of the first configuration."""
        if not (self.seconds and first.seconds and (self.ended or first.ended)):
            return "both were stopped" if self.seconds and first.seconds else ""
        ratio = statistics.median(self.seconds) / max(statistics.median(first.seconds), 1e-9)
        times = f"{ratio:.3g}" if ratio < 100 else f"{ratio:.0f}"
        said = f"{times} times as long"
        if not self.ended:
            return f"at least {said}"
        if not first.ended:
            return f"at most {said}"
        if min(len(self.seconds), len(first.seconds)) < 2:
            return f"{said}, in one run"
        return SAME if self._overlaps(first) else said

    def _overlaps(self, other: Times) -> bool:
        (low, high), (other_low, other_high) = self._middle, other._middle
        return low <= other_high and other_low <= high
