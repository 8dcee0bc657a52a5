"""Accuracy of the rule sets of a path on held-out folds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from corels.tables.folds import stratified_folds

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from corels_colgen.path import PathPoint
    from corels_colgen.ruleset import RuleSet


@dataclass(frozen=True)
class HeldOut:
    """Accuracy on held-out folds with one budget: a value for each fold."""

    budget: int
    accuracies: tuple[float, ...]
    complexities: tuple[int, ...]

    @property
    def accuracy(self) -> float:
        return float(np.mean(self.accuracies))

    @property
    def spread(self) -> float:
        """Standard deviation over the folds."""
        return float(np.std(self.accuracies))

    @property
    def complexity(self) -> float:
        return float(np.mean(self.complexities))


Learn = Callable[["NDArray[np.intp]"], Sequence["PathPoint"]]
Score = Callable[["RuleSet", "NDArray[np.intp]"], float]


def held_out(
    labels: NDArray[np.int64], folds: int, seed: int, learn: Learn, score: Score
) -> list[HeldOut]:
    """Learn on all folds but one, score on that one: the accuracies of each budget."""
    found: dict[int, list[tuple[float, int]]] = {}
    for train, test in stratified_folds(labels, folds, seed):
        for point in learn(train):
            entry = (score(point.model, test), point.model.complexity)
            found.setdefault(point.budget, []).append(entry)
    return [
        HeldOut(budget, tuple(a for a, _ in entries), tuple(c for _, c in entries))
        for budget, entries in sorted(found.items())
    ]
