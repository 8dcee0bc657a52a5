"""Queries, and what is gone through once: the temporary folder where it is kept, piece by piece.

A query is a polars `LazyFrame`, a DuckDB relation or a `dask.dataframe`. A table of a DuckDB
database is one, too: a file and, where it has several tables, "people.duckdb#visits". A query is
evaluated once, whatever it does, into Arrow or Parquet files. TMPDIR says where the folder is; it
lives as long as the columns that are read from it.
"""

from __future__ import annotations

import os
import shutil
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from types import MappingProxyType
from typing import Any, TypeVar

from corels.errors import CorelsError, InputError, OutputError
from corels.options import unknown
from corels.overwriting import reading
from corels.tables.deadline import Deadline
from corels.tables.files import file_and_part, reader, shown, start_of
from corels.threads import started

T = TypeVar("T")
TICK = 0.25  # seconds between two looks at the clock, where something else works
WIDE = ("HUGEINT", "UHUGEINT")  # of DuckDB
DECIMAL = "DECIMAL(38, 0)"  # the widest kind of whole numbers that Parquet has
MAGIC, BEHIND = b"DUCK", 8  # how the files of DuckDB begin, after so many bytes
QUERIES = {  # the library of a query -> what no other object of it has
    "polars": "sink_ipc",
    "duckdb": "write_parquet",
    "_duckdb": "write_parquet",
    "dask": "itertuples",  # a Series has none
}


class TemporaryFolder:
    """A temporary folder; it goes with this object, and with the process."""

    def __init__(self) -> None:
        import tempfile  # most tables need no folder

        self.path = tempfile.mkdtemp(prefix="corels-")
        self.remove = weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)

    def file(self, number: int) -> str:
        """Of the piece of this number."""
        return os.path.join(self.path, f"{number:06d}.arrow")


def stored(table: Any) -> Any:
    """The DuckDB relation that a path names; whatever else is given, as it is.

    The path may end in "#" and the name of a table or view; without it, the database has one.

    Raises InputError if DuckDB is not installed or cannot read the file, or for the name; and
    OptionError where the file is an output of this command.
    """
    if not isinstance(table, (str, os.PathLike)):
        return table
    file, name = file_and_part(table)
    there = os.path.isfile(file)
    if not there or start_of(os.fspath(file), BEHIND + len(MAGIC))[BEHIND:] != MAGIC:
        return table
    where = shown(file)
    reading(file)
    duckdb = reader("duckdb", where, "a DuckDB database")
    try:
        database = duckdb.connect(os.fspath(file), read_only=True)
        tables = [known for (known,) in database.execute("show tables").fetchall()]
    except duckdb.Error as error:
        first_line = str(error).partition("\n")[0]
        raise InputError(f"{where}: cannot be read as a DuckDB database ({first_line})") from error
    if not tables:
        raise InputError(f"{where}: this database has no table")
    if name is None and len(tables) > 1:
        some = ", ".join(tables[:5]) + ", ..." * (len(tables) > 5)
        raise InputError(
            f"{where}: this database has {len(tables)} tables ({some}): name one, as in "
            f"{f'{where}#{tables[0]}'!r}"
        )
    if name is not None and name not in tables:
        raise InputError(f"{where}: {unknown('table', name, tables)}")
    return database.table(quoted([name or tables[0]]))


def is_query(table: Any) -> bool:
    """Whether a table is a polars `LazyFrame`, a DuckDB relation or a `dask.dataframe`."""
    own = QUERIES.get(type(table).__module__.partition(".")[0])
    return own is not None and hasattr(table, own) and not isinstance(table, type)


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


def exactly(relation: Any, wide: Mapping[str, str] = MappingProxyType({})) -> Any:
    """A DuckDB relation in kinds that polars reads, without losing a digit.

    Intervals are numbers of days, which other durations are read as, too. Of whole numbers of 128
    bits, such as sums, Parquet would have floats: they are decimals, or what `wide` says of a name.
    """
    casts = {"INTERVAL": "epoch({0}) / 86400"} | dict.fromkeys(WIDE, f"cast({{0}} as {DECIMAL})")
    kinds = list(map(str, relation.types))
    if not casts.keys() & set(kinds):
        return relation
    found = []
    for name, kind in zip(relation.columns, kinds, strict=True):
        column = quoted([name])
        found.append(f"{wide.get(name, casts.get(kind, '{0}')).format(column)} as {column}")
    return relation.project(", ".join(found))


def _write(relation: Any, file: str) -> None:
    """As Parquet. Numbers of 39 digits fit no decimal: who has them is asked where that fails."""
    try:
        exactly(relation).write_parquet(file)
    except Exception as error:
        kinds = zip(relation.columns, map(str, relation.types), strict=True)
        wide = [name for name, kind in kinds if kind in WIDE]
        if not wide or type(error).__name__ != "ConversionException":
            raise
        exactly(relation, {name: _cast_of(relation, name) for name in wide}).write_parquet(file)


def _cast_of(relation: Any, name: str) -> str:
    """To decimals, where all values fit; else to floats, or to text where floats would make two of
    them equal, as hashes are: the same columns that such numbers in a file become."""
    column, as_float = quoted([name]), "cast(cast({0} as VARCHAR) as DOUBLE)"
    fitting = f"count({column}) = count(try_cast({column} as {DECIMAL}))"
    apart = f"count(distinct {column}) = count(distinct {as_float.format(column)})"
    sql = f"select {fitting}, {apart} from corels_rows"
    ((fits, told_apart),) = relation.query("corels_rows", sql).fetchall()
    if fits:
        return f"cast({{0}} as {DECIMAL})"
    return as_float if told_apart else "cast({0} as VARCHAR)"


def names_of_query(table: Any) -> list[str]:
    """The names of the columns of a query."""
    known = table.collect_schema().names() if hasattr(table, "sink_ipc") else table.columns
    return list(map(str, known))


def at_hand(given: Any, *, one: bool = True) -> Any:
    """What a query gives: its only column, or where there may be several, a frame; anything else as
    it is. Raises InputError where there are several columns, and one is expected."""
    if not is_query(given):
        return given
    if hasattr(given, "npartitions"):
        frame = given.compute()
    else:
        frame = given.collect() if hasattr(given, "sink_ipc") else exactly(given).pl()
    if len(names := list(map(str, frame.columns))) == 1:
        return frame[names[0]]
    if one:
        raise InputError(f"a query has the columns {', '.join(names)}: expected one column")
    return frame


def spilled(
    table: Any, where: str, deadline: Deadline, only: Sequence[str] | None = None
) -> TemporaryFolder:
    """What a query gives, in a temporary folder.

    only: the columns that are wanted, as far as it has them; None for all. Raises InputError where
    the query fails, OutputError where the folder is full.
    """
    table = table if only is None else _selected(table, only)
    folder = TemporaryFolder()
    with spilling(folder, where):
        if hasattr(table, "sink_ipc"):
            work = partial(table.sink_ipc, folder.file(0))
        elif hasattr(table, "npartitions"):
            work = partial(_spill_partitions, table, folder)
        else:
            work = partial(_write, table, folder.file(0))
        beside(work, partial(_tell_size, folder, where, deadline))
    return folder


def _spill_partitions(table: Any, folder: TemporaryFolder) -> None:
    """Write the partitions of a `dask.dataframe`, each when it is computed."""
    import polars as pl

    for number in range(table.npartitions):
        part = table.partitions[number].compute()
        pl.from_pandas(part).write_ipc(folder.file(number), compression="lz4")


@contextmanager
def spilling(folder: TemporaryFolder, where: str) -> Iterator[None]:
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


def _tell_size(folder: TemporaryFolder, where: str, deadline: Deadline) -> None:
    size = sum(entry.stat().st_size for entry in os.scandir(folder.path))
    deadline.look(f"megabytes read of {where}", size // 10**6, 0, f"reading {where}")


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
