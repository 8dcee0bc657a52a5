"""Sets of points as gmpy2 integers (bit i = point i), and how what they capture is counted.

    a & b            points in both
    without(a, b)    points of a that are not in b

A search counts one thing only: of a set of points, what does each antecedent capture of it, in each
class? With a row of zeros and ones for each antecedent, that is one matrix product.
"""

from __future__ import annotations

import numpy as np
from gmpy2 import mpz
from numpy.typing import NDArray

from corels.problem.captures import unpack

Mask = mpz
NOTHING = mpz(0)
EXACT = 1 << 24  # float32 holds every whole number up to it, float64 all that an instance can hold


def mask(words: NDArray[np.uint64]) -> Mask:
    """One row of packed words as an integer."""
    return mpz(int.from_bytes(words.astype("<u8").tobytes(), "little"))


def members(indices: NDArray[np.int32]) -> Mask:
    """The set with these members."""
    found = NOTHING
    for index in indices.tolist():
        found = found.bit_set(index)
    return found


def listed(a: Mask, count: int) -> NDArray[np.bool_]:
    """bool[count]: which of so many are members."""
    packed = np.frombuffer(int(a).to_bytes(-(-count // 8), "little"), dtype=np.uint8)
    return np.unpackbits(packed, count=count, bitorder="little").view(np.bool_)


def words(a: Mask, count: int) -> NDArray[np.uint64]:
    """A mask as packed words."""
    return np.frombuffer(int(a).to_bytes(8 * count, "little"), dtype="<u8").astype(np.uint64)


def full(points: int) -> Mask:
    """All points."""
    return (mpz(1) << points) - 1


def without(a: Mask, b: Mask) -> Mask:
    """The points of a that are not in b."""
    return a & ~b


def key(a: Mask) -> bytes:
    """A mask as bytes, for a map."""
    return int(a).to_bytes((a.bit_length() + 7) // 8, "little")


class Counter:
    """Counts K weights of each point, for all antecedents at once. The sums are exact: all of them
    are whole numbers that the floating-point format can hold."""

    def __init__(self, masks: NDArray[np.uint64], weights: NDArray[np.int64]) -> None:
        """masks: uint64[m, W]; weights: int64[K, P], not negative."""
        exact = np.float32 if weights.sum(axis=1).max(initial=0) < EXACT else np.float64
        self._points = weights.shape[1]
        self._captures = unpack(masks, self._points).astype(exact)
        self._weights = np.ascontiguousarray(weights.T, dtype=exact)

    def count(self, points: Mask) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """int64[K, m]: what every antecedent captures of a set; int64[K]: of the whole set."""
        inside = self._weights * listed(points, self._points)[:, None]
        counts = (self._captures @ inside).T.astype(np.int64)
        return counts, inside.sum(axis=0, dtype=np.float64).astype(np.int64)
