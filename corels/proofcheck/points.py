"""The raw table as points and their weights, for all checkers: nothing of it comes from the search.

Rows that satisfy the same antecedents are one point; points are numbered by their first rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError

TRUE, FALSE = ("1", "1.0", "true"), ("0", "0.0", "false")
MOST_WEIGHT = 1 << 52  # of all rows: counts are then exact as doubles, too


@dataclass(frozen=True)
class Points:
    """captures: bool[M, P], which antecedents hold where; counts: int64[C, P], weight by class."""

    captures: NDArray[np.bool_]
    counts: NDArray[np.int64]

    @property
    def total(self) -> int:
        return int(self.counts.sum())


def read_points(
    header: Mapping[str, Any],
    columns: Mapping[str, Any],
    labels: Sequence[Any],
    weights: Sequence[int] | None = None,
) -> Points:
    """The points of a proof's header. columns: name -> values, missing, categories (as the reader
    gives them). Raises InputError where the header is malformed or the data is not its own."""
    amounts = amounts_of(labels, weights)
    if not len(labels) or not 0 < int(amounts.sum()) < MOST_WEIGHT:
        raise InputError("the data has no rows, or rows of more weight than can be counted")
    return grouped(header, columns, labels, amounts)


def amounts_of(labels: Sequence[Any], weights: Sequence[int] | None) -> NDArray[np.int64]:
    """How many rows each row stands for: one each by default."""
    return np.ones(len(labels), np.int64) if weights is None else np.array(weights, np.int64)


def grouped(
    header: Mapping[str, Any],
    columns: Mapping[str, Any],
    labels: Sequence[Any],
    amounts: NDArray[np.int64],
) -> Points:
    """`read_points` of any amount. Raises InputError as it does."""
    try:
        held = _held([a["conditions"] for a in header["antecedents"]], columns, len(labels))
        classes = {str(label): number for number, label in enumerate(header["classes"])}
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise malformed(error) from None
    strange = next((label for label in labels if str(label) not in classes), None)
    if strange is not None:
        raise InputError(f"a row has the class {strange!r}, which the proof has not")
    octets = np.packbits(held, axis=0).T if len(held) else np.zeros((len(labels), 1), np.uint8)
    rows = np.ascontiguousarray(octets).view([("", np.uint8, octets.shape[1])])[:, 0]
    _, first, group = np.unique(rows, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))  # points are numbered by their first row
    counts = np.zeros((len(classes), len(first)), dtype=np.int64)
    coded = np.array([classes[str(label)] for label in labels], dtype=np.int64)
    np.add.at(counts, (coded, rank[group.reshape(-1)]), amounts)
    return Points(held[:, np.sort(first)], counts)


def malformed(error: Exception) -> InputError:
    """For a header that lacks something or holds what it may not."""
    what = f"{type(error).__name__}: {error}"
    return InputError(f"the proof's header is incomplete or malformed ({what})")


def price(header: Mapping[str, Any], name: str) -> Fraction:
    """A price of the header as a fraction, 0 or more. Raises InputError."""
    try:
        if not isinstance(header[name], str):
            raise TypeError(f"{name} is no text")
        found = Fraction(header[name])
    except (KeyError, TypeError, ValueError, ZeroDivisionError) as error:
        raise malformed(error) from None
    if found < 0:
        raise InputError(f"the proof's header has {name} {found}")
    return found


def whole(header: Mapping[str, Any], name: str) -> int:
    """A whole number of the header, 0 or more. Raises InputError."""
    found = header.get(name)
    if not isinstance(found, int) or isinstance(found, bool) or found < 0:
        raise InputError(f"the proof's header has {name} {found!r}: expected a whole number")
    return found


def _held(antecedents: Sequence[Any], columns: Mapping[str, Any], rows: int) -> NDArray[np.bool_]:
    """bool[M, N]: which rows satisfy each conjunction."""
    held = np.ones((len(antecedents), rows), dtype=np.bool_)
    distinct: dict[str, tuple[list[Any], Any, Any]] = {}
    for row, conjunction in zip(held, antecedents, strict=True):
        for condition in conjunction:
            name = condition["column"]
            if name not in columns:
                raise InputError(f"the data has no column {name!r}, which the proof asks for")
            if name not in distinct:
                distinct[name] = _distinct(columns[name])
            values, codes, missing = distinct[name]
            if condition["operator"] in ("missing", "present"):
                true = missing if condition["operator"] == "missing" else ~missing
            else:
                true = np.array([_holds(condition, v) for v in values], bool)[codes] & ~missing
            row[:] &= true
    return held


def _distinct(column: Any) -> tuple[list[Any], Any, Any]:
    """The different values of a column, which of them each row has, and which rows have none."""
    found, codes = np.unique(column.values, return_inverse=True)
    values = found.tolist()
    if column.categories is not None:
        values = [column.categories[code] if code >= 0 else None for code in values]
    return values, codes.reshape(-1), np.asarray(column.missing)


def _holds(condition: Mapping[str, Any], value: Any) -> bool:
    operator: str = condition["operator"]
    wanted: Any = condition.get("value")
    if value is None:
        return False
    if operator in ("true", "false"):
        return (str(value).lower() in TRUE) is (operator == "true")
    if operator in ("==", "!="):
        return _equal(value, wanted) is (operator == "==")
    if operator in ("in", "not in"):
        return any(_equal(value, one) for one in wanted) is (operator == "in")
    if operator in ("<=", ">"):
        return bool(float(value) <= wanted) is (operator == "<=")
    raise InputError(f"the proof has the unknown operator {operator!r}")


def _equal(value: Any, wanted: Any) -> bool:
    if isinstance(value, str) == isinstance(wanted, str):
        return bool(value == wanted)
    text, number = (value, wanted) if isinstance(value, str) else (wanted, value)
    try:
        return bool(float(text) == number)
    except ValueError:
        return str(text) == str(number)
