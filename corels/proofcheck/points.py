"""The raw table as points and their weights, for the checkers of other families than rule lists.

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
from corels.proofcheck.table import _held

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
    try:
        held = _held([a["conditions"] for a in header["antecedents"]], columns, len(labels))
        classes = {str(label): number for number, label in enumerate(header["classes"])}
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise malformed(error) from None
    strange = next((label for label in labels if str(label) not in classes), None)
    if strange is not None:
        raise InputError(f"a row has the class {strange!r}, which the proof has not")
    amounts = np.ones(len(labels), np.int64) if weights is None else np.array(weights, np.int64)
    if not len(labels) or not 0 < int(amounts.sum()) < MOST_WEIGHT:
        raise InputError("the data has no rows, or rows of more weight than can be counted")
    octets = np.packbits(held, axis=0).T if len(held) else np.zeros((len(labels), 1), np.uint8)
    rows = np.ascontiguousarray(octets).view([("", np.uint8, octets.shape[1])])[:, 0]
    _, first, group = np.unique(rows, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))
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
