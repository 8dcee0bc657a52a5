"""Numbers that scikit-learn's users expect of a classifier, made of counts and predictions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from corels.tables import Antecedent

LEAST = np.finfo(np.float64).tiny


def margins(
    shares: NDArray[np.float64], predicted: NDArray[np.intp], threshold: float
) -> NDArray[np.float64]:
    """float64[N]: frequency of the second class less the threshold, above 0 if it is predicted.

    Rounding and ties must not turn the sign, so the prediction has the last word on it; if it is
    no class (2 and more), the number stays.
    """
    margin = shares - threshold
    known = np.where(predicted == 1, np.maximum(margin, LEAST), np.minimum(margin, 0.0))
    return np.where(predicted > 1, margin, known)


def scores(shares: NDArray[np.float64], predicted: NDArray[np.intp]) -> NDArray[np.float64]:
    """float64[N, C]: the frequencies, but nothing above that of the predicted class."""
    found = shares.copy()
    rows = np.arange(len(found))
    other = (found.argmax(axis=1) != predicted) & (predicted < shares.shape[1])
    found[rows[other], predicted[other]] = np.nextafter(found[other].max(axis=1), np.inf)
    return found


def importances(
    steps: Sequence[tuple[tuple[Antecedent, ...], tuple[int, ...]]], columns: Sequence[str]
) -> NDArray[np.float64]:
    """float64[columns]: the fall of the Gini impurity that each column's conditions bring about.

    steps: antecedents and class counts of what they take from the rest, in order; all counts
    together are the training data.
    """
    place = {name: at for at, name in enumerate(columns)}
    found = np.zeros(len(columns))
    counts = np.array([taken for _, taken in steps], dtype=np.float64)
    rest = counts.sum(axis=0)
    for (antecedents, _), taken in zip(steps, counts, strict=True):
        fall = _impurity(rest) - _impurity(taken) - _impurity(rest - taken)
        rest = rest - taken
        asked = [c.column for antecedent in antecedents for c in antecedent.conditions]
        for name in asked:
            found[place[name]] += max(fall, 0.0) / len(asked)
    total = found.sum()
    return found / total if total > 0 else found


def _impurity(counts: NDArray[np.float64]) -> float:
    """Gini impurity times the weight."""
    weight = float(counts.sum())
    return weight - float((counts**2).sum()) / weight if weight > 0 else 0.0
