"""Held-out folds of a data set, whose antecedents stay as they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from corels.errors import OptionError
from corels.tables.dataset import Dataset


def subset(data: Dataset, rows: NDArray[np.intp]) -> Dataset:
    """The same data set with some of its rows."""
    weights = None if data.weights is None else data.weights[rows]
    costs = None if data.costs is None else data.costs.take(rows)
    repeated = None if data.repeated is None else data.repeated[rows]
    return replace(
        data,
        counted=0 if repeated is None else int(repeated.sum()),
        repeated=repeated,
        captures=data.captures.columns(rows),
        labels=data.labels[rows],
        weights=weights,
        costs=costs,
        demands=None if data.demands is None else data.demands.take(rows),
    )


def stratified_folds(
    labels: NDArray[np.int64], folds: int, seed: int
) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """(train, test) row numbers; every class is dealt evenly over the folds.

    Raises OptionError unless there are from 2 folds to one for each row.
    """
    check_folds(folds, len(labels))
    random = np.random.default_rng(seed)
    order = np.concatenate(
        [random.permutation(np.flatnonzero(labels == value)) for value in np.unique(labels)]
    )
    place = np.empty(len(labels), dtype=np.intp)
    place[order] = np.arange(len(labels)) % folds
    for fold in range(folds):
        yield np.flatnonzero(place != fold), np.flatnonzero(place == fold)


def check_folds(folds: int, rows: int) -> None:
    """Raises OptionError unless there are from 2 folds to one for each row."""
    if isinstance(folds, bool) or not isinstance(folds, Integral) or not 2 <= folds <= rows:
        raise OptionError(f"⟨folds⟩ is {folds!r}: expected a number from 2 to the {rows} rows")
