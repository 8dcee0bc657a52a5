"""Conditions and antecedents: what a rule asks of a row, as data that can be read and sent.

A `Condition` compares one column with one value; an `Antecedent` is a named conjunction of them.
Both are frozen structs of msgspec, so that documents are checked against their fields; they print
as text, travel as JSON and evaluate on any table.

Missing values follow SQL: every condition about a value is false of a row that has none, and
"is missing" is the only condition that is true of it. So "age <= 25" and "age > 25" are both
false if the age is missing, and `negated` is the complement among the rows with a value. A list
written as SQL CASE therefore says the same as `evaluate`.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache, reduce
from typing import Any

import numpy as np
from msgspec import to_builtins
from msgspec.structs import force_setattr
from numpy.typing import NDArray

from corels.errors import InputError
from corels.options import suggestion
from corels.problem.captures import Captures, pack
from corels.tables.column import (
    BoolArray,
    Column,
    Columns,
    Scalar,
    as_column,
    as_columns,
    row_count,
)
from corels.tables.comparing import among, at_most, truth, without
from corels.tables.dates import PART, is_moment
from corels.tables.description import Stated

_OPPOSITES = {"==": "!=", "<=": ">", "missing": "present", "true": "false", "in": "not in"}
NEGATION = _OPPOSITES | {negated: operator for operator, negated in _OPPOSITES.items()}
UNARY = frozenset({"missing", "present", "true", "false"})
GROUP = frozenset({"in", "not in"})
Value = Scalar | tuple[Scalar, ...]

# Text that could be read as part of the condition around it is put in double quotes, so that
# `parse` reads what `__str__` writes.
_AMBIGUOUS = re.compile(
    r'(^| )([=<>]|[!<>=]=|and|is|then)( |$)|(^| )in \{|^not | not$|^\s|\s$|"|^$'
)
_IN_GROUP = re.compile(r"[,{}]")  # a value with one of these is quoted within a group


class Condition(Stated, frozen=True, forbid_unknown_fields=True):
    """One question about one column.

    Attributes:
        column: the column's name, any text.
        operator: "==", "!=", "<=", ">" (with a value), "in", "not in" (with a tuple of values),
            "missing", "present", or "true", "false" for a column of 0 and 1.
        value: what the column is compared with; None for the operators without a value.
            A whole number is an int, also beside gaps, if pandas keeps floats.
        besides: values that the condition takes for missing: of "missing" and "present" those that
            mean "no value", of comparisons the codes of the column, too. In any order; kept sorted.

    Raises:
        InputError: for an unknown operator, a value that the operator cannot take, and a value that
            is compared and excluded.
    """

    column: str
    operator: str
    value: Value | None = None
    besides: tuple[Scalar, ...] = ()

    def __post_init__(self) -> None:
        value = self.value
        if isinstance(value, (list, tuple)):
            value = tuple(map(_plain, value))
        elif value is not None:
            value = _plain(value)
        force_setattr(self, "value", value)
        if self.operator not in NEGATION:
            raise InputError(
                f"condition operator {self.operator!r} is not one of {', '.join(NEGATION)}"
            )
        if (self.operator in UNARY) != (value is None):
            wanted = "no value" if self.operator in UNARY else "a value"
            raise InputError(f"condition operator {self.operator!r} takes {wanted}, not {value!r}")
        if (self.operator in GROUP) != isinstance(value, tuple) or value == ():
            wanted = "a list of values" if self.operator in GROUP else "one value"
            raise InputError(f"condition operator {self.operator!r} takes {wanted}, not {value!r}")
        for one in (*self.values, *self.besides):
            if not isinstance(one, (str, int, float, bool)):
                raise InputError(f"condition value {one!r} is not text, a number or a boolean")
            if isinstance(one, float) and not math.isfinite(one):
                raise InputError(f"condition value {one!r} is not finite")
        if self.operator in ("<=", ">") and isinstance(value, str) and not is_moment(value):
            raise InputError(
                f"condition operator {self.operator!r} takes a number or an ISO date, not {value!r}"
            )
        self._check_besides()

    def _check_besides(self) -> None:
        found = dict.fromkeys(map(_plain, self.besides))
        if found:
            in_order = sorted(found, key=lambda one: (isinstance(one, str), one))
            force_setattr(self, "besides", tuple(in_order))
        if self.operator not in ("<=", ">") and (both := found.keys() & {*self.values}):
            raise InputError(f"condition {self} compares with {both.pop()!r}, which it excludes")

    def __str__(self) -> str:
        column = _quoted(self.column)
        match self.operator:
            case "true":
                return column
            case "false":
                return f"not {column}"
            case "missing" | "present":
                return f"{column} is {self.operator}"
            case "in" | "not in":
                return f"{column} {self.operator} {{{', '.join(map(_member, self.values))}}}"
            case operator:
                return f"{column} {'=' if operator == '==' else operator} {value_text(self.value)}"

    @classmethod
    def parse(cls, text: str) -> Condition:
        """The condition that is printed so: `Condition.parse(str(one))` prints as `one` does.

        What writes a number is one, which a column of names compares as its text. The values that
        a condition excludes (`besides`) are not printed. Raises InputError for what is no
        condition.
        """
        from corels.tables.parsing import condition

        return condition(text)

    @property
    def values(self) -> tuple[Scalar, ...]:
        """What the column is compared with: no value, one, or the values of a group."""
        value = self.value
        return value if isinstance(value, tuple) else () if value is None else (value,)

    def negated(self) -> Condition:
        """The condition that is true of the other rows that have a value."""
        return Condition(self.column, NEGATION[self.operator], self.value, self.besides)

    def holds(self, values: Any) -> BoolArray:
        """Which of N values the condition is true of, (N,) bool.

        Args:
            values: a `Column`, an array, a pandas or polars series, or a sequence, length N.

        Raises:
            InputError: if the values cannot be compared (text with a number, say).
        """
        column = as_column(self.column, values)
        if column.unreadable:
            raise InputError(column.unreadable)
        if column.written is not None and self._asks_for_text():
            column = column.written
        if self.besides:
            column = without(column, self.besides)
        if self.operator == "missing":
            return column.missing.copy()
        if self.operator == "present":
            return column.present
        return self._compare(column) & column.present

    def _asks_for_text(self) -> bool:
        """Whether the column is one of names to this condition, whatever its values write."""
        return self.operator not in ("<=", ">") and any(isinstance(v, str) for v in self.values)

    def _compare(self, column: Column) -> BoolArray:
        """The comparison with the value; rows without a value are masked by the caller."""
        match self.operator:
            case "true" | "false":
                found = truth(column)
            case "<=" | ">":
                found = at_most(column, self.values[0])
            case _:
                found = among(column, self.values)
        return ~found if self.operator in ("false", ">", "!=", "not in") else found


class Antecedent(Stated, frozen=True, forbid_unknown_fields=True):
    """A named conjunction of conditions: the "if" part of a rule.

    Attributes:
        name: what a reader sees; by default the conditions joined by "and".
        conditions: one or more.
    """

    name: str
    conditions: tuple[Condition, ...]

    def __post_init__(self) -> None:
        if not self.conditions:
            raise InputError(f"antecedent {self.name!r} has no condition")

    @classmethod
    def of(cls, *conditions: Condition) -> Antecedent:
        """The conjunction of the conditions, named by its own text."""
        return cls(" and ".join(map(str, conditions)), conditions)

    def __str__(self) -> str:
        return self.name

    @classmethod
    def parse(cls, text: str) -> Antecedent:
        """The conjunction that is printed so; see `Condition.parse`. Raises InputError."""
        from corels.tables.parsing import conjunction

        return cls.of(*conjunction(text))

    def evaluate(self, table: Mapping[str, Any]) -> BoolArray:
        """Which of N rows the antecedent is true of, (N,) bool.

        Args:
            table: column name -> values. For many antecedents on one table, read it once with
                `as_columns`.

        Raises:
            InputError: if a column is not in the table, or cannot be compared.
        """
        return reduce(
            np.logical_and,
            [one.holds(_column_of(table, one.column, self.name)) for one in self.conditions],
        )


def _column_of(table: Mapping[str, Any], name: str, asks: str) -> Any:
    """The column of a table, also one that is part of a date: "year of signup"."""
    if name in table:
        return table[name]
    if (part := PART.fullmatch(name)) and part[2] in table:
        parts = Columns({part[2]: as_column(part[2], table[part[2]])})
        if name in parts:
            return parts[name]
        raise InputError(
            f"column {part[2]!r} holds no dates in this data, but {asks!r} asks for the {name}"
        )
    raise InputError(
        f"the data has no column {name!r}, which {asks!r} asks for{suggestion(name, list(table))}"
    )


def evaluate_all(antecedents: Sequence[Antecedent], table: Mapping[str, Any]) -> NDArray[np.bool_]:
    """(M, N) bool: which rows each antecedent is true of.

    Raises InputError as `Antecedent.evaluate`.
    """
    return capture_all(antecedents, table).unpack()


def as_mappings(antecedents: Sequence[Antecedent]) -> Any:
    """What `to_json` gives of each, with tuples as lists: the same JSON, made at once."""
    return to_builtins(antecedents)


def capture_all(antecedents: Sequence[Antecedent], table: Mapping[str, Any]) -> Captures:
    """Which rows each antecedent is true of, packed; each condition is evaluated once.

    Raises InputError as `Antecedent.evaluate`.
    """
    columns = as_columns(table)
    captures = Captures.empty(len(antecedents), row_count(columns))
    known: dict[Condition, NDArray[np.uint64]] = {}
    for number, antecedent in enumerate(antecedents):
        if len(antecedent.conditions) == 1:
            captures.fill(number, antecedent.evaluate(columns))
            continue
        for condition in antecedent.conditions:
            if condition not in known:
                known[condition] = pack(Antecedent.of(condition).evaluate(columns)[None, :])[0]
        captures.words[number] = np.bitwise_and.reduce([known[c] for c in antecedent.conditions])
    return captures


@lru_cache(maxsize=1024)  # a column may have thousands of cuts
def _quoted(text: str) -> str:
    plain = text.isprintable()
    return (
        text if plain and not _AMBIGUOUS.search(text) else json.dumps(text, ensure_ascii=not plain)
    )


def _member(value: Scalar) -> str:
    """A value within a group, if a comma would end it."""
    if isinstance(value, str) and _IN_GROUP.search(value) and value.isprintable():
        return json.dumps(value, ensure_ascii=False)
    return value_text(value)


def value_text(value: Value | None) -> str:
    """A value as in a condition: no ".0", and text in quotes if it could be misread."""
    return _quoted(value) if isinstance(value, str) else str(_plain(value))


def _plain(value: Any) -> Any:
    """2.0 as 2, and a scalar of NumPy as one of Python. What has more digits than a float stays."""
    value = value.item() if isinstance(value, np.generic) else value
    is_whole = isinstance(value, float) and value.is_integer() and abs(value) < 1e16
    return int(value) if is_whole else value
