"""Guessed thresholds: the cuts that an ensemble of boosted stumps chooses.

McTavish et al. (2022), "Fast Sparse Decision Tree Optimization via Reference Ensembles": a strong
ensemble of shallow trees knows which cuts matter, and an exact search over those few loses little.
Here gradient boosting with trees of one split is fitted to all columns (categories as 0/1, missing
numbers as the median); the cuts of each number column are ranked by the improvement they brought,
and the best `n_thresholds` of each column are kept. A column that no stump used gets none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from corels.antecedents.column import Column
from corels.antecedents.options import BinarizeOptions
from corels.antecedents.thresholds import Number, given_cuts
from corels.errors import InputError

N_STUMPS = 100
MOST_CATEGORIES = 50


def guess_thresholds(
    columns: Mapping[str, Column], labels: NDArray[np.int64], options: BinarizeOptions
) -> dict[str, list[Number]]:
    """Column name -> cuts, rising, for every column of numbers.

    Args:
        labels: (N,) classes.

    Raises:
        InputError: if scikit-learn is not installed, or a value is infinite.
    """
    numbers = [c for c in columns.values() if c.is_number and c.name not in options.categorical]
    ranked = _ranked_cuts(numbers, _indicators(columns, numbers), labels, options.random_state)
    return {
        column.name: given_cuts(column.values[column.present], ranked[at][: options.n_thresholds])
        for at, column in enumerate(numbers)
    }


def _ranked_cuts(
    numbers: list[Column],
    indicators: list[NDArray[np.float64]],
    labels: NDArray[np.int64],
    seed: int | None,
) -> dict[int, list[float]]:
    """Position of a number column -> its cuts, the most useful first."""
    try:
        from sklearn.ensemble import GradientBoostingClassifier
    except ImportError:
        raise InputError(
            "thresholds 'guess' needs scikit-learn: pip install 'corels[sklearn]'"
        ) from None
    ranked: dict[int, list[float]] = defaultdict(list)
    if not numbers or len(np.unique(labels)) < 2:
        return ranked
    features = np.stack([*map(_filled, numbers), *indicators], axis=1)
    model = GradientBoostingClassifier(
        max_depth=1, n_estimators=N_STUMPS, learning_rate=0.3, random_state=seed
    )
    model.fit(features, labels)
    gains: dict[tuple[int, float], float] = defaultdict(float)
    for stump in model.estimators_.ravel():
        tree = stump.tree_
        if tree.node_count == 3 and tree.feature[0] < len(numbers):
            gain = tree.impurity[0] - float(
                np.dot(tree.impurity[1:], tree.n_node_samples[1:]) / tree.n_node_samples[0]
            )
            gains[int(tree.feature[0]), float(tree.threshold[0])] += gain
    for (at, cut), _ in sorted(gains.items(), key=lambda item: (-item[1], item[0])):
        ranked[at].append(cut)
    return ranked


def _filled(column: Column) -> NDArray[np.float64]:
    values = column.values.astype(np.float64)
    if not np.isfinite(values[column.present]).all():
        raise InputError(f"column {column.name!r} has an infinite value")
    middle = np.median(values[column.present]) if column.present.any() else 0.0
    return np.where(column.missing, middle, values)


def _indicators(columns: Mapping[str, Column], numbers: list[Column]) -> list[NDArray[np.float64]]:
    """The frequent categories as 0/1, so that stumps on numbers need not stand in for them."""
    found = []
    for column in columns.values():
        if column not in numbers and column.categories is not None:
            counts = np.bincount(column.values[column.present], minlength=len(column.categories))
            for code in np.argsort(-counts, kind="stable")[:MOST_CATEGORIES].tolist():
                found.append((column.values == code).astype(np.float64))
    return found
