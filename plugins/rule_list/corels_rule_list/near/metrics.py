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


# r: the prediction is right. t: the row is, s: it is said to be, of the positive class.
METRICS: Mapping[str, Metric] = {
    "accuracy": Metric(lambda r, t, s: r, lambda r, t, s: 1),
    "error_rate": Metric(lambda r, t, s: not r, lambda r, t, s: 1),
    "positive_rate": Metric(lambda r, t, s: s, lambda r, t, s: 1),
    "true_positive_rate": Metric(lambda r, t, s: t and s, lambda r, t, s: t),
    "false_negative_rate": Metric(lambda r, t, s: t and not s, lambda r, t, s: t),
    "false_positive_rate": Metric(lambda r, t, s: s and not t, lambda r, t, s: not t),
    "true_negative_rate": Metric(lambda r, t, s: not s and not t, lambda r, t, s: not t),
    "precision": Metric(lambda r, t, s: t and s, lambda r, t, s: s, fixed=False),
    "negative_predictive_value": Metric(
        lambda r, t, s: not s and not t, lambda r, t, s: not s, fixed=False
    ),
    "f1": Metric(lambda r, t, s: 2 * (t and s), lambda r, t, s: t + s, fixed=False),
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
