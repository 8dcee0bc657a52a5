"""Tables that are read a column at a time: folders and patterns of files, and large files.

A column is read when it is asked for, as a whole, several at once while they are `AT_ONCE` cells
together; it becomes bits by itself, and none is kept. So a large table is never there as a whole,
and what comes of it is what reading everything gives. A column is fetched and not asked by a query:
sorted in memory, 10 million different incomes take 400 MB, and grouped by polars more than 1 GB.

- Parquet and Arrow files are columns already, and are read where they are.
- CSV files are gone through once (`pieces`), and their columns kept as packed text.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError, NoRowsError
from corels.overwriting import opening
from corels.tables.column import Column, Columns, as_columns
from corels.tables.dates import asked_part, source_of
from corels.tables.deadline import NO_DEADLINE, Deadline
from corels.tables.files import GZIP_MAGIC, FileError, files_of, start_of
from corels.tables.held import framed
from corels.tables.options import AS_WRITTEN, Reading
from corels.tables.pieces import MAGIC, csv_parts, refuse_other
from corels.tables.textfile import by_names

if TYPE_CHECKING:
    import polars

AT_ONCE = 16 << 20  # cells that are read together
LARGE = 128 << 20  # bytes of a CSV file that is read piece by piece


@dataclass(frozen=True, eq=False)
class Stored(Mapping[str, Column]):
    """The columns of a table of `rows` rows by name, each read when it is asked for.

    Attributes:
        stored: the names of all columns.
        rows: how many.
        read: gives a frame of some columns, by their names.
        reading: how cells are written.
        names: the columns that are wanted: some of `stored`, or parts of dates.
        chosen: the rows that are wanted, as indices; None for all.
        change: what is done with each column when it is read.
    """

    stored: tuple[str, ...]
    rows: int
    read: Callable[[list[str]], polars.DataFrame]
    reading: Reading
    names: tuple[str, ...]
    chosen: NDArray[np.intp] | None = None
    change: Callable[[Column], Column] | None = None
    _block: dict[str, Column] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def _there(self) -> frozenset[str]:
        return frozenset(self.stored)

    def __getitem__(self, name: str) -> Column:
        block = self._block
        if name in block:
            return block[name]
        if name not in self._there:
            part = asked_part(self, name)
            if part is None:
                raise KeyError(name)
            return part
        block.clear()  # before the next is read
        at = self.names.index(name) if name in self.names else len(self.names)
        further = self.names[at + 1 : at + max(1, AT_ONCE // max(1, self.rows))]
        wanted = [name, *(one for one in further if one in self._there)]
        found: Mapping[str, Column] = as_columns(self.read(wanted), reading=self.reading)
        if self.chosen is not None:
            found = {one: column.take(self.chosen) for one, column in found.items()}
        change = self.change or (lambda column: column)
        block.update((one, change(column)) for one, column in found.items())
        return block[name]

    def __contains__(self, name: object) -> bool:
        return name in self._there or asked_part(self, str(name)) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def only(self, names: Sequence[str]) -> Stored:
        """Some of the columns (or parts of dates), in this order."""
        return replace(self, names=tuple(names))

    def loaded(self, names: Iterable[str]) -> Columns:
        """The named columns, and those of named parts of dates, in memory; at least one column, for
        the number of rows."""
        wanted = dict.fromkeys(source_of(name, self._there) for name in names)
        kept = [name for name in wanted if name in self._there]
        return Columns(self.only(kept or self.stored[:1]))

    def take(self, rows: NDArray[np.intp]) -> Stored:
        """Some of the rows."""
        return replace(self, rows=len(rows), chosen=rows)


def at_hand(given: Any, *, one: bool = True) -> Any:
    """What a query, or a table of Arrow, has: its only column, or if there may be several, a
    frame; anything else as it is. Raises InputError if there are several columns, and one is
    expected."""
    frame = framed(given)
    if frame is given:
        return given
    if len(frame.columns) == 1:
        return frame.to_series()
    if one:
        listed = ", ".join(frame.columns)
        raise InputError(f"a query has the columns {listed}: expected one column")
    return frame


def scanned(
    table: Any, where: str, reading: Reading = AS_WRITTEN, *, deadline: Deadline = NO_DEADLINE
) -> Stored | None:
    """The columns of a table that is read a column at a time; None for what is read as a whole.

    Args:
        table: a path or pattern, or a tuple of files.
        where: names it in messages.
        reading: how cells are written.
        deadline: learns how far the work is, and may end it.

    Raises:
        InputError: naming the file that cannot be read, or whose columns differ from the others'.
    """
    files = list(table) if isinstance(table, tuple) else files_of(table) or []
    kind = _kind(files, reading.encoding)
    if not kind:
        return None
    import polars as pl

    text = kind == "CSV"
    if text:
        parts = csv_parts(files, where, reading.encoding, deadline)
    else:
        parts = _parts(files, where, deadline)
    frame = pl.concat(parts, how="vertical_relaxed")

    def read(names: list[str]) -> polars.DataFrame:
        """Some columns; the number of rows if none are named."""
        wanted: Any = by_names(names) if names else pl.len()
        try:
            with readable(where, kind):
                return frame.select(wanted).collect()
        except FileError:
            for file in files:  # which of them is damaged?
                with readable(file, kind):
                    scan(file).select(wanted).collect()
            raise

    names, rows = tuple(frame.collect_schema().names()), int(read([]).item())
    if not rows:
        raise NoRowsError(f"{where}: there are no rows", names)
    return Stored(names, rows, read, reading._replace(text=text), names)


def _kind(files: Sequence[str], encoding: str | None) -> str:
    """ "Parquet", "Arrow" or "CSV", if these files are read piece by piece, and else ""."""
    if not files:
        return ""
    start = start_of(files[0])
    if start in MAGIC or len(files) > 1:
        return MAGIC.get(start, "CSV")
    large = os.path.getsize(files[0]) > LARGE and not start.startswith(GZIP_MAGIC)
    text = start[:1] not in b"{[\xff\xfe\xd0" and not start.startswith(b"PK")
    return "CSV" if large and text and encoding is None else ""


def _parts(files: Sequence[str], where: str, deadline: Deadline) -> Iterator[polars.LazyFrame]:
    """The columns of each Parquet or Arrow file, in the order of the first one's."""
    first = None
    for number, file in enumerate(files):
        progress = f"looking at the files of {where}"
        deadline.look(progress, number, len(files), progress)
        opening(file)
        if any("\ud800" <= letter <= "\udfff" for letter in file):
            raise InputError(f"{file}: cannot be read: the name is not UTF-8, so rename it")
        if start_of(file) not in MAGIC:
            raise InputError(f"{file}: this is not {MAGIC[start_of(files[0])]}, as {files[0]} is")
        with readable(file, MAGIC[start_of(file)]):
            frame = scan(file)
            schema = dict(frame.collect_schema())
            frame.head(1).collect()  # of Arrow, two columns of one name are noticed here only
        first = schema if first is None else first
        refuse_other(file, schema, files[0], first)
        yield frame.select(by_names(list(first)))


def scan(file: str) -> polars.LazyFrame:
    """The columns of a Parquet or Arrow file, not read yet."""
    import polars as pl

    return pl.scan_parquet(file) if start_of(file) == b"PAR1" else pl.scan_ipc(file)


@contextmanager
def readable(where: str, kind: str) -> Iterator[None]:
    """Around what reads a file: one sentence if it is damaged."""
    try:
        yield
    except InputError:
        raise
    except BaseException as error:  # polars, and what it reads Excel files with, may panic
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        why = f"this begins like {kind}, but is damaged or of a kind that is not supported"
        if "Arrow" in kind or type(error).__name__ == "DuplicateError":
            why += ", or two of its columns have one name"
        raise FileError(f"{where}: cannot be read as {kind}: {why}") from error
