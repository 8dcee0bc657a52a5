"""Conditions from their text: the inverse of how they print.

    age <= 17        job = none and age > 65        colour in {red, "light, blue"}
    not smokes       "a > b" is missing             "=" != 3

Text that could be read otherwise stands in double quotes, as JSON writes it, and so a quote always
begins or ends such a text.
"""

from __future__ import annotations

import math
import re
from contextlib import suppress

from corels.errors import InputError
from corels.tables.column import Scalar
from corels.tables.condition import Condition, value_text
from corels.tables.dates import is_moment
from corels.tables.short import parted, quoted

_OPERATOR = re.compile(r" (=|!=|<=|>) | (in|not in) \{| is (missing|present)$")
_UNREAD = re.compile(
    r"(?:^| )([=<>]|[!<>=]=)(?: |$)"
)  # how people write what is written otherwise here
EXAMPLES = "'age <= 17', 'job = none', 'colour in {red, blue}' or 'age is missing'"


def conjunction(text: str) -> tuple[Condition, ...]:
    """The conditions that are joined by "and". Raises InputError."""
    return tuple(condition(part) for part in parted(text, " and ", braces=False))


def condition(text: str) -> Condition:
    """One condition. Raises InputError for what is none."""
    text = text.strip()
    column, end = quoted(text) if text.startswith('"') else ("", 0)
    plain = len(text.partition('"')[0])  # what comes before a quoted value
    found = _OPERATOR.match(text, end) if end else _OPERATOR.search(text, 0, plain)
    if found is None:
        return _of_flag(text)
    column = column if end else text[: found.start()]
    operator, group, unary = found.groups()
    rest = text[found.end() :].strip()
    if unary:
        return Condition(column, unary)
    if group:
        if not rest.endswith("}"):
            raise InputError(f"{text!r}: expected a list of values in {{...}}")
        members = parted(rest.removesuffix("}"), ",", braces=False)
        return Condition(column, group, tuple(_value(one.strip(), text) for one in members))
    value = _value(rest, text)
    if operator in ("<=", ">") and isinstance(value, str) and not is_moment(value):
        with suppress(ValueError):
            value = float(value)
    return Condition(column, "==" if operator == "=" else operator, value)


def _of_flag(text: str) -> Condition:
    """A column of 0 and 1, or its negation."""
    operator, name = "true", text
    if text.startswith("not "):
        operator, name = "false", text[4:].strip()
    if name.startswith('"'):
        name, end = quoted(name)
        if end < len(text.removeprefix("not ").strip()):
            raise InputError(f"{text!r} is no condition: expected one such as {EXAMPLES}")
    elif not name or '"' in name:
        raise InputError(f"{text!r} is no condition: expected one such as {EXAMPLES}")
    elif (odd := _UNREAD.search(name)) is not None:
        ways = "<=, >, = and !=, with blanks around"
        raise InputError(f"{text!r} is no condition: it has {odd[1]!r}, expected one of {ways}")
    return Condition(name, operator)


def _value(token: str, text: str) -> Scalar:
    """A value as it is written: in quotes a text, else a number if it prints so, else a text."""
    if token.startswith('"'):
        found, end = quoted(token)
        if end == len(token):
            return found
    if value_text(token) != token:  # a model would print it in quotes
        raise InputError(f"{text!r} is no condition: expected one such as {EXAMPLES}")
    if token in ("True", "False"):
        return token == "True"
    for kind in (int, float):
        with suppress(ValueError):
            number = kind(token)
            if math.isfinite(number) and value_text(number) == token:
                return number
    return token
