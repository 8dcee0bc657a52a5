"""From columns to antecedents: the plain core under `Binarizer`, tables and built-in data.

Each column becomes one or more conditions:

- numbers: both sides of each threshold, "age <= 25" and "age > 25" (a cut is a category of two);
- numbers that are only 0 and 1, and booleans: the column itself, "smoker";
- categories: one condition a value, "sex = Male";
- any column with missing values: "age is missing", unless missing values are refused.

With negations, "sex != Male", "not smoker" and "age is present" follow, each after all features.
Conditions that the limits on support exclude, or that equal an earlier one of the same column on
the data (the negation of one of two categories), are left out.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from corels.antecedents.column import Column, Scalar, row_count
from corels.antecedents.condition import Antecedent, Condition, evaluate_all
from corels.antecedents.mining import Mined, conjunctions
from corels.antecedents.options import BinarizeOptions
from corels.antecedents.support import SupportLimits
from corels.antecedents.thresholds import Number, quantile_cuts, uniform_cuts
from corels.errors import InputError, OptionError


def binarize(
    columns: Mapping[str, Column],
    options: BinarizeOptions,
    labels: NDArray[np.int64] | None = None,
    weights: NDArray[np.int64] | None = None,
) -> Mined:
    """The antecedents of a table and their captures: features, negations, then conjunctions.

    Args:
        columns: column name -> `Column` of N values.
        labels: (N,) classes, needed only for guessed thresholds.
        weights: (N,) how many rows each stands for; None for one each.

    Raises:
        OptionError: for an option out of range.
        InputError: for a missing value that is refused, or an infinite one.
    """
    single = single_antecedents(columns, options, labels, weights)
    total = row_count(columns) if weights is None else int(weights.sum())
    limits = SupportLimits.of(options.min_support, options.max_support, total)
    captures = evaluate_all(single, columns)
    return conjunctions(single, captures, options.max_cardinality, limits, weights)


def single_antecedents(
    columns: Mapping[str, Column],
    options: BinarizeOptions,
    labels: NDArray[np.int64] | None = None,
    weights: NDArray[np.int64] | None = None,
) -> list[Antecedent]:
    """The antecedents of one condition: features first, then their negations (as `binarize`)."""
    options.check()
    _check_categorical(columns, options)
    total = row_count(columns) if weights is None else int(weights.sum())
    limits = SupportLimits.of(options.min_support, options.max_support, total)
    if options.missing == "refuse":
        refuse_missing(columns)
    guessed = _guess(columns, options, labels, weights) if options.thresholds == "guess" else None
    features: list[Condition] = []
    negations: list[Condition] = []
    for column in columns.values():
        found = _conditions(column, options, guessed, limits, weights)
        kept, kept_negations = _select(column, found, options.negations, limits, weights)
        features += kept
        negations += kept_negations
    return [Antecedent.of(condition) for condition in features + negations]


def refuse_missing(columns: Mapping[str, Column]) -> None:
    """Raise InputError for the first column with missing values."""
    for column in columns.values():
        if column.missing.any():
            row = int(np.flatnonzero(column.missing)[0]) + 1
            raise InputError(
                f"column {column.name!r} has {int(column.missing.sum())} missing values, the first "
                f"in row {row}; fill or drop them, or keep them as an indicator"
            )


def _check_categorical(columns: Mapping[str, Column], options: BinarizeOptions) -> None:
    for name in options.categorical:
        if name not in columns:
            raise OptionError(f"categorical names the column {name!r}, which is not in the data")


def _guess(
    columns: Mapping[str, Column],
    options: BinarizeOptions,
    labels: NDArray[np.int64] | None,
    weights: NDArray[np.int64] | None,
) -> dict[str, list[Number]]:
    from corels.antecedents.guess import guess_thresholds

    if labels is None:
        raise OptionError("thresholds 'guess' learns from the labels: give them too")
    if len(labels) != row_count(columns):
        raise InputError(f"labels for {len(labels)} rows, but the table has {row_count(columns)}")
    return guess_thresholds(columns, labels, options, weights)


def _conditions(
    column: Column,
    options: BinarizeOptions,
    guessed: Mapping[str, list[Number]] | None,
    limits: SupportLimits,
    weights: NDArray[np.int64] | None,
) -> list[Condition]:
    """The features of one column, before any selection."""
    name = column.name
    found: list[Condition] = []
    if not column.is_number or name in options.categorical:
        found = _values(column.as_categories(), options.negations, limits, weights)
    elif is_binary(column):
        found = [Condition(name, "true")]
    else:
        cuts = guessed[name] if guessed is not None else _cuts(column, options, weights)
        found = [Condition(name, side, cut) for cut in cuts for side in ("<=", ">")]
    if column.missing.any():
        found.append(Condition(name, "missing"))
    return found


def _values(
    column: Column, negate: bool, limits: SupportLimits, weights: NDArray[np.int64] | None
) -> list[Condition]:
    """One condition a value. Values that the limits will exclude (most names of people, say) are
    left out here by counting them, because there may be as many as rows."""
    assert column.categories is not None
    kept = weights[column.present] if weights is not None else None
    counts = np.bincount(column.values[column.present], kept, len(column.categories))
    allowed = (counts >= limits.least) & (counts <= limits.most)
    if negate:
        others = counts.sum() - counts
        allowed |= (others >= limits.least) & (others <= limits.most)
    values = [column.categories[code] for code in np.flatnonzero(allowed).tolist()]
    return [Condition(column.name, "==", value) for value in sorted(values, key=_in_order)]


def _in_order(value: Scalar) -> tuple[bool, float, str]:
    """Numbers by value, then text."""
    return (True, 0.0, value) if isinstance(value, str) else (False, value, "")


def is_binary(column: Column) -> bool:
    """A column of numbers of which all are 0 or 1."""
    if not column.is_number:
        return False
    if column.values.dtype == np.bool_:
        return True
    return bool((column.missing | (column.values == 0) | (column.values == 1)).all())


def _cuts(
    column: Column, options: BinarizeOptions, weights: NDArray[np.int64] | None
) -> list[Number]:
    values = column.values[column.present]
    if not np.isfinite(values).all():
        raise InputError(f"column {column.name!r} has an infinite value")
    if not len(values):
        return []
    if options.thresholds == "uniform":
        return uniform_cuts(values, options.n_thresholds)
    stand_for = None if weights is None else weights[column.present]
    return quantile_cuts(values, options.n_thresholds, stand_for)


def _select(
    column: Column,
    found: list[Condition],
    negate: bool,
    limits: SupportLimits,
    weights: NDArray[np.int64] | None,
) -> tuple[list[Condition], list[Condition]]:
    """The conditions of one column within the limits, and their negations if wanted."""
    seen: set[bytes] = set()

    def is_new(condition: Condition) -> bool:
        holds = condition.holds(column)
        key = np.packbits(holds).tobytes()
        support = holds.sum() if weights is None else weights[holds].sum()
        if key in seen or not limits.allow(int(support)):
            return False
        seen.add(key)
        return True

    kept = [condition for condition in found if is_new(condition)]
    negations = [condition.negated() for condition in found] if negate else []
    return kept, [condition for condition in negations if is_new(condition)]
