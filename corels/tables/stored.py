"""Tables that need not fit memory: folders and patterns of files, large files, queries.

A column is read when it is asked for, as a whole, several at once while they are `AT_ONCE` cells
together; it becomes bits by itself, and none is kept. So a large table is never there as a whole,
and what comes of it is what reading everything gives. A column is fetched and not asked by a query:
sorted in memory, 10 million different incomes take 400 MB, and grouped by polars more than 1 GB.

- Parquet and Arrow files (`files` knows which) are columns already, and are read where they are.
- CSV files (`pieces`) and queries (`others`) are gone through once, into a temporary folder.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError, NoRowsError
from corels.overwriting import reading as reading_file
from corels.tables.column import Column, Columns, ColumnsOnDemand, as_columns
from corels.tables.dates import asked_part, source_of
from corels.tables.deadline import NO_DEADLINE, Deadline
from corels.tables.files import GZIP_MAGIC, FileError, files_of, reachable, start_of, tables_in
from corels.tables.folder import TemporaryFolder, beside
from corels.tables.options import AS_WRITTEN, Reading
from corels.tables.others import is_query, spilled
from corels.tables.pieces import MAGIC, csv_folder, refuse_other, scan
from corels.tables.textfile import by_names, typed

if TYPE_CHECKING:
    import polars

AT_ONCE = 16 << 20  # cells that are read together
LARGE = 128 << 20  # bytes of a CSV file that is read piece by piece


@dataclass(frozen=True, eq=False)
class Stored(ColumnsOnDemand):
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
        return replace(self, names=tuple(names))

    def loaded(self, names: Iterable[str]) -> Columns:
        """Those columns that are named, or of which parts of dates are, in memory; and one in any
        case, for the number of rows."""
        wanted = dict.fromkeys(source_of(name, self._there) for name in names)
        kept = [name for name in wanted if name in self._there]
        return Columns(self.only(kept or self.stored[:1]))

    def take(self, rows: NDArray[np.intp]) -> Stored:
        return replace(self, rows=len(rows), chosen=rows)


def scanned(
    table: Any,
    where: str,
    reading: Reading = AS_WRITTEN,
    *,
    deadline: Deadline = NO_DEADLINE,
    only: Sequence[str] | None = None,
) -> Stored | None:
    """The columns of a table that is read piece by piece; None for what is read as a whole.

    Args:
        table: a path or pattern, a tuple of files, or a polars `LazyFrame`, DuckDB relation or
            `dask.dataframe`.
        where: names it in messages.
        reading: how cells are written.
        deadline: learns how far the work is, and may end it.
        only: the columns of a query that are wanted, as far as it has them; None for all.

    Raises:
        InputError: naming the file that cannot be read, or whose columns differ from the others'.
        OutputError: if the temporary folder cannot be written.
    """
    folder = None
    if isinstance(table, (str, os.PathLike, tuple)):
        files = list(table) if isinstance(table, tuple) else files_of(table) or []
        kind = _kind(files, reading.encoding)
        if not kind:
            return None
        if kind == "CSV":
            files, folder = [], csv_folder(files, where, reading, deadline)
    elif is_query(table):
        files, kind, folder = [], "Arrow", spilled(table, where, deadline, only)
    else:
        return None
    files = files or tables_in(folder.path if folder else "")
    source = _Files(files, kind, where, deadline, reading, folder)
    frame = source.frame()
    names = tuple(frame.collect_schema().names())
    rows = int(source.collect(frame, []).item())
    if not rows:
        raise NoRowsError(f"{where}: there are no rows", names)
    return Stored(names, rows, partial(source.collect, frame), reading, names)


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


@dataclass(eq=False)
class _Files:
    """Parquet or Arrow files as one table. folder: where they are, if they are ours. kind: "CSV" of
    what was written from such files, whose text may be numbers."""

    files: list[str]
    kind: str
    where: str
    deadline: Deadline
    reading: Reading = AS_WRITTEN
    folder: TemporaryFolder | None = None
    begun: list[tuple[int, int, int]] = field(init=False)  # how the files were then

    def __post_init__(self) -> None:
        self.begun = self._stamps()

    def _stamps(self) -> list[tuple[int, int, int]]:
        """What tells whether a file is another one."""
        stamps = []
        for file in () if self.folder else self.files:
            with reachable(file):
                now = os.stat(file)
            stamps.append((now.st_ino, now.st_size, now.st_mtime_ns))
        return stamps

    def frame(self) -> polars.LazyFrame:
        """The columns of all files, not read yet."""
        import polars as pl

        frames, first = [], None
        for number, file in enumerate(self.files):
            progress = f"looking at the files of {self.where}"
            self.deadline.look(progress, number, len(self.files), progress)
            if not self.folder:
                reading_file(file)
                if any("\ud800" <= letter <= "\udfff" for letter in file):
                    raise InputError(f"{file}: cannot be read: the name is not UTF-8, so rename it")
                if start_of(file) not in MAGIC:
                    raise InputError(f"{file}: this is not {self.kind}, as {self.files[0]} is")
            with readable(file, MAGIC[start_of(file)]), quiet_panics():
                frame = scan(file)
                schema = dict(frame.collect_schema())
                if MAGIC[start_of(file)] == "Arrow":
                    frame.head(1).collect()  # two columns of one name are noticed here only
            first = schema if first is None else first
            refuse_other(file, schema, self.files[0], first)
            frames.append(frame.select(by_names(list(first))))
        return pl.concat(frames, how="vertical_relaxed")

    def collect(self, frame: polars.LazyFrame, names: list[str]) -> polars.DataFrame:
        """Some columns, typed; the number of rows if none are named."""
        import polars as pl

        wanted: Any = by_names(names) if names else pl.len()
        try:
            progress = f"reading {self.where}"
            tick = partial(self.deadline.look, progress, 0, 0, progress)
            found = beside(frame.select(wanted).collect, tick)
        except InputError:
            raise
        except polars_errors():
            self._refuse_changed()
            for file in self.files:  # which of them is damaged?
                with readable(file, self.kind):
                    scan(file).select(wanted).collect()
            raise
        self._refuse_changed()  # some columns would be of other rows
        return typed(found.get_columns(), self.reading) if self.kind == "CSV" and names else found

    def _refuse_changed(self) -> None:
        for file, now, begun in zip(self.files, self._stamps(), self.begun, strict=False):
            if now != begun:
                raise InputError(f"{file}: changed while it was read")


def polars_errors() -> tuple[type[BaseException], ...]:
    """What polars raises, and what it reads Excel files with. A panic is no Exception, and each of
    these libraries has a class of its own for it."""
    panics = (one for one in BaseException.__subclasses__() if one.__name__ == "PanicException")
    return Exception, *panics


@contextmanager
def readable(where: str, kind: str, damaged_at: Callable[[], str] = str) -> Iterator[None]:
    """Around what reads a file: one sentence where it is damaged. damaged_at: finds the place."""
    try:
        yield
    except InputError:
        raise
    except polars_errors() as error:
        begins = "this is" if kind == "Parquet" else "this begins like"
        why = f"{begins} {kind}, but is damaged or of a kind that is not supported"
        if type(error).__name__ == "DuplicateError":
            why = "two of its columns have one name"
        elif "Arrow" in kind:  # polars panics at these
            why += ", or two of its columns have one name"
        if "interval` type" in str(error):
            why = "it has a column of intervals: write that as a number of days"
        raise FileError(f"{where}{damaged_at()}: cannot be read as {kind}: {why}") from error


@contextmanager
def quiet_panics() -> Iterator[None]:
    """Around a moment in which polars may panic: what Rust then writes to standard error, past all
    of Python, is dropped. Where other threads run, it is not: what they write would be lost, too.
    """
    if threading.active_count() > 1:
        yield
        return
    with open(os.devnull, "wb") as nowhere:
        try:
            before = os.dup(2)
        except OSError:  # it is closed
            yield
            return
        try:
            os.dup2(nowhere.fileno(), 2)
            yield
        finally:
            os.dup2(before, 2)
            os.close(before)
