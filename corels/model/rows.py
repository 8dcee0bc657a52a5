"""Rows to predict, from data sets, data frames and mappings of columns; what captures them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError
from corels.model.decider import Decider
from corels.problem import Problem
from corels.problem.captures import unpack
from corels.tables import Antecedent, Dataset, as_columns
from corels.tables.unseen import as_learned, measured_by, unseen_values


class Rows:
    """N rows, and which of them satisfy an antecedent.

    data: a Dataset (its own antecedents are looked up, others cannot be evaluated), a pandas or
    polars frame, or a mapping of column names to values.
    """

    def __init__(self, data: Any) -> None:
        self._dataset = data if isinstance(data, Dataset) else None
        if self._dataset is not None:
            self.count = self._dataset.n_rows
            self._index = {a: j for j, a in enumerate(self._dataset.antecedents)}
        else:
            self._columns = as_columns(data)
            self.count = len(next(iter(self._columns.values()), ()))

    def captured_by(self, antecedent: Antecedent) -> NDArray[np.bool_]:
        """bool[N]. Raises InputError where the data lacks a column that the antecedent names."""
        if self._dataset is None:
            self._read_for(antecedent)
            return antecedent.evaluate(self._columns)
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

    def _read_for(self, antecedent: Antecedent) -> None:
        """Columns as the antecedent compares them; cells that are no value of theirs are said."""
        measured = measured_by((c.to_json() for c in antecedent.conditions), {})
        before, self._columns = self._columns, as_learned(self._columns, measured)
        for name in measured:
            if dict.__contains__(self._columns, name) and self._columns[name] is not before[name]:
                for unseen in unseen_values(self._columns, [name], {}):
                    warnings.warn(str(unseen), UserWarning, stacklevel=5)


def first_holding(
    deciders: Sequence[Decider], captured_by: Callable[[Antecedent], NDArray[np.bool_]], count: int
) -> NDArray[np.intp]:
    """intp[N]: for each row the number of the first decider that holds; the last always does.

    captured_by: bool[N], which rows satisfy an antecedent; asked once for each. count: N.
    """
    known: dict[Antecedent, NDArray[np.bool_]] = {}

    def captured(antecedent: Antecedent) -> NDArray[np.bool_]:
        if antecedent not in known:
            known[antecedent] = captured_by(antecedent)
        return known[antecedent]

    def every(parts: list[NDArray[np.bool_]]) -> NDArray[np.bool_]:
        held: NDArray[np.bool_] = np.all([np.ones(count, np.bool_), *parts], axis=0)
        return held

    def some(parts: list[NDArray[np.bool_]]) -> NDArray[np.bool_]:
        held: NDArray[np.bool_] = np.any([np.zeros(count, np.bool_), *parts], axis=0)
        return held

    first = np.full(count, len(deciders) - 1, dtype=np.intp)
    for number in reversed(range(len(deciders))):
        first[deciders[number].fold(captured, every, some)] = number
    return first


def captured_in_order(
    problem: Problem, antecedents: Sequence[int]
) -> list[tuple[Antecedent | None, tuple[int, ...]]]:
    """What each rule of a list captures, by class: antecedents in this order, the rest last."""
    captures = unpack(problem.masks[list(antecedents)], problem.n_points)
    free, found = np.ones(problem.n_points, dtype=np.bool_), []
    for index, captured in zip(antecedents, captures, strict=True):
        cell, free = free & captured, free & ~captured
        found.append((problem.antecedents[index], _weights(problem, cell)))
    return [*found, (None, _weights(problem, free))]


def _weights(problem: Problem, points: NDArray[np.bool_]) -> tuple[int, ...]:
    return tuple(problem.weights[:, points].sum(axis=1).tolist())
