"""What new data has that the data a model was learned from did not: values, and columns it lacks.

A condition `sex = Male` is false of a value that training never saw, so such a row falls through to
later rules in silence. A model therefore keeps what training saw of the columns that its rules ask
for (`LearnedColumn`), and `unseen_values` counts the rows of new data that have something else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

from corels.errors import InputError
from corels.options import suggestion
from corels.tables.column import Column, Columns, Scalar, without_blanks, without_words
from corels.tables.comparing import equal_values
from corels.tables.dates import PART, source_of
from corels.tables.described import as_described
from corels.tables.descriptions import NOTHING as UNDESCRIBED
from corels.tables.descriptions import Descriptions
from corels.tables.learned import Learned
from corels.tables.numerals import is_code
from corels.tables.recognise import as_learned as known_cells
from corels.tables.recognise import measured as as_measured

NOTHING: Learned = {}
SHOWN = 3


class Unseen(NamedTuple):
    """Rows of new data with a value in a column that training never saw.

    Attributes:
        column: its name.
        rows: how many.
        values: which; none for rows that have no value, in a column where training saw none.
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
        what = f"a value of {self.column!r} that training never saw ({listed}{more})"
        if not self.values:
            what = f"no value of {self.column!r}, which all rows of training had"
        then = f"{'it falls' if one else 'they fall'} through to later rules"
        if self.odd:
            what = f"in {self.column!r} what is not a number or date ({listed}{more})"
            then = f"{'it counts' if one else 'they count'} as missing"
        return f"{self.rows:,} {'row has' if one else 'rows have'} {what}: {then}"


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
    conditions: Iterable[Mapping[str, Any]], learned: Learned = NOTHING
) -> dict[str, bool]:
    """Column -> whether a model compares it with numbers or dates (True) or names (False).

    conditions: the model's, as JSON. learned: what is kept of the columns that it learned from.
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
    known = {name: one.measured for name, one in learned.items()}
    return found | {name: of for name, of in known.items() if of is not None}


def codes_asked(
    conditions: Iterable[Mapping[str, Any]], learned: Learned = NOTHING
) -> tuple[str, ...]:
    """The columns in which a model knows names that write a number in a way of their own (01, +1,
    1.50): as numbers, they could not be distinguished. The arguments are those of `measured_by`."""
    values: list[tuple[str, Any]] = [(n, one) for n, kept in learned.items() for one in kept.values]
    for one in conditions:
        value = one.get("value")
        some = value if isinstance(value, list) else [value]
        values += [(str(one["column"]), part) for part in some]
    return tuple(dict.fromkeys(name for name, value in values if is_code(value)))


class ColumnsAsLearned(Columns):
    """New data, read as the columns were that a model was learned from."""


def as_learned(
    columns: Mapping[str, Column],
    measured: Mapping[str, bool],
    learned: Learned = NOTHING,
    said: Descriptions = UNDESCRIBED,
) -> Mapping[str, Column]:
    """New data, read as the columns of the training data were: each cell by itself. If a model
    compares a column with numbers or dates, every other cell is missing; if it asks for names,
    odd cells are names.

    measured: as `measured_by` says. learned: what is kept of the columns. said: what was said of
    others, which a proof may ask for.
    """
    from corels.tables.stored import Stored

    def change(column: Column) -> Column:
        known, of_numbers = learned.get(column.name), measured.get(column.name)
        if known is not None:
            column = without_blanks(column) if known.bare else column
            if column.categories is not None or known.no_values is not None:
                column = without_words(column, known.words)
        if of_numbers is None:
            own = said.columns.get(column.name)
            if own is not None:
                with suppress(InputError):  # it is another column now, and stays as it is
                    return as_described(column, own)
            return column
        if not of_numbers:
            return column if column.written is None else column.written
        return as_measured(column) if known is None else known_cells(column, known)

    if isinstance(columns, Stored):
        return replace(columns, change=change)
    if isinstance(columns, ColumnsAsLearned):
        return columns
    return ColumnsAsLearned({name: change(column) for name, column in columns.items()})


def unseen_values(
    columns: Mapping[str, Column], asked: Sequence[str], learned: Learned = NOTHING
) -> list[Unseen]:
    """What new data has that training never saw: other values, and gaps; a finding per column.

    columns: the new data, as `as_learned` gives it. asked: the columns that the model asks for.
    learned: what is kept of them. Raises InputError if the data lacks columns that the model asks
    for; names all of them.
    """
    _refuse_absent(asked, columns)
    found = []
    for name in dict.fromkeys(source_of(name, columns) for name in asked):
        column, known = columns[name], learned.get(name)
        odd = column.odd()
        if odd:
            found.append(Unseen(name, sum(odd.values()), tuple(odd), odd=True))
        if known is not None and known.values and not column.form:
            found += _new_names(column, known.values)
        gone = int(column.missing.sum()) - sum(odd.values())
        if known is not None and not known.gaps and gone:
            found.append(Unseen(name, gone, ()))
    return found


def _new_names(column: Column, seen: Sequence[Scalar]) -> Iterator[Unseen]:
    named = column.as_categories()
    new = dict.fromkeys(c for c in named.categories or () if c not in seen)
    new = {c: None for c in new if not any(equal_values(c, s) for s in seen)}
    rows = int(named.by_category(c in new for c in named.categories or ()).sum())
    if rows:
        yield Unseen(column.name, rows, tuple(new))


def _refuse_absent(asked: Sequence[str], columns: Mapping[str, Column]) -> None:
    """Raise InputError that names every column that is asked for and not there."""
    there = [n if source_of(n) in columns else source_of(n) for n in asked if n not in columns]
    absent = list(dict.fromkeys(there))
    if absent:
        listed = ", ".join(repr(name) for name in absent)
        which = "column" if len(absent) == 1 else "columns"
        raise InputError(
            f"the data has no {which} {listed}, which the model asks for"
            f"{suggestion(absent[0], list(columns))}"
        )
