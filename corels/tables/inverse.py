"""From antecedents back to values: for each row of a 0/1 table, a value that meets its conditions.

What antecedents tell of a value is a set: an interval between two cuts, a category, "not red". For
each column a few candidates are enough to reach every set that its conditions can tell apart: a
number in each gap between neighbouring cuts, each category, and "missing". A row gets the candidate
that agrees with most of its antecedents, the first of equals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.tables.column import Column, Scalar, as_column
from corels.tables.condition import Antecedent, Condition


@dataclass(frozen=True)
class Inverse:
    """One column as `fit` saw it: least and largest number, or the categories."""

    name: str
    is_number: bool
    low: float = 0.0
    high: float = 0.0
    whole: bool = False
    categories: tuple[Scalar, ...] = ()

    @classmethod
    def of(cls, column: Column) -> Inverse:
        """What is needed of a column."""
        present = column.values[column.present]
        if not column.is_number:
            return cls(column.name, False, categories=tuple(column.distinct()))
        if not len(present):
            return cls(column.name, True)
        whole = column.values.dtype.kind in "biu"
        return cls(column.name, True, float(present.min()), float(present.max()), whole)

    def values(self, antecedents: Sequence[Antecedent], rows: NDArray[np.bool_]) -> list[Any]:
        """A value for each row of bool[N, antecedents]; None is a missing one, or unknown."""
        own = {
            a.conditions[0]: at
            for at, a in enumerate(antecedents)
            if len(a.conditions) == 1 and a.conditions[0].column == self.name
        }
        if not own:
            return [None] * len(rows)
        candidates = list(self._candidates(list(own)))
        column = as_column(self.name, candidates)
        met = np.array([condition.holds(column) for condition in own])  # (conditions, candidates)
        asked = rows[:, list(own.values())]
        agree = asked.astype(np.int64) @ met + (~asked).astype(np.int64) @ ~met
        return [candidates[at] for at in agree.argmax(axis=1)]

    def _candidates(self, conditions: list[Condition]) -> Iterator[Any]:
        if not self.is_number:
            yield from self.categories
        elif any(c.operator in ("true", "false") for c in conditions):
            yield from (1, 0)
        else:
            named = _numbers(conditions, ("==", "!=", "in", "not in"))
            yield from named
            if named:  # and a number that is none of them
                yield max(*named, self.high) + 1
            cuts = sorted(set(_numbers(conditions, ("<=", ">"))))
            yield from self._between([self.low, *cuts, self.high])
        yield None

    def _between(self, edges: list[float]) -> Iterator[float]:
        """A number in each gap (low, high] between neighbours."""
        for low, high in pairwise(edges):
            middle = (low + high) / 2
            whole = float(np.ceil(middle))
            yield whole if self.whole and low < whole <= high else middle


def _numbers(conditions: Iterable[Condition], operators: Sequence[str]) -> list[float]:
    """What the conditions with these operators compare with."""
    return [float(v) for c in conditions if c.operator in operators for v in c.values]


def summary(antecedents: Sequence[Antecedent]) -> str:
    """The strongest true conditions, in order of their columns, joined by "and"."""
    by_column: dict[str, list[Condition]] = {}
    for antecedent in antecedents:
        for condition in antecedent.conditions:
            if condition not in by_column.setdefault(condition.column, []):
                by_column[condition.column].append(condition)
    kept = (condition for found in by_column.values() for condition in _strongest(found))
    return " and ".join(map(str, kept))


def _strongest(conditions: Iterable[Condition]) -> list[Condition]:
    """Of conditions on one column, all true of one row, those that say something of their own."""
    by_operator: dict[str, list[Condition]] = {}
    for condition in conditions:
        by_operator.setdefault(condition.operator, []).append(condition)
    for exact in "missing", "true", "false", "==":
        if exact in by_operator:
            return by_operator[exact][:1]
    above = sorted(by_operator.get(">", []), key=attrgetter("values"))[-1:]
    below = sorted(by_operator.get("<=", []), key=attrgetter("values"))[:1]
    groups = sorted(by_operator.get("in", []), key=lambda c: len(c.values))[:1]
    bounds = above + below + groups + by_operator.get("!=", []) + by_operator.get("not in", [])
    return bounds or by_operator.get("present", [])
