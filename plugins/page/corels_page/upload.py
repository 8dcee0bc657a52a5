"""A table that a browser has sent, as columns. It stays in memory; no file is made."""

from __future__ import annotations

from collections.abc import Mapping

from corels.errors import InputError
from corels.tables.column import Column, as_columns
from corels.tables.files import GZIP_MAGIC
from corels.tables.readers import table_of


def read_upload(content: bytes, name: str) -> Mapping[str, Column]:
    """The columns of a table, read as `corels run` reads a file of this content.

    name: of the file, for messages.

    Raises InputError naming the line for anything malformed, and for gzip, which could unfold to
    more than the limit of an upload.
    """
    if content.startswith(GZIP_MAGIC):
        raise InputError(f"{name}: this is a gzip file: unpack it first")
    return as_columns(table_of(content, name))
