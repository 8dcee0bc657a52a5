"""Tables that need not fit memory: folders and patterns of files, large files, queries, clusters.

A column becomes bits by itself: it is planned, its conditions are evaluated, and what remains are
packed words. So a large table is never there as a whole: `ScannedColumns` reads a column when it is
asked for (several at once while they are `AT_ONCE` cells together), and keeps none. What comes of
it is what reading everything gives, because each column is still read as a whole.

- Parquet and Arrow files are columns already, and are read where they are.
- Everything else (CSV, a polars `LazyFrame`, a DuckDB relation, a `dask.dataframe`) is gone through
  once, piece by piece, into Arrow or Parquet files of a temporary folder (TMPDIR says where), which
  lives as long as the columns. A query is so evaluated once, whatever it does, and a CSV file is
  cut at line ends into pieces of `PIECE` bytes. Where a piece is refused, the whole file is checked
  as any other (`csvtext`), which knows the number of the line.
"""

from __future__ import annotations

import glob
import os
import shutil
import sys
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from corels.errors import CorelsError, InputError, OutputError
from corels.overwriting import reading
from corels.tables.column import Column, Columns, ColumnsOnDemand, as_columns
from corels.tables.csvtext import COLUMNAR, CsvText, check_csv_text, check_header
from corels.tables.dates import asked_part, source_of
from corels.tables.files import GZIP_MAGIC, FileError, Path_, read_bytes, recoded, size_of
from corels.tables.options import AS_WRITTEN, Reading
from corels.tables.pace import UNHURRIED, Pace
from corels.threads import started

if TYPE_CHECKING:
    import polars

T = TypeVar("T")
TICK = 0.25  # seconds between two looks at the clock, where something else works
AT_ONCE = 16 << 20  # cells that are read together
PIECE = 128 << 20  # bytes of a CSV file that are read together; a file of fewer is read as a whole
QUERIES = {  # the library of a query -> what no other object of it has
    "polars": "sink_ipc",
    "duckdb": "write_parquet",
    "_duckdb": "write_parquet",
    "dask": "itertuples",  # a Series has none
}
MAGIC = {b"PAR1": "Parquet", b"ARRO": "Arrow"}
ENDINGS = (*COLUMNAR, ".csv", ".tsv", ".txt")  # of a folder's tables


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
    missing_values: Sequence[str],
    *,
    encoding: str | None = None,
    written: Reading = AS_WRITTEN,
    pace: Pace = UNHURRIED,
    only: Sequence[str] | None = None,
) -> ScannedColumns | None:
    """The columns of a table that is read piece by piece; None for what is read as a whole.

    Args:
        table: a path or pattern, a tuple of files, or a polars `LazyFrame`, DuckDB relation or
            `dask.dataframe`.
        where: names it in messages.
        written: how cells are written.
        missing_values, encoding: of CSV files, as `read_table` has them.
        pace: is told how far the work is, and may end it.
        only: the columns of a query that are wanted, as far as it has them; None for all.

    Raises:
        InputError: naming the file that cannot be read, or whose columns differ from the others'.
        OutputError: if the temporary folder cannot be written.
    """
    if isinstance(table, (str, os.PathLike, tuple)):
        files = list(table) if isinstance(table, tuple) else files_of(table)
        if files is None or not (kind := _kind(files, encoding)):
            return None
        source = _Files(files, kind, where, tuple(missing_values), pace, None, encoding, written)
    else:
        if not is_query(table):
            return None
        folder = _spilled(table if only is None else _selected(table, only), where, pace)
        source = _Files(tables_in(folder.path), "", where, (), pace, folder)
    frame = source.frame()
    names = tuple(frame.collect_schema().names())
    rows = int(source.collect(frame, []).item())
    if not rows:
        raise InputError(f"{where}: there are no rows")
    return ScannedColumns(names, rows, partial(source.collect, frame), written, names)


def columnar_files(
    path: Path_, encoding: str | None, where: str, pace: Pace
) -> polars.LazyFrame | None:
    """The rows of Parquet and Arrow files, not read yet; None for other files."""
    files = files_of(path)
    kind = _kind(files, encoding) if files else ""
    if not files or kind not in MAGIC.values():
        return None
    return _Files(files, kind, where, (), pace).frame()


def files_of(path: Path_) -> list[str] | None:
    """The files of a folder or of a pattern ("folder/*.parquet"), in the order of their names; a
    file itself; None for what is not a name of a file (standard input, a pipe)."""
    name = os.fspath(path)
    if os.path.isdir(name):
        found = tables_in(name)
        if not found:
            raise InputError(f"{name}: no table in this folder: expected {', '.join(ENDINGS)}")
        return found
    if not os.path.exists(name) and glob.has_magic(name):
        found = _once(f for f in glob.glob(name, recursive=True) if os.path.isfile(f))
        if not found:
            raise InputError(f"{name}: no file has such a name")
        return found
    return [name] if os.path.isfile(name) else None


def tables_in(folder: str) -> list[str]:
    """The tables of a folder and its folders but for hidden ones (also Spark's `_temporary`)."""
    found = []
    for at, folders, files in os.walk(folder, onerror=_unreadable):
        folders[:] = [f for f in folders if not f.startswith((".", "_"))]
        named = (f for f in files if f.endswith(ENDINGS) and not f.startswith((".", "_")))
        found += [os.path.join(at, file) for file in named]
    return _once(found)


def _unreadable(error: OSError) -> None:
    """Of a folder: its tables would be missing."""
    with _reachable(error.filename):
        raise error


def _once(found: Iterable[str]) -> list[str]:
    """Files in the order of their names: each once, also where links lead to it again."""
    by_file: dict[str, str] = {}
    for file in sorted(found):
        by_file.setdefault(os.path.realpath(file), file)
    return list(by_file.values())


def _kind(files: Sequence[str], encoding: str | None) -> str:
    """ "Parquet", "Arrow" or "CSV", if these files are read piece by piece, and else ""."""
    start = _start(files[0])
    if start in MAGIC:
        return MAGIC[start]
    if len(files) > 1:
        return "CSV"
    large = os.path.getsize(files[0]) > PIECE and not start.startswith(GZIP_MAGIC)
    text = start[:1] not in b"{[\xff\xfe\xd0" and not start.startswith(b"PK")
    return "CSV" if large and text and encoding is None else ""


@dataclass(frozen=True, eq=False)
class _Files:
    """Files of one kind as one table. kind: "" for files that are ours. folder: kept meanwhile."""

    files: list[str]
    kind: str
    where: str
    missing_values: tuple[str, ...]
    pace: Pace
    folder: TemporaryFolder | None = None
    encoding: str | None = None
    written: Reading = AS_WRITTEN
    begun: list[tuple[int, int, int]] = field(init=False)  # how the files were then

    def __post_init__(self) -> None:
        object.__setattr__(self, "begun", self._stamps())

    def _stamps(self) -> list[tuple[int, int, int]]:
        """What tells whether a file is another one; nothing of files that are read at once."""
        stamps = []
        for file in self.files if self.kind in MAGIC.values() else ():
            with _reachable(file):
                now = os.stat(file)
            stamps.append((now.st_ino, now.st_size, now.st_mtime_ns))
        return stamps

    def frame(self) -> polars.LazyFrame:
        """The columns of all files, not read yet; of CSV files as text."""
        import polars as pl

        if self.kind == "CSV":
            folder = TemporaryFolder()
            object.__setattr__(self, "folder", folder)
            text = self._spill_csv()
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
        for file in self.files:
            if self.kind and _start(file) not in MAGIC:
                raise InputError(f"{file}: this is not {self.kind}, as {self.files[0]} is")
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

        from corels.tables.readers import polars_errors, typed

        wanted: Any = names or pl.len()
        try:
            told = f"reading {self.where}"
            tick = partial(self.pace.look, told, 0, 0, told)
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
        return typed(found, self.missing_values, written=self.written)

    def _refuse_changed(self) -> None:
        for file, now, begun in zip(self.files, self._stamps(), self.begun, strict=False):
            if now != begun:
                raise InputError(f"{file}: changed while it was read")

    def _spill_csv(self) -> CsvText:
        """Write CSV files as columns of text, or of numbers; gives the text of the first piece.

        The first piece says which columns are numbers. Where a later one says otherwise, everything
        is read once more, all as text.
        """
        first = self._spill_pieces(None)
        if first is None:
            first = self._spill_pieces({})
        assert first is not None
        return first

    def _spill_pieces(self, numbers: dict[str, Any] | None) -> CsvText | None:
        """The text of the first piece; None where a piece has other columns of numbers."""
        from corels.tables.readers import csv_frame, numbers_of

        files, folder, pace, missing = self.files, self.folder, self.pace, self.missing_values
        assert folder is not None
        first: CsvText | None = None
        number, done, total = 0, 0, sum(map(size_of, files))
        for file in files:
            reading(file)
            if (start := _start(file)) in MAGIC:
                raise InputError(f"{file}: this is {MAGIC[start]}, and {files[0]} is not")
            texts, begun = _pieces(file, pace, self.encoding), number
            while True:
                try:
                    text = next(texts, None)
                except InputError:  # the whole file knows the line, or can be read as a whole only
                    texts = iter([_whole(file, pace, self.encoding)])
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
                frame = csv_frame(text, missing, numbers, written=self.written)
                frame = frame.select(first.header)
                numbers = numbers_of(frame) if numbers is None else numbers
                if numbers_of(frame) != numbers:
                    return None
                with _spilling(folder, self.where):
                    frame.write_ipc(folder.file(number), compression="lz4")
                number, done = number + 1, done + len(text.content)
                where = self.where
                pace.look(f"bytes read of {where}", min(done, total), total, f"reading {where}")
        return first


def scan(file: str) -> polars.LazyFrame:
    """The columns of a Parquet or Arrow file, not read yet."""
    import polars as pl

    return pl.scan_parquet(file) if _start(file) == b"PAR1" else pl.scan_ipc(file)


def _start(file: str) -> bytes:
    """Its first bytes, which say what it is."""
    with _reachable(file), open(file, "rb") as stream:
        return stream.read(4)


@contextmanager
def _reachable(file: str) -> Iterator[None]:
    """Around what asks the system for a file or folder: InputError where that fails."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{file}: cannot be read ({error.strerror or error})") from error


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
def readable(file: str, kind: str) -> Iterator[None]:
    """Around what reads a file: one sentence where it is damaged."""
    from corels.tables.readers import polars_errors

    try:
        yield
    except InputError:
        raise
    except polars_errors() as error:
        why = f"this is {kind}, but is damaged or of a kind that is not supported"
        if "interval" in str(error):
            why = "it has a column of intervals: write that as a number of days"
        raise FileError(f"{file}: cannot be read as {kind}: {why}") from error


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


# --- what is gone through once ------------------------------------------------------------------


class TemporaryFolder:
    """A temporary folder; it goes with this object, and with the process."""

    def __init__(self) -> None:
        import tempfile  # most tables need no folder

        self.path = tempfile.mkdtemp(prefix="corels-")
        self.remove = weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)
        if (start := sys.modules.get("corels.start")) is not None:  # signals may end the program
            start.tidying.append(self.remove)

    def file(self, number: int) -> str:
        """Of the piece of this number."""
        return os.path.join(self.path, f"{number:06d}.arrow")


def is_query(table: Any) -> bool:
    """Whether a table is a polars `LazyFrame`, a DuckDB relation or a `dask.dataframe`."""
    module = type(table).__module__.partition(".")[0]
    return hasattr(table, QUERIES.get(module, "")) and not isinstance(table, type)


def _selected(table: Any, names: Sequence[str]) -> Any:
    """The columns of these names, of a query; one in any case."""
    known = names_of_query(table)
    kept = [name for name in known if name in names] or known[:1]
    if hasattr(table, "npartitions"):
        return table[kept]
    return table.select(kept) if hasattr(table, "sink_ipc") else table.project(quoted(kept))


def quoted(names: Sequence[str]) -> str:
    """The columns of these names, as SQL has them."""
    return ", ".join('"' + name.replace('"', '""') + '"' for name in names)


def in_days(relation: Any) -> Any:
    """A DuckDB relation, its intervals as numbers of days, which other durations are read as, too:
    polars has no kind for them."""
    kinds = list(map(str, relation.types))
    if "INTERVAL" not in kinds:
        return relation
    names = [quoted([name]) for name in relation.columns]
    asked = zip(names, kinds, strict=True)
    return relation.project(
        ", ".join(f"epoch({n}) / 86400 as {n}" if k == "INTERVAL" else n for n, k in asked)
    )


def names_of_query(table: Any) -> list[str]:
    """The names of the columns of a query."""
    known = table.collect_schema().names() if hasattr(table, "sink_ipc") else table.columns
    return list(map(str, known))


def _spilled(table: Any, where: str, pace: Pace) -> TemporaryFolder:
    """What a query gives, in a temporary folder."""
    folder = TemporaryFolder()
    with _spilling(folder, where):
        if hasattr(table, "sink_ipc"):
            work = partial(table.sink_ipc, folder.file(0))
        elif hasattr(table, "npartitions"):
            work = partial(_spill_partitions, table, folder)
        else:
            work = partial(in_days(table).write_parquet, folder.file(0))
        beside(work, partial(_tell_size, folder, where, pace))
    return folder


def _spill_partitions(table: Any, folder: TemporaryFolder) -> None:
    """Write the partitions of a `dask.dataframe`, each when it is computed."""
    import polars as pl

    for number in range(table.npartitions):
        part = table.partitions[number].compute()
        pl.from_pandas(part).write_ipc(folder.file(number), compression="lz4")


def _whole(file: str, pace: Pace, encoding: str | None) -> CsvText:
    """A CSV file that is not read in pieces."""
    content = read_bytes(file, pace)
    return check_csv_text(file, recoded(file, content, encoding) if encoding else content, pace)


def _pieces(file: str, pace: Pace, encoding: str | None) -> Iterator[CsvText]:
    """A CSV file in pieces of whole lines, each below the first line; small files as a whole."""
    with _reachable(file), open(file, "rb") as stream:
        piece = stream.read(PIECE)
        head = piece[: piece.find(b"\n") + 1]
        short = len(piece) < PIECE or not head
        if short or encoding or b'"' in head or piece.startswith(GZIP_MAGIC):
            yield _whole(file, pace, encoding)
            return
        left = piece[len(head) :]
        while left:
            more = stream.read(PIECE)
            end = _line_end(left) if more else len(left)
            if end:
                if more and left[:end].endswith((b"\n\n", b"\n\r\n")):
                    raise InputError(f"{file}: a blank line")  # the end of the file, perhaps
                yield check_csv_text(file, head + left[:end], pace)
            left = left[end:] + more


def _line_end(text: bytes) -> int:
    """The end of the last line that ends outside of quotes; 0 if there is none."""
    end = text.rfind(b"\n") + 1
    while end and text.count(b'"', 0, end) % 2:
        end = text.rfind(b"\n", 0, end - 1) + 1
    return end


@contextmanager
def _spilling(folder: TemporaryFolder, where: str) -> Iterator[None]:
    """Around what writes to a temporary folder: one sentence where that, or a query, fails."""
    try:
        yield
    except Exception as error:
        text = str(error)
        folder.remove()
        if isinstance(error, CorelsError):
            raise
        unread = isinstance(error, FileNotFoundError)  # what the query reads
        full = isinstance(error, OSError) and not unread
        if full or "space left" in text or "File too large" in text:
            raise OutputError(
                f"{folder.path}: the columns of {where} cannot be kept there ({text}): set TMPDIR "
                "to a folder with more room"
            ) from error
        raise InputError(f"{where}: cannot be read ({text.partition(chr(10))[0]})") from error


def _tell_size(folder: TemporaryFolder, where: str, pace: Pace) -> None:
    size = sum(entry.stat().st_size for entry in os.scandir(folder.path))
    pace.look(f"megabytes read of {where}", size // 10**6, 0, f"reading {where}")


def beside(work: Callable[[], T], tick: Callable[[], None]) -> T:
    """What `work` gives, in a thread; `tick` is called meanwhile, and may raise to end the wait.

    So that Ctrl-C, limits and progress do not wait for a call that nobody can look into.
    """
    done: list[T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            done.append(work())
        except BaseException as error:
            failed.append(error)

    thread = started(threading.Thread(target=run, daemon=True))
    while thread.is_alive():
        thread.join(TICK)
        if thread.is_alive():
            tick()
    if failed:
        raise failed[0]
    return done[0]
