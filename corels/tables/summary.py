"""A row in words: the conditions that hold of it, without those that follow from others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from corels.tables.condition import Antecedent, Condition


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
    above = sorted(by_operator.get(">", []), key=_number)[-1:]
    below = sorted(by_operator.get("<=", []), key=_number)[:1]
    groups = sorted(by_operator.get("in", []), key=_size)[:1]
    bounds = above + below + groups + by_operator.get("!=", []) + by_operator.get("not in", [])
    return bounds or by_operator.get("present", [])


def _number(condition: Condition) -> Any:
    return condition.value  # a number; or text, if the column is one of dates


def _size(condition: Condition) -> int:
    return len(condition.value) if isinstance(condition.value, tuple) else 0
