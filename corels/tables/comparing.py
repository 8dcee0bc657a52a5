"""What a condition compares: the values of a column with a number, a text, a date, 0 or 1.

A column may have been read from a table that spells its values otherwise than the one a model was
learned from: 3, 3.0 and "3" are one value, "12 %" is a number, "True" is 1. But if a model asks
for "01", it means that text: no number is written so. A missing value is false of every condition.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from corels.errors import InputError
from corels.tables.column import BoolArray, Column, Scalar
from corels.tables.dates import moment as moment_of
from corels.tables.numerals import is_code, number_of, spelled

_TRUE_TEXT = frozenset({"1", "1.0", "true", "True", "TRUE"})
_FALSE_TEXT = frozenset({"0", "0.0", "false", "False", "FALSE"})


def truth(column: Column) -> BoolArray:
    """A column of 0 and 1 (numbers, booleans or their text) as booleans."""
    if column.categories is not None:
        strange = [c for c in column.categories if str(c) not in _TRUE_TEXT | _FALSE_TEXT]
        if strange:
            raise InputError(f"column {column.name!r} has the value {strange[0]!r}, not 0 or 1")
        return column.by_category(str(c) in _TRUE_TEXT for c in column.categories)
    if column.values.dtype != np.bool_:
        strange = column.values[column.present & (column.values != 0) & (column.values != 1)]
        if len(strange):
            raise InputError(f"column {column.name!r} has the value {strange[0]}, not 0 or 1")
    return column.values.astype(np.bool_)


def _equals(column: Column, value: Scalar) -> BoolArray:
    """(N,) which numbers equal one value; a text that is none, which cells wrote it."""
    if isinstance(value, str) and column.written is not None and number_of(value) is None:
        return among(column.written, (value,))
    number = _as_number(value, column) if isinstance(value, str) else value
    held = None if number is None else _held(column, number)
    return np.asarray((column.values == held) & (held == number), dtype=np.bool_)


def equal_values(category: Scalar, value: Scalar | None) -> bool:
    """Whether a value of a table is one that a model asks for: 3, 3.0 and "3" are one value, read
    from two kinds of table, but no number is "03", if that is asked for."""
    if isinstance(category, str) == isinstance(value, str) or is_code(value):
        return category == value
    text, number = (category, value) if isinstance(category, str) else (value, category)
    try:
        return spelled(str(text)) == number
    except ValueError:
        return str(text) == str(number)


def _as_number(text: str, column: Column) -> float | None:
    """The number or truth that text spells, None if it spells none, or in a way of its own (01).

    A few rows of a text column may all look like numbers ("2", "3" of "2", "3", "5more"): such rows
    are not "5more", and that is not an error.
    """
    if column.values.dtype == np.bool_:
        return {"true": 1.0, "false": 0.0}.get(text.lower())
    try:
        return None if is_code(text) else spelled(text)
    except ValueError:
        return None


def among(column: Column, values: tuple[Scalar, ...]) -> BoolArray:
    """(N,) which values equal one of several."""
    if column.categories is None:
        return np.asarray(np.logical_or.reduce([_equals(column, value) for value in values]))
    wanted = set(values)
    return column.by_category(
        c in wanted or any(equal_values(c, v) for v in values) for c in column.categories
    )


def without(column: Column, values: tuple[Scalar, ...]) -> Column:
    """The column in which these values are missing."""
    if column.categories is None:
        return replace(column, missing=column.missing | among(column, values))
    return column.renamed(
        None if any(equal_values(c, v) for v in values) else c for c in column.categories
    )


def at_most(column: Column, value: Scalar) -> BoolArray:
    """(N,) which values are numbers up to a limit, or not later than a date."""
    if isinstance(value, str):
        return _until(column, value)
    if column.categories is None:
        return np.asarray(column.values <= _held(column, value))
    found = [number_of(str(c)) for c in column.categories]
    for category, number in zip(column.categories, found, strict=True):
        if number is None:
            raise InputError(
                f"column {column.name!r} holds the text {category!r}, "
                f"but the model compares it with the number {value}"
            )
    return column.by_category(number[0] <= value for number in found if number)


def _held(column: Column, value: float) -> float:
    """The greatest number up to a value that a column of numbers can hold: NumPy would compare with
    the nearest one, or make doubles of whole numbers beyond 2^53."""
    if column.values.dtype.kind in "iu":
        return value if isinstance(value, int) or not math.isfinite(value) else math.floor(value)
    near = float(value) if column.values.dtype.kind == "f" else value
    return math.nextafter(near, -math.inf) if near > value else near


def _until(column: Column, moment: str) -> BoolArray:
    """Which dates are not later than a moment; the caller masks rows without a value."""
    if column.missing.all():
        return np.zeros(len(column), dtype=np.bool_)
    values = column.distinct() if column.categories is None else column.categories
    found = [moment_of(str(value)) for value in values]
    if None in found:
        raise InputError(
            f"column {column.name!r} holds {str(values[found.index(None)])!r}, but the model "
            f"compares it with the date {moment}"
        )
    return column.by_category(str(text) <= moment for text in found)
