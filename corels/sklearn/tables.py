"""What `Binarizer` and the estimators need of scikit-learn: checks of what comes in.

This module is imported only with them, so that `import corels` does not load scikit-learn.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from corels.errors import InputError, OptionError
from corels.options import Option, whole
from corels.problem import ClassLabel
from corels.tables.column import Column, as_columns, row_count
from corels.tables.held import framed, is_missing
from corels.tables.options import AS_WRITTEN, Reading

FACTOR = Option.number("class_weight", "what a class's sample weights are multiplied by", 1, low=0)


def refuses(missing: Any) -> bool:
    """Whether this value of the parameter `missing` makes missing values an error."""
    return isinstance(missing, str) and missing == "refuse"


def read_columns(
    estimator: Any, X: Any, *, reset: bool, missing: Any, reading: Reading = AS_WRITTEN
) -> dict[str, Column]:
    """The columns of X, remembered when `reset` and otherwise compared with those of the fit.

    X: an array, a sparse matrix, a frame, a list of rows, a mapping of columns, or a query (a
    polars `LazyFrame`). After the fit it may have no rows.
    missing: "refuse" raises for missing values. reading: which values mean "no value", and how
    dates are written. Raises InputError if X cannot be read or has other columns than the table of
    the fit.
    """
    if isinstance(X, np.ma.MaskedArray):
        X = np.array(X.tolist(), dtype=object)  # what is masked is None
    X = framed(X)
    if isinstance(X, Mapping) and not hasattr(X, "tocsr"):  # a sparse array may be a dict
        return _read_mapping(estimator, as_columns(X, reading=reading), reset)
    if hasattr(X, "columns") and hasattr(X, "shape"):  # a data frame: its columns keep their types
        table = as_columns(X, reading=reading)
        validate_data(estimator, X, reset=reset, skip_check_array=True)
        if reset:
            _refuse_empty(table)
        names = column_names(estimator)  # other ones, if the frame's names are not text
        return {n: one.named(n) for n, one in zip(names, table.values(), strict=True)}
    if isinstance(X, (list, tuple)):
        cells = np.asarray(X, dtype=object)
        X = cells if any(isinstance(cell, str) for cell in cells.ravel()) else np.asarray(X)
    array = validate_data(
        estimator,
        X,
        reset=reset,
        accept_sparse="csc",
        dtype=None,
        ensure_all_finite=True if refuses(missing) else "allow-nan",
        ensure_min_samples=1 if reset else 0,
    )
    return as_columns(array, column_names(estimator), reading=reading)


def _read_mapping(estimator: Any, columns: dict[str, Column], reset: bool) -> dict[str, Column]:
    if reset:
        _refuse_empty(columns)
        estimator.n_features_in_ = len(columns)
        estimator.feature_names_in_ = np.array(list(columns), dtype=object)
        return columns
    absent = [name for name in column_names(estimator) if name not in columns]
    if absent:
        raise InputError(f"the data has no column {absent[0]!r}, which the binarizer was fitted on")
    return columns


def _refuse_empty(columns: Mapping[str, Column]) -> None:
    for found, what in ((len(columns), "feature"), (row_count(columns), "sample")):
        if not found:
            raise InputError(f"Found array with 0 {what}(s), a minimum of 1 is required")


def column_names(estimator: Any) -> list[str]:
    """The columns' names: those of the fitted table, or x0, x1, ... if it had none."""
    names = getattr(estimator, "feature_names_in_", None)
    return [f"x{at}" for at in range(estimator.n_features_in_)] if names is None else list(names)


def class_indices(y: Any, n_rows: int) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """(the classes in order, int64[N] indices into them).

    Raises ValueError for labels that are not classes, or not one a row.
    """
    y = plain_labels(y, warn=True)
    if y.dtype.kind not in "OUTSbiu":
        check_array(y, ensure_2d=False, dtype=None, input_name="y")
    check_classification_targets(y)
    if len(y) != n_rows:
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: [{n_rows}, {len(y)}]"
        )
    classes, labels = np.unique(y, return_inverse=True)
    return classes, np.asarray(labels, dtype=np.int64)


def plain_labels(y: Any, *, warn: bool = False) -> NDArray[Any]:
    """Labels as one array; warn: of a column if a list is meant. Raises ValueError."""
    nullable = hasattr(y, "isna") and hasattr(y, "to_numpy") and not np.any(y.isna())
    return _of_one_kind(column_or_1d(y.to_numpy() if nullable else y, warn=warn))


def _of_one_kind(y: NDArray[Any]) -> NDArray[Any]:
    """Labels that are Python objects: numbers and booleans as an array of these.

    Raises InputError if one is missing, and for text beside other labels.
    """
    if y.dtype != object:
        return y
    for row, label in enumerate(y):
        if is_missing(label):
            raise InputError(f"Input y contains NaN: the label in row {row} is missing")
        if isinstance(label, str) != isinstance(y[0], str):
            raise InputError(
                f"the labels {y[0]!r} and {label!r} are of different types: "
                "expected only text, or only numbers"
            )
    plain = np.array(y.tolist()) if all(map(np.isscalar, y)) else y
    return plain if plain.dtype.kind in "biuf" else y


def class_factors(
    class_weight: Any, classes: NDArray[Any], labels: NDArray[np.int64], weights: NDArray[np.int64]
) -> list[Any]:
    """One factor a class: given by a mapping, or "balanced": equal weight to each class.

    classes: the labels; `labels` holds indices into them. weights: (N,) whole weights of the rows.
    Raises OptionError for anything else, or a class that is not there.
    """
    if isinstance(class_weight, str):
        if class_weight != "balanced":
            raise OptionError(
                f"class_weight is {class_weight!r}: expected 'balanced', a mapping of classes "
                "to weights, or None"
            )
        totals = [int(weights[labels == index].sum()) for index in range(len(classes))]
        share = Fraction(sum(totals), len(totals))
        return [share / total if total else Fraction(0) for total in totals]
    if not isinstance(class_weight, Mapping):
        raise OptionError(f"class_weight is {class_weight!r}: expected a mapping or 'balanced'")
    known = classes.tolist()
    for label in class_weight:
        if label not in known:
            raise OptionError(f"class_weight names the class {label!r}, which is not in y")
        FACTOR.check(class_weight[label])
    return [class_weight.get(label, 1) for label in known]


def plain_classes(classes: NDArray[Any]) -> tuple[ClassLabel, ...]:
    """As Python values that JSON knows, 1.0 as 1; anything else by its text."""
    plain = [whole(value.item() if isinstance(value, np.generic) else value) for value in classes]
    return tuple(v if isinstance(v, (str, int, float, bool)) else str(v) for v in plain)
