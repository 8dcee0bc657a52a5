"""Tables that polars does not read by itself: spreadsheets, DuckDB, `dask.dataframe`; and queries.

A query is a polars `LazyFrame`, a DuckDB relation or a `dask.dataframe`. A table of a DuckDB
database is one, too: a file and, where it has several tables, "people.duckdb#visits". A query is
evaluated once, whatever it does, into Arrow or Parquet files of a temporary folder.
"""

from __future__ import annotations

import io
import logging
import os
from collections.abc import Mapping, Sequence
from datetime import date
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from corels.caller import warn
from corels.errors import InputError
from corels.options import unknown
from corels.overwriting import reading
from corels.tables.deadline import Deadline
from corels.tables.files import file_and_part, reader, shown, start_of
from corels.tables.folder import TemporaryFolder, beside, spilling
from corels.tables.textfile import check_names

if TYPE_CHECKING:
    import polars

DAY_0 = date(1899, 12, 31)  # of spreadsheets
WIDE = ("HUGEINT", "UHUGEINT")  # of DuckDB
DECIMAL = "DECIMAL(38, 0)"  # the widest kind of whole numbers that Parquet has
MAGIC, BEHIND = b"DUCK", 8  # how the files of DuckDB begin, after so many bytes
QUERIES = {  # the library of a query -> what no other object of it has
    "polars": "sink_ipc",
    "duckdb": "write_parquet",
    "_duckdb": "write_parquet",
    "dask": "itertuples",  # a Series has none
}


def spreadsheet(stream: io.BytesIO, where: str, sheet: str | None) -> polars.DataFrame:
    """A sheet, or the first one that is not empty, and a warning that names the others. Its first
    row has the names, as that of a CSV file."""
    import polars as pl

    fastexcel = reader("fastexcel", where, "a spreadsheet")  # polars reads Excel with it
    logging.getLogger("fastexcel").setLevel(logging.ERROR)  # it tells of columns without values
    sheets = fastexcel.read_excel(stream.getvalue()).sheet_names
    if sheet is not None and sheet not in sheets:
        raise InputError(f"{where}: {unknown('sheet', sheet, sheets)}")
    for name in sheets if sheet is None else [sheet]:
        read = partial(pl.read_excel, stream, sheet_name=name, raise_if_empty=False)
        # of all rows: where some say what a column is, another value further down would be dropped
        frame = read(infer_schema_length=None)
        if frame.columns:
            others = sheets[sheets.index(name) + 1 :]  # those before are empty
            if sheet is None and others:
                _tell_of_sheets(where, name, others)
            row, unnamed = f"{where}: sheet {name!r}, row 1", "__UNNAMED__"
            for column in frame.columns:
                if column.startswith(unnamed):
                    at = int(column.removeprefix(unnamed)) + 1
                    raise InputError(f"{row}: column {at} has no name")
            first = read(has_header=False, read_options={"n_rows": 1}, infer_schema_length=0)
            check_names(row, [cell for cell in first.row(0) if cell])
            return frame.with_columns(map(_meant, frame))
    return pl.DataFrame()


def _tell_of_sheets(where: str, name: str, others: Sequence[str]) -> None:
    named = ", ".join(map(repr, others[:5])) + ", ..." * (len(others) > 5)
    what = f"{len(others)} other {'sheet is' if len(others) == 1 else 'sheets are'} not ({named})"
    warn(f"{where}: sheet {name!r} is read, and {what}: {where + '#' + others[0]!r} names a sheet")


def _meant(column: polars.Series) -> polars.Series:
    """A column of a spreadsheet: times of the day 0 are times of day, and empty texts have no value
    (beside numbers they are odd cells, with which a column stays one of numbers)."""
    import polars as pl

    if column.dtype == pl.Datetime and (column.dt.date() == DAY_0).all():
        return column.dt.time()
    if column.dtype != pl.String:
        return column
    texts = column.replace("", None)
    numbers = texts.cast(pl.Float64, strict=False)
    return column if numbers.null_count() == texts.null_count() else texts


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
    return database.table(_quoted([name or tables[0]]))


def is_query(table: Any) -> bool:
    """Whether a table is a polars `LazyFrame`, a DuckDB relation or a `dask.dataframe`."""
    own = QUERIES.get(type(table).__module__.partition(".")[0])
    return own is not None and hasattr(table, own) and not isinstance(table, type)


def at_hand(given: Any, *, one: bool = True) -> Any:
    """What a query gives: its only column, or where there may be several, a frame; anything else as
    it is. Raises InputError where there are several columns, and one is expected."""
    if not is_query(given):
        return given
    if hasattr(given, "npartitions"):
        frame = given.compute()
    else:
        frame = given.collect() if hasattr(given, "sink_ipc") else _exactly(given).pl()
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
    folder = TemporaryFolder()
    with spilling(folder, where):
        if only is not None:
            table = _selected(table, only)
        if hasattr(table, "sink_ipc"):
            work = partial(table.sink_ipc, folder.file(0))
        elif hasattr(table, "npartitions"):
            work = partial(_write_partitions, table, folder)
        else:
            work = partial(_write, table, folder.file(0))
        progress = f"megabytes read of {where}"
        beside(work, lambda: deadline.look(progress, folder.size() // 10**6, 0, f"reading {where}"))
    return folder


def _selected(table: Any, names: Sequence[str]) -> Any:
    """The columns of these names, of a query; one in any case."""
    lazy = hasattr(table, "sink_ipc")
    known = table.collect_schema().names() if lazy else list(table.columns)
    kept = [name for name in known if name in names] or known[:1]
    if hasattr(table, "npartitions"):
        return table[kept]
    if not lazy:
        return table.project(_quoted(kept))
    from polars import selectors

    return table.select(selectors.by_name(kept))  # a name is no pattern


def _write_partitions(table: Any, folder: TemporaryFolder) -> None:
    """Write the partitions of a `dask.dataframe`, each when it is computed."""
    import polars as pl

    for number in range(table.npartitions):
        part = table.partitions[number].compute()
        pl.from_pandas(part).write_ipc(folder.file(number), compression="lz4")


def _quoted(names: Sequence[str]) -> str:
    """The columns of these names, as SQL has them."""
    return ", ".join('"' + name.replace('"', '""') + '"' for name in names)


def _exactly(relation: Any, wide: Mapping[str, str] = MappingProxyType({})) -> Any:
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
        column = _quoted([name])
        found.append(f"{wide.get(name, casts.get(kind, '{0}')).format(column)} as {column}")
    return relation.project(", ".join(found))


def _write(relation: Any, file: str) -> None:
    """As Parquet. Numbers of 39 digits fit no decimal: who has them is asked where that fails."""
    try:
        _exactly(relation).write_parquet(file)
    except Exception as error:
        kinds = zip(relation.columns, map(str, relation.types), strict=True)
        wide = [name for name, kind in kinds if kind in WIDE]
        if not wide or type(error).__name__ != "ConversionException":
            raise
        _exactly(relation, {name: _cast_of(relation, name) for name in wide}).write_parquet(file)


def _cast_of(relation: Any, name: str) -> str:
    """To decimals, where all values fit; else to floats, or to text where floats would make two of
    them equal, as hashes are: the same columns that such numbers in a file become."""
    column, as_float = _quoted([name]), "cast(cast({0} as VARCHAR) as DOUBLE)"
    fitting = f"count({column}) = count(try_cast({column} as {DECIMAL}))"
    apart = f"count(distinct {column}) = count(distinct {as_float.format(column)})"
    sql = f"select {fitting}, {apart} from corels_rows"
    ((fits, told_apart),) = relation.query("corels_rows", sql).fetchall()
    if fits:
        return f"cast({{0}} as {DECIMAL})"
    return as_float if told_apart else "cast({0} as VARCHAR)"
