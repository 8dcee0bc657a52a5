"""A table that a browser has sent, as columns. It stays in memory; no file is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from corels.errors import InputError
from corels.model.printable import printable
from corels.options import whole
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
        classes = {printable(n): few for n, one in self.columns.items() if (few := _few(one))}
        told = {"number": self.number, "labels": labels, "classes": classes}
        return {**told, **size(self.name, self.columns)}


MOST_CLASSES = 20


def _few(column: Column) -> list[str]:
    """The values of a column that has few, as a form offers them; none of one that has many."""
    values = np.unique(column.values[~column.missing])[: MOST_CLASSES + 1]
    if len(values) > MOST_CLASSES:
        return []
    names = column.categories
    if names is None:
        return [printable(str(whole(value))) for value in values.tolist()]
    return sorted(printable(names[int(code)]) for code in values.tolist())


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
