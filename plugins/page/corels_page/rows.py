"""A model on the rows of a table: how it treats their groups, and what to expect of rows that it
was not learned from: its share of right predictions there, or if outcomes have costs, what a row
costs on average.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.check.points import Table
from corels.errors import InputError
from corels.model import Model
from corels.options import whole
from corels.problem.constraints import joined
from corels.problem.costs import UNJUDGED
from corels.tables.dataset import class_numbers
from corels.tables.labelled import names_of

MOST_GROUPS = 12


def wrong(model: Model, rows: Table, said: NDArray[np.intp]) -> NDArray[np.bool_]:
    """(N,) bool: what a model predicts wrongly, also of a class that it does not know. To be left
    undecided, or what is done, never is. said: intp[N], what it predicts, as indices into `says`.
    """
    if model.outcomes is None or rows.costs is None:
        return np.asarray(class_numbers(model.classes, rows.labels) != said)
    judged = np.array([kind not in UNJUDGED for kind in model.outcomes.kinds])
    missed: NDArray[np.bool_] = rows.costs.right[said, np.arange(len(said))] == 0
    return judged[said] & missed


def of_training(model: Model) -> tuple[float, float, int]:
    """Of the rows that a model was learned from, by its own counts: the share that it predicts
    rightly, or what a row costs on average; the same of always saying the outcome that was best;
    which that is."""
    weight, costed = max(1, model.training_weight), model.outcomes is not None
    sums = np.sum([one.costs if costed else one.counts for one in model.deciders()], axis=0)
    if model.outcomes is None:
        return 1 - model.errors / weight, int(sums.max()) / weight, int(sums.argmax())
    worth = float(weight * model.outcomes.scale)
    return model.paid / worth, int(sums.min()) / worth, int(sums.argmin())


def held_out(model: Model, rows: Table, name: str) -> dict[str, Any]:
    """How a model does on another table, beside always saying what was best in training, and
    beside the same on the rows of training. name: of the table.

    Of the table `this` and `always` are numbers; `rows` has all four as texts.
    """
    own, same, best = of_training(model)
    predicted = model.predict_indices(rows.columns)

    def measured(said: NDArray[np.intp]) -> float:
        found: NDArray[Any]
        found = ~wrong(model, rows, said) if rows.costs is None else rows.costs.paid(said)
        return float((rows.weight * found).sum() / max(1, rows.weight.sum()))

    this, always = measured(predicted), measured(np.full(len(predicted), best))
    text = ("{:.1%}" if model.outcomes is None else "{:.6g}").format
    right_or_cost = "How much is predicted rightly", "What a row costs on average"
    return {
        "what": right_or_cost[model.outcomes is not None],
        "this": this,
        "always": always,
        "rows": [
            [f"the {len(predicted):,} rows of {name}", text(this), text(always)],
            ["the rows that it was learned from", text(own), text(same)],
        ],
    }


def groups(model: Model, rows: Table, of: Sequence[str]) -> dict[str, Any]:
    """For each group its rows, errors and predictions, in all and by decider. If outcomes have
    costs, also what a row of it costs on average.

    If rows have weights, these are counted in the place of rows.

    of: the columns that say which group a row is of: rows with the same values in all of them are a
    group. Raises InputError if there is no such column, or there are more than MOST_GROUPS groups.
    """
    names, group = members(rows.columns, of)
    which, true = model.capturing(rows.columns), class_numbers(model.classes, rows.labels)
    said, weight = model.said_by(which), rows.weight
    # Weights by group, decider and true class; the last class is one that the model does not know.
    counts, missed = np.zeros((2, len(names), len(model.deciders()), len(model.classes) + 1), int)
    np.add.at(counts, (group, which, true), weight)
    np.add.at(missed, (group, which, true), weight * wrong(model, rows, said))
    says = np.array([one.outcome for one in model.deciders()])[:, None] == range(len(model.says))
    every, rules = range(len(names)), range(len(says))
    totals = [
        {
            **_cell(counts[g], missed[g], says),
            "true": counts[g, :, :-1].sum(axis=0).tolist(),
            "missed": missed[g, :, :-1].sum(axis=0).tolist(),
        }
        for g in every
    ]
    if rows.costs is not None:
        paid = weight * rows.costs.paid(said)
        for g, total in enumerate(totals):
            total["cost"] = float(paid[group == g].sum()) / max(1, total["rows"])
    return {
        "column": ", ".join(of),
        "names": names,
        "totals": totals,
        "heads": [*(f"Rule {r + 1}" for r in rules[:-1]), "Otherwise"],
        "rules": [[_cell(counts[g, [r]], missed[g, [r]], says[[r]]) for g in every] for r in rules],
    }


def _cell(
    counts: NDArray[np.int64], wrong: NDArray[np.int64], says: NDArray[np.bool_]
) -> dict[str, Any]:
    """Rows, errors, and of how many each outcome is said: by some deciders, which say so."""
    return {
        "rows": int(counts.sum()),
        "errors": int(wrong.sum()),
        "predicted": (counts.sum(axis=1) @ says).tolist(),
    }


def members(columns: Any, asked: Sequence[str]) -> tuple[list[str], NDArray[np.intp]]:
    """The names of the groups of a column, or of several, and the group of each row as a place
    among them.

    Raises InputError if there is no such column, or there are more than MOST_GROUPS groups.
    """
    for name in asked:
        if name not in columns:
            listed = ", ".join(list(columns)[:20])
            raise InputError(f"the data has no column {name!r} to group by (there are: {listed})")
    cells = zip(*(names_of(columns[name]).cells() for name in asked), strict=True)
    texts = [tuple("missing" if c is None else str(whole(c)) for c in row) for row in cells]
    names, of = np.unique(np.array(joined(texts), dtype=object), return_inverse=True)
    if len(names) > MOST_GROUPS:
        found = f"{len(names)} groups by {', '.join(asked)}"
        raise InputError(f"{found}: a page shows up to {MOST_GROUPS}")
    return names.tolist(), of.reshape(-1)
