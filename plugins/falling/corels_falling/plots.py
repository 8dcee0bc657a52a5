"""Pictures: antecedents considered at each step, and the ROC curve over the positive weight.

The numbers come without matplotlib; only the functions named `plot_...` need it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError
from corels.plots.draw import on_axes
from corels.plots.figure import Figure, Panel, Series
from corels.search import Kind


def steps_of(records: NDArray[Any]) -> list[list[int]]:
    """Antecedents considered at each step, one list an iteration of the Monte-Carlo search.

    records: events of a trace (`corels.run.trace.read_trace(path).events`) or of a Recorder. They
    are written at trace level fine only.
    """
    steps = records[records["kind"] == int(Kind.STEP)]
    ends = np.flatnonzero(np.diff(steps["node"])) + 1
    return [part.tolist() for part in np.split(steps["count"], ends) if len(part)]


def plot_steps(records: NDArray[Any], ax: Any = None, *, first: int | None = None) -> Any:
    """Draw a line an iteration: step across, antecedents considered up (the paper's figures).

    first: only so many iterations. Returns the axes. Raises InputError without step events.
    """
    lines = steps_of(records)[:first]
    if not lines:
        raise InputError("there are no step events: expected a trace of level 'fine'")
    iterations = "1 iteration" if len(lines) == 1 else f"{len(lines)} iterations"
    title = f"Antecedents considered at each step, {iterations}"
    series = [Series("", range(1, len(line) + 1), line, marks=True) for line in lines]
    panel = Panel(title, "step (rules so far + 1)", "antecedents considered", series)
    return on_axes(Figure("", [panel]), ax)


@dataclass(frozen=True, slots=True)
class Point:
    """One list of the curve, on test data; `certified` says whether its optimum was proven."""

    positive_weight: Fraction
    false_positive_rate: float
    true_positive_rate: float
    rules: int
    certified: bool


def roc_over_weight(
    estimator: Any,
    train: tuple[Any, Any],
    test: tuple[Any, Any],
    positive_weights: Iterable[float | Fraction | str],
) -> list[Point]:
    """Fit the estimator once for each positive weight, and classify the test data at 1/(1+w).

    estimator: a (Softly)FallingRuleListClassifier, not changed. Raises InputError where the test
    data has only one class.
    """
    from sklearn.base import clone

    truth = np.asarray(test[1])
    points = []
    for weight in positive_weights:
        fitted = clone(estimator).set_params(positive_weight=weight).fit(*train)
        positive = fitted.predict(test[0]) == fitted.classes_[-1]
        rates = _rates(positive, truth == fitted.classes_[-1])
        exact = fitted.rule_list_.positive_weight
        points.append(Point(exact, *rates, len(fitted.rule_list_), fitted.optimal_))
    return points


def _rates(positive: NDArray[np.bool_], truth: NDArray[np.bool_]) -> tuple[float, float]:
    if truth.all() or not truth.any():
        raise InputError("the test data has one class only: a ROC curve needs both")
    return float(positive[~truth].mean()), float(positive[truth].mean())


def classifier_curves(
    classifiers: Mapping[str, Any], train: tuple[Any, Any], test: tuple[Any, Any]
) -> dict[str, tuple[NDArray[np.float64], NDArray[np.float64], float]]:
    """ROC curves of scikit-learn classifiers on the test data: (rates, rates, area) by name."""
    from sklearn.base import clone
    from sklearn.metrics import roc_auc_score, roc_curve

    curves = {}
    for name, classifier in classifiers.items():
        fitted = clone(classifier).fit(*train)
        scores = fitted.predict_proba(test[0])[:, 1]
        truth = np.asarray(test[1]) == fitted.classes_[1]
        false, true, _ = roc_curve(truth, scores)
        curves[name] = (false, true, float(roc_auc_score(truth, scores)))
    return curves


def plot_roc(
    points: Sequence[Point],
    curves: Mapping[str, tuple[NDArray[np.float64], NDArray[np.float64], float]] | None = None,
    ax: Any = None,
    *,
    label: str = "falling rule lists",
) -> Any:
    """Draw the lists over the positive weight beside the curves of other classifiers."""
    series = [
        Series(f"{name} (area {area:.3f})", false.tolist(), true.tolist())
        for name, (false, true, area) in (curves or {}).items()
    ]
    rates = sorted((p.false_positive_rate, p.true_positive_rate) for p in points)
    ours = Series(label, [false for false, _ in rates], [true for _, true in rates], marks=True)
    panel = Panel("", "false positive rate", "true positive rate", [*series, ours])
    return on_axes(Figure("", [panel]), ax)
