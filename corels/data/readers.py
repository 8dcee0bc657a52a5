"""Reading table files with polars, and the columns of any file that a model can be applied to."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from corels.antecedents.column import Column, as_column, as_columns
from corels.data.bitlines import read_bit_lines
from corels.data.csvtext import read_csv_text
from corels.data.files import Path_, is_rule_file, read_bytes
from corels.errors import InputError

if TYPE_CHECKING:
    import polars

# Cells, stripped of blanks, that mean "no value".
MISSING_VALUES = ("", "?", "NA", "N/A", "NaN", "nan", "null", "NULL")


def read_table(path: Path_, missing_values: Sequence[str] = MISSING_VALUES) -> polars.DataFrame:
    """Read a CSV file (comma, semicolon, tab or bar; also gzipped) or a Parquet file.

    A column of a CSV file becomes whole numbers, numbers or booleans if all its values are, and
    text otherwise.

    Args:
        missing_values: the cells of a CSV file that mean "no value", without blanks around them.

    Raises:
        InputError: naming file and line for anything malformed, or if polars is not installed.
    """
    pl = _polars()
    if read_bytes(path).startswith(b"PAR1"):
        return _read_parquet(path, pl)
    text = read_csv_text(path)
    try:
        frame = pl.read_csv(
            io.BytesIO(text.content),
            separator=text.separator,
            new_columns=list(text.header),
            infer_schema=False,
        )
    except pl.exceptions.PolarsError as error:
        raise InputError(f"{path}: cannot be read as CSV ({_first_line(error)})") from error
    if frame.is_empty():
        raise InputError(f"{path}: there is a header but there are no rows")
    return _typed(frame, missing_values, pl)


def columns_of(path: Path_) -> Mapping[str, Column]:
    """The columns of a `.out` file or of a table, for `Antecedent.evaluate`.

    Each line of a `.out` file is a column of 0 and 1 of the line's name.

    Raises:
        InputError: naming file, line and value for anything malformed.
    """
    if is_rule_file(path):
        lines = read_bit_lines(path)
        return {n: as_column(n, bits) for n, bits in zip(lines.names, lines.bits, strict=True)}
    return as_columns(read_table(path))


def _polars() -> Any:
    try:
        import polars
    except ImportError:
        raise InputError("reading tables needs polars: pip install 'corels[tables]'") from None
    return polars


def _read_parquet(path: Path_, pl: Any) -> polars.DataFrame:
    try:
        frame: polars.DataFrame = pl.read_parquet(path)
    except (pl.exceptions.PolarsError, OSError, pl.exceptions.PanicException) as error:
        raise InputError(f"{path}: cannot be read as Parquet ({_first_line(error)})") from error
    if frame.is_empty():
        raise InputError(f"{path}: there are no rows")
    return frame


def _typed(frame: polars.DataFrame, missing_values: Sequence[str], pl: Any) -> polars.DataFrame:
    """Each column of text as whole numbers, numbers or booleans, if all its values are that."""
    every = pl.all().str.strip_chars()
    text: polars.DataFrame = frame.select(
        pl.when(every.is_in(list(missing_values))).then(None).otherwise(every).name.keep()
    )
    gaps = text.null_count().row(0)
    left = dict(zip(text.columns, gaps, strict=True))
    typed: dict[str, polars.Series] = {}
    for cast in (
        pl.all().cast(pl.Int64, strict=False),
        pl.all().cast(pl.Float64, strict=False),
        pl.all().str.to_lowercase().replace_strict(["true", "false"], [True, False], default=None),
    ):
        if left:
            tried = text.select(list(left)).select(cast)
            typed |= {s.name: s for s in tried if s.null_count() == left[s.name]}
            left = {name: gap for name, gap in left.items() if name not in typed}
    return text.with_columns(list(typed.values())) if typed else text


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
