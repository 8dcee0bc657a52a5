"""How a model treats groups: what each decider captures of each group, and how often it errs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError
from corels.model import Model
from corels.options import whole
from corels_page.new_rows import Rows

MOST_GROUPS = 12


def groups(model: Model, rows: Rows, column: str) -> dict[str, Any]:
    """For each group its rows, errors and predictions, in all and by decider. Where outcomes have
    costs, also what a row of it costs on average.

    column: the one that says which group a row is of. Raises InputError where there is no such
    column, or it has more than MOST_GROUPS values.
    """
    names, of = members(rows.columns, column)
    places = {str(label): place for place, label in enumerate(model.classes)}
    true = np.array([places.get(str(label), -1) for label in rows.truth])
    which = model.capturing(rows.columns)  # the one time that all rows are predicted
    said = model.said_by(which)
    paid = None if rows.costs is None else rows.costs.paid(said)
    wrong = rows.wrong(model, said)
    count = _Count(said, true, wrong, rows.weight, len(model.classes), len(model.says), paid)
    every, rules = range(len(names)), range(len(model.deciders()))
    return {
        "column": column,
        "names": names,
        "totals": [count.total(of == g) for g in every],
        "rules": [[count.cell((of == g) & (which == r)) for g in every] for r in rules],
    }


@dataclass(frozen=True, eq=False)
class _Count:
    """Weights of N rows, summed over the rows of a cell. true: -1 for a class that is not known.
    paid: what each row costs; None where outcomes have no costs."""

    predicted: NDArray[Any]
    true: NDArray[Any]
    wrong: NDArray[np.bool_]
    weight: NDArray[np.int64]
    classes: int
    outcomes: int
    paid: NDArray[np.float64] | None

    def cell(self, rows: NDArray[np.bool_]) -> dict[str, Any]:
        """Rows, errors, and of how many each outcome is said."""
        shares = [self._sum((self.predicted == c) & rows) for c in range(self.outcomes)]
        return {
            "rows": self._sum(rows),
            "errors": self._sum(self.wrong & rows),
            "predicted": shares,
        }

    def total(self, rows: NDArray[np.bool_]) -> dict[str, Any]:
        """The same, and of each true class how many there are and how many are missed."""
        among = [rows & (self.true == c) for c in range(self.classes)]
        missed = [self._sum(one & self.wrong) for one in among]
        true = [self._sum(one) for one in among]
        return {**self.cell(rows), "true": true, "missed": missed, **self._mean_cost(rows)}

    def _mean_cost(self, rows: NDArray[np.bool_]) -> dict[str, float]:
        if self.paid is None:
            return {}
        return {"cost": float((self.weight * self.paid)[rows].sum()) / max(1, self._sum(rows))}

    def _sum(self, rows: NDArray[np.bool_]) -> int:
        return int(self.weight[rows].sum())


def members(columns: Any, column: str) -> tuple[list[str], NDArray[np.intp]]:
    """The names of the groups of a column, and the group of each row as a place among them.

    Raises InputError where there is no such column, or it has more than MOST_GROUPS values.
    """
    if column not in columns:
        listed = ", ".join(list(columns)[:20])
        raise InputError(f"the data has no column {column!r} to group by (there are: {listed})")
    member = ["missing" if cell is None else str(whole(cell)) for cell in columns[column].cells()]
    names = sorted(set(member))
    if len(names) > MOST_GROUPS:
        raise InputError(
            f"column {column!r} has {len(names)} values: a page shows up to {MOST_GROUPS} groups"
        )
    of = {name: place for place, name in enumerate(names)}
    return names, np.array([of[name] for name in member], dtype=np.intp)
