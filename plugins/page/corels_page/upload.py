"""The table of `corels serve`: a built-in one, or one that a browser has sent, as columns. It stays
in memory; no file is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from corels.errors import InputError
from corels.model.printable import printable
from corels.options import whole
from corels.tables import load_columns
from corels.tables.column import Column, as_columns
from corels.tables.files import GZIP_MAGIC
from corels.tables.frame import table_of
from corels.tables.options import Reading


@dataclass(frozen=True)
class Loaded:
    """The table that the server has loaded. number: counts what was loaded, from 1. content: the
    file; b"" of a built-in table. dataset: the name of that, whose label is known, or ""."""

    number: int
    name: str
    columns: Mapping[str, Column]
    content: bytes = b""
    dataset: str = ""
    label: str = ""

    @classmethod
    def sent(cls, number: int, name: str, content: bytes) -> Loaded:
        """Raises InputError naming the line for anything malformed, and for gzip, which could
        unfold to more than the limit of an upload."""
        if content.startswith(GZIP_MAGIC):
            raise InputError(f"{name}: this is a gzip file: unpack it first")
        return cls(number, name, table_of(content, name), content)

    @classmethod
    def built_in(cls, number: int, name: str) -> Loaded:
        """Raises InputError if there is no such table."""
        columns, label = load_columns(name)
        return cls(number, name, columns, dataset=name, label=label)

    def read(self, reading: Reading) -> Mapping[str, Column]:
        """The columns, read as `corels run` reads a file of this content."""
        if self.content:
            return table_of(self.content, self.name, reading)
        return as_columns(self.columns, reading=reading)

    def forgotten(self) -> Loaded:
        """Without the table: what a history keeps."""
        return replace(self, columns={}, content=b"")

    def shown(self) -> dict[str, Any]:
        """What the page says of it, JSON-ready."""
        labels = [printable(column) for column in self.columns]
        classes = {printable(n): few for n, one in self.columns.items() if (few := _few(one))}
        named = {"number": self.number, "dataset": self.dataset, "label": self.label}
        return {**named, "labels": labels, "classes": classes, **self.size()}

    def size(self) -> dict[str, Any]:
        """Its name, with the counts of rows and columns, JSON-ready."""
        rows = next((len(column.values) for column in self.columns.values()), 0)
        return {"name": printable(self.name), "rows": rows, "columns": len(self.columns)}


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
