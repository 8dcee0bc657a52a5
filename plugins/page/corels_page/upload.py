"""A table that a browser has sent, as columns. It stays in memory; no file is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from corels.errors import InputError
from corels.model.printable import printable
from corels.tables.column import Column, as_columns
from corels.tables.files import GZIP_MAGIC
from corels.tables.frame import table_of


@dataclass(frozen=True)
class Loaded:
    """The table that a tab has loaded. number: counts the uploads of the tab, from 1."""

    number: int
    name: str
    columns: Mapping[str, Column]

    def told(self) -> dict[str, Any]:
        """What the page says of it, JSON-ready."""
        labels = [printable(column) for column in self.columns]
        return {"number": self.number, "labels": labels, **size(self.name, self.columns)}


def size(name: str, columns: Mapping[str, Column]) -> dict[str, Any]:
    """The name of a table with its counts of rows and columns, JSON-ready."""
    rows = next((len(column.values) for column in columns.values()), 0)
    return {"name": printable(name), "rows": rows, "columns": len(columns)}


def read_upload(content: bytes, name: str) -> Mapping[str, Column]:
    """The columns of a table, read as `corels run` reads a file of this content.

    name: of the file, for messages.

    Raises InputError naming the line for anything malformed, and for gzip, which could unfold to
    more than the limit of an upload.
    """
    if content.startswith(GZIP_MAGIC):
        raise InputError(f"{name}: this is a gzip file: unpack it first")
    return as_columns(table_of(content, name))
