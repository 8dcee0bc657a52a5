"""The raw table for all checkers, as points and their weights: what the reader of tables gives is
brought into the form that the plain checker's own lines (plain.py) take, and errors into words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError
from corels.proofcheck.plain import points_of

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
    amounts = [1] * len(labels) if weights is None else [int(weight) for weight in weights]
    if len(amounts) != len(labels):
        raise InputError(f"the data has {len(labels)} labels and {len(amounts)} weights")
    if min(amounts, default=0) < 0:
        raise InputError(f"a row has the weight {min(amounts)}, expected 0 or more")
    if not 0 < sum(amounts) < MOST_WEIGHT:
        raise InputError("the data has no rows, or rows of more weight than can be counted")
    with well_formed():
        conditions = [c for a in header["antecedents"] for c in a["conditions"]]
        names = {str(condition["column"]) for condition in conditions}
        classes = {str(label) for label in header["classes"]}
    absent = next((name for name in sorted(names) if name not in columns), None)
    if absent is not None:
        raise InputError(f"the data has no column {absent!r}, which the proof asks for")
    strange = next((label for label in labels if str(label) not in classes), None)
    if strange is not None:
        raise InputError(f"a row has the class {strange!r}, which the proof has not")
    with well_formed():
        distinct = {name: _distinct(columns[name]) for name in names}
        return Points(*points_of(header, distinct, labels, amounts))


def _distinct(column: Any) -> tuple[list[Any], NDArray[np.int64]]:
    """The different values of a column, None for a missing one, and which of them each row has."""
    found, codes = np.unique(column.values, return_inverse=True)
    values = found.tolist()
    if column.categories is not None:  # the code -1 is of a missing value
        values = [column.categories[code] for code in values]
    return [*values, None], np.where(column.missing, len(values), codes.reshape(-1))


@contextmanager
def well_formed() -> Iterator[None]:
    """Makes a sentence of what goes wrong with a header that lacks something or holds what it may
    not. Raises InputError."""
    wrong = KeyError, TypeError, ValueError, AttributeError, ZeroDivisionError, OverflowError
    try:
        yield
    except InputError:
        raise
    except wrong as error:
        what = f"{type(error).__name__}: {error}"
        raise InputError(f"the proof's header is incomplete or malformed ({what})") from None


def price(header: Mapping[str, Any], name: str) -> Fraction:
    """A price of the header as a fraction, 0 or more. Raises InputError."""
    with well_formed():
        if not isinstance(header[name], str):
            raise TypeError(f"{name} is no text")
        found = Fraction(header[name])
    if found < 0:
        raise InputError(f"the proof's header has {name} {found}")
    return found


def whole(header: Mapping[str, Any], name: str) -> int:
    """A whole number of the header, 0 or more. Raises InputError."""
    found = header.get(name)
    if not isinstance(found, int) or isinstance(found, bool) or found < 0:
        raise InputError(f"the proof's header has {name} {found!r}: expected a whole number")
    return found
