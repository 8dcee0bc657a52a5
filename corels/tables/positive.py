"""Which of the classes is the positive one: the last, if that is evident, or the one that is
named. "ja" comes before "nein" and "default" before "paid", so an alphabet does not say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from corels.errors import OptionError
from corels.options import exact_number
from corels.problem.rates import demands_of
from corels.tables.options import TableOptions

EVIDENT = (
    ("no", "yes"),
    ("n", "y"),
    ("false", "true"),
    ("f", "t"),
    ("neg", "pos"),
    ("negative", "positive"),
)


def evident(classes: Sequence[Any]) -> bool:
    """Whether it is evident that the last class is the positive one: numbers (0 and 1), or a
    pair of `EVIDENT`, in any case of letters."""
    with suppress(ValueError):
        return [exact_number(name) for name in map(str, classes)] != []
    return tuple(str(name).casefold() for name in classes) in EVIDENT


def refuse_unsaid(asks: str, classes: Sequence[Any], positive: Any = None) -> None:
    """Raise OptionError if something is asked that speaks of a positive class, it was not said
    which it is, and it is not evident. asks: what speaks of it, for the sentence."""
    if positive is None and not evident(classes):
        named = " or ".join(map(repr, map(str, classes)))
        raise OptionError(
            f"⟨positive⟩ is not given, and {asks} is about the positive class: {named}"
        )


def check_positive(options: TableOptions, classes: Sequence[Any]) -> None:
    """`refuse_unsaid` for what options of a table ask for."""
    if options.cost is not None:
        from corels.tables.pricing import asks_for_positive  # no run without costs needs it

        if asks_for_positive(options.cost, list(map(str, classes))):
            refuse_unsaid(f"cost {options.cost}", classes, options.positive)
    for one in demands_of(options.constraints):
        if one.of_positive:
            refuse_unsaid(f"'{one}'", classes, options.positive)


def refuse_unsaid_of(asks: str, problem: Any) -> None:
    """`refuse_unsaid` for a problem: one that was not made of a table has its classes in the order
    that was chosen."""
    reading: Mapping[str, Any] = problem.reading or {}
    if "positive" in reading:
        refuse_unsaid(asks, problem.classes, reading["positive"])
