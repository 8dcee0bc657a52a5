"""What the old package checked, with the exceptions that old programs catch.

TypeError for a value of the wrong type, ValueError for a wrong value. NumPy numbers count as
numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAP_TYPES = ("none", "prefix", "captured")
POLICIES = ("bfs", "curious", "lower_bound", "objective", "dfs")
VERBOSITIES = ("rulelist", "rule", "label", "samples", "progress", "loud", "mine", "minor")
LEFT_OUT = {0: (), 1: ("reduced_support",), 2: ("lookahead",)}  # by the ablation
DUMPED = ("rule", "label", "minor", "loud")  # what "samples" can be asked of


def check_fitted(model: object) -> None:
    """Raise ValueError if there is no rule list."""
    if not getattr(model, "rl_", None):
        raise ValueError("Model not fitted yet")


def binary_array(values: Any, ndim: int | None = None) -> NDArray[np.bool_]:
    """An array of 0 and 1 as bool.

    Raises TypeError for what is no array at all, such as a number or a string. Raises ValueError
    for another number of dimensions, and for any other member.
    """
    arraylike = hasattr(values, "shape") or hasattr(values, "__array__")
    if not arraylike and (isinstance(values, (str, bytes)) or not hasattr(values, "__len__")):
        raise TypeError(f"Array must be provided, got: {type(values)}")
    try:
        array = np.asarray(values)
    except ValueError:
        raise ValueError(f"Array must have rows of one length, got {values!r}") from None
    if ndim is not None and array.ndim != ndim:
        raise ValueError(f"Array must be {ndim}-dimensional in shape, got {array.ndim} dimensions")
    try:
        binary = np.asarray((array == 0) | (array == 1), dtype=np.bool_)
    except TypeError:  # such as pandas.NA, which does not say whether it is 0
        binary = np.zeros(1, dtype=np.bool_)
    if binary.shape != array.shape or not binary.all():
        raise ValueError(f"Array must contain only binary members (0 or 1), got {array}")
    return np.asarray(array == 1, dtype=np.bool_)


def check_lengths(one: NDArray[Any], other: NDArray[Any]) -> None:
    """Raise ValueError if samples and labels differ in number."""
    if one.ndim < 1 or other.ndim < 1 or len(one) != len(other):
        raise ValueError(
            f"Samples and labels must have the same length, got shapes {one.shape} "
            f"and {other.shape}"
        )


def real(name: str, value: Any, low: float, high: float) -> float:
    if not isinstance(value, Real) or isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be a float, got: {type(value)}")
    number = float(value)
    if not low <= number <= high:
        raise ValueError(f"{name} must be between {low} and {high}, got: {value}")
    return number


def whole(name: str, value: Any, low: int, high: int | None = None) -> int:
    """A whole number in a range."""
    if not isinstance(value, Integral):
        raise TypeError(f"{name} must be an integer, got: {type(value)}")
    number = int(value)
    if number < low or (high is not None and number > high):
        expected = f"at least {low}" if high is None else f"between {low} and {high}, inclusive"
        raise ValueError(f"{name} must be {expected}, got: {value}")
    return number


def choice(name: str, value: Any, allowed: Sequence[str]) -> str:
    """One of some names, in any case of letters."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a string, got: {type(value)}")
    if value.lower() not in allowed:
        listed = " ".join(f"'{known}'" for known in allowed)
        raise ValueError(f"{name} must be chosen from {listed}, got: {value}")
    return value.lower()


def verbosity(value: Any) -> frozenset[str]:
    """The parts of `verbosity`; "loud" is "progress", too."""
    if not isinstance(value, list):
        raise TypeError(f"Verbosity must be a list of strings, got: {type(value)}")
    chosen = frozenset(choice("Verbosities", flag, VERBOSITIES) for flag in value)
    if "samples" in chosen and not chosen & set(DUMPED):
        raise ValueError(
            "'samples' verbosity option must be combined with at least one of 'rule', 'label', "
            "'minor', or 'loud'"
        )
    return chosen | {"progress"} if "loud" in chosen else chosen


def check_names(features: Any, prediction_name: Any) -> None:
    """Raise TypeError for what are no names of features, or of what is predicted."""
    if not isinstance(prediction_name, str):
        raise TypeError(f"Prediction name must be a string, got: {type(prediction_name)}")
    if not isinstance(features, list):
        raise TypeError(f"Features must be a list, got: {type(features)}")
    for name in features:
        if not isinstance(name, str):
            raise TypeError(f"Each feature must be a string, got: {type(name)}")


def feature_names(features: list[str], count: int) -> list[str]:
    """The given names, or feature1, feature2, ... if none are given."""
    if not features:
        return [f"feature{number}" for number in range(1, count + 1)]
    if len(features) != count:
        raise ValueError(
            f"Feature count mismatch between sample data ({count}) and feature names "
            f"({len(features)})"
        )
    return list(features)
