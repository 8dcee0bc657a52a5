"""A table that a browser has sent, as columns. It stays in memory; no file is made."""

from __future__ import annotations

from collections.abc import Mapping

from corels.antecedents.column import Column, as_columns
from corels.data.files import GZIP_MAGIC
from corels.data.readers import table_of
from corels.errors import InputError


def read_upload(content: bytes, name: str) -> Mapping[str, Column]:
    """The columns of a table, read as `corels run` reads a file of this content.

    name: of the file, for messages.

    Raises InputError naming the line for anything malformed, and for gzip, which could unfold to
    more than the limit of an upload.
    """
    if content.startswith(GZIP_MAGIC):
        raise InputError(f"{name}: this is a gzip file: unpack it first")
    return as_columns(table_of(content, name))
