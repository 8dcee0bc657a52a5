"""What `Binarizer` needs of scikit-learn, for where it is not installed.

The same few names as `corels.sklearn.tables`, in plain Python: constructor parameters
that can be read and set, and tables read without scikit-learn's checks.
"""

from __future__ import annotations

import inspect
from typing import Any, Self

from corels.errors import InputError
from corels.tables.column import Column, as_columns
from corels.tables.frame import table_columns
from corels.tables.options import AS_WRITTEN, Reading
from corels.tables.stored import is_query


class TransformerBase:
    """Parameters by name."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Constructor parameter -> value."""
        return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

    def set_params(self, **params: Any) -> Self:
        """Set constructor parameters by name; an unknown one raises ValueError."""
        for name, value in params.items():
            if name not in self.get_params():
                raise ValueError(f"Invalid parameter {name!r} for {type(self).__name__}")
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in self.get_params().items())
        return f"{type(self).__name__}({shown})"


def read_columns(
    estimator: Any, X: Any, *, reset: bool, missing: Any, reading: Reading = AS_WRITTEN
) -> dict[str, Column]:
    """The columns of X, remembered when `reset` and otherwise compared with those of the fit.

    Raises InputError if X has other columns than the table of the fit.
    """
    if is_query(X):
        X = table_columns(X, reading=reading)
    columns = as_columns(X, reading=reading)  # their missing values are looked at later
    if reset:
        remember(estimator, list(columns))
        return columns
    known = estimator._names
    if not hasattr(X, "columns") and not hasattr(X, "keys"):  # no names of its own
        if len(columns) != len(known):
            raise InputError(
                f"the table has {len(columns)} columns, the binarizer was fitted on {len(known)}"
            )
        return dict(zip(known, columns.values(), strict=True))
    for name in known:
        if name not in columns:
            raise InputError(f"the data has no column {name!r}, which the binarizer was fitted on")
    return columns


def remember(estimator: Any, names: list[str]) -> None:
    """The columns that `fit` has seen."""
    estimator._names, estimator.n_features_in_ = names, len(names)


def check_fitted(estimator: Any) -> None:
    """Raise InputError before `fit`."""
    if not hasattr(estimator, "antecedents_"):
        raise InputError(f"this {type(estimator).__name__} is not fitted yet: call fit first")


def input_names(estimator: Any, given: Any) -> list[str]:
    """The names of the input columns, or those given instead."""
    names = list(estimator._names) if given is None else [str(name) for name in given]
    if len(names) != estimator.n_features_in_:
        raise InputError(
            f"input_features has {len(names)} names, expected {estimator.n_features_in_}"
        )
    return names
