"""Metrics whose range over all lists is exact: shares of rows, with a denominator of the data's.

Such a metric is a sum over rows of what is predicted there, so its least and greatest value follow
from the graph of sets without listing anything. Precision is not one of them: its denominator, how
many rows are predicted positive, depends on the list.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from corels.data import Dataset
from corels.errors import OptionError
from corels.model import RuleList
from corels.model.rulelist import rule_list
from corels.near_optimal.rows import bits_of_rows
from corels.options import unknown

if TYPE_CHECKING:
    from corels.near_optimal.result import NearOptimal

# name -> (which rows are in the denominator, which predictions count)
METRICS: Mapping[str, tuple[str, str]] = {
    "accuracy": ("all", "right"),
    "error_rate": ("all", "wrong"),
    "positive_rate": ("all", "positive"),
    "true_positive_rate": ("positive", "positive"),
    "false_negative_rate": ("positive", "negative"),
    "false_positive_rate": ("negative", "positive"),
    "true_negative_rate": ("negative", "negative"),
}


@dataclass(frozen=True)
class Range:
    """The least and greatest value, a list that attains each, and the rows it is a share of."""

    low: Fraction
    high: Fraction
    low_list: RuleList
    high_list: RuleList
    weight: int

    def __str__(self) -> str:
        return f"{float(self.low):.4f} to {float(self.high):.4f}"


def ranges(
    found: NearOptimal, metric: str, group: Sequence[Any] | None, data: Any, positive: Any
) -> dict[Any, Range]:
    """For each value of `group`, in order of appearance, the metric's range."""
    values = ["all"] * data.n_rows if group is None else list(group)
    counted = {}
    for value in dict.fromkeys(values):
        rows = np.array([other == value for other in values], dtype=np.bool_)
        scores, weight = _scores(found, metric, rows, data, positive)
        if weight:
            counted[value] = _range(found, scores, weight)
    return counted


def gap(
    found: NearOptimal,
    metric: str,
    group: Sequence[Any],
    pair: tuple[Any, Any],
    *,
    data: Any,
    positive: Any,
) -> Range:
    """The range of the difference between two groups."""
    parts = []
    for value in pair:
        rows = np.array([other == value for other in group], dtype=np.bool_)
        scores, weight = _scores(found, metric, rows, data, positive)
        if not weight:
            raise OptionError(f"no row of group {value!r} counts for {metric}")
        parts.append((scores, weight))
    (first, a), (second, b) = parts
    common = math.gcd(a, b)
    return _range(found, first * (b // common) - second * (a // common), a * b // common)


def _range(found: NearOptimal, scores: NDArray[np.int64], weight: int) -> Range:
    low, high, *lists = found.score_range(scores)
    first, second = (rule_list(found.problem, rules) for rules in lists)
    return Range(Fraction(low, weight), Fraction(high, weight), first, second, weight)


def _scores(
    found: NearOptimal, metric: str, rows: NDArray[np.bool_], data: Any, positive: Any
) -> tuple[NDArray[np.int64], int]:
    """What a prediction adds to the numerator at each bit: int64[C, bits]; the denominator."""
    if metric not in METRICS:
        raise OptionError(unknown("metric", metric, tuple(METRICS)))
    if not isinstance(data, Dataset) or len(rows) != data.n_rows:
        raise OptionError("a range needs a Dataset, and a group for each of its rows")
    classes = found.problem.classes
    target = len(classes) - 1 if positive is None else _class(classes, positive)
    truth = np.array([_class(classes, label) for label in data.classes])[data.labels]
    weights = np.ones(data.n_rows, dtype=np.int64) if data.weights is None else data.weights
    among, event = METRICS[metric]
    if among != "all":
        rows = rows & ((truth == target) == (among == "positive"))
    bits = bits_of_rows(found.problem, found.instance, data)
    scores = np.zeros((len(classes), found.instance.bits), dtype=np.int64)
    for predicted in range(len(classes)):
        counts = {
            "right": truth == predicted,
            "wrong": truth != predicted,
            "positive": np.full(data.n_rows, predicted == target),
            "negative": np.full(data.n_rows, predicted != target),
        }[event]
        np.add.at(scores[predicted], bits[rows & counts], weights[rows & counts])
    return scores, int(weights[rows].sum())


def _class(classes: Sequence[Any], label: Any) -> int:
    if label not in classes:
        raise OptionError(unknown("class", str(label), [str(known) for known in classes]))
    return list(classes).index(label)
