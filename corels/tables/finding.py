"""Which files a table is: one, those of a folder, those of a pattern; each once, and in order."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable

from corels.errors import InputError
from corels.tables.csvtext import COLUMNAR
from corels.tables.files import Path_, reachable

ENDINGS = (*COLUMNAR, ".csv", ".tsv", ".txt")  # of a folder's tables


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
    with reachable(error.filename):
        raise error


def _once(found: Iterable[str]) -> list[str]:
    """Files in the order of their names: each once, also where links lead to it again."""
    by_file: dict[str, str] = {}
    for file in sorted(found):
        by_file.setdefault(os.path.realpath(file), file)
    return list(by_file.values())
