"""What to expect of rows that a model was not learned from.

Two questions, and two answers. How good is *this model*? Its share of right predictions on a table
that took no part in learning it, or where outcomes have costs, what it costs there on average. How
good are models *learned in this way*? Cross-validation: the rows are dealt into folds, a model is
learned from all folds but one, conditions and all, and predicts the fold that was left out. That is
the honest figure where there is no other table.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.check.table import Table
from corels.errors import OptionError
from corels.model import Model
from corels.problem.costs import UNJUDGED
from corels.tables.folds import stratified_folds


@dataclass(frozen=True, eq=False)
class Rows(Table):
    """N rows with their true classes."""

    @property
    def weight(self) -> NDArray[np.int64]:
        """(N,) int64."""
        if self.weights is None:
            return np.ones(len(self.labels), np.int64)
        return np.array(self.weights, np.int64)

    def classes_of(self, model: Model) -> NDArray[np.intp]:
        """(N,) the place of each row's class among the model's; -1: the model does not know it."""
        places = {str(label): place for place, label in enumerate(model.classes)}
        return np.array([places.get(str(label), -1) for label in self.labels], np.intp)

    def take(self, rows: NDArray[np.intp]) -> Rows:
        return Rows(
            {name: column.take(rows) for name, column in self.columns.items()},
            [self.labels[row] for row in rows.tolist()],
            None if self.weights is None else [self.weights[row] for row in rows.tolist()],
            None if self.costs is None else self.costs.take(rows),
        )

    def measured(self, model: Model, said: NDArray[np.intp]) -> float:
        """The share that a model predicts rightly, or what it costs on average. said: intp[N], what
        it predicts, as indices into `says`."""
        found: NDArray[Any]
        found = self.right(model, said) if self.costs is None else self.costs.paid(said)
        return float((self.weight * found).sum() / max(1, self.weight.sum()))

    def right(self, model: Model, said: NDArray[np.intp]) -> NDArray[np.bool_]:
        """(N,) bool: what a model predicts rightly. A class that it does not know is wrong. said:
        as of `measured`.

        Raises OptionError for a model that may say something else than classes.
        """
        if model.outcomes is not None and set(model.outcomes.kinds) != {"class"}:
            raise OptionError(
                "this model may say something else than classes: the page cannot count how often "
                "it is right on other rows"
            )
        return np.asarray(self.classes_of(model) == said)

    def wrong(self, model: Model, said: NDArray[np.intp]) -> NDArray[np.bool_]:
        """(N,) bool: what a model predicts wrongly. To be left undecided, or what is done, never
        is. said: as of `measured`."""
        if model.outcomes is None or self.costs is None:
            return ~self.right(model, said)
        judged = np.array([kind not in UNJUDGED for kind in model.outcomes.kinds])
        wrong: NDArray[np.bool_] = self.costs.right[said, np.arange(len(said))] == 0
        return judged[said] & wrong


def of_training(model: Model) -> tuple[float, float, int]:
    """Of the rows that a model was learned from, by its own counts: `Rows.measured` of the model,
    and of always saying the same; which outcome that is."""
    weight, costed = max(1, model.training_weight), model.outcomes is not None
    sums = np.sum([one.costs if costed else one.counts for one in model.deciders()], axis=0)
    if model.outcomes is None:
        return 1 - model.errors / weight, int(sums.max()) / weight, int(sums.argmax())
    worth = float(weight * model.outcomes.scale)
    return model.paid / worth, int(sums.min()) / worth, int(sums.argmin())


def held_out(model: Model, rows: Rows, name: str) -> dict[str, Any]:
    """How a model does on another table, and how always saying what was best in training does."""
    said, always = model.predict_indices(rows.columns), of_training(model)[2]
    found = rows.measured(model, said), rows.measured(model, np.full(len(said), always))
    return {"name": name, "rows": len(said), "this": found[0], "always": found[1]}


Learn = Callable[[NDArray[np.intp], int], tuple[Model, bool]]


def cross_validated(
    rows: Rows, folds: int, learn: Learn, told: Callable[[str], None]
) -> dict[str, Any]:
    """The accuracy, or the mean cost, of models learned from all folds but one, on that one.

    learn: the model of some rows, and whether its search came to its end; the second argument is
    the number of folds that are still to come, this one included. told: a line after each fold.
    Raises OptionError for more folds than rows.
    """
    found, constant, ended = [], [], 0
    name = "accuracies" if rows.costs is None else "costs"
    classes = np.unique(list(map(str, rows.labels)), return_inverse=True)[1]
    for number, (train, test) in enumerate(stratified_folds(classes, folds, seed=0)):
        model, whole = learn(train, folds - number)
        ended += whole
        part = rows.take(test)
        found.append(part.measured(model, model.predict_indices(part.columns)))
        always = np.full(len(test), of_training(model)[2])
        constant.append(part.measured(model, always))
        right = f"{found[-1]:.1%} of its rows are predicted rightly"
        cost = f"a row costs {found[-1]:.6g} on average"
        told(f"fold {number + 1} of {folds}: {right if rows.costs is None else cost}")
    return {
        "folds": folds,
        name: found,
        "mean": float(np.mean(found)),
        "always": float(np.mean(constant)),
        "error": float(np.std(found, ddof=1) / math.sqrt(folds)),
        "unfinished": folds - ended,
    }
