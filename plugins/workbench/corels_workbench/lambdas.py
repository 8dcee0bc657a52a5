"""Lambda for any family that pays it: by held-out folds, with the rule of one standard error.

As `cross_validated` chooses it for rule lists over their exact path, here for every family
over a few values, each twice the one before.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from corels.model import Model
from corels.problem import Problem
from corels.run.solve import solve
from corels.tables import Dataset
from corels.tables.folds import stratified_folds, subset

VALUES = 6  # of lambda: the last one is 32 times the first
SEED = 0


def chosen_lambda(
    solver: str, data: Dataset, low: float, folds: int, given: Mapping[str, Any]
) -> float:
    """The largest lambda whose mean held-out loss is within one standard error of the least.

    low: the least lambda. given: options of each of the `searches` but the last.
    """
    values = [low] + [low * (1 << step) for step in range(1, VALUES) if low * (1 << step) < 1]
    losses = np.array(
        [
            [_loss(solver, data, train, test, value, given) for value in values]
            for train, test in stratified_folds(data.labels, folds, SEED)
        ]
    )  # float64[folds, values]
    means = losses.mean(axis=0)
    best = int(means.argmin())
    error = losses[:, best].std(ddof=1) / np.sqrt(folds)
    return values[int(np.flatnonzero(means <= means[best] + error)[-1])]


def searches(folds: int) -> int:
    """How many searches a choice takes, with the one for all rows."""
    return folds * VALUES + 1


def _loss(  # noqa: PLR0917
    solver: str, data: Dataset, train: Any, test: Any, value: float, given: Mapping[str, Any]
) -> float:
    """The share of held-out weight that is wrong, or the mean cost."""
    problem = Problem.from_dataset(subset(data, train), Fraction(str(value)))
    return held_out_loss(solve(problem, solver, **given).model, subset(data, test))


def held_out_loss(model: Model, held_out: Dataset) -> float:
    """The share of the weight that is wrong, or the mean cost."""
    said, costs = model.predict_indices(held_out), held_out.costs
    rows = np.arange(len(said))
    wrong = said != held_out.labels
    paid = wrong if costs is None else costs.amounts[said, rows] / float(costs.outcomes.scale)
    return float(np.average(paid, weights=held_out.weights))
