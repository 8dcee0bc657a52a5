"""Reading table files with polars, and the columns of any file that a model can be applied to."""

from __future__ import annotations

import io
import json
import logging
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from corels.caller import warn
from corels.errors import InputError
from corels.installed import needed
from corels.options import unknown
from corels.tables.arrow import refuse_doubled
from corels.tables.bitlines import read_bit_lines
from corels.tables.column import Column, Columns, as_column, as_columns
from corels.tables.csvtext import (
    CsvText,
    check_csv_text,
    check_header,
    check_names,
    columns_of_codes,
    columns_of_text,
    has_odd_quotes,
)
from corels.tables.dates import PART
from corels.tables.deadline import NO_DEADLINE, Deadline
from corels.tables.files import (
    SPREADSHEETS,
    ZIP_MAGIC,
    FileError,
    Path_,
    file_and_part,
    files_of,
    is_rule_file,
    read_bytes,
    reader,
    shown,
    size_of,
)
from corels.tables.numerals import LEADING_ZERO
from corels.tables.options import AS_WRITTEN, MISSING_VALUES, Reading

if TYPE_CHECKING:
    import polars

    from corels.tables.condition import Antecedent

SAMPLE = 1000  # rows that are tried first
FEW = 16_000  # rows of which less than half differ where a column has few values
LARGE = 1 << 20  # bytes of CSV text of which the columns of numbers are read as such
DAY_0 = date(1899, 12, 31)  # of spreadsheets
AS_CSV = "save the table as CSV"
AT_ONCE = 400_000  # cells, between two looks at the clock: half a second at most
CODE = f"^{LEADING_ZERO.pattern}"


def read_table(
    path: Path_,
    missing_values: Sequence[str] = MISSING_VALUES,
    *,
    encoding: str | None = None,
    written: Reading = AS_WRITTEN,
    deadline: Deadline = NO_DEADLINE,
) -> polars.DataFrame:
    """Read a table: CSV (comma, semicolon, tab or bar), Parquet, Arrow, NDJSON, JSON or Excel.

    The content says which it is; any of them may be gzipped, and "-" is standard input. A column of
    a CSV file becomes whole numbers, numbers or booleans if all its values are, and text otherwise.

    Args:
        path: "book.xlsx#Sheet 2" names a sheet of a spreadsheet; else it is the first one that is
            not empty, and a UserWarning names the others.
        missing_values: the cells of a CSV file that mean "no value", without blanks around them.
        encoding: of a CSV file; None for UTF-8.
        written: how the cells of a CSV file are written, beside what means "no value".
        deadline: ends the reading if the time is up.

    Raises:
        InputError: naming file and line for anything malformed, or if polars is not installed.
    """
    written = written._replace(empty=tuple(missing_values), encoding=encoding or written.encoding)
    file, sheet = file_and_part(path)
    return table_of(
        read_bytes(file, deadline), shown(file), written, sheet=sheet, deadline=deadline
    )


def table_of(
    content: bytes,
    where: str,
    reading: Reading = AS_WRITTEN,
    *,
    sheet: str | None = None,
    deadline: Deadline = NO_DEADLINE,
) -> polars.DataFrame:
    """`read_table` of content that is in memory, not gzipped; `where` names it in messages."""
    pl = polars_library()
    other_archive = content.startswith(ZIP_MAGIC) and not where.lower().endswith(SPREADSHEETS)
    for kind in () if other_archive else FORMATS:
        if re.match(kind.begins, content):
            return _read_binary(kind, where, content, sheet)
    if sheet is not None:
        raise InputError(f"{where}: this is no spreadsheet, so it has no sheet {sheet!r}")
    for begins, name, then in OTHERS:
        if re.match(begins, content, re.DOTALL):
            raise InputError(f"{where}: this is {name}, which is not read; {then}")
    deadline.begin(f"reading {where}", len(content))
    text = check_csv_text(where, content, deadline, reading.encoding)
    del content
    deadline.check(f"reading {where}")
    frame = csv_frame(text, reading, deadline=deadline)
    deadline.check(f"reading {where}")
    if frame.is_empty():
        raise InputError(f"{where}: there is a header but there are no rows")
    check_header(where, text, lambda name: frame[name].dtype == pl.String and name in frame[name])
    return typed(frame, reading, deadline)


def columns_of(
    path: Path_,
    deadline: Deadline = NO_DEADLINE,
    *,
    reading: Reading = AS_WRITTEN,
    encoding: str | None = None,
) -> Mapping[str, Column]:
    """The columns of a `.out` file or of a table, for `Antecedent.evaluate`.

    Each line of a `.out` file is a column of 0 and 1 of the line's name.

    deadline: is told how far the reading is, and may end it. reading: which values of a table mean
    "no value", and how dates are written. encoding: of a CSV file; None for UTF-8. Raises
    InputError naming file, line and value for anything malformed.
    """
    if is_rule_file(path):
        lines = read_bit_lines(path)
        return {n: as_column(n, bits) for n, bits in zip(lines.names, lines.bits, strict=True)}
    reading = reading._replace(encoding=encoding or reading.encoding)
    return table_columns(path, reading=reading, deadline=deadline)


def table_columns(
    table: Any,
    *,
    reading: Reading = AS_WRITTEN,
    deadline: Deadline = NO_DEADLINE,
    only: Sequence[str] | None = None,
) -> Mapping[str, Column]:
    """The columns of a table: of a file, folder or query (piece by piece), or of a frame.

    only: the columns that are wanted of a query, as far as it has them.
    """
    if isinstance(table, Mapping):
        return as_columns(table, reading=reading, deadline=deadline)
    from corels.tables.scanning import scanned
    from corels.tables.spilling import stored

    path = isinstance(table, (str, os.PathLike))
    where = shown(table) if path else "the table"
    if path:
        deadline.begin(f"reading {where}", size_of(table))
        table = stored(table)
    found = scanned(table, where, reading, deadline=deadline, only=only)
    if found is not None:
        return found
    if path:
        file = (files_of(table) or [table])[0]  # a folder, or a pattern, of a single file
        table = read_table(file, written=reading, deadline=deadline)
    return as_columns(table, reading=reading, deadline=deadline)


def columns_for(antecedents: Iterable[Antecedent], table: Any) -> Columns:
    """The columns of a table that antecedents ask for; of tables that are in memory all.

    Of a query, and of a table that is read piece by piece, no other column is read.
    """
    from corels.tables.scanning import ScannedColumns
    from corels.tables.spilling import is_query

    names = dict.fromkeys(c.column for one in antecedents for c in one.conditions)
    if is_query(table):
        parts = map(PART.fullmatch, names)
        table = table_columns(table, only=[*names, *(part[2] for part in parts if part)])
    return table.loaded(names) if isinstance(table, ScannedColumns) else as_columns(table)


def polars_library() -> Any:
    """Raises InputError where polars is not installed."""
    return needed("polars", "reading tables needs polars", "tables", InputError)


def polars_errors() -> tuple[type[BaseException], ...]:
    """What polars raises, and what it reads Excel files with. A panic is no Exception, and each of
    these libraries has a class of its own for it."""
    panics = (one for one in BaseException.__subclasses__() if one.__name__ == "PanicException")
    return Exception, *panics


@contextmanager
def readable(where: str, kind: str, damaged_at: Callable[[], str] = str) -> Iterator[None]:
    """Around what reads a file: one sentence where it is damaged. damaged_at: finds the place."""
    try:
        yield
    except InputError:
        raise
    except polars_errors() as error:
        begins = "this is" if kind == "Parquet" else "this begins like"
        why = f"{begins} {kind}, but is damaged or of a kind that is not supported"
        if type(error).__name__ == "DuplicateError":
            why = "two of its columns have one name"
        if "interval` type" in str(error):
            why = "it has a column of intervals: write that as a number of days"
        raise FileError(f"{where}{damaged_at()}: cannot be read as {kind}: {why}") from error


def _spreadsheet(pl: Any, stream: io.BytesIO, where: str, sheet: str | None) -> Any:
    """A sheet, or the first one that is not empty, and a warning that names the others. Its first
    row has the names, as that of a CSV file."""
    fastexcel = reader("fastexcel", where, "a spreadsheet")  # polars reads Excel with it
    logging.getLogger("fastexcel").setLevel(logging.ERROR)  # it tells of columns without values
    sheets = fastexcel.read_excel(stream.getvalue()).sheet_names
    if sheet is not None and sheet not in sheets:
        raise InputError(f"{where}: {unknown('sheet', sheet, sheets)}")
    for name in sheets if sheet is None else [sheet]:
        read = partial(pl.read_excel, stream, sheet_name=name, raise_if_empty=False)
        # of all rows: where some say what a column is, another value further down would be dropped
        frame = read(infer_schema_length=None)
        if frame.columns:
            others = sheets[sheets.index(name) + 1 :]  # those before are empty
            if sheet is None and others:
                _tell_of_sheets(where, name, others)
            row, unnamed = f"{where}: sheet {name!r}, row 1", "__UNNAMED__"
            for column in frame.columns:
                if column.startswith(unnamed):
                    at = int(column.removeprefix(unnamed)) + 1
                    raise InputError(f"{row}: column {at} has no name")
            first = read(has_header=False, read_options={"n_rows": 1}, infer_schema_length=0)
            check_names(row, [cell for cell in first.row(0) if cell])
            return frame.with_columns(_meant(pl, column) for column in frame)
    return pl.DataFrame()


def _tell_of_sheets(where: str, name: str, others: Sequence[str]) -> None:
    named = ", ".join(map(repr, others[:5])) + ", ..." * (len(others) > 5)
    what = f"{len(others)} other {'sheet is' if len(others) == 1 else 'sheets are'} not ({named})"
    warn(f"{where}: sheet {name!r} is read, and {what}: {where + '#' + others[0]!r} names a sheet")


def _meant(pl: Any, column: polars.Series) -> polars.Series:
    """A column of a spreadsheet: times of the day 0 are times of day, and empty texts have no value
    (beside numbers they are odd cells, with which a column stays one of numbers)."""
    if column.dtype == pl.Datetime and (column.dt.date() == DAY_0).all():
        return column.dt.time()
    if column.dtype != pl.String:
        return column
    texts = column.replace("", None)
    numbers = texts.cast(pl.Float64, strict=False)
    return column if numbers.null_count() == texts.null_count() else texts


class _Format(NamedTuple):
    """A form of tables that polars reads: its name, how the content begins, and the reader, which
    gets polars, the content, its name for messages, and the name of a sheet."""

    name: str
    begins: bytes
    read: Callable[[Any, io.BytesIO, str, str | None], Any]


FORMATS = (
    _Format("Parquet", rb"PAR1", lambda pl, f, *_: pl.read_parquet(f)),
    _Format("Arrow", rb"ARROW1", lambda pl, f, *_: pl.read_ipc(f)),
    _Format("an Arrow stream", rb"\xff{4}", lambda pl, f, *_: pl.read_ipc_stream(f)),
    _Format(
        "NDJSON",
        rb'(\xef\xbb\xbf)?\s*\{\s*("[^\n]*)?\}\s*?(\n|$)',
        lambda pl, f, *_: pl.read_ndjson(f, infer_schema_length=None),
    ),
    _Format(
        "JSON",
        rb"(\xef\xbb\xbf)?\s*\[\s*[{\]]",
        lambda pl, f, *_: pl.read_json(f, infer_schema_length=None),
    ),
    _Format("a spreadsheet", rb"PK\x03\x04|\xd0\xcf\x11\xe0", _spreadsheet),
)
OTHERS = (  # how the content begins -> what it is, what to do
    (
        rb'\{\n  "schema": "corels/',
        "a model",
        "give its data, and the model as --model where the command has it",
    ),
    (rb'\{\n  "', "a JSON object", AS_CSV),
    (rb"(\xef\xbb\xbf)?\s*\[\s*\[", "a JSON list of lists", AS_CSV),
    (rb"ORC(?=.*\0).*ORC.\Z", "ORC", AS_CSV),
    (rb"FEA1\0", "Feather of version 1", AS_CSV),
    (rb"Obj\x01", "Avro", AS_CSV),
    (rb"\x89HDF", "HDF5", AS_CSV),
    (rb"SQLite format 3", "an SQLite database", AS_CSV),
    (rb".{8}DUCK.{1,3}\0", "a DuckDB database", AS_CSV),
    (rb"\$FL[23]@\(#\)|.{0,200}SPSS PORT FILE", "an SPSS file", AS_CSV),
    (rb"<stata_dta>|[\x69-\x73][\x01\x02]\x01\0", "a Stata file", AS_CSV),
    (rb"\0{12}\xc2\xea\x81\x60|HEADER RECORD\*{7}", "a SAS file", AS_CSV),
    (rb"(RD[AX][23]\n)?[XAB]\n\0\0\0", "a file of R", AS_CSV),
    (rb"(?i)(?:%[^\n]*\n|\s++)*+@relation\s", "ARFF", AS_CSV),
    (rb"\x93NUMPY", "a NumPy array", AS_CSV),
    (rb"\x80[\x02-\x05]", "a pickle", AS_CSV),
    (rb"%PDF-", "a PDF", AS_CSV),
    (rb"(?i)<!doctype|<html|<table", "an HTML page", AS_CSV),
    (rb"<\?xml", "XML", AS_CSV),
    (rb"BZh\d1AY", "bzip2", "unpack it"),
    (rb"\xfd7zXZ", "xz", "unpack it"),
    (rb"\x28\xb5\x2f\xfd", "zstd", "unpack it"),
    (rb"\x04\x22\x4d\x18", "LZ4", "unpack it"),
)


def _read_binary(kind: _Format, where: str, content: bytes, sheet: str | None) -> polars.DataFrame:
    pl = polars_library()
    if "Arrow" in kind.name:
        refuse_doubled(where, content)
    damaged_at = partial(_damaged_line, content) if kind.name == "NDJSON" else str
    with readable(where, kind.name, damaged_at):
        frame: polars.DataFrame = kind.read(pl, io.BytesIO(content), where, sheet)
    if frame.is_empty():
        raise InputError(f"{where}: there are no rows")
    if "JSON" in kind.name and frame.height == 1 and all(t == pl.List for t in frame.dtypes):
        raise InputError(
            f"{where}: this is one JSON object, whose values are lists: expected one for each row"
        )
    return frame


def _damaged_line(content: bytes) -> str:
    """Which line of NDJSON is no object; '' where all are."""
    for number, line in enumerate(content.splitlines(), 1):
        with suppress(ValueError):
            if isinstance(json.loads(line or "{}"), dict):
                continue
        return f", line {number}"
    return ""


def csv_frame(
    text: CsvText,
    reading: Reading,
    numbers: Mapping[str, Any] | None = None,
    *,
    deadline: Deadline = NO_DEADLINE,
) -> polars.DataFrame:
    """The fields of a checked CSV file as text, but for columns of numbers of a large one.

    Numbers are what the first rows show as numbers, if polars' own reader finds nothing else in
    these columns: it takes less than `typed` does, and gives the same numbers.

    numbers: the columns that are tried as numbers, and their kinds; None: by the first rows.
    """
    pl = polars_library()
    if has_odd_quotes(text):  # of which polars may make other rows
        return _frame_of_text(text, deadline)
    names = list(text.header)
    read: Callable[..., polars.DataFrame] = partial(
        pl.read_csv, text.content, separator=text.separator, infer_schema=False
    )
    with suppress(pl.exceptions.PolarsError):
        if numbers is None and len(text.content) >= LARGE:
            rows = read(new_columns=names, n_rows=SAMPLE)
            numbers = numbers_of(typed(rows, reading, deadline, "looked at"))
        if numbers:
            coded = columns_of_codes(text)
            numbers = {name: kind for name, kind in numbers.items() if name not in coded}
        if numbers:
            with suppress(pl.exceptions.PolarsError):
                kinds = {name: numbers.get(name, pl.String) for name in names}
                return read(schema=kinds, null_values=reading.missing)
        return read(new_columns=names)
    return _frame_of_text(text, deadline)


def _frame_of_text(text: CsvText, deadline: Deadline) -> polars.DataFrame:
    frame: polars.DataFrame = polars_library().DataFrame(columns_of_text(text, deadline))
    return frame


def numbers_of(frame: polars.DataFrame) -> dict[str, Any]:
    """The kinds of the columns of numbers."""
    return {name: kind for name, kind in frame.schema.items() if kind.is_numeric()}


def typed(
    frame: polars.DataFrame, reading: Reading, deadline: Deadline = NO_DEADLINE, done: str = "read"
) -> polars.DataFrame:
    """Each column of text as whole numbers, numbers or booleans, if all its values are that, and
    none is a code, which begins with a 0 and a digit: 01234.

    done: what is done with the columns, for `deadline`, which may end it.
    """
    pl = polars_library()
    parts = []
    columns = frame.get_columns()  # a selection from the frame would look at all names each time
    at_once = max(1, AT_ONCE // max(1, frame.height))
    for start in range(0, max(1, len(columns)), at_once):
        deadline.tell(f"columns {done}", start, len(columns))
        deadline.check(f"columns were {done} ({start} of {len(columns)} done)")
        some = pl.DataFrame(columns[start : start + at_once])
        parts.append(_typed_together(some, reading))
    return parts[0] if len(parts) == 1 else pl.concat(parts, how="horizontal")


def _typed_together(frame: polars.DataFrame, reading: Reading) -> polars.DataFrame:
    """Of a column of few values, only the different ones are looked at."""
    pl = polars_library()
    found, many = [], []
    for column in frame.iter_columns():
        if column.dtype != pl.String:
            continue
        few = _few_values(column)
        if few is None:
            many.append(column)
            continue
        means = _typed(few.to_frame(), reading).to_series()
        if means.dtype != few.dtype or not means.equals(few):
            found.append(means.gather(column.cast(pl.Enum(few)).to_physical()))
    found += _typed(pl.DataFrame(many), reading).get_columns() if many else []
    return frame.with_columns(found)


def _few_values(column: polars.Series) -> polars.Series | None:
    """The different values of a column of text, if there are few for its length."""
    if len(column) <= FEW or column.head(FEW).n_unique() > FEW // 2:
        return None
    found = column.unique(maintain_order=True).drop_nulls()
    return found if len(found) <= len(column) // 2 else None


def _typed(frame: polars.DataFrame, reading: Reading) -> polars.DataFrame:
    pl = polars_library()
    every = pl.all().str.strip_chars()
    text: polars.DataFrame = frame.select(
        pl.when(every.is_in(reading.missing)).then(None).otherwise(every).name.keep()
    )
    some = text.head(SAMPLE)  # what a few rows are not, all are not
    left, left_in_some = _gaps(text), _gaps(some)
    left = {name: gap for name, gap in left.items() if name not in reading.codes}
    typed: dict[str, polars.Series] = {}
    kinds = (pl.Int64, pl.Float64) if reading.decimal == "point" else (pl.Int64,)
    for cast in (
        *(pl.all().cast(kind, strict=False) for kind in kinds),
        pl.all().str.to_lowercase().replace_strict(["true", "false"], [True, False], default=None),
    ):
        if left:
            tried = some.select(list(left)).select(cast)
            maybe = [s.name for s in tried if s.null_count() == left_in_some[s.name]]
            maybe = [name for name in maybe if not text[name].str.contains(CODE).any()]
            tried = text.select(maybe).select(cast)
            typed |= {
                s.name: s
                for s in tried
                if s.null_count() == left[s.name] and _tells_apart(s, text[s.name])
            }
            left = {name: gap for name, gap in left.items() if name not in typed}
    return text.with_columns(list(typed.values())) if typed else text


def _tells_apart(numbers: polars.Series, text: polars.Series) -> bool:
    """Whether no two whole numbers that text writes are one float, as codes of 20 digits may be."""
    if not numbers.dtype.is_float() or numbers.is_empty():
        return True
    largest: Any = numbers.abs().max()
    if largest is None or not 2**63 <= largest < float("inf"):
        return True
    whole = text.filter(text.str.contains(r"^[+-]?\d+$")).unique()
    return bool(whole.cast(numbers.dtype).n_unique() == len(whole))


def _gaps(frame: polars.DataFrame) -> dict[str, int]:
    """Column -> how many of its cells have no value."""
    return dict(zip(frame.columns, frame.null_count().row(0), strict=True))
