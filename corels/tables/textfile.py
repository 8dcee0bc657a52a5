"""CSV files: what must hold of one before it is read, and its cells as columns.

polars reads the cells; what it forgives (short lines, two columns of one name) or reports without a
line number is checked here first. Without quotes in the file that is a count of separators a line
in NumPy; with quotes, and to say what is wrong, the csv module of the standard library goes through
the records.

A column is numbers if all its cells write one. Of its cells only those that are no numbers as
they stand (blanks around them, words that mean "no value") are looked at one by one.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from corels.errors import InputError
from corels.tables.deadline import NO_DEADLINE, Deadline
from corels.tables.description import numbers_meant
from corels.tables.files import COLUMNAR, Path_, as_text_bytes, decode, recoded
from corels.tables.numerals import LEADING_ZERO, PLAIN
from corels.tables.options import Reading

if TYPE_CHECKING:
    import polars

SEPARATORS = (",", ";", "\t", "|")
EXPECTED = "expected CSV, Parquet, Arrow or Excel"
IN_TEXT = b"\a\b\t\n\v\f\r\x1b"  # control characters that a name may begin with
AT_ONCE = 400_000  # cells, between two looks at the clock: half a second at most
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
    start = 1
    with _fields_of_any_length(text):
        reader = csv.reader(io.StringIO(text), delimiter=separator, strict=True)
        while True:
            try:
                record = next(reader, None)
            except csv.Error:
                raise InputError(f"{path}, line {start}: damaged quoting") from None
            if record is None:
                return
            yield start, record
            start = reader.line_num + 1
            if not start % RECORDS:
                deadline.check(f"reading {path}")


@contextmanager
def _fields_of_any_length(text: str) -> Iterator[None]:
    """As the reader of tables takes them; the csv module has a limit, in a whole number of C."""
    limit = csv.field_size_limit(min(len(text) + 1, (1 << 31) - 1))
    try:
        yield
    finally:
        csv.field_size_limit(limit)


def typed(
    cells: list[polars.Series], reading: Reading, deadline: Deadline = NO_DEADLINE
) -> polars.DataFrame:
    """Text as whole numbers, numbers or booleans in columns if all cells write one.

    cells: the columns; the list is emptied, so that the text of each goes when it is read.
    """
    import polars as pl

    found: list[pl.Series] = []
    total = len(cells)
    at_once = max(1, AT_ONCE // max(1, len(cells[0]) if cells else 0))
    while cells:
        deadline.look("columns read", len(found), total, "the columns of a CSV file were read")
        texts, cells[:at_once] = cells[:at_once], []
        found += _typed(texts, reading)
    return pl.DataFrame(found)


def _typed(texts: list[polars.Series], reading: Reading) -> Iterator[polars.Series]:
    """Some columns: first those whose cells are all numbers as they stand, then the others
    without blanks around their cells and without the words that mean "no value"."""
    import polars as pl

    done: dict[str, pl.Series] = {}
    for text in texts:
        name = text.name
        if reading.said(name).no_values:
            reading.note(name, _met(text.alias(""), reading.missing(name)))
        if name in reading.codes or reading.said(name).order:  # text, also if it is numbers
            done[name] = _cleaned(text, reading)
    left = [text for text in texts if text.name not in done]
    found = {name: one for name, one in _numbers(left, reading).items() if not _has_nan(one)}
    # columns with a cell that is no number, or is "nan", a word
    left = [_cleaned(text, reading) for text in left if text.name not in found]
    for name, one in (found | _numbers(left, reading)).items():
        done[name] = _without_words(one, reading.missing(name))
    done |= {text.name: _truth(text) for text in left if text.name not in done}
    yield from (done[text.name] for text in texts)


def _numbers(texts: list[polars.Series], reading: Reading) -> dict[str, polars.Series]:
    """The columns whose cells are all numbers. All columns go to polars at once, because a call of
    polars costs as much as a thousand cells."""
    import polars as pl

    found: dict[str, pl.Series] = {}
    for kind in (pl.Int64, pl.Float64):
        left = [one for one in texts if one.name not in found]
        if kind == pl.Float64:
            left = [one for one in left if reading.said(one.name).decimal == "point"]
        if not left:
            continue
        frame = numbers = pl.DataFrame(left)
        for size in dict.fromkeys((min(FEW, len(frame)), len(frame))):  # mostly the first tell
            some = frame.head(size)
            numbers = some.select(pl.all().cast(kind, strict=False))
            gaps = zip(some.null_count().row(0), numbers.null_count().row(0), strict=True)
            kept = [name for name, (a, b) in zip(some.columns, gaps, strict=True) if a == b]
            numbers, frame = numbers.select(by_names(kept)), frame.select(by_names(kept))
            if not kept:
                break
        if not frame.width:
            continue
        begins = pl.all().filter(pl.all().str.starts_with("0"))
        zeros = frame.select(begins.str.contains(CODE).any()).row(0)
        for column, coded in zip(numbers, zeros, strict=True):
            if not coded and _apart(column.alias(""), frame[column.name].alias("")):
                found[column.name] = column
    return found


def _has_nan(numbers: polars.Series) -> bool:
    return numbers.dtype.is_float() and bool(numbers.is_nan().any())


def _truth(text: polars.Series) -> polars.Series:
    """Text as booleans, if all its values write one."""
    words = ["true", "false"]
    known = text.drop_nulls()
    if not len(known) or not known.head(FEW).str.to_lowercase().is_in(words).all():
        return text
    meant = text.str.to_lowercase()
    return meant == "true" if meant.drop_nulls().is_in(words).all() else text


def _met(text: polars.Series, missing: Sequence[str]) -> list[str]:
    """The words that some cell is, or, of numbers, writes."""
    cells = text.unique().drop_nulls().str.strip_chars()
    numbers = cells.cast(float, strict=False).drop_nulls().to_list()
    there = {*cells.filter(cells.is_in(missing)).to_list()}
    there |= {word for number, word in numbers_meant(missing).items() if number in numbers}
    return [word for word in missing if word in there]


def _without_words(numbers: polars.Series, missing: Sequence[str]) -> polars.Series:
    """Without the numbers that mean "no value"; "nan" is one."""
    import polars as pl

    numbers = numbers.fill_nan(None) if numbers.dtype == pl.Float64 else numbers
    found = [float(number) for number in numbers_meant(missing)]
    return numbers.set(numbers.cast(pl.Float64).is_in(found), None) if found else numbers


def _cleaned(column: polars.Series, reading: Reading) -> polars.Series:
    """Text without the blanks around it; None if it means "no value". Of many equal cells, only the
    different ones are looked at."""
    import polars as pl

    name, missing = column.name, reading.missing(column.name)
    text = column.alias("")  # a name may be a pattern to polars
    some, few = text, None
    if len(text) > 2 * FEW and text.head(2 * FEW).n_unique() <= FEW:
        few = text.unique(maintain_order=True).drop_nulls()
        some = few if 2 * len(few) <= len(text) else text
    means = some.str.strip_chars()
    if reading.padded is not None and not means.equals(some):
        reading.padded.add(name)
    means = means.set(means.is_in(missing), None)
    if some is not text:
        same = means.equals(some)
        means = text if same else means.gather(text.cast(pl.Enum(some)).to_physical())
    return means.alias(name)


def _apart(numbers: polars.Series, text: polars.Series) -> bool:
    """Whether no two whole numbers that text writes are one float, as codes of 20 digits may be."""
    if not numbers.dtype.is_float() or numbers.is_empty():
        return True
    largest: Any = numbers.abs().max()
    if largest is None or not 2**63 <= largest < float("inf"):
        return True
    whole = text.filter(text.str.contains(r"^\s*[+-]?\d+\s*$")).str.strip_chars().unique()
    return bool(whole.cast(numbers.dtype).n_unique() == len(whole))


def by_names(names: Sequence[str]) -> Any:
    """The columns of these names, which are no patterns: "*" or "^a$" are names as others."""
    from polars import selectors

    return selectors.by_name(*names)
