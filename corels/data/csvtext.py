"""What must hold of a CSV file before a library reads it, checked with line numbers.

The reader of tables is polars; what it forgives (short lines, two columns of one name) or reports
without a line number is checked here first. Without quotes in the file that is a count of
separators per line in NumPy; with quotes the csv module of the standard library goes through the
records.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from dataclasses import dataclass

import numpy as np

from corels.data.files import Path_, decode, read_text_bytes
from corels.errors import InputError

SEPARATORS = (",", ";", "\t", "|")


@dataclass(frozen=True, eq=False)
class CsvText:
    """A checked file: UTF-8 bytes without trailing blank lines, its header and its separator."""

    content: bytes
    header: tuple[str, ...]
    separator: str


def read_csv_text(path: Path_) -> CsvText:
    """Read and check a CSV file (also gzipped; separated by comma, semicolon, tab or bar).

    Raises:
        InputError: naming the line, if the file is empty, not UTF-8, a line has more or fewer
            fields than the header, or two columns have one name.
    """
    content = read_text_bytes(path)
    content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n").rstrip(b"\n ") + b"\n"
    text = decode(path, content)
    if not text.strip():
        raise InputError(f"{path}: the file is empty, expected a line of column names")
    if "\0" in text:
        raise InputError(f"{path}: this is not a text file")
    first = text[: text.index("\n")]
    separator = max(SEPARATORS, key=first.count)
    header = _header(path, text, separator)
    if '"' in text:
        _check_records(path, text, separator, len(header))
    else:
        _check_lines(path, content, separator, len(header))
    return CsvText(content, header, separator)


def _header(path: Path_, text: str, separator: str) -> tuple[str, ...]:
    try:
        record = next(csv.reader(io.StringIO(text), delimiter=separator, strict=True))
    except csv.Error as error:
        raise InputError(f"{path}, line 1: damaged quoting ({error})") from error
    header = tuple(name.strip() for name in record)
    if not header:
        raise InputError(f"{path}, line 1: the line is blank, expected the names of the columns")
    for at, name in enumerate(header, start=1):
        if not name:
            raise InputError(f"{path}, line 1: column {at} has no name")
    name, times = Counter(header).most_common(1)[0]
    if times > 1:
        raise InputError(f"{path}, line 1: {times} columns are named {name!r}")
    return header


def _check_lines(path: Path_, content: bytes, separator: str, width: int) -> None:
    buffer = np.frombuffer(content, dtype=np.uint8)
    ends = np.flatnonzero(buffer == ord("\n"))
    marks = np.flatnonzero(buffer == ord(separator))
    fields = np.diff(np.searchsorted(marks, ends), prepend=0) + 1
    wrong = np.flatnonzero(fields != width)
    if len(wrong):
        _refuse(path, int(wrong[0]) + 1, int(fields[wrong[0]]), width)
    if width == 1:  # a blank line would be skipped
        blank = np.flatnonzero(np.diff(ends, prepend=-1) == 1)
        if len(blank):
            _refuse(path, int(blank[0]) + 1, 0, 1)


def _check_records(path: Path_, text: str, separator: str, width: int) -> None:
    reader = csv.reader(io.StringIO(text), delimiter=separator, strict=True)
    start = 1
    try:
        for record in reader:
            if len(record) != width:
                _refuse(path, start, len(record), width)
            start = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"{path}, line {start}: damaged quoting ({error})") from error


def _refuse(path: Path_, line: int, found: int, width: int) -> None:
    raise InputError(f"{path}, line {line}: {found} fields, but the header has {width} columns")
