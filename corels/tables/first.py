"""Given first rules: "age <= 17 then refuse", the knock-out rules of an organisation.

Every list begins with them, in their order. A condition is read from its text as it prints, so it
need not be one that the table's columns were cut into. Without `then` a rule says what is cheapest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from corels.errors import InputError, OptionError, located
from corels.options import suggestion
from corels.problem.captures import Captures, pack
from corels.tables.column import Column, Scalar
from corels.tables.condition import Antecedent, Condition, value_text
from corels.tables.dataset import Dataset, FirstRule
from corels.tables.dates import PART
from corels.tables.description import numbers_meant
from corels.tables.directions import may_say
from corels.tables.numerals import spelled
from corels.tables.parsing import conjunction
from corels.tables.short import parted


def begun(
    data: Dataset, texts: Iterable[str], columns: Mapping[str, Column], where: str
) -> Dataset:
    """The data set whose lists begin with these rules.

    columns: of its rows. Raises InputError, naming `where`, for what is no condition, no column of
    the table or no outcome, and OptionError for a rule that says the contrary of a direction.
    """
    names = data.classes if data.costs is None else data.costs.outcomes.names
    antecedents, words, first = list(data.antecedents), [data.captures.words], list[FirstRule]()
    for text in texts:
        asked, said = split(text, names, data.label_name)
        with located(f"{where}: first rule {text!r}"):
            conditions = tuple(_fitted(one, data, columns) for one in conjunction(asked))
            antecedent = Antecedent.of(*conditions)
            if antecedent not in antecedents:
                held = antecedent.evaluate(columns)
                antecedents.append(antecedent)
                words.append(pack(held[None]))
        number = antecedents.index(antecedent)
        if number in (one.antecedent for one in first):
            raise InputError(again(text))
        first.append(FirstRule(number, said))
        _refuse_contrary(text, antecedent, said, data)
    captures = Captures(np.concatenate(words), data.captures.length)
    return replace(data, antecedents=tuple(antecedents), captures=captures, first=tuple(first))


def again(text: str) -> str:
    """Why a rule is refused: what it says would bind the earlier one."""
    return f"first rule {text!r} asks the same as an earlier one: give one of them"


def split(text: str, names: Sequence[Any], label: str) -> tuple[str, int | None]:
    """What a rule asks, and the number of the outcome that it says; None if it says none.

    names: of the outcomes. Raises InputError for another one.
    """
    *parts, said = parted(str(text), " then ", braces=False)
    if not parts:
        return said, None
    named = said.strip().removeprefix(f"{label} = ").strip('"')
    found = [number for number, name in enumerate(names) if str(name) == named]
    if not found:
        known = ", ".join(map(repr, names))
        hint = suggestion(named, [str(name) for name in names])
        raise InputError(f"first rule {text!r} says {named!r}: expected one of {known}{hint}")
    return " then ".join(parts), found[0]


def _fitted(condition: Condition, data: Dataset, columns: Mapping[str, Column]) -> Condition:
    """A condition as the table's column compares: a column of names with texts, one of numbers with
    numbers, and without the values that its other conditions exclude."""
    name = condition.column
    part = PART.fullmatch(name)
    if name not in columns and (part is None or part[2] not in columns):
        hint = suggestion(name, list(columns)).removeprefix("; ")
        raise InputError(f"{name!r} is no column{hint and ': '}{hint}")
    if name == data.label_name:
        raise InputError(f"{name!r} is the label column")
    value = condition.value
    if name in columns and condition.values and condition.operator not in ("<=", ">"):
        found = tuple(_as_compared(one, columns[name]) for one in condition.values)
        words = data.known[name].words if name in data.known else ()
        if odd := {*found} & {*words, *numbers_meant(words)}:
            raise InputError(
                f"{min(odd, key=str)!r} means 'no value' in column {name!r}: expected "
                f"'{name} is missing'"
            )
        value = found if isinstance(value, tuple) else found[0]
    others = (one for antecedent in data.antecedents for one in antecedent.conditions)
    besides = next((one.besides for one in others if one.column == name and one.besides), ())
    return Condition(name, condition.operator, value, tuple(b for b in besides if b != value))


def _as_compared(value: Scalar, column: Column) -> Scalar:
    """A value as the column has it: however a number is written, 2e0 or 02, it is that number."""
    if column.categories is not None:
        return value if isinstance(value, str) else value_text(value)
    written = () if column.written is None else column.written.categories or ()
    if not isinstance(value, str) or value in written:
        return value
    try:
        return spelled(value)
    except ValueError:
        raise InputError(
            f"{value!r} is no number, and column {column.name!r} has numbers"
        ) from None


def _refuse_contrary(text: str, antecedent: Antecedent, said: int | None, data: Dataset) -> None:
    """Raise OptionError for a rule that says the contrary of a direction: the promise is about the
    whole list."""
    kinds = ["class"] * len(data.classes) if data.costs is None else data.costs.outcomes.kinds
    may = may_say([antecedent], data.directions, kinds)
    if may is None or (may[0].any() if said is None else may[0][said]):
        return
    ways = ", ".join(f"{one.column} {one.way}" for one in data.directions)
    raise OptionError(f"first rule {text!r} says the contrary of a direction ({ways})")
