"""How a model treats groups: what each decider captures of each group, and how often it errs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError
from corels.model import Model
from corels.options import whole
from corels.problem.constraints import joined
from corels.tables.labelled import names_of
from corels_page.new_rows import Rows

MOST_GROUPS = 12


def groups(model: Model, rows: Rows, column: str | Sequence[str]) -> dict[str, Any]:
    """For each group its rows, errors and predictions, in all and by decider. Where outcomes have
    costs, also what a row of it costs on average.

    Where rows have weights, these are counted in the place of rows.

    column: the one that says which group a row is of, or several: rows with the same values in all
    of them are a group. Raises InputError where there is no such column, or there are more than
    MOST_GROUPS groups.
    """
    names, of = members(rows.columns, column)
    which, true = model.capturing(rows.columns), rows.classes_of(model)
    said, weight = model.said_by(which), rows.weight
    # Weights by group, decider and true class; the last class is one that the model does not know.
    counts, wrong = np.zeros((2, len(names), len(model.deciders()), len(model.classes) + 1), int)
    np.add.at(counts, (of, which, true), weight)
    np.add.at(wrong, (of, which, true), weight * rows.wrong(model, said))
    says = np.array([one.outcome for one in model.deciders()])[:, None] == range(len(model.says))
    every, rules = range(len(names)), range(len(says))
    totals = [
        {
            **_cell(counts[g], wrong[g], says),
            "true": counts[g, :, :-1].sum(axis=0).tolist(),
            "missed": wrong[g, :, :-1].sum(axis=0).tolist(),
        }
        for g in every
    ]
    if rows.costs is not None:
        paid = weight * rows.costs.paid(said)
        for g, total in enumerate(totals):
            total["cost"] = float(paid[of == g].sum()) / max(1, total["rows"])
    return {
        "column": column if isinstance(column, str) else ", ".join(column),
        "names": names,
        "totals": totals,
        "heads": [*(f"Rule {r + 1}" for r in rules[:-1]), "Otherwise"],
        "rules": [[_cell(counts[g, [r]], wrong[g, [r]], says[[r]]) for g in every] for r in rules],
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


def members(columns: Any, column: str | Sequence[str]) -> tuple[list[str], NDArray[np.intp]]:
    """The names of the groups of a column, or of several, and the group of each row as a place
    among them.

    Raises InputError where there is no such column, or there are more than MOST_GROUPS groups.
    """
    asked = [column] if isinstance(column, str) else list(column)
    for name in asked:
        if name not in columns:
            listed = ", ".join(list(columns)[:20])
            raise InputError(f"the data has no column {name!r} to group by (there are: {listed})")
    cells = zip(*(names_of(columns[name]).cells() for name in asked), strict=True)
    texts = [tuple("missing" if c is None else str(whole(c)) for c in row) for row in cells]
    member = joined(texts)
    names = sorted(set(member))
    if len(names) > MOST_GROUPS:
        have = f"column {asked[0]!r} has" if len(asked) == 1 else f"columns {asked} have together"
        raise InputError(f"{have} {len(names)} values: a page shows up to {MOST_GROUPS} groups")
    of = {name: place for place, name in enumerate(names)}
    return names, np.array([of[name] for name in member], dtype=np.intp)
