"""CSV files: what must hold of one before it is read, and its cells as columns.

polars reads the cells; what it forgives (short lines, two columns of one name) or reports without a
line number is checked here first. Without quotes in the file that is a count of separators a line
in NumPy; with quotes, and to say what is wrong, the csv module of the standard library goes through
the records.

A column is numbers if all its cells write one. Only the cells of columns that are no numbers as
they stand are looked at without the blanks around them and the words that mean "no value".
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from corels.errors import InputError
from corels.tables.column import Column, without_blanks, without_words
from corels.tables.deadline import NO_DEADLINE, Deadline
from corels.tables.description import ColumnDescription
from corels.tables.files import COLUMNAR, Path_, as_text_bytes, decode, recoded
from corels.tables.held import values_of
from corels.tables.numerals import LEADING_ZERO, PLAIN
from corels.tables.options import Reading

if TYPE_CHECKING:
    import polars

SEPARATORS = (",", ";", "\t", "|")
EXPECTED = "expected CSV, Parquet, Arrow or Excel"
IN_TEXT = b"\a\b\t\n\v\f\r\x1b"  # control characters that a name may begin with
PIECE = 1 << 18  # bytes that are looked through at once: they stay in the cache
CODE = f"^{LEADING_ZERO.pattern}"
RECORDS = 4096  # lines, if each record is gone through
ENCODED = ", or name its encoding (--encoding {0}, encoding='{0}')"
NAMELESS = "Unnamed: 0"  # what pandas calls its own first column without a name
_QUOTED = re.compile(r'(^|[,;\t|])"(?:[^"]|"")*"')  # a field in quotes
FEW = 1000  # cells that are looked at first
# What Orange writes below the names: what the columns are, and what they are for (mostly nothing).
ORANGE = (
    {"continuous", "c", "discrete", "d", "string", "s", "text", "time", "t", "basket"},
    {"", "class", "c", "meta", "m", "ignore", "i", "weight", "w"},
)


def csv_cells(
    path: Path_, content: bytes, deadline: Deadline = NO_DEADLINE, encoding: str | None = None
) -> polars.DataFrame:
    """The cells of a CSV file (separated by comma, semicolon, tab or bar) as text, as they are
    written; an empty one is None. `path` is for messages.

    encoding: None for UTF-8. Raises InputError naming the line, if the file is empty, not UTF-8, a
    line has more or fewer fields than the header, two columns have one name, or the header is none;
    and for a file that is called Parquet.
    """
    content = _plain_lines(path, content, encoding)
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
    bare = _QUOTED.sub(r"\1", text[:PIECE]).partition("\n")[0] if quoted else first
    separator = max(SEPARATORS, key=bare.count)
    header = _header(path, text or first, separator)
    marked = False  # whether a cell holds a quote
    if quoted or not _is_regular(content, separator, len(header), path, deadline):
        for line, record in _records(path, text or content.decode(), separator, deadline):
            marked = marked or any('"' in cell for cell in record)
            if len(record) != len(header):
                columns = "1 column" if len(header) == 1 else f"{len(header)} columns"
                has = f": {len(record)} fields" if record else " is empty"
                raise InputError(f"{path}, line {line}{has}, but the header has {columns}")
    cells = _cells(content, header, separator, marked, deadline)
    _check_header(path, content, separator, cells)
    return cells


def _plain_lines(path: Path_, content: bytes, encoding: str | None) -> bytes:
    """The lines of a text file, each with its end, without blank ones behind them. Not copied if
    they are so."""
    if encoding is not None:
        content = recoded(path, content, encoding)
    if str(path).endswith(COLUMNAR):
        raise InputError(f"{path}: this is not Parquet or Arrow, as its name says")
    content = as_text_bytes(path, content, ENCODED.format("utf-16"))
    if min(content[:8].translate(None, IN_TEXT) or b" ") < ord(" "):
        raise InputError(f"{path}: this is not a table that is read: {EXPECTED}")
    if b"\r" in content:
        content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if not content.endswith(b"\n") or content.endswith((b"\n\n", b" \n")):
        content = content.rstrip(b"\n ") + b"\n"
    return content


def _cells(
    content: bytes, header: Sequence[str], separator: str, marked: bool, deadline: Deadline
) -> polars.DataFrame:
    import polars as pl

    of_text = dict.fromkeys(header, pl.String)
    if not marked:  # or polars may make other rows of it
        with suppress(pl.exceptions.PolarsError):
            return pl.read_csv(content, separator=separator, schema=of_text)
    _, *records = (r for _, r in _records("", content.decode(), separator, deadline))
    columns = [*zip(*records, strict=True)] or [()] * len(header)
    return pl.DataFrame(dict(zip(header, map(list, columns), strict=True)), schema=of_text)


def _header(path: Path_, text: str, separator: str) -> tuple[str, ...]:
    """The names of the columns; pandas writes its own first column without one."""
    first = text[: text.index("\n") + 1]
    lines = io.StringIO(text) if '"' in first else [first]  # a name in quotes may go on
    record = ["\n" + separator]  # as if a quote is never closed
    with suppress(csv.Error):
        record = next(csv.reader(lines, delimiter=separator, strict=True))
    if any("\n" in name and separator in name for name in record):
        raise InputError(f"{path}, line 1: damaged quoting")
    header = tuple(name.strip() for name in record)
    if not any(header):
        raise InputError(f"{path}, line 1: the line is blank, expected the names of the columns")
    if len(header) > 1 and not header[0] and NAMELESS not in header:
        header = (NAMELESS, *header[1:])
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


def _check_header(path: Path_, content: bytes, separator: str, cells: polars.DataFrame) -> None:
    """Refuse a file whose first line is data, names that are numbers or values of their columns,
    and one whose next lines say what the columns are, as those of Orange do. Raises InputError.
    """

    def in_column(name: str) -> bool:
        return bool((cells[name].alias("") == name).any())  # a name may be a pattern to polars

    lines = content[: 1 << 16].decode(errors="replace").split("\n")[1:3]
    kinds, roles = ({cell.strip() for cell in line.split(separator)} for line in (*lines, "")[:2])
    if kinds - {""} and ORANGE[0] >= kinds - {""} and "" in roles and ORANGE[1] >= roles:
        raise InputError(
            f"{path}, lines 2 and 3: they say what the columns are, as Orange writes it: remove "
            "them"
        )
    header = cells.columns
    numbers = [name for name in header if PLAIN.fullmatch(name)]
    running = [str(at) for at in range(len(header) + 1)]
    if header in (running[:-1], running[1:]):
        return  # columns that are numbered
    wrong = next((name for name in numbers if "." in name), None)
    if wrong is None and len(header) > 1:
        found = [name for name in header if name not in numbers and in_column(name)]
        all_words = len(found) + len(numbers) == len(header) and len(numbers) * 4 >= len(header)
        some = found + [name for name in numbers if found and in_column(name)]
        if (all_words and numbers) or (len(some) > 1 and 2 * len(some) >= len(header)):
            wrong = next(name for name in header if name in {*some, *numbers})
    if wrong is not None:
        raise InputError(
            f"{path}, line 1, column {header.index(wrong) + 1}: the name {wrong!r} looks like a "
            "value: the first line must hold the names of the columns"
        )


def _is_regular(
    content: bytes, separator: str, width: int, path: Path_, deadline: Deadline
) -> bool:
    """Whether each line, without quotes, has so many fields, two or more."""
    letters, start = np.frombuffer(content, np.uint8), 0
    while start < len(content) and width > 1:
        deadline.check(f"reading {path}")
        end = content.find(b"\n", start + PIECE) + 1 or len(content)
        piece, start = letters[start:end], end
        ends, marks = (np.flatnonzero(piece == ord(mark)) for mark in ("\n", separator))
        if len(marks) != len(ends) * (width - 1):
            return False
        by_line = marks.reshape(len(ends), width - 1)
        if not ((by_line[:, -1] < ends).all() and (by_line[1:, 0] > ends[:-1]).all()):
            return False
    return width > 1


def _records(
    path: Path_, text: str, separator: str, deadline: Deadline
) -> Iterator[tuple[int, list[str]]]:
    """The line in which each record begins, and its fields. Raises InputError for quotes that are
    never closed, or that end before their field does."""
    start, reader = 1, csv.reader(io.StringIO(text), delimiter=separator, strict=True)
    limit = csv.field_size_limit((1 << 31) - 1)  # fields of any length, as the reader of tables
    try:
        for record in reader:
            yield start, record
            start = reader.line_num + 1
            if not start % RECORDS:
                deadline.check(f"reading {path}")
    except csv.Error:
        raise InputError(f"{path}, line {start}: damaged quoting") from None
    finally:
        csv.field_size_limit(limit)


def column_of(name: str, text: polars.Series, reading: Reading) -> Column:
    """A column of a CSV file: whole numbers, numbers or booleans if all its cells write one, else
    text; without the blanks around cells and the words that mean "no value"."""
    said, words = reading.said(name), reading.missing(name)
    as_text = name in reading.codes or bool(said.order)
    if not as_text and (found := _numbers_among(text.alias(""), words, said)) is not None:
        numbers, met = found  # a name may be a pattern to polars
        return without_words(replace(values_of(name, numbers), met=met), words)
    read = values_of(name, text)
    bare = without_blanks(read)
    column = replace(without_words(bare, words), padded=bare is not read)
    texts = [str(one).lower() for one in column.categories or ()]
    if as_text or not texts or not {*texts} <= {"true", "false"}:
        return column
    return Column(name, column.by_category(one == "true" for one in texts), column.missing)


def _numbers_among(
    text: polars.Series, words: Sequence[str], said: ColumnDescription
) -> tuple[polars.Series, frozenset[str]] | None:
    """Text as numbers, and the words for "no value" that some cell is; None if other cells write
    none. Cells are looked at without the blanks around them only if not all are numbers so."""
    plain = _numbers(text, said)
    if plain is not None and not (plain.dtype.is_float() and plain.is_nan().any()):
        return plain, frozenset()
    found = None
    for cells in (text.head(FEW), text):
        bare = cells.str.strip_chars()
        gone = bare.is_in(words)
        bare, met = bare.set(gone, None), frozenset[str](bare.filter(gone).unique())
        numbers = _numbers(bare, said)
        if numbers is None or with_zeros(bare.to_frame()):
            return None
        found = numbers, met
    return found


def _numbers(text: polars.Series, said: ColumnDescription) -> polars.Series | None:
    """Text as numbers, if all its cells write one, and one that is no code of 20 digits: of such
    ones, floats may make two equal."""
    import polars as pl

    for kind in (pl.Int64, pl.Float64) if said.decimal == "point" else (pl.Int64,):
        for cells in (text.head(FEW), text):  # mostly the first tell
            numbers = cells.cast(kind, strict=False)
            if numbers.null_count() > cells.null_count():
                break
        else:
            largest: Any = numbers.drop_nans().abs().max() if numbers.dtype.is_float() else 0
            return None if largest and 2**63 <= largest < np.inf else numbers
    return None


def with_zeros(cells: polars.DataFrame) -> list[str]:
    """The columns in which a cell begins with a zero, as codes do: 01234."""
    import polars as pl

    begins = pl.all().filter(pl.all().str.starts_with("0"))  # few do, and a pattern takes long
    found = cells.select(begins.str.contains(CODE).any()).row(0)
    return [name for name, one in zip(cells.columns, found, strict=True) if one]


def by_names(names: Sequence[str]) -> Any:
    """The columns of these names, which are no patterns: "*" or "^a$" are names as others."""
    from polars import selectors

    return selectors.by_name(*names)
