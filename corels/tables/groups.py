"""Groups of categories: "city in {Bonn, Graz, Linz}", for columns of many values.

Few of a hundred values hold for enough rows to be an antecedent each, and a rule list that may only
ask for one value at a time needs a rule for each. A group asks for several that behave alike.

The values are put in the order of their share of the positive class, and that order is cut like a
column of numbers: of all ways to part the values in two, the one that tells the classes apart best
is a cut of this order (Breiman et al. 1984, theorem 4.5). With more classes the order is that of
the first principal component of the values' class shares, which is nearly as good (Coppersmith,
Hong and Hosking 1999). Each cut gives both sides, as a cut of numbers does.

Values can be ordered by chance, and many rare values always can: a cut is made only where what it
tells of the classes pays for naming the values on one side of it, one of 2^(k-1) - 1 ways to part k
values (minimum description length, as for `entropy` thresholds). Values of fewer than `FEWEST` rows
are in no group, and of more than `MOST_VALUES` those of most rows are grouped. So a value that a
model has not seen, or hardly, is in no group.

Groups look at the labels: in an honest experiment they are made from training rows only.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from corels.tables.column import Column, Scalar
from corels.tables.thresholds import added_up, class_weights, cut_places

FEWEST = 10  # rows of a value that joins a group
MOST_VALUES = 100  # of one column


def groups_of(
    column: Column, labels: NDArray[np.int64], n_cuts: int, weights: NDArray[np.int64] | None = None
) -> list[tuple[tuple[Scalar, ...], tuple[Scalar, ...]]]:
    """Both sides of each cut of the values' order, at most `n_cuts` pairs; none where none pays.

    column: N values, categories. labels: (N,) classes. weights: (N,) how many rows each stands for,
    None for one each.
    """
    assert column.categories is not None
    rows = column.present
    stand_for = None if weights is None else weights[rows]
    counts = class_weights(column.values[rows], len(column.categories), labels[rows], stand_for)
    held = counts.sum(axis=1)
    common = np.flatnonzero(held >= FEWEST)
    common = np.sort(common[np.argsort(-held[common], kind="stable")[:MOST_VALUES]])
    if len(common) < 2:
        return []
    order = common[np.argsort(_scores(counts[common]), kind="stable")]
    values = [column.categories[code] for code in order.tolist()]
    return [
        (_sorted(values[:place]), _sorted(values[place:]))
        for place in cut_places(added_up(counts[order]), n_cuts, _bits_of_naming)
    ]


def _bits_of_naming(n_values: int, total: float) -> float:
    """Bits that say which of the ways to part so many values in two is meant."""
    return math.log2(max(1, 2 ** (n_values - 1) - 1))


def _scores(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """(K,) the place of each value in the order: class shares along the line on which they differ
    most. With two classes that is the share of the last one."""
    held = counts.sum(axis=1)
    shares = counts / held[:, None]
    if counts.shape[1] == 2:
        return np.asarray(shares[:, 1])
    apart = shares - counts.sum(axis=0) / held.sum()
    axes = np.linalg.eigh((apart * held[:, None]).T @ apart)[1]
    axis = axes[:, -1]
    sign = 1 if axis[int(np.abs(axis).argmax())] > 0 else -1
    return np.asarray(np.round(sign * apart @ axis, 9))


def _sorted(values: list[Scalar]) -> tuple[Scalar, ...]:
    return tuple(sorted(values, key=in_order))


def in_order(value: Scalar) -> tuple[bool, float, str]:
    """Numbers by value, then text."""
    return (True, 0.0, value) if isinstance(value, str) else (False, value, "")
