"""What new data has that the data a model was learned from did not: values, and columns it lacks.

A condition `sex = Male` is false of a value that training never saw, so such a row falls through to
later rules in silence. A model document therefore keeps the values of the columns of categories
that its rules ask for, and `strangers` counts the rows of new data that have another one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from corels.errors import InputError
from corels.options import suggestion
from corels.tables.column import Column, Scalar
from corels.tables.comparing import equal_values
from corels.tables.dates import PART

MOST_VALUES = 1000  # of one column that a document keeps
SHOWN = 3


@dataclass(frozen=True, slots=True)
class Stranger:
    """Rows of new data with a value in a column that training never saw."""

    column: str
    rows: int
    values: tuple[Scalar, ...]

    def __str__(self) -> str:
        """One sentence."""
        listed = ", ".join(repr(value) for value in self.values[:SHOWN])
        more = ", ..." if len(self.values) > SHOWN else ""
        have = "row has" if self.rows == 1 else "rows have"
        they = "it falls" if self.rows == 1 else "they fall"
        return (
            f"{self.rows:,} {have} a value of {self.column!r} that training never saw "
            f"({listed}{more}): {they} through to later rules"
        )


def known_values(columns: Mapping[str, Column]) -> dict[str, tuple[Scalar, ...]]:
    """The values of each column of categories, dates left out, where there are not too many."""
    return {
        name: column.categories
        for name, column in columns.items()
        if column.categories is not None and not column.form
        if len(column.categories) <= MOST_VALUES
    }


def columns_asked(document: Any) -> list[str]:
    """The columns that a model document's conditions name, in order of appearance."""
    return list(dict.fromkeys(_asked(document)))


def _asked(part: Any) -> Iterator[str]:
    if isinstance(part, Mapping):
        if isinstance(part.get("column"), str) and "operator" in part:
            yield part["column"]
        for value in part.values():
            yield from _asked(value)
    elif isinstance(part, list):
        for value in part:
            yield from _asked(value)


def strangers(document: Mapping[str, Any], columns: Mapping[str, Column]) -> list[Stranger]:
    """The values of new data that the model never saw, a finding per column.

    Args:
        document: a model's, as `corels run --output` writes it.
        columns: the new data, as `columns_of` reads it.

    Raises:
        InputError: if the data lacks columns that the model asks for; names all of them.
    """
    asked = columns_asked(document)
    _refuse_absent(asked, columns)
    known: Mapping[str, Sequence[Scalar]] = document.get("data", {}).get("known", {})
    found = []
    for name in asked:
        column = columns[name]
        if name in known and column.categories is not None:
            new = [c for c in column.categories if not _is_among(c, known[name])]
            codes = [column.categories.index(c) for c in new]
            rows = int(np.isin(column.values, codes).sum())
            if rows:
                found.append(Stranger(name, rows, tuple(new)))
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


def _is_among(value: Scalar, known: Sequence[Scalar]) -> bool:
    return value in known or any(equal_values(value, one) for one in known)
