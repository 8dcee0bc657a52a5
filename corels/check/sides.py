"""What the directions of columns leave a rule with each antecedent to say, from a header alone.

A condition on a directed column *moves* up if it can only become true as the column rises, down if
it can only become false, both ways if either may happen. A rule that says the positive class, the
last one, may ask of a column that points up only what moves up; a rule that says another class only
what moves down; a rule that says anything else, nothing of it. docs/internals/bounds.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

UP, DOWN = 1, -1
PARTS = ("year", "month", "weekday", "hour")


def moves(condition: Mapping[str, Any], direction: Mapping[str, Any]) -> set[int]:
    """How a condition moves as the column of a direction rises: UP, DOWN, both, or not at all."""
    column, operator = str(condition["column"]), condition["operator"]
    if operator in ("missing", "present"):
        return set()
    if column != direction["column"]:
        part, _, name = column.partition(" of ")
        if name != direction["column"] or part not in PARTS:
            return set()
        if part != "year":
            return {UP, DOWN}
    if operator in (">", "true"):
        return {UP}
    if operator in ("<=", "false"):
        return {DOWN}
    return _moves_of_values(condition, direction)


def _moves_of_values(condition: Mapping[str, Any], direction: Mapping[str, Any]) -> set[int]:
    """Of a condition that names values."""
    operator, value = condition["operator"], condition["value"]
    asked = set(value if isinstance(value, list | tuple) else [value])
    order, codes = direction.get("order", ()), set(direction.get("codes", ()))
    if not order:
        return {UP, DOWN} if asked - codes else set()
    held = [one in asked for one in order]
    found = {int(after) - int(before) for before, after in pairwise(held)} - {0}
    return found if operator in ("==", "in") else {-one for one in found}


def asked(conditions: Sequence[Mapping[str, Any]], directions: Any) -> set[int]:
    """How some conditions together move, UP being towards the positive class."""
    found: set[int] = set()
    for direction in directions:
        sign = {"up": 1, "down": -1}[direction["direction"]]
        for condition in conditions:
            found |= {sign * one for one in moves(condition, direction)}
    return found


def may_say(header: Mapping[str, Any], kinds: Sequence[str]) -> NDArray[np.bool_]:
    """bool[M, O], of the antecedents of a header. kinds: of the O outcomes, the classes first.

    Raises ValueError for an antecedent that no rule may have.
    """
    antecedents, directions = header["antecedents"], header.get("directions", ())
    rows = [allowed(asked(one["conditions"], directions), kinds) for one in antecedents]
    found = np.array(rows, dtype=np.bool_).reshape(len(rows), len(kinds))
    if rows and not found.any(axis=1).all():
        name = antecedents[int((~found.any(axis=1)).argmax())]["name"]
        raise ValueError(f"the directions leave no outcome for {name!r}")
    return found


def said_by_rules(
    header: Mapping[str, Any], names: Sequence[Any], kinds: Sequence[str]
) -> tuple[NDArray[np.bool_], list[int]]:
    """What a rule with each antecedent may say, bool[M, O], and the antecedents of the rules that
    every list begins with. names: of the O outcomes. Raises ValueError."""
    may, asked_for = may_say(header, kinds), [one["conditions"] for one in header["antecedents"]]
    first = []
    for one in header.get("first", ()):
        first.append(asked_for.index(one["conditions"]))
        if one["then"] is not None:
            may[first[-1]] &= np.arange(len(names)) == list(names).index(one["then"])
    if not may[first].any(axis=1).all():
        raise ValueError("a first rule says what it may not")
    return may, first


def allowed(sides: set[int], kinds: Sequence[str]) -> list[bool]:
    """Which outcomes a rule may say whose conditions move so."""
    if not sides:
        return [True] * len(kinds)
    positive = list(kinds).index("class") + list(kinds).count("class") - 1
    if len(sides) > 1:
        return [False] * len(kinds)
    said = UP in sides
    return [kind == "class" and (at == positive) == said for at, kind in enumerate(kinds)]
