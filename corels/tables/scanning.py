"""Tables that need not fit memory: folders and patterns of files, large files, queries, clusters.

A column becomes bits by itself: it is planned, its conditions are evaluated, and what remains are
packed words. So a large table is never there as a whole: `ScannedColumns` reads a column when it is
asked for (several at once while they are `AT_ONCE` cells together), and keeps none. What comes of
it is what reading everything gives, because each column is still read as a whole.

- Parquet and Arrow files (`files` knows which) are columns already, and are read where they are.
- Everything else, CSV and queries (`spilling`), is gone through once, piece by piece, into files of
  a temporary folder. A CSV file is cut at line ends into pieces of `PIECE` bytes. Where a piece is
  refused, the whole file is checked as any other (`csvtext`), which knows the number of the line.
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

from corels.errors import InputError
from corels.overwriting import reading
from corels.tables.arrow import SCHEMA, refuse_doubled
from corels.tables.column import Column, Columns, ColumnsOnDemand, as_columns
from corels.tables.csvtext import CsvText, check_csv_text, check_header
from corels.tables.dates import asked_part, source_of
from corels.tables.deadline import NO_DEADLINE, Deadline
from corels.tables.files import (
    GZIP_MAGIC,
    Path_,
    files_of,
    reachable,
    read_bytes,
    size_of,
    start_of,
    tables_in,
)
from corels.tables.options import AS_WRITTEN, Reading
from corels.tables.readers import csv_frame, numbers_of, polars_errors, readable, typed
from corels.tables.spilling import TemporaryFolder, beside, is_query, spilled, spilling

if TYPE_CHECKING:
    import polars

AT_ONCE = 16 << 20  # cells that are read together
PIECE = 128 << 20  # bytes of a CSV file that are read together; a file of fewer is read as a whole
MAGIC = {b"PAR1": "Parquet", b"ARRO": "Arrow"}


@dataclass(frozen=True, eq=False)
class ScannedColumns(ColumnsOnDemand):
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

    def only(self, names: Sequence[str]) -> ScannedColumns:
        return replace(self, names=tuple(names))

    def loaded(self, names: Iterable[str]) -> Columns:
        """Those columns that are named, or of which parts of dates are, in memory; and one in any
        case, for the number of rows."""
        wanted = dict.fromkeys(source_of(name, self._there) for name in names)
        kept = [name for name in wanted if name in self._there]
        return Columns(self.only(kept or self.stored[:1]))

    def take(self, rows: NDArray[np.intp]) -> ScannedColumns:
        return replace(self, rows=len(rows), chosen=rows)


def scanned(
    table: Any,
    where: str,
    reading: Reading = AS_WRITTEN,
    *,
    deadline: Deadline = NO_DEADLINE,
    only: Sequence[str] | None = None,
) -> ScannedColumns | None:
    """The columns of a table that is read piece by piece; None for what is read as a whole.

    Args:
        table: a path or pattern, a tuple of files, or a polars `LazyFrame`, DuckDB relation or
            `dask.dataframe`.
        where: names it in messages.
        reading: how cells are written.
        deadline: is told how far the work is, and may end it.
        only: the columns of a query that are wanted, as far as it has them; None for all.

    Raises:
        InputError: naming the file that cannot be read, or whose columns differ from the others'.
        OutputError: if the temporary folder cannot be written.
    """
    if isinstance(table, (str, os.PathLike, tuple)):
        files = list(table) if isinstance(table, tuple) else files_of(table) or []
        if not (kind := _kind(files, reading.encoding)):
            return None
        source = _Files(files, kind, where, deadline, reading)
    else:
        if not is_query(table):
            return None
        folder = spilled(table, where, deadline, only)
        source = _Files(tables_in(folder.path), "", where, deadline, reading, folder)
    frame = source.frame()
    names = tuple(frame.collect_schema().names())
    rows = int(source.collect(frame, []).item())
    if not rows:
        raise InputError(f"{where}: there are no rows")
    return ScannedColumns(names, rows, partial(source.collect, frame), reading, names)


def columnar_files(
    path: Path_, encoding: str | None, where: str, deadline: Deadline
) -> polars.LazyFrame | None:
    """The rows of Parquet and Arrow files, not read yet; None for other files."""
    files = files_of(path) or []
    kind = _kind(files, encoding)
    return _Files(files, kind, where, deadline).frame() if kind in MAGIC.values() else None


def _kind(files: Sequence[str], encoding: str | None) -> str:
    """ "Parquet", "Arrow" or "CSV", if these files are read piece by piece, and else ""."""
    if not files:
        return ""
    start = start_of(files[0])
    if start in MAGIC:
        return MAGIC[start]
    if len(files) > 1:
        return "CSV"
    large = os.path.getsize(files[0]) > PIECE and not start.startswith(GZIP_MAGIC)
    text = start[:1] not in b"{[\xff\xfe\xd0" and not start.startswith(b"PK")
    return "CSV" if large and text and encoding is None else ""


@dataclass(eq=False)
class _Files:
    """Files of one kind as one table. kind: "" for files that are ours. folder: kept meanwhile."""

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
        """What tells whether a file is another one; nothing of files that are read at once."""
        stamps = []
        for file in self.files if self.kind in MAGIC.values() else ():
            with reachable(file):
                now = os.stat(file)
            stamps.append((now.st_ino, now.st_size, now.st_mtime_ns))
        return stamps

    def frame(self) -> polars.LazyFrame:
        """The columns of all files, not read yet; of CSV files as text."""
        import polars as pl

        if self.kind == "CSV":
            self.folder = folder = TemporaryFolder()
            # The first piece says which columns are numbers. Where a later one says otherwise,
            # everything is read once more, all as text.
            text = self._spill_pieces(None) or self._spill_pieces({})
            assert text is not None
            frame = pl.concat([scan(file) for file in tables_in(folder.path)])
            kinds = frame.collect_schema()
            check_header(
                self.files[0],
                text,
                lambda name: (
                    kinds[name] == pl.String
                    and not frame.filter(pl.col(name) == name).head(1).collect().is_empty()
                ),
            )
            return frame
        for file in self.files if self.kind else ():
            reading(file)
            if any("\ud800" <= letter <= "\udfff" for letter in file):
                raise InputError(f"{file}: cannot be read: the name is not UTF-8, so rename it")
        frames, first = [], None
        for number, file in enumerate(self.files):
            told = f"looking at the files of {self.where}"
            self.deadline.look(told, number, len(self.files), told)
            if self.kind and start_of(file) not in MAGIC:
                raise InputError(f"{file}: this is not {self.kind}, as {self.files[0]} is")
            if self.kind and MAGIC[start_of(file)] == "Arrow":
                refuse_doubled(file, start_of(file, SCHEMA))
            with readable(file, self.kind), quiet_panics():
                frame = scan(file)
                schema = dict(frame.collect_schema())
            first = schema if first is None else first
            _refuse_other(file, schema, self.files[0], first)
            frames.append(frame.select(list(first)))
        return pl.concat(frames, how="vertical_relaxed")

    def collect(self, frame: polars.LazyFrame, names: list[str]) -> polars.DataFrame:
        """Some columns, typed; the number of rows if none are named."""
        import polars as pl

        wanted: Any = names or pl.len()
        try:
            told = f"reading {self.where}"
            tick = partial(self.deadline.look, told, 0, 0, told)
            found = beside(frame.select(wanted).collect, tick)
        except InputError:
            raise
        except polars_errors():
            self._refuse_changed()
            for file in self.files:  # which of them is damaged?
                with readable(file, self.kind or "Arrow"):
                    scan(file).select(wanted).collect()
            raise
        self._refuse_changed()  # some columns would be of other rows
        if self.kind != "CSV" or not names:
            return found
        return typed(found, self.reading)

    def _refuse_changed(self) -> None:
        for file, now, begun in zip(self.files, self._stamps(), self.begun, strict=False):
            if now != begun:
                raise InputError(f"{file}: changed while it was read")

    def _spill_pieces(self, numbers: dict[str, Any] | None) -> CsvText | None:
        """Write CSV files as columns of text, or of numbers; gives the text of the first piece, or
        None where a piece has other columns of numbers."""
        files, folder, deadline, encoding = (
            self.files,
            self.folder,
            self.deadline,
            self.reading.encoding,
        )
        assert folder is not None
        first: CsvText | None = None
        number, done, total = 0, 0, sum(map(size_of, files))
        for file in files:
            reading(file)
            if (start := start_of(file)) in MAGIC:
                raise InputError(f"{file}: this is {MAGIC[start]}, and {files[0]} is not")
            texts, begun = _pieces(file, deadline, encoding), number
            while True:
                try:
                    text = next(texts, None)
                except InputError:  # the whole file knows the line, or can be read as a whole only
                    texts = iter(
                        [check_csv_text(file, read_bytes(file, deadline), deadline, encoding)]
                    )
                    for written in range(begun, number):
                        os.remove(folder.file(written))
                    number = begun
                    continue
                if text is None:
                    break
                first = text if first is None else first
                _refuse_other(
                    file, dict.fromkeys(text.header), files[0], dict.fromkeys(first.header)
                )
                frame = csv_frame(text, self.reading, numbers).select(first.header)
                numbers = numbers_of(frame) if numbers is None else numbers
                if numbers_of(frame) != numbers:
                    return None
                with spilling(folder, self.where):
                    frame.write_ipc(folder.file(number), compression="lz4")
                number, done = number + 1, done + len(text.content)
                where = self.where
                deadline.look(f"bytes read of {where}", min(done, total), total, f"reading {where}")
        return first


def scan(file: str) -> polars.LazyFrame:
    """The columns of a Parquet or Arrow file, not read yet."""
    import polars as pl

    return pl.scan_parquet(file) if start_of(file) == b"PAR1" else pl.scan_ipc(file)


def _refuse_other(
    file: str, schema: Mapping[str, Any], known: str, first: Mapping[str, Any]
) -> None:
    """Raise InputError for a file whose columns are not those of the first file."""
    if other := [*(first.keys() - schema.keys()), *(schema.keys() - first.keys())]:
        name = min(other)
        has, lacks = (known, file) if name in first else (file, known)
        raise InputError(
            f"{file}: its columns differ from those of {known}: {has} has {name!r}, {lacks} has not"
        )
    for name, kind in schema.items():
        both = (kind, first[name])
        same = kind == first[name] or all(one.is_numeric() for one in both)
        if not same and "Null" not in map(str, both):
            raise InputError(f"{file}: column {name!r} is {kind} here and {first[name]} in {known}")


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


def _pieces(file: str, deadline: Deadline, encoding: str | None) -> Iterator[CsvText]:
    """A CSV file in pieces of whole lines, each below the first line; small files as a whole."""
    with reachable(file), open(file, "rb") as stream:
        piece = stream.read(PIECE)
        head = piece[: piece.find(b"\n") + 1]
        short = len(piece) < PIECE or not head
        if short or encoding or b'"' in head or piece.startswith(GZIP_MAGIC):
            yield check_csv_text(file, read_bytes(file, deadline), deadline, encoding)
            return
        left = piece[len(head) :]
        while left:
            more = stream.read(PIECE)
            end = _line_end(left) if more else len(left)
            if end:
                if more and left[:end].endswith((b"\n\n", b"\n\r\n")):
                    raise InputError(f"{file}: a blank line")  # the end of the file, perhaps
                yield check_csv_text(file, head + left[:end], deadline)
            left = left[end:] + more


def _line_end(text: bytes) -> int:
    """The end of the last line that ends outside of quotes; 0 if there is none."""
    end = text.rfind(b"\n") + 1
    while end and text.count(b'"', 0, end) % 2:
        end = text.rfind(b"\n", 0, end - 1) + 1
    return end
