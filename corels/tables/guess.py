"""Guessed thresholds: the cuts that an ensemble of boosted stumps chooses.

McTavish et al. (2022), "Fast Sparse Decision Tree Optimization via Reference Ensembles": a strong
ensemble of shallow trees knows which cuts matter, and an exact search over those few loses little.
Here gradient boosting with trees of one split is fitted to all columns (numbers as their ranks,
which loses nothing and cannot overflow; missing numbers as the median; categories as 0/1). The cuts
of each number column are ranked by the improvement they brought, and the best of each column are
kept. A column that no stump used gets none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError
from corels.installed import needed
from corels.tables.advice import refuse_infinite
from corels.tables.column import Column, different_rows
from corels.tables.cuts import Number, nearest_cuts
from corels.tables.deadline import NO_DEADLINE, Deadline

N_STUMPS = 100
MOST_CATEGORIES = 50


def guess_thresholds(
    columns: Sequence[Column],
    labels: NDArray[np.int64],
    most: Mapping[str, int],
    *,
    seed: int | None,
    weights: NDArray[np.int64] | None = None,
    deadline: Deadline = NO_DEADLINE,
) -> dict[str, list[Number]]:
    """Column name -> cuts, rising, for every column of numbers.

    labels: (N,) classes. most: column -> the most cuts. seed: of the ensemble. weights:
    (N,) how many rows each stands for; None for one each.
    deadline: learns how many stumps are fitted. Raises InputError if scikit-learn is not
    installed, a value is infinite, or the time is up.
    """
    numbers = [c for c in columns if c.is_number]
    for column in numbers:
        refuse_infinite(column)
    distinct = [column.different[0] for column in numbers]
    features = [*map(_ranks, numbers, distinct), *_indicators(columns, numbers)]
    ranked = _ranked_cuts(features, len(numbers), labels, weights, seed=seed, deadline=deadline)
    return {
        column.name: nearest_cuts(found, found[ranked[at][: most[column.name]]])
        for at, (column, found) in enumerate(zip(numbers, distinct, strict=True))
    }


def _ranked_cuts(
    features: list[NDArray[np.float64]],
    n_numbers: int,
    labels: NDArray[np.int64],
    weights: NDArray[np.int64] | None,
    *,
    seed: int | None,
    deadline: Deadline,
) -> dict[int, list[int]]:
    """Position of a number column -> ranks after which to cut it, the most useful first."""
    ensemble = needed("sklearn.ensemble", "cuts 'guess' needs scikit-learn", "sklearn", InputError)
    ranked: dict[int, list[int]] = defaultdict(list)
    counted = labels if weights is None else labels[weights > 0]
    if not n_numbers or len(np.unique(counted)) < 2:
        return ranked
    model = ensemble.GradientBoostingClassifier(
        max_depth=1, n_estimators=N_STUMPS, learning_rate=0.3, random_state=seed
    )
    rows, classes, amounts = _distinct_rows(np.stack(features, axis=1), labels, weights)

    def fitted(number: int, *_: object) -> None:
        progress = "stumps for guessed cuts fitted"
        deadline.look(progress, number + 1, N_STUMPS, progress.replace("fitted", "were fitted"))

    model.fit(rows, classes, sample_weight=amounts, monitor=fitted)
    gains: dict[tuple[int, int], float] = defaultdict(float)
    for stump in model.estimators_.ravel():
        tree = stump.tree_
        if tree.node_count == 3 and tree.feature[0] < n_numbers:
            size = tree.weighted_n_node_samples
            gain = tree.impurity[0] - float(np.dot(tree.impurity[1:], size[1:]) / size[0])
            gains[int(tree.feature[0]), int(tree.threshold[0])] += gain
    for (at, cut), _ in sorted(gains.items(), key=lambda item: (-item[1], item[0])):
        ranked[at].append(cut)
    return ranked


def _distinct_rows(
    table: NDArray[np.float64], labels: NDArray[np.int64], weights: NDArray[np.int64] | None
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]:
    """Each row that occurs once, its class and its weight: a row twice is a weight of 2."""
    first, kind = different_rows([*table.T, labels])
    amounts = np.bincount(kind, weights, len(first)).astype(np.float64)
    return table[first], labels[first], amounts


def _ranks(column: Column, distinct: NDArray[np.generic]) -> NDArray[np.float64]:
    """(N,) position of each value among the distinct ones; the median position where missing."""
    ranks = np.searchsorted(distinct, column.values).astype(np.float64)
    if column.present.any():
        ranks[column.missing] = np.median(ranks[column.present])
    return ranks


def _indicators(columns: Sequence[Column], numbers: list[Column]) -> list[NDArray[np.float64]]:
    """The frequent categories as 0/1, so that stumps on numbers need not stand in for them."""
    found = []
    for column in columns:
        if column not in numbers and column.categories is not None:
            counts = np.bincount(column.values[column.present], minlength=len(column.categories))
            for code in np.argsort(-counts, kind="stable")[:MOST_CATEGORIES].tolist():
                found.append((column.values == code).astype(np.float64))
    return found
