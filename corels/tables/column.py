"""Columns: the one thin layer between data frames and conditions.

Every kind of table (NumPy array, pandas or polars frame, mapping of columns, list of rows) is read
into `Column` objects, and nothing else in `corels.tables` knows what it came from. A column
is one of two kinds:

- a *number* column keeps int64, float64 or bool values, so that integers stay exact;
- a *category* column keeps one integer code a row and the distinct values in order of first
  appearance, so that "colour = red" compares small integers rather than strings.

In both kinds `missing` marks the rows without a value (None, NaN, null). The value stored in such a
row is a placeholder that nothing may read.

Text that writes dates, money, percentages or decimal commas is recognised when a column is read
(`corels.tables.recognise`), so that it means the same in every table; `Reading` says what else has
no value. A column of values that no condition can ask for (lists, structs) is kept as unreadable:
it is left out by name, and refused only if it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError
from corels.options import closest
from corels.tables.deadline import NO_DEADLINE, Deadline
from corels.tables.description import numbers_meant
from corels.tables.options import AS_WRITTEN, Reading

BoolArray = NDArray[np.bool_]
Scalar = str | int | float | bool

INT64_MAX = 2**63 - 1
DURATION = "durations in days"


@dataclass(frozen=True, eq=False)
class Column:
    """One column of N values.

    Attributes:
        name: its name, any text.
        values: (N,) int64, float64 or bool for numbers; (N,) int64 codes for categories, -1 if
            the value is missing.
        missing: (N,) True if there is no value.
        categories: None for numbers; otherwise the distinct values that the codes index.
        form: how the values were written, if that is special: "date", "money", ...
        written: the column as it was written, if a few odd cells of it were read as missing, or
            whole numbers are beyond 64 bits.
        unreadable: why nothing can be asked of the values, a sentence; "" if something can.
        ordered: whether the categories stand in an order that was named, from low to high.
        met: of the words that were said to mean "no value", those that some cell had.
        padded: whether texts of a CSV file had blanks around them, which are gone here.
    """

    name: str
    values: NDArray[Any]
    missing: BoolArray
    categories: tuple[Scalar, ...] | None = None
    form: str = ""
    written: Column | None = None
    unreadable: str = ""
    ordered: bool = False
    met: frozenset[str] = frozenset()
    padded: bool = False

    @property
    def is_number(self) -> bool:
        """Whether the values are numbers or booleans, not codes of categories."""
        return self.categories is None

    @property
    def present(self) -> BoolArray:
        """(N,) bool: which rows have a value."""
        return ~self.missing

    def __len__(self) -> int:
        return len(self.values)

    def present_values(self) -> NDArray[Any]:
        """The values of the rows that have one; not copied if all have."""
        return self.values[self.present] if self.missing.any() else self.values

    @cached_property
    def different(self) -> tuple[Any, NDArray[np.int64]]:
        """(the different values, how many rows have each): rising numbers, or the categories."""
        if self.categories is None:
            return np.unique(self.present_values(), return_counts=True)
        return self.categories, np.bincount(
            self.values[self.present], minlength=len(self.categories)
        )

    @property
    def place(self) -> NDArray[np.int64]:
        """Of the rows that have a value, which of the different ones it is."""
        values = self.present_values()
        return values if self.categories is not None else np.searchsorted(self.different[0], values)

    def first_wrong(self, fits: Callable[[NDArray[Any]], BoolArray]) -> int | None:
        """The first row, from 1, that has no number that fits; None if all rows have one."""
        if not self.is_number:
            return 1
        wrong = np.flatnonzero(self.missing | ~fits(self.values))
        return int(wrong[0]) + 1 if len(wrong) else None

    def by_category(self, table: Iterable[Any], missing: Any = False) -> NDArray[Any]:
        """(N,) what a table says of each row's category; `missing` if there is no value, whose
        code -1 reads the last entry."""
        return np.asarray(np.array([*table, missing])[self.values])

    def distinct(self) -> list[Scalar]:
        """The distinct present values, sorted (numbers by value, categories by text)."""
        if self.categories is None:
            return list(self.different[0].tolist())
        used = np.flatnonzero(self.different[1]).tolist()
        return sorted((self.categories[code] for code in used), key=str)

    def cells(self) -> list[Any]:
        """The value of each row as Python has it; None if there is none."""
        values: list[Any] = self.values.tolist()
        if self.categories is not None:
            values = [self.categories[code] if code >= 0 else None for code in values]
        elif self.written is not None:  # texts among numbers that are codes
            texts = self.written.cells()
            for row in np.flatnonzero(np.isnan(self.values) & self.present).tolist():
                values[row] = texts[row]
        return [None if gone else v for v, gone in zip(values, self.missing.tolist(), strict=True)]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.cells())

    @property
    def partly_read(self) -> bool:
        """Whether some cells write no number or date, though something stands there."""
        if self.written is None:
            return False
        unread = self.missing | np.isnan(self.values)
        return bool((unread & self.written.present).any())

    def odd(self) -> dict[str, int]:
        """The cells that were read as missing because they write no value: text -> rows."""
        if self.written is None:
            return {}
        texts = self.written.categories or ()
        codes = self.written.values[self.missing & self.written.present]
        counts = np.bincount(codes, minlength=len(texts))
        order = np.argsort(-counts, kind="stable").tolist()
        return {str(texts[code]): int(counts[code]) for code in order if counts[code]}

    def as_categories(self) -> Column:
        """The same column, each distinct value a category; odd cells are values again."""
        if self.written is not None:
            return self.written
        if self.categories is not None:
            return self
        codes = np.full(len(self), -1)  # placeholders are no category
        codes[self.present] = self.place
        return Column(self.name, codes, self.missing, tuple(self.different[0].tolist()))

    def renamed(
        self, values: Iterable[Scalar | None], order: Sequence[Scalar] | None = None, **changes: Any
    ) -> Column:
        """A column of categories with another value for each of these; None is no value, and equal
        ones become one. order: of all values; None for that of the categories."""
        values = list(values)
        kept = order if order is not None else dict.fromkeys(v for v in values if v is not None)
        place: dict[Scalar | None, int] = {value: at for at, value in enumerate(kept)}
        codes = self.by_category((place.get(value, -1) for value in values), -1)
        changed: dict[str, Any] = {"values": codes.astype(np.int64), "categories": tuple(kept)}
        changed |= {"missing": codes < 0, **changes}
        return replace(self, **changed)

    def take(self, rows: NDArray[Any]) -> Column:
        """The column at the given rows (indices or a mask)."""
        written = None if self.written is None else self.written.take(rows)
        return replace(self, values=self.values[rows], missing=self.missing[rows], written=written)

    def named(self, name: str) -> Column:
        """The column by another name."""
        written = None if self.written is None else self.written.named(name)
        return replace(self, name=name, written=written)


class Columns(dict[str, Column]):
    """The columns of a table by name; "year of signup" is read of the column `signup`."""

    def __missing__(self, name: str) -> Column:
        from corels.tables.dates import asked_part

        parts: dict[str, Column] = self.__dict__.setdefault("parts", {})
        if name not in parts:
            found = asked_part(self, name)
            if found is None:
                raise KeyError(name)
            parts[name] = found
        return parts[name]

    def __contains__(self, name: object) -> bool:
        if super().__contains__(name):
            return True
        with suppress(KeyError):
            return self.__missing__(str(name)) is not None
        return False


def as_column(name: str, values: Any, reading: Reading = AS_WRITTEN) -> Column:
    """Read one column from an array, a pandas or polars series, or a sequence.

    Raises InputError if the values are not one-dimensional or of a kind that no condition can read.
    """
    if isinstance(values, Column) and reading == AS_WRITTEN:
        return values
    from corels.tables.held import values_of

    said, of_text = reading.said(name), reading.text and not isinstance(values, Column)
    if of_text:
        from corels.tables.textfile import column_of

        read = column = column_of(name, values, reading)
    else:
        read = values if isinstance(values, Column) else values_of(name, values)
        column = without_words(read, said.no_values or ())
    if not column.categories or said.of_names or name in reading.as_is:
        return column
    from corels.tables.recognise import MOST_ODD, recognised

    kind = getattr(values, "dtype", None)  # a frame may call values names, whatever they look like
    named = hasattr(kind, "categories") or str(kind).startswith(("Categorical", "Enum"))
    most = 0 if named else MOST_ODD
    plain = of_text and name not in reading.codes
    return recognised(column, said, most, plain=plain or column is not read)


def without_blanks(column: Column) -> Column:
    """The column without blanks around its texts, as the cells of a CSV file are read."""
    texts = [one.strip() if isinstance(one, str) else one for one in column.categories or ()]
    return column if texts == [*(column.categories or ())] else column.renamed(texts)


def without_words(column: Column, words: Sequence[str]) -> Column:
    """The column without the values that mean "no value"."""
    if column.categories is not None:
        kept = [None if str(text) in words else text for text in column.categories]
        if None not in kept:
            return column
        met = frozenset(str(text).strip() for text in column.categories if str(text) in words)
        return column.renamed(kept, met=met)
    numbers = numbers_meant(words)
    if not numbers or column.values.dtype == np.bool_:
        return column
    gone = np.isin(column.values, list(numbers)) & column.present
    met = frozenset(numbers[one] for one in np.unique(column.values[gone]).tolist())
    return replace(column, missing=column.missing | gone, met=column.met | met)


def as_columns(
    table: Any,
    names: Sequence[str] | None = None,
    *,
    reading: Reading = AS_WRITTEN,
    deadline: Deadline = NO_DEADLINE,
) -> Columns:
    """Read a whole table: a mapping, a pandas or polars frame, a 2-D array or a list of rows.

    Args:
        table: N rows of columns. Arrays and lists of rows have no names of their own.
        names: the column names for a table without any; by default x0, x1, ...
        reading: which values mean "no value", and how dates are written.
        deadline: learns how many columns are read, and ends the reading if the time is up.

    Raises:
        InputError: if a name occurs twice, the columns differ in length, or the shape is not 2-D.
    """
    if isinstance(table, Columns) and names is None and reading == AS_WRITTEN:
        return table
    from corels.tables.held import UnreadableError, columns_held

    if reading.text:
        from corels.tables.textfile import with_zeros

        reading = reading._replace(codes=(*reading.codes, *with_zeros(table)))
    named = [(str(name), values) for name, values in columns_held(table, names)]
    total, columns = len(named), Columns()
    del table  # the cells of a column of text go when it is read
    while named:
        name, values = named.pop(0)
        if dict.__contains__(columns, name):
            raise InputError(f"the table has two columns named {name!r}; names must differ")
        how_far = f"columns were recognised ({len(columns)} of {total} done)"
        deadline.look("columns recognised", len(columns), total, how_far)
        try:
            columns[name] = as_column(name, values, reading)
        except UnreadableError as error:
            nothing = np.ones(len(values), dtype=np.bool_)
            columns[name] = Column(name, np.zeros(len(values)), nothing, unreadable=str(error))
    first = next(iter(columns.values()), None)
    for column in columns.values():
        if first is not None and len(column) != len(first):
            raise InputError(
                f"column {column.name!r} has {len(column)} rows, "
                f"but column {first.name!r} has {len(first)}"
            )
    return columns


def row_count(columns: Mapping[str, Column]) -> int:
    """Rows of a table of columns (0 for a table without columns)."""
    rows: int | None = getattr(columns, "rows", None)  # of columns that are not read yet
    if rows is None:
        rows = len(next(iter(columns.values()))) if columns else 0
    return rows


def column_named(columns: Mapping[str, Column], name: str, where: str, role: str) -> Column:
    """The column that an option names for a role; `where` names the table. Raises InputError if
    there is none, or nothing can be asked of it."""
    refuse_unknown(columns, name, where, role)
    if columns[name].unreadable:
        raise InputError(f"{where}: {columns[name].unreadable}")
    return columns[name]


def refuse_unknown(columns: Mapping[str, Column], name: str, where: str, role: str) -> None:
    """Raise InputError for a column that is not there, with those that are."""
    if name in columns:
        return
    close = closest(name, columns)
    hint = "" if close is None else f"did you mean {close!r}? "
    if "," in name and all(part.strip() in columns for part in name.split(",")):
        hint = "a name may hold a comma, so give each column an option of its own; "
    names = [known if known.isprintable() else repr(known) for known in list(columns)[:20]]
    shown = ", ".join(names) + (", ..." if len(columns) > 20 else "")
    raise InputError(f"{where}: there is no {role} {name!r}; {hint}the columns are {shown}")
