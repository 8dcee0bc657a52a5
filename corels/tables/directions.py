"""Directions: which way predictions may move if one column rises and nothing else does.

Column x points *up* for the positive class c if raising x, between two ordinary values, never turns
a prediction c into another one; *down* is the mirror. Missing values and codes compare with
nothing. A rule list keeps to it by the *side rule*: of a column that points up, a rule that says c
asks only what stays true as x rises, a rule that says another class only what stays true as x
falls, and a rule that abstains or hands over asks nothing. The default rule is free. Proof:
docs/internals/bounds.md.

So an antecedent has a set of outcomes that it may say. It depends on the antecedent alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import IntFlag
from functools import cache, reduce
from operator import or_
from typing import Literal

import numpy as np
from msgspec import field
from numpy.typing import NDArray

from corels.errors import OptionError
from corels.tables.column import Scalar
from corels.tables.condition import Antecedent, Condition
from corels.tables.dates import PART
from corels.tables.description import Stated

Way = Literal["up", "down"]


class Direction(Stated, frozen=True, forbid_unknown_fields=True):
    """One column's direction.

    Attributes:
        column: its name.
        way: "up": more of it never speaks against the positive class; "down": never for it.
        order: the texts of a column of texts, the lowest first; () for numbers and dates.
        codes: values that compare with nothing.
    """

    column: str
    way: Way = field(name="direction")
    order: tuple[Scalar, ...] = ()
    codes: tuple[Scalar, ...] = ()


class Side(IntFlag):
    """How a condition may move as its column rises, from one ordinary value to another."""

    RISES = 1  # it can become true
    FALLS = 2  # it can become false


FREE, NEITHER = Side(0), Side.RISES | Side.FALLS


def side(condition: Condition, direction: Direction) -> Side:
    """How a condition moves as the column of the direction rises; FREE if it asks another one."""
    part = PART.fullmatch(condition.column)
    other = condition.column != direction.column
    if condition.operator in _UNASKED or (other and (part is None or part[2] != direction.column)):
        return FREE
    if other and part is not None and part[1] != "year":
        return NEITHER  # a later date may be of an earlier month
    if condition.operator in _COMPARED:
        return _COMPARED[condition.operator]
    return _side_of_values(condition, direction)


def _side_of_values(condition: Condition, direction: Direction) -> Side:
    """Of a condition that names values: which of the ordinary ones hold, from the lowest up."""
    asked = [value for value in condition.values if value not in direction.codes]
    if not direction.order:
        return NEITHER if asked else FREE
    positive = condition.operator in ("==", "in")
    held = [(value in asked) == positive for value in direction.order]
    if all(held) or not any(held):
        return FREE
    if held == sorted(held):
        return Side.RISES
    return Side.FALLS if held == sorted(held, reverse=True) else NEITHER


_UNASKED = ("missing", "present")
_COMPARED = {">": Side.RISES, "<=": Side.FALLS, "true": Side.RISES, "false": Side.FALLS}


def asked_sides(directions: Iterable[Direction]) -> Callable[[Antecedent], Side]:
    """Of an antecedent, how its conditions may move together, as seen from the positive class:
    RISES is the way of the class, also of a column that points down. The answers about conditions
    are kept."""
    ways, down = list(directions), {Side.RISES: Side.FALLS, Side.FALLS: Side.RISES}

    @cache
    def of_condition(condition: Condition) -> Side:
        found = ((way.way, side(condition, way)) for way in ways)
        return reduce(or_, (down.get(one, one) if w == "down" else one for w, one in found), FREE)

    return lambda antecedent: reduce(or_, map(of_condition, antecedent.conditions), FREE)


def may_say(
    antecedents: Sequence[Antecedent], directions: Sequence[Direction], kinds: Sequence[str]
) -> NDArray[np.bool_] | None:
    """What a rule with each of M antecedents may say, bool[M, O], by the side rule; None if that
    is anything.

    kinds: of the O outcomes (`Outcomes.kinds`); the positive class is the last one. A row without
    an outcome is an antecedent that no rule may have, such as an interval of a column. Raises
    OptionError if rules say actions: there is no positive class.
    """
    if not directions:
        return None
    if "action" in kinds:
        raise OptionError(
            f"column {directions[0].column!r} has a direction, which is about the positive class, "
            "and here rules say actions"
        )
    sides, of_class = asked_sides(directions), np.array(kinds) == "class"
    positive = np.arange(len(kinds)) == int(of_class.sum()) - 1
    nothing = np.zeros(len(kinds), dtype=np.bool_)
    rows = {FREE: ~nothing, Side.RISES: positive, Side.FALLS: of_class & ~positive}
    found = [rows.get(sides(antecedent), nothing) for antecedent in antecedents]
    return np.array(found, dtype=np.bool_).reshape(len(found), len(kinds))
