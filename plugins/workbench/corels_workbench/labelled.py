"""A table with its labels, as models of all kinds are given it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError
from corels.tables import Column
from corels.tables.labelled import names_of


@dataclass(frozen=True)
class Labelled:
    """A table with its labels. columns: name -> array[N]; all others: array[N].

    groups: by which rates are told apart. folds: the fold in which each row is held out.
    """

    columns: Mapping[str, NDArray[Any]]
    labels: NDArray[Any]
    groups: NDArray[Any] | None = None
    folds: NDArray[Any] | None = None

    @classmethod
    def of(
        cls,
        columns: Mapping[str, Column],
        label: str,
        where: str,
        *,
        group: str | None = None,
        fold: str | None = None,
    ) -> Labelled:
        """From columns that were read; rows without a label or a fold are refused.

        group, fold: columns that no model sees. where: names the table in messages. Raises
        InputError.
        """
        for name in (label, group, fold):
            if name is not None and name not in columns:
                raise InputError(f"{where}: there is no column {name!r}")
        if label in (group, fold):
            raise InputError(
                f"{where}: column {label!r} is predicted: name another for groups or folds"
            )
        for name in (label, fold):
            if name is not None and names_of(columns[name]).missing.any():
                raise InputError(f"{where}: column {name!r} has rows without a value")
        columns = {name: c for name, c in columns.items() if not c.unreadable}
        names = (label, group, fold)
        arrays = {n: _array(names_of(c) if n in names else c) for n, c in columns.items()}
        if fold is not None and len(np.unique(arrays[fold])) < 2:
            raise InputError(f"{where}: column {fold!r} has one value: expected two folds or more")
        features = {k: v for k, v in arrays.items() if k not in (label, group, fold)}
        return cls(
            features,
            arrays[label],
            None if group is None else arrays[group].astype(str),
            None if fold is None else arrays[fold],
        )

    def rows(self, which: NDArray[np.intp]) -> Labelled:
        """Some of the rows, which may come more than once."""
        columns = {name: column[which] for name, column in self.columns.items()}
        groups = None if self.groups is None else self.groups[which]
        folds = None if self.folds is None else self.folds[which]
        return Labelled(columns, self.labels[which], groups, folds)

    def balanced(self, seed: int) -> Labelled:
        """All rows, and rows of the smaller classes again until every class has equally many."""
        rng = np.random.default_rng(seed)
        members = [np.flatnonzero(self.labels == label) for label in np.unique(self.labels)]
        most = max(map(len, members))
        again = [rng.choice(rows, most - len(rows)) for rows in members]
        return self.rows(np.sort(np.concatenate([*members, *again])))


def _array(column: Column) -> NDArray[Any]:
    """Categories as objects with None for a missing one, numbers with NaN."""
    if column.categories is None:
        values = np.asarray(column.values)
        return np.where(column.missing, np.nan, values) if column.missing.any() else values
    names = np.array([*column.categories, None], dtype=object)
    return np.asarray(names[np.where(column.missing, len(names) - 1, column.values)])
