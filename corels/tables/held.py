"""What holds values in memory: arrays, lists, frames of pandas and polars, matrices of scipy.

Every kind of table is read into `Column` objects here, and nothing else in `corels.tables` knows
what it came from. Whole numbers stay exact: those of more than 64 bits become floats if these
are as different, and names if not, as codes of 20 digits are.
"""

from __future__ import annotations

import datetime as dt
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError
from corels.tables.column import DURATION, INT64_MAX, BoolArray, Column

MICROSECONDS_A_DAY = 86_400_000_000
BYTES = bytes, bytearray, memoryview
NOT_SCALAR = *BYTES, dict, list, tuple, set, frozenset, complex, np.complexfloating, np.ndarray


class UnreadableError(InputError):
    """The values of a column are of a kind that no condition can ask for."""


def values_of(name: str, values: Any) -> Column:
    """A column of an array, a series or a sequence, as its values are."""
    library = type(values).__module__.partition(".")[0]
    if library == "polars":
        return _from_polars(name, values)
    if library == "pandas":
        return _from_pandas(name, values)
    if hasattr(values, "filled") and hasattr(values, "mask"):  # NumPy's masked values are None
        return _from_objects(name, values.tolist())
    if hasattr(values, "to_pylist"):  # an array of pyarrow, whose elements are objects of its own
        return _from_objects(name, values.to_pylist())
    if isinstance(values, np.ndarray):
        return _from_array(name, values)
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InputError(f"column {name!r} is {values!r}: expected a value for each row")
    return _from_objects(name, list(values))


def columns_held(table: Any, names: Sequence[str] | None) -> Iterable[tuple[Any, Any]]:
    """The columns of a table in memory: names and values."""
    if isinstance(table, str):
        raise InputError(f"expected a table, not the text {table!r}: read a file first")
    table = framed(table)
    if isinstance(table, Mapping):
        return table.items()
    if hasattr(table, "iter_columns") and hasattr(table, "columns"):  # polars
        return ((series.name, series) for series in table.iter_columns())
    if hasattr(table, "iloc") and hasattr(table, "columns"):  # pandas
        return ((name, table.iloc[:, at]) for at, name in enumerate(table.columns))
    sparse = hasattr(table, "tocsc") and hasattr(table, "shape")  # a matrix of scipy
    rows: Any = table.tocsc() if sparse else _array_of_rows(table)
    if rows.ndim != 2:
        raise InputError(
            f"expected a table of two dimensions (rows, columns), not {rows.ndim}; "
            "a single column can be given as {'name': values}"
        )
    if names is None:
        names = [f"x{at}" for at in range(rows.shape[1])]
    if len(names) != rows.shape[1]:
        raise InputError(f"{len(names)} names were given for {rows.shape[1]} columns")
    dense = (rows[:, [at]].toarray().ravel() if sparse else rows[:, at] for at in range(len(names)))
    return zip(names, dense, strict=True)


def framed(table: Any) -> Any:
    """A query (a `LazyFrame`), or a table that gives its columns as Arrow (of pyarrow, a relation
    of DuckDB), as a frame of polars; anything else as it is. Raises InputError for what polars does
    not read."""
    library, query = type(table).__module__.partition(".")[0], type(table).__name__ == "LazyFrame"
    if not query and (library in ("polars", "pandas") or not hasattr(table, "__arrow_c_stream__")):
        return table
    if hasattr(table, "to_pylist") and not hasattr(table, "column_names"):  # a column of pyarrow
        return table
    import polars as pl

    try:
        return table.collect() if query else pl.DataFrame(table)
    except Exception as error:
        why = str(error).partition("\n")[0]
        what = f"this {type(table).__name__} of {library}"
        raise InputError(f"{what} cannot be read: {why}") from error


def _array_of_rows(table: Any) -> NDArray[Any]:
    if isinstance(table, np.ndarray):
        return table
    try:
        rows = np.asarray(table)
        if rows.dtype.kind in "US":  # keep numbers in mixed rows as numbers
            rows = np.asarray(table, dtype=object)
        return rows
    except ValueError as error:
        raise InputError("the rows of the table differ in length") from error


def _from_array(name: str, values: NDArray[Any]) -> Column:
    if values.ndim != 1:
        raise InputError(f"column {name!r} has {values.ndim} dimensions, expected 1")
    kind = values.dtype.kind
    if kind == "u" and len(values) and int(values.max()) > INT64_MAX:
        kind = "O"
    if kind in "biu":
        whole = values.astype(np.bool_ if kind == "b" else np.int64, copy=False)
        return Column(name, whole, np.zeros(len(values), dtype=np.bool_))
    if kind == "f":
        numbers = values.astype(np.float64, copy=False)
        return Column(name, numbers, np.isnan(numbers))
    if kind == "m":
        exact = values.astype("timedelta64[us]")
        days = exact.astype(np.int64) / MICROSECONDS_A_DAY
        if not (np.isnat(values) | (exact == values)).all():
            days = values.astype("timedelta64[ns]").astype(np.int64) / (1000 * MICROSECONDS_A_DAY)
        return Column(name, days, np.isnat(values), None, DURATION)
    if kind == "M":
        return _from_objects(name, [None if v is None else str(v) for v in _moments(values)])
    if kind in "OUT":
        return _from_objects(name, values.tolist())
    raise UnreadableError(
        f"column {name!r} has values of type {values.dtype}; expected numbers, booleans or text"
    )


def _moments(values: NDArray[Any]) -> list[Any]:
    """datetime64 as dates if they are whole days, as dates and times otherwise."""
    days = values.astype("datetime64[D]")
    gone, exact = np.isnat(values), values.astype("datetime64[us]")
    if not (gone | (exact == values)).all():  # Python's own times end at microseconds
        texts = np.datetime_as_string(values, unit="ns").astype(object)
        texts[gone] = None
        return list(texts)
    whole = bool((gone | (days == values)).all())
    return list((days if whole else exact).tolist())


def _from_polars(name: str, series: Any) -> Column:
    import polars as pl

    series = series.alias("")  # a name may be a pattern to polars
    full = series.null_count() == 0  # asked for once: null by null takes most of the reading
    missing = np.zeros(len(series), dtype=np.bool_) if full else series.is_null().to_numpy()
    if series.dtype.is_decimal() and not series.dtype.scale:
        series = series.cast(pl.Int128)
    kind = str(series.dtype)
    if kind.endswith("Int128") or kind == "UInt64":
        narrow = series.cast(pl.Int64, strict=False)
        kind, series = (
            ("Int64", narrow) if narrow.null_count() == missing.sum() else ("Object", series)
        )
    if kind != "Object" and (series.dtype.is_numeric() or kind == "Boolean"):
        if series.dtype.is_decimal():
            series = series.cast(pl.Float64)
        filled = series if full else series.fill_null(False if kind == "Boolean" else 0)
        column = _from_array(name, filled.to_numpy())
        return Column(name, column.values, missing | column.missing)
    if kind.startswith("Duration"):
        return _from_array(name, series.to_numpy())
    if series.dtype.is_nested() or kind == "Binary":
        raise UnreadableError(
            f"column {name!r} is of type {kind}; expected numbers, booleans or text"
        )
    if kind == "String":
        distinct = series.unique(maintain_order=True).drop_nulls()
        codes = series.cast(pl.Enum(distinct)).to_physical().cast(pl.Int64).fill_null(-1)
        return Column(name, codes.to_numpy(), missing, tuple(distinct.to_list()))
    if kind in ("Object", "Null") or kind.startswith(("Categorical", "Enum")):
        return _from_objects(name, series.to_list())
    if kind.startswith("Datetime") and series.dtype.time_unit == "ns":
        if series.dtype.time_zone:
            series = series.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
        return _from_array(name, series.to_numpy())
    return coded(name, [None if v is None else str(v) for v in series.to_list()], missing)


def _from_pandas(name: str, values: Any) -> Column:
    """Of a series, an index or an array of pandas."""
    series, of_pandas = values, sys.modules["pandas"].Series
    if not isinstance(values, of_pandas):
        try:
            series = of_pandas(values)
        except (ValueError, NotImplementedError):
            kind = type(values).__name__
            raise InputError(
                f"column {name!r} is a {kind}: expected a value for each row"
            ) from None
    if hasattr(series.dtype, "freq") and not str(series.dtype).startswith("period[M"):
        series = series.dt.to_timestamp()  # quarters and years are their first days
    kind = getattr(series.dtype, "kind", "O")
    if kind in "mM":
        if getattr(series.dtype, "tz", None) is not None:
            series = series.dt.tz_convert("UTC").dt.tz_localize(None)
        return _from_array(name, series.to_numpy())
    if hasattr(series.dtype, "categories"):
        column = _from_names(name, series)
        return _in_order(column, series) if series.dtype.ordered else column
    if kind in "biuf" and (isinstance(series.dtype, np.dtype) or not series.hasnans):
        return _from_array(name, np.asarray(series.to_numpy()))
    return _from_objects(name, series.astype(object).to_list())


def _from_names(name: str, series: Any) -> Column:
    """A categorical of a data frame: its values are names, also if they are numbers."""
    missing = np.asarray(series.isna(), dtype=np.bool_)
    found = [None if gone else v for v, gone in zip(series.astype(object), missing, strict=True)]
    if not set(map(type, found)) <= {str, int, float, bool, type(None)}:
        found = [None if v is None else str(v) for v in found]
    return coded(name, found, missing)


def _in_order(column: Column, series: Any) -> Column:
    """The categories in the order of the data frame; those that no row has are left out."""
    rank = dict(zip(column.values.tolist(), series.cat.codes.tolist(), strict=True))
    values = column.categories or ()
    order = [values[code] for code in sorted(range(len(values)), key=rank.__getitem__)]
    return column.renamed(values, order, ordered=True)


def _from_objects(name: str, values: list[Any]) -> Column:
    """Numbers if every present value is a number, categories otherwise."""
    if set(map(type, values)) - {str, type(None)}:
        values = [None if is_missing(v) else v for v in values]
    kinds = set(map(type, values)) - {type(None)}
    missing = np.fromiter((v is None for v in values), dtype=np.bool_, count=len(values))
    if all(issubclass(k, (int, float, Decimal, np.number, np.bool_)) for k in kinds):
        return _from_numbers(name, values, kinds, missing)
    if all(issubclass(k, (dt.timedelta, np.timedelta64)) for k in kinds):
        return _from_array(name, np.array(values, dtype="timedelta64[us]"))
    for kind in kinds:
        if issubclass(kind, NOT_SCALAR):
            raise UnreadableError(
                f"column {name!r} has a value of type {kind.__name__}; "
                "each value must be a number, a boolean or a string"
            )
    if kinds != {str}:  # mixed: one spelling for all
        values = [None if v is None else str(v) for v in values]
    return coded(name, values, missing)


def _from_numbers(name: str, values: list[Any], kinds: set[type], missing: BoolArray) -> Column:
    filled = [0 if v is None else v for v in values]
    if kinds and kinds <= {bool, np.bool_}:
        return Column(name, np.array(filled, dtype=np.bool_), missing)
    whole = bool(kinds) and all(issubclass(k, (int, np.integer, np.bool_)) for k in kinds)
    if whole and all(-INT64_MAX <= v <= INT64_MAX for v in filled):
        return Column(name, np.array(filled, dtype=np.int64), missing)
    if whole:
        return _from_large(name, values, missing)
    try:
        return Column(name, np.array(filled, dtype=np.float64), missing)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"column {name!r} has a value that is not a real number") from error


def _from_large(name: str, values: list[Any], missing: BoolArray) -> Column:
    """Whole numbers beyond 64 bits: as floats, or as names if floats would make two of them
    equal, as codes of 20 digits are. Floats keep the names for a model that asks for these: other
    rows may have made them names when it was learned.
    """
    filled = [0 if v is None else int(v) for v in values]
    names = coded(name, [None if v is None else str(v) for v in values], missing)
    with suppress(OverflowError):
        numbers = np.array([float(v) for v in filled])
        if len(set(filled)) == len(set(numbers.tolist())):
            return Column(name, numbers, missing, written=names)
    return names


def coded(name: str, values: list[Any], missing: BoolArray) -> Column:
    """Give each distinct value a code, in order of first appearance; None is missing."""
    distinct = [value for value in dict.fromkeys(values) if value is not None]
    code = dict(zip(distinct, range(len(distinct)), strict=True))
    code[None] = -1
    coded = np.fromiter(map(code.__getitem__, values), dtype=np.int64, count=len(values))
    return Column(name, coded, missing, tuple(distinct))


def is_missing(value: Any) -> bool:
    if value is None:
        return True
    if isinstance(value, (float, np.floating)):
        return math.isnan(value)
    if isinstance(value, Decimal):
        return value.is_nan()
    return type(value).__name__ in ("NAType", "NaTType")
