"""Tables of DuckDB databases: a file and, where it has several tables, "people.duckdb#visits"."""

from __future__ import annotations

import importlib
import os
from typing import Any

from corels.errors import InputError
from corels.options import unknown
from corels.overwriting import reading
from corels.tables.files import file_and_part, shown, start_of

MAGIC, BEHIND = b"DUCK", 8  # how these files begin, after so many bytes


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
    try:
        duckdb = importlib.import_module("duckdb")
    except ImportError:
        raise InputError(
            f"{where}: this is a DuckDB database, which needs duckdb: pip install duckdb, or save "
            "the table as Parquet or CSV"
        ) from None
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
    return database.table('"' + (name or tables[0]).replace('"', '""') + '"')
