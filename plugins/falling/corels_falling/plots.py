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
from corels.search import Kind


def steps_of(records: NDArray[Any]) -> list[list[int]]:
    """Antecedents considered at each step, one list an iteration of the Monte-Carlo search.

    records: events of a trace (`corels.run.trace.read_trace(path).events`) or of a Recorder. They
    are written at trace level fine only.
    """
    steps = records[records["kind"] == int(Kind.STEP)]
    out: list[list[int]] = []
    iteration = None
    for step in steps:
        if int(step["node"]) != iteration:
            iteration = int(step["node"])
            out.append([])
        out[-1].append(int(step["count"]))
    return out


def plot_steps(records: NDArray[Any], ax: Any = None, *, first: int | None = None) -> Any:
    """Draw a line an iteration: step across, antecedents considered up (the paper's figures).

    first: only so many iterations. Returns the axes. Raises InputError without step events.
    """
    lines = steps_of(records)[:first]
    if not lines:
        raise InputError("there are no step events: expected a trace of level 'fine'")
    ax = ax or _axes()
    for line in lines:  # a mark for each step: an iteration of one step has no line
        ax.plot(
            range(1, len(line) + 1),
            line,
            "o-",
            markersize=4,
            color="tab:blue",
            alpha=max(0.1, 1 / len(lines)),
        )
    iterations = "1 iteration" if len(lines) == 1 else f"{len(lines)} iterations"
    ax.set(
        xlabel="step (rules so far + 1)",
        ylabel="antecedents considered",
        title=f"Antecedents considered at each step, {iterations}",
    )
    for axis in (ax.xaxis, ax.yaxis):
        axis.get_major_locator().set_params(integer=True)
    ax.set_ylim(bottom=-0.5)
    return ax


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
    ax = ax or _axes()
    for name, (false, true, area) in (curves or {}).items():
        ax.plot(false, true, linewidth=1, label=f"{name} (area {area:.3f})")
    ordered = sorted(points, key=lambda p: (p.false_positive_rate, p.true_positive_rate))
    ax.plot(
        [p.false_positive_rate for p in ordered],
        [p.true_positive_rate for p in ordered],
        "o-",
        color="black",
        markersize=4,
        label=label,
    )
    ax.set_xlabel("false positive rate")
    ax.set_ylabel("true positive rate")
    ax.legend()
    return ax


def _axes() -> Any:
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError("the plots need matplotlib: pip install 'corels[plot]'") from error
    return Figure(figsize=(6, 4.5)).subplots()
