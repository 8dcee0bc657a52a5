"""What must hold of a CSV file before a library reads it, checked with line numbers.

The reader of tables is polars; what it forgives (short lines, two columns of one name) or reports
without a line number is checked here first. Without quotes in the file that is a count of
separators per line in NumPy; with quotes, and to say what is wrong, the csv module of the standard
library goes through the records.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import numpy as np

from corels.errors import InputError
from corels.tables.deadline import NO_DEADLINE, Deadline
from corels.tables.files import COLUMNAR, Path_, as_text_bytes, clipped, decode, recoded
from corels.tables.numerals import PLAIN

SEPARATORS = (",", ";", "\t", "|")
PIECE = 8 << 20  # bytes that are looked through between two looks at the clock
ENCODED = ", or name its encoding (--encoding {0}, encoding='{0}')"
RECORDS = 4096  # lines, where each record is gone through


@dataclass(frozen=True, eq=False)
class CsvText:
    """A checked file: UTF-8 bytes without trailing blank lines, its header and its separator."""

    content: bytes
    header: tuple[str, ...]
    separator: str


def check_csv_text(
    path: Path_, content: bytes, deadline: Deadline = NO_DEADLINE, encoding: str | None = None
) -> CsvText:
    """Check a CSV file (separated by comma, semicolon, tab or bar); `path` is for messages.

    encoding: None for UTF-8.

    Raises InputError naming the line, if the file is empty, not UTF-8, a line has more or fewer
    fields than the header, or two columns have one name; and for a file that is called Parquet.
    """
    if encoding is not None:
        content = recoded(path, content, encoding)
    if str(path).endswith(COLUMNAR):
        raise InputError(f"{path}: this is not Parquet or Arrow, as its name says")
    content = as_text_bytes(path, content, ENCODED.format("utf-16"))
    if b"\r" in content:
        content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    content = content.rstrip(b"\n ") + b"\n"
    deadline.check(f"reading {path}")
    if (at := content.find(b"\0")) >= 0:
        line = content.count(b"\n", 0, at) + 1
        raise InputError(f"{path}, line {line}: a zero byte, so this is not a text file")
    quoted = b'"' in content
    text = ""
    if quoted or not content.isascii():
        text = decode(path, content, hint=ENCODED.format("cp1252"))
        deadline.check(f"reading {path}")
    if content.isspace():
        raise InputError(f"{path}: the file is empty, expected a line of column names")
    first = content[: content.index(b"\n") + 1].decode()
    separator = max(SEPARATORS, key=first.count)
    header = _header(path, text or first, separator)
    wrong = quoted
    for piece in () if quoted else _pieces(content):
        deadline.check(f"reading {path}")
        wrong = wrong or not _fits(piece, separator, len(header))
    if wrong:
        _check_records(path, text or content.decode(), separator, len(header), deadline)
    return CsvText(content, header, separator)


def columns_of_text(text: CsvText, deadline: Deadline = NO_DEADLINE) -> dict[str, list[str]]:
    """The fields of a checked file by column, read with the standard library.

    For quoting that a fast reader stumbles over. deadline: may end it.
    """
    content = text.content.decode("utf-8")
    records = csv.reader(io.StringIO(content), delimiter=text.separator, strict=True)
    with _fields_of_any_length(content):
        next(records)
        columns = [*zip(*_until(deadline, records), strict=True)] or [()] * len(text.header)
    return dict(zip(text.header, map(list, columns), strict=True))


def _until(deadline: Deadline, records: Iterable[list[str]]) -> Iterator[list[str]]:
    for number, record in enumerate(records):
        if not number % RECORDS:
            deadline.check("reading records with quotes")
        yield record


def has_odd_quotes(text: CsvText) -> bool:
    """Whether a cell that is not in quotes holds one, which fast readers may take for the begin of
    a quoted cell: of a checked file, every second quote begins a cell or follows another quote."""
    buffer = np.frombuffer(text.content, dtype=np.uint8)
    before = np.isin(np.arange(256), [ord(mark) for mark in ('"', "\n", text.separator)])
    passed = 0
    for start in range(0, len(buffer), PIECE):
        found = np.flatnonzero(buffer[start : start + PIECE] == ord('"')) + start
        begins = found[passed % 2 :: 2]
        if not before[buffer[begins[begins > 0] - 1]].all():
            return True
        passed += len(found)
    return False


def columns_of_codes(text: CsvText) -> set[str]:
    """At least the columns in which a cell begins with a 0 and a digit, as codes do and numbers do
    not; all where one does and there are quotes."""
    buffer, separator = np.frombuffer(text.content, dtype=np.uint8), ord(text.separator)
    width, passed, found = len(text.header), 0, set[int]()
    for start in range(0, len(buffer) - 2, PIECE):
        piece = buffer[start : start + PIECE + 2]
        before, first, second = piece[:-2], piece[1:-1], piece[2:]
        begins = (first == ord("0")) & (second - np.uint8(ord("0")) < 10)
        begins &= (before <= ord('"')) | (before == separator)  # or a blank, or the end of a line
        separates = before == separator
        if begins.any():
            if width == 1 or b'"' in text.content:
                return set(text.header)
            places = np.cumsum(separates)[begins] + passed  # as many separators a line
            found |= set(np.unique(places % (width - 1)).tolist())
        passed += int(np.count_nonzero(separates))
    if 0 in found:  # the first cell of a line, or the last
        found.add(width - 1)
    return {text.header[place] for place in found}


def check_header(path: Path_, text: CsvText, in_column: Callable[[str], bool]) -> None:
    """Refuse a file whose first line is data: names that are numbers, or values of their columns.

    in_column: whether the name of a column is also one of its values.

    Raises InputError saying why the first line looks like data.
    """
    numbers = [name for name in text.header if PLAIN.fullmatch(name)]
    running = [str(at) for at in range(len(text.header) + 1)]
    if not numbers or list(text.header) in (running[:-1], running[1:]):
        return  # columns that are numbered
    words = [name for name in text.header if name not in numbers]
    wrong = next((n for n in numbers if "." in n), None)
    if wrong is None and len(text.header) > 1 and len(numbers) * 4 >= len(text.header):
        wrong = numbers[0] if all(map(in_column, words)) else None
    if wrong is not None:
        raise InputError(
            f"{path}, line 1, column {text.header.index(wrong) + 1}: the name {wrong!r} looks like "
            "a value: the first line must hold the names of the columns"
        )


def _header(path: Path_, text: str, separator: str) -> tuple[str, ...]:
    first = text[: text.index("\n")]
    lines = io.StringIO(text) if '"' in first else [first]  # a name in quotes may go on
    reader, record = csv.reader(lines, delimiter=separator, strict=True), None
    with suppress(csv.Error):
        record = next(reader)
    if first.count('"') % 2:  # or a name of several lines, which is rare but right
        swallowed = [name for name in record or () if "\n" in name and separator in name]
        if record is None or swallowed or reader.line_num == 1:
            parts = first.split(separator)
            at = next(at for at, name in enumerate(parts) if name.count('"') % 2)
            raise InputError(
                f"{path}, line 1, column {at + 1}: a stray quote in the name {clipped(parts[at])}: "
                "remove it, or put the whole name in quotes and double this one"
            )
    if record is None:
        raise InputError(f"{path}, line 1{_damage(text, separator, 1)}")
    header = tuple(name.strip() for name in record)
    if not header:
        raise InputError(f"{path}, line 1: the line is blank, expected the names of the columns")
    check_names(f"{path}, line 1", header)
    return header


def check_names(where: str, header: Sequence[str]) -> None:
    """Raises InputError if one of the names is empty, or two are the same."""
    for at, name in enumerate(header, start=1):
        if not name:
            raise InputError(f"{where}: column {at} has no name")
    name, times = Counter(header).most_common(1)[0]
    if times > 1:
        raise InputError(f"{where}: {times} columns are named {name!r}")


def _pieces(content: bytes) -> Iterator[bytes]:
    """Whole lines, some at a time."""
    start = 0
    while start < len(content):
        end = content.find(b"\n", start + PIECE) + 1 or len(content)
        yield content[start:end]
        start = end


def _fits(content: bytes, separator: str, width: int) -> bool:
    """Whether each line, without quotes, has so many fields, two or more."""
    buffer = np.frombuffer(content, dtype=np.uint8)
    ends = np.flatnonzero(buffer == ord("\n"))
    marks = np.flatnonzero(buffer == ord(separator))
    if width < 2 or len(marks) != len(ends) * (width - 1):
        return False
    by_line = marks.reshape(len(ends), width - 1)
    return bool((by_line[:, -1] < ends).all() and (by_line[1:, 0] > ends[:-1]).all())


def _check_records(path: Path_, text: str, separator: str, width: int, deadline: Deadline) -> None:
    start = 1
    try:
        with _fields_of_any_length(text):
            reader = csv.reader(io.StringIO(text), delimiter=separator, strict=True)
            for record in reader:
                if len(record) != width:
                    columns = "1 column" if width == 1 else f"{width} columns"
                    has = f": {len(record)} fields" if record else " is empty"
                    raise InputError(f"{path}, line {start}{has}, but the header has {columns}")
                start = reader.line_num + 1
                if not start % RECORDS:
                    deadline.check(f"reading {path}")
    except csv.Error:
        raise InputError(f"{path}, line {start}{_damage(text, separator, start)}") from None


@contextmanager
def _fields_of_any_length(text: str) -> Iterator[None]:
    """As the reader of tables takes them; the csv module has a limit, in a whole number of C."""
    limit = csv.field_size_limit(min(len(text) + 1, (1 << 31) - 1))
    try:
        yield
    finally:
        csv.field_size_limit(limit)


def _damage(text: str, separator: str, line: int) -> str:
    """What is wrong with the quotes of the record that begins at a line, and in which column."""
    at = 0
    for _ in range(line - 1):
        at = text.index("\n", at) + 1
    column = 1
    while at < len(text):
        if text[at] != '"':
            end = re.compile(re.escape(separator) + "|\n").search(text, at)
            at = end.start() if end else len(text)
        else:
            closed = re.compile('(?:[^"]|"")*"').match(text, at + 1)
            if closed is None:
                return f", column {column}: damaged quoting (the quote is never closed)"
            at = closed.end()
            if text[at : at + 1] not in (separator, "\n", ""):
                return f", column {column}: damaged quoting (text behind the closing quote)"
        if text[at : at + 1] != separator:
            break
        at, column = at + 1, column + 1
    return ": damaged quoting"
