"""One rule of a list: what it asks, what it predicts, what it captures in the training data."""

from __future__ import annotations

from dataclasses import dataclass

from corels.tables import Antecedent


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule, or the default rule (`antecedent` None).

    prediction: index into the list's classes. counts: training weight captured, per class.
    """

    antecedent: Antecedent | None
    prediction: int
    counts: tuple[int, ...]

    @property
    def captured(self) -> int:
        """Training weight that this rule captures."""
        return sum(self.counts)

    @property
    def correct(self) -> int:
        """Of it, the weight of the predicted class."""
        return self.counts[self.prediction]

    @property
    def frequencies(self) -> tuple[float, ...]:
        """Share of each class among the captured; uniform where nothing is captured."""
        if self.captured == 0:
            return tuple(1 / len(self.counts) for _ in self.counts)
        return tuple(count / self.captured for count in self.counts)
