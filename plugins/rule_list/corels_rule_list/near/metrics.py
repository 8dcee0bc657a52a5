"""Metrics of a list: a number of rows over another, each a sum of what is predicted row by row.

Where the lower number is the data's (a share of the positives, of all rows), the least and the
greatest value over all lists follow from one sum over the graph; where it depends on the list
(precision), from a few (`corels_rule_list.near.extremes`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import OptionError
from corels.options import unknown

Count = Callable[[bool, bool, bool], int]  # right, truth is positive, prediction is positive


@dataclass(frozen=True)
class Metric:
    """How often a row counts above and below the line; fixed: below, the same for all lists."""

    above: Count
    below: Count
    fixed: bool = True


def _all(_right: bool, _truth: bool, _says: bool) -> int:
    return 1


def _truth(_right: bool, truth: bool, _says: bool) -> int:
    return truth


def _false(_right: bool, truth: bool, _says: bool) -> int:
    return not truth


def _says(_right: bool, _truth: bool, says: bool) -> int:
    return says


def _denies(_right: bool, _truth: bool, says: bool) -> int:
    return not says


METRICS: Mapping[str, Metric] = {
    "accuracy": Metric(lambda right, truth, says: right, _all),
    "error_rate": Metric(lambda right, truth, says: not right, _all),
    "positive_rate": Metric(_says, _all),
    "true_positive_rate": Metric(lambda right, truth, says: truth and says, _truth),
    "false_negative_rate": Metric(lambda right, truth, says: truth and not says, _truth),
    "false_positive_rate": Metric(lambda right, truth, says: says and not truth, _false),
    "true_negative_rate": Metric(lambda right, truth, says: not says and not truth, _false),
    "precision": Metric(lambda right, truth, says: truth and says, _says, fixed=False),
    "negative_predictive_value": Metric(
        lambda right, truth, says: not says and not truth, _denies, fixed=False
    ),
    "f1": Metric(
        lambda right, truth, says: 2 * (truth and says),
        lambda right, truth, says: truth + says,
        fixed=False,
    ),
}


def metric_named(name: str) -> Metric:
    """Raises OptionError for an unknown one."""
    if name not in METRICS:
        raise OptionError(unknown("metric", name, tuple(METRICS)))
    return METRICS[name]


def table_of(count: Count, classes: int, positive: int) -> NDArray[np.int64]:
    """int64[C, C]: how often a row counts, by its class and the predicted one."""
    return np.array(
        [
            [
                int(count(truth == says, truth == positive, says == positive))
                for says in range(classes)
            ]
            for truth in range(classes)
        ],
        dtype=np.int64,
    )


def class_index(classes: Sequence[Any], label: Any) -> int:
    """Raises OptionError for a label that is not one of the classes."""
    if label not in classes:
        raise OptionError(unknown("class", str(label), [str(known) for known in classes]))
    return list(classes).index(label)
