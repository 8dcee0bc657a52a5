"""Classes as an estimator's user gives them: their weights, and their labels in documents."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import OptionError
from corels.options import Option, whole
from corels.problem import ClassLabel

FACTOR = Option.number("class_weight", "what a class's sample weights are multiplied by", 1, low=0)


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
