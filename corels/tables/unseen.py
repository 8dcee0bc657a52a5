"""What new data has that the data a model was learned from did not: values, and columns it lacks.

A condition `sex = Male` is false of a value that training never saw, so such a row falls through to
later rules in silence. A model document therefore keeps the values of the columns of categories
that its rules ask for, and `unseen_values` counts the rows of new data that have another one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from corels.errors import InputError
from corels.options import suggestion
from corels.tables.column import Column, Columns, Scalar
from corels.tables.comparing import equal_values
from corels.tables.dates import PART
from corels.tables.numerals import is_code
from corels.tables.options import AS_WRITTEN, Reading

MOST_VALUES = 1000  # of one column that a document keeps
SHOWN = 3


class Unseen(NamedTuple):
    """Rows of new data with a value in a column that training never saw.

    Attributes:
        column: its name.
        rows: how many.
        values: which.
        odd: the model compares the column with numbers or dates, and these are none.
    """

    column: str
    rows: int
    values: tuple[Scalar, ...]
    odd: bool = False

    def __str__(self) -> str:
        listed = ", ".join(repr(value) for value in self.values[:SHOWN])
        more = ", ..." if len(self.values) > SHOWN else ""
        one = self.rows == 1
        what = f"a value of {self.column!r} that training never saw"
        then = f"{'it falls' if one else 'they fall'} through to later rules"
        if self.odd:
            what = f"in {self.column!r} what is not a number or date"
            then = f"{'it counts' if one else 'they count'} as missing"
        return f"{self.rows:,} {'row has' if one else 'rows have'} {what} ({listed}{more}): {then}"


def known_values(columns: Mapping[str, Column]) -> dict[str, tuple[Scalar, ...]]:
    """The values of each column of categories, where there are not too many; none of numbers and
    dates, which a model compares."""
    return {
        name: () if is_measured(column) else column.categories or ()
        for name, column in columns.items()
        if is_measured(column) or len(column.categories or ()) <= MOST_VALUES
        if not column.unreadable
    }


def is_measured(column: Column) -> bool:
    """Whether the values are numbers or dates."""
    return column.categories is None or bool(column.form)


def columns_asked(document: Any) -> list[str]:
    """The columns that a model document's conditions name, in order of appearance."""
    return list(dict.fromkeys(condition["column"] for condition in conditions_of(document)))


def conditions_of(part: Any) -> Iterator[Mapping[str, Any]]:
    """Every condition of a model document."""
    if isinstance(part, Mapping):
        if isinstance(part.get("column"), str) and "operator" in part:
            yield part
        for value in part.values():
            yield from conditions_of(value)
    elif isinstance(part, list):
        for value in part:
            yield from conditions_of(value)


def measured_by(
    conditions: Iterable[Mapping[str, Any]], known: Mapping[str, Sequence[Scalar]]
) -> dict[str, bool]:
    """Column -> whether a model compares it with numbers or dates (True) or names (False).

    conditions: the model's, as JSON. known: `known_values` of what it was learned from, as far as
    that is kept.
    """
    found: dict[str, bool] = {}
    for one in conditions:
        name, value = str(one["column"]), one.get("value")
        if part := PART.fullmatch(name):
            found[part[2]] = True
        if one["operator"] in ("<=", ">", "true", "false"):
            found[name] = True
        elif any(isinstance(v, str) for v in (value if isinstance(value, list) else [value])):
            found.setdefault(name, False)
    return found | {name: not values for name, values in known.items()}


def codes_asked(
    conditions: Iterable[Mapping[str, Any]], known: Mapping[str, Sequence[Scalar]]
) -> tuple[str, ...]:
    """The columns in which a model knows names that write a number in a way of their own (01, +1,
    1.50): as numbers, they could not be told apart. The arguments are those of `measured_by`."""
    values: list[tuple[str, Any]] = [(name, value) for name, one in known.items() for value in one]
    for one in conditions:
        value = one.get("value")
        some = value if isinstance(value, list) else [value]
        values += [(str(one["column"]), part) for part in some]
    return tuple(dict.fromkeys(name for name, value in values if is_code(value)))


def as_learned(
    columns: Mapping[str, Column], measured: Mapping[str, bool], reading: Reading = AS_WRITTEN
) -> Mapping[str, Column]:
    """New data as the columns of the training data were: where a model compares a column with
    numbers or dates, every other cell is missing; where it asks for names, odd cells are names.

    measured: as `measured_by` says. reading: how dates are written.
    """
    from corels.tables.recognise import measured as as_measured
    from corels.tables.stored import Stored

    def change(column: Column) -> Column:
        if column.name not in measured:
            return column
        if measured[column.name]:
            return as_measured(column, reading.said(column.name))
        return column if column.written is None else column.written

    if isinstance(columns, Stored):
        return replace(columns, change=change)
    own = measured.keys() & set(columns)  # what the table has itself, no part of a date
    changed = {name: change(columns[name]) for name in own}
    if isinstance(columns, Columns) and all(columns[n] is column for n, column in changed.items()):
        return columns
    return Columns({**columns, **changed})


def unseen_values(
    columns: Mapping[str, Column], asked: Sequence[str], known: Mapping[str, Sequence[Scalar]]
) -> list[Unseen]:
    """The values of new data that a model never saw, a finding per column.

    columns: the new data, as `as_learned` gives it. asked: the columns that the model asks for.
    known: `known_values` of the training data. Raises InputError if the data lacks columns that the
    model asks for; names all of them.
    """
    _refuse_absent(asked, columns)
    found = []
    for name in asked:
        column = columns[name]
        if odd := column.odd():
            found.append(Unseen(name, sum(odd.values()), tuple(odd), odd=True))
        elif known.get(name) and not column.form:
            named, seen = column.as_categories(), known[name]
            new = dict.fromkeys(c for c in named.categories or () if c not in seen)
            new = {c: None for c in new if not any(equal_values(c, s) for s in seen)}
            rows = int(named.by_category(c in new for c in named.categories or ()).sum())
            if rows:
                found.append(Unseen(name, rows, tuple(new)))
    return found


def _refuse_absent(asked: Sequence[str], columns: Mapping[str, Column]) -> None:
    """Raise InputError that names every column that is asked for and not there."""
    absent = list(dict.fromkeys(_source(n, columns) for n in asked if n not in columns))
    if absent:
        listed = ", ".join(repr(name) for name in absent)
        which = "column" if len(absent) == 1 else "columns"
        raise InputError(
            f"the data has no {which} {listed}, which the model asks for"
            f"{suggestion(absent[0], list(columns))}"
        )


def _source(name: str, columns: Mapping[str, Column]) -> str:
    """The column that a part of a date is read from, if that is what is not there."""
    part = PART.fullmatch(name)
    return part[2] if part is not None and part[2] not in columns else name
