"""What to expect of rows that a model was not learned from: its share of right predictions on
a table that took no part in learning it, or where outcomes have costs, what it costs on average.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.check.table import Table
from corels.errors import OptionError
from corels.model import Model
from corels.problem.costs import UNJUDGED


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
