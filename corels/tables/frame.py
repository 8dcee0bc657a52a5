"""Opening tables: `columns_of` gives the columns of any file, folder, query or frame.

What is in memory (arrays, lists, frames, small files) is read at once (`corels.tables.column`);
what need not fit memory, a column at a time (`corels.tables.stored`).
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from corels.errors import InputError, NoRowsError
from corels.options import unknown
from corels.tables.column import Column, Columns, as_column, as_columns
from corels.tables.deadline import NO_DEADLINE, Deadline
from corels.tables.files import (
    SPREADSHEETS,
    ZIP_MAGIC,
    file_and_sheet,
    files_of,
    is_rule_file,
    read_bytes,
    shown,
    size_of,
)
from corels.tables.options import AS_WRITTEN, Reading
from corels.tables.rules import read_bit_lines
from corels.tables.stored import Stored, readable, scanned
from corels.tables.textfile import check_names, csv_cells

if TYPE_CHECKING:
    import polars

    from corels.tables.condition import Antecedent


def table_of(
    content: bytes,
    where: str,
    reading: Reading = AS_WRITTEN,
    *,
    sheet: str | None = None,
    deadline: Deadline = NO_DEADLINE,
) -> Columns:
    """The columns of a file whose content is in memory, not gzipped: CSV (comma, semicolon, tab or
    bar), Parquet, Arrow or a spreadsheet. The content says which it is.

    where: names it in messages. sheet: of a spreadsheet; None for the first one. Raises InputError
    naming file and line for anything malformed.
    """
    other_archive = content.startswith(ZIP_MAGIC) and not where.lower().endswith(SPREADSHEETS)
    for kind in () if other_archive else FORMATS:
        if re.match(kind.begins, content):
            frame = _read_binary(kind, where, content, sheet)
            return as_columns(frame, reading=reading, deadline=deadline)
    if sheet is not None:
        raise InputError(f"{where}: this is no spreadsheet, so it has no sheet {sheet!r}")
    for begins, name, then in OTHERS:
        if re.match(begins, content, re.DOTALL):
            raise InputError(f"{where}: this is {name}, which is not read; {then}")
    deadline.begin(f"reading {where}", len(content))
    cells = csv_cells(where, content, deadline, reading.encoding)
    del content  # cells are there twice while columns are read, and need not be three times
    deadline.check(f"reading {where}")
    if cells.is_empty():
        sentence = f"{where}: there is a header but there are no rows"
        raise NoRowsError(sentence, cells.columns)
    return as_columns(cells, reading=reading._replace(text=True), deadline=deadline)


def _spreadsheet(pl: Any, stream: io.BytesIO, where: str, sheet: str | None) -> polars.DataFrame:
    """A sheet, or the first one; its first row has the names, as that of a CSV file. Empty texts
    have no value: beside numbers they are odd cells, with which a column stays one of numbers."""
    try:
        fastexcel = import_module("fastexcel")  # polars reads Excel with it
    except ImportError:
        raise InputError(
            f"{where}: this is a spreadsheet, which needs fastexcel (pip install fastexcel); or "
            "save the table as CSV"
        ) from None
    known = fastexcel.read_excel(stream.getvalue()).sheet_names
    if sheet is not None and sheet not in known:
        raise InputError(f"{where}: {unknown('sheet', sheet, known)}")
    read = partial(pl.read_excel, stream, sheet_name=sheet or known[0], raise_if_empty=False)
    # of all rows: if some say what a column is, another value further down would be dropped
    frame: polars.DataFrame = read(infer_schema_length=None)
    if frame.is_empty():
        return frame
    first = read(has_header=False, read_options={"n_rows": 1}, infer_schema_length=0).row(0)
    at_row = f"{where}: sheet {sheet or known[0]!r}, row 1"
    check_names(at_row, [*(cell or "" for cell in first), *[""] * (frame.width - len(first))])
    return frame.with_columns(pl.col(pl.String).replace("", None))


class _Format(NamedTuple):
    """A form of tables that polars reads: its name, how the content begins, and the reader, which
    gets polars, the content, its name for messages, and the name of a sheet."""

    name: str
    begins: bytes
    read: Callable[[Any, io.BytesIO, str, str | None], Any]


FORMATS = (
    _Format("Parquet", rb"PAR1", lambda pl, f, *_: pl.read_parquet(f)),
    _Format("Arrow", rb"ARROW1", lambda pl, f, *_: pl.read_ipc(f)),
    _Format("an Arrow stream", rb"\xff{4}", lambda pl, f, *_: pl.read_ipc_stream(f)),
    _Format("a spreadsheet", rb"PK\x03\x04|\xd0\xcf\x11\xe0", _spreadsheet),
)
OTHERS = (  # how the content begins -> what it is, what to do
    (rb'\{\n  "schema": "corels/', "a model", "give its data, and the model as --model where the "
     "command has it"),
    (rb"(\xef\xbb\xbf)?\s*(\{[\s\"}]|\[[\s{\[\]])", "JSON", "save the table as CSV or Parquet"),
    (rb"SQLite format 3", "an SQLite database", "save the table as CSV"),
    (rb".{8}DUCK", "a DuckDB database", "save the table as Parquet"),
    (rb"\x80[\x02-\x05]", "a pickle", "save the table as CSV"),
    (rb"(?i)<!doctype|<html|<table", "an HTML page", "save the table as CSV"),
    (rb"BZh\d1AY|\xfd7zXZ|\x28\xb5\x2f\xfd|\x04\x22\x4d\x18", "a packed file", "unpack it"),
)  # fmt: skip


def _read_binary(kind: _Format, where: str, content: bytes, sheet: str | None) -> polars.DataFrame:
    import polars as pl

    with readable(where, kind.name):
        frame: polars.DataFrame = kind.read(pl, io.BytesIO(content), where, sheet)
    if frame.is_empty():
        raise NoRowsError(f"{where}: there are no rows", frame.columns)
    return frame


def columns_of(
    table: Any, deadline: Deadline = NO_DEADLINE, *, reading: Reading = AS_WRITTEN
) -> Mapping[str, Column]:
    """The columns of a table: of a file or folder, a frame or a query.

    Each line of a `.out` file is a column of 0 and 1 of the line's name. deadline: learns how far
    the reading is, and may end it. reading: which values of a table mean "no value", and how dates
    are written. Raises InputError naming file, line and value for anything malformed.
    """
    if isinstance(table, (str, os.PathLike)):
        if is_rule_file(table):
            lines = read_bit_lines(table)
            return {n: as_column(n, bits) for n, bits in zip(lines.names, lines.bits, strict=True)}
        where = shown(table)
        deadline.begin(f"reading {where}", size_of(table))
        found = scanned(table, where, reading, deadline=deadline)
        if found is not None:
            return found
        single = files_of(table) or [os.fspath(table)]  # a folder, or a pattern, of one file
        file, sheet = file_and_sheet(single[0])
        how: dict[str, Any] = {"sheet": sheet, "deadline": deadline}
        return table_of(read_bytes(file, deadline), shown(file), reading, **how)
    return as_columns(table, reading=reading, deadline=deadline)


def columns_for(
    antecedents: Iterable[Antecedent], table: Any, as_is: Iterable[str] = ()
) -> Columns:
    """The columns of a table that antecedents ask for; of tables that are in memory, all columns.
    as_is: columns whose text stays text."""
    reading = AS_WRITTEN._replace(as_is=tuple(as_is))
    if isinstance(table, Stored):
        from corels.tables.unseen import ColumnsAsLearned

        names = dict.fromkeys(c.column for one in antecedents for c in one.conditions)
        found = table.loaded(names)
        return found if table.change is None else ColumnsAsLearned(found)
    return table if isinstance(table, Columns) else as_columns(table, reading=reading)
