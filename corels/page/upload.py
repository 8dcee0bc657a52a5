"""A CSV text that a browser has sent, as columns. It stays in memory; no file is made."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping
from typing import Any

from corels.antecedents.column import Column, as_columns
from corels.data.csvtext import SEPARATORS
from corels.errors import InputError

MISSING = frozenset({"", "?", "NA", "N/A", "NaN", "nan", "null", "None"})
MOST_COLUMNS = 2000


def read_upload(content: bytes, name: str) -> Mapping[str, Column]:
    """The columns of a CSV text (comma, semicolon, tab or bar); name: for messages.

    A column of whole numbers, numbers or true and false is that; any other is text. Raises
    InputError naming the line for anything malformed.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: this is not UTF-8 text ({error.reason})") from None
    if "\0" in text:
        raise InputError(f"{name}: this is not a text file")
    first = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text), delimiter=max(SEPARATORS, key=first.count), strict=True)
    rows = []
    try:
        for row in reader:
            if row:
                rows.append(row)
                _check_width(name, reader.line_num, row, rows[0])
    except csv.Error as error:
        raise InputError(f"{name}, line {reader.line_num}: {error}") from None
    if len(rows) < 2:
        raise InputError(f"{name}: expected a line of column names, and rows below it")
    header = [title.strip() for title in rows[0]]
    if len(set(header)) < len(header) or "" in header or len(header) > MOST_COLUMNS:
        raise InputError(f"{name}, line 1: expected a different name for each column")
    cells = zip(*rows[1:], strict=True)
    return as_columns({title: _typed(list(c)) for title, c in zip(header, cells, strict=True)})


def _check_width(name: str, line: int, row: list[str], header: list[str]) -> None:
    if len(row) != len(header):
        raise InputError(f"{name}, line {line}: {len(row)} fields, the header has {len(header)}")


def _typed(cells: list[str]) -> list[Any]:
    stripped = [cell.strip() for cell in cells]
    known = [None if cell in MISSING else cell for cell in stripped]
    kinds: tuple[Callable[[str], Any], ...] = (int, _finite, _truth)
    for kind in kinds:
        try:
            return [None if cell is None else kind(cell) for cell in known]
        except ValueError:
            continue
    return known


def _finite(cell: str) -> float:
    number = float(cell)
    if number - number != 0:
        raise ValueError(cell)
    return number


def _truth(cell: str) -> bool:
    if cell.lower() not in ("true", "false"):
        raise ValueError(cell)
    return cell.lower() == "true"
