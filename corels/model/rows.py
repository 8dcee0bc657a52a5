"""Rows to predict, from data sets, data frames and mappings of columns."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError
from corels.model.decider import Decider
from corels.model.model import Model
from corels.tables import Antecedent, Column, Condition, Dataset
from corels.tables.column import row_count
from corels.tables.learned import Learned
from corels.tables.unseen import NOTHING, ColumnsAsLearned, as_learned, measured_by, unseen_values


class Rows:
    """N rows, and which of them satisfy an antecedent.

    data: a Dataset (its own antecedents are looked up, others cannot be evaluated), a pandas or
    polars frame, a mapping of column names to values, or what is read piece by piece. asked: the
    antecedents that are asked for, if these are read. learned: how their columns are read. What
    training never saw is said in a warning, unless the columns were read as learned before.
    """

    def __init__(
        self, data: Any, asked: Sequence[Antecedent] = (), learned: Learned = NOTHING
    ) -> None:
        self._dataset = data if isinstance(data, Dataset) else None
        if self._dataset is not None:
            self.count = self._dataset.n_rows
            self._index = {a: j for j, a in enumerate(self._dataset.antecedents)}
        else:
            from corels.tables.frame import columns_for  # a search has its rows already

            self._learned = learned
            self.columns: Mapping[str, Column] = columns_for(asked, data, learned)
            self.count = row_count(self.columns)
            self._read_for(asked)

    def captured_by(self, antecedent: Antecedent) -> NDArray[np.bool_]:
        """bool[N]. Raises InputError if the data lacks a column that the antecedent names."""
        if self._dataset is None:
            self._read_for([antecedent])
            return antecedent.evaluate(self.columns)
        found = self._index.get(antecedent)
        if found is not None:
            return self._dataset.captures[found]
        single = {
            a.conditions[0]: self._dataset.captures[j]
            for a, j in self._index.items()
            if len(a.conditions) == 1
        }
        missing = [c for c in antecedent.conditions if c not in single]
        if missing:
            raise InputError(f"the data has no antecedent {str(missing[0])!r}")
        held: NDArray[np.bool_] = np.logical_and.reduce([single[c] for c in antecedent.conditions])
        return held

    def _read_for(self, asked: Iterable[Antecedent]) -> None:
        """Columns as the antecedents compare them; what training never saw is said."""
        if isinstance(self.columns, ColumnsAsLearned):
            return
        conditions = [one for antecedent in asked for one in antecedent.conditions]
        measured = measured_by((one.to_json() for one in conditions), self._learned)
        self.columns = as_learned(self.columns, measured, self._learned)
        asked_of = [one.column for one in conditions]
        for unseen in unseen_values(self.columns, asked_of, self._learned):
            warnings.warn(str(unseen), UserWarning, stacklevel=6)


def first_holding(
    deciders: Sequence[Decider], captured_by: Callable[[Antecedent], NDArray[np.bool_]], count: int
) -> NDArray[np.intp]:
    """intp[N]: for each row the number of the first decider that holds; the last always does.

    captured_by: bool[N], which rows satisfy an antecedent; asked once for each. count: N.
    """
    first, captured = np.full(count, len(deciders) - 1, dtype=np.intp), cache(captured_by)
    every, some = _joins(count)
    for number, decider in reversed([*enumerate(deciders)]):
        if decider.quantity == "points":
            points = _sum(decider, decider.parts(captured, every, some), count)
            first[points >= decider.threshold] = number
        else:
            first[decider.fold(captured, every, some)] = number
    return first


def sums_of(model: Model, data: Any) -> dict[int, NDArray[np.int64]]:
    """Of each decider that counts points, by number: the points that each row has, int64[N]."""
    rows = Rows(data, model.antecedents, model.reading)
    deciders, every, some = model.deciders(), *_joins(rows.count)
    return {
        number: _sum(decider, decider.parts(rows.captured_by, every, some), rows.count)
        for number, decider in enumerate(deciders)
        if decider.quantity == "points"
    }


def _sum(decider: Decider, held: Sequence[NDArray[np.bool_]], count: int) -> NDArray[np.int64]:
    found = np.zeros(count, dtype=np.int64)
    for points, one in zip(decider.points, held, strict=True):
        found += points * one
    return found


def _joins(count: int) -> tuple[Any, Any]:
    everywhere, nowhere = np.ones(count, np.bool_), np.zeros(count, np.bool_)
    return (
        lambda parts: np.all([everywhere, *parts], axis=0),
        lambda parts: np.any([nowhere, *parts], axis=0),
    )


def with_answers(model: Model, indices: NDArray[np.intp], data: Any) -> NDArray[Any]:
    """object[N]: what is said of each row; of those that are handed over to another model, what
    that one says, if the data has its column.

    Raises InputError if that is not a class.
    """
    said = np.empty(len(model.says), dtype=object)
    said[:] = model.says
    found, outcomes = said[indices], model.outcomes
    assert outcomes is not None
    rows = np.flatnonzero(np.array([kind == "defer" for kind in outcomes.kinds])[indices])
    answers = other_answers(model, outcomes.asked, data, rows) if len(rows) else None
    if answers is not None:
        found[rows] = said[answers]
    return found


def other_answers(
    model: Model, asked: str, data: Any, rows: NDArray[np.intp]
) -> NDArray[np.int64] | None:
    """The classes, by number, that another model says of the rows that are handed over to it; None
    if the data does not have the column `asked` of its answers.

    Raises InputError if that is not a class.
    """
    if isinstance(data, Dataset):
        return None
    from corels.tables.frame import columns_for

    columns = columns_for([Antecedent.of(Condition(asked, "present"))], data)
    if not dict.__contains__(columns, asked):
        return None
    from corels.tables.pricing import answers_of

    names = list(map(str, model.classes))
    return answers_of(columns[asked].take(rows), names, "the data", rows)
