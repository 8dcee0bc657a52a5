"""What the exports to programming languages share: a function that goes through the deciders.

Each language says how it writes a condition, a literal and a statement. The only foreign text in a
source is inside the literals of the language, which are plain ASCII.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from corels.errors import InputError, OptionError
from corels.export.words import figures, formula, outcome
from corels.model import Model
from corels.model.decider import Decider, in_order
from corels.tables import Antecedent
from corels.tables.column import Scalar
from corels.tables.condition import UNARY, Condition
from corels.tables.dates import spellings

EXACT = 2**53  # whole numbers below are doubles that no other whole number is read as


@dataclass(frozen=True, slots=True)
class Form:
    """words: for "and" and "or". test, comment, end: with {} for what is asked, for the text, and
    for what is returned."""

    words: tuple[str, str]
    test: str
    comment: str
    end: str


def statements(
    model: Model, write: Callable[[Condition], str], form: Form, said: Callable[[int], str]
) -> Iterator[str]:
    """The lines of the function's body: a test and a return for each decider, in order.

    write: a condition. said: what is returned for an outcome.
    """

    def leaf(antecedent: Antecedent) -> list[str]:
        return [write(condition) for condition in antecedent.conditions]

    def ended(decider: Decider) -> str:
        figures = form.comment.format(aside(model, decider)) if decider.captured else ""
        return f"{form.end.format(said(decider.outcome))}{figures}"

    deciding, rest = in_order(model.deciders())
    for decider in deciding:
        yield form.test.format(formula(decider, leaf, form.words))
        yield f"    {ended(decider)}"
    yield ended(rest)


def aside(model: Model, decider: Decider) -> str:
    """What a comment says of a decider: the stated probability, and the counts in training."""
    stated = "" if decider.stated is None else f"{outcome(model, decider)}: "
    return f"{stated}{figures(model, decider)}"


def exported(condition: Condition) -> Condition:
    """The condition as it is asked of values as they are written: a date may also be written as its
    first second, as data frames and databases do."""
    operator = condition.operator
    found = tuple(text for one in condition.values for text in spellings(one))
    besides = tuple(text for one in excluded(condition) for text in spellings(one))
    if len(found) == len(condition.values):
        return replace(condition, besides=besides)
    if operator in ("<=", ">"):
        return replace(condition, value=found[-1], besides=besides)
    operator = "in" if operator in ("==", "in") else "not in"
    return replace(condition, operator=operator, value=found, besides=besides)


def excluded(condition: Condition) -> tuple[Scalar, ...]:
    """Of the values that a condition takes for missing those that it would be true of otherwise, or
    that are of another kind: a guard has to exclude them."""
    operator, besides = condition.operator, condition.besides
    if operator in ("==", "in"):
        return ()
    if operator in ("true", "false"):
        return tuple(one for one in besides if one == (operator == "true"))
    if operator not in ("<=", ">") or isinstance(condition.value, str):
        return besides
    limit: Any = condition.value
    numbers = (one for one in besides if not isinstance(one, str))
    return tuple(one for one in numbers if (one <= limit) is (operator == "<="))


def call(condition: Condition, cell: str, literal: Callable[[Any], str]) -> str:
    """`_holds(cell, operator, value, besides)`: how a language without types asks a condition."""
    condition = exported(condition)
    parts = [cell, literal(condition.operator)]
    if condition.operator not in UNARY or condition.besides:
        parts.append(literal(condition.value))
    if condition.besides:
        parts.append(literal(condition.besides))
    return f"_holds({', '.join(parts)})"


def check_name(function: str, language: str, reserved: Collection[str]) -> None:
    """Raises OptionError for a name of a function that the language does not take."""
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", function) or function in reserved:
        raise OptionError(f"{function!r} cannot be the name of a {language} function")


def number(value: float, language: str) -> str:
    """A number as a double. Raises InputError for one that is none."""
    if isinstance(value, float) and not math.isfinite(value):
        raise InputError(f"the value {value} cannot be written in {language}")
    if isinstance(value, int) and abs(value) >= EXACT:
        raise InputError(f"the value {value} cannot be written in {language}: it is not a double")
    return repr(value)


def writable(text: str, language: str) -> str:
    """A text without what the language cannot write. Raises InputError for such a character."""
    if "\0" in text:
        raise InputError(f"{text!r} has a NUL character, which {language} cannot write")
    if any("\ud800" <= one <= "\udfff" for one in text):
        raise InputError(f"{text!r} has half a character, which {language} cannot write")
    return text


def writable_xml(text: str, language: str) -> str:
    """A text without what XML 1.0 cannot hold. Raises InputError for such a character."""
    if found := re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", writable(text, language)):
        raise InputError(f"{text!r} has the character {found[0]!r}, which {language} cannot write")
    return text


def named(name: str, language: str) -> str:
    """A name that XML can hold. Raises InputError for another one."""
    if not writable_xml(name, language).strip():
        raise InputError(f"{language} needs columns with names, and the model asks {name!r}")
    return name


def columns_of(
    model: Model, language: str, check: Callable[[str, str], str] = named
) -> dict[str, str]:
    """Each column that the model asks for, in order, and what its values are: "number", "text", or
    "" if they are only asked for whether they are missing.

    check: refuses a name that the language cannot write. Raises InputError for such a column, and
    for one that is compared with both.
    """
    kinds: dict[str, set[str]] = {}
    for antecedent in model.antecedents:
        for one in antecedent.conditions:
            values = (*one.values, *one.besides)
            compared = {"text" if isinstance(value, str) else "number" for value in values}
            compared |= {"number"} if one.operator in ("true", "false") else set()
            kinds.setdefault(check(one.column, language), set()).update(compared)
    for name, found in kinds.items():
        if len(found) > 1:
            raise InputError(
                f"column {name!r} is compared with both numbers and texts, which {language} "
                "cannot write"
            )
    return {name: next(iter(found), "") for name, found in kinds.items()}
