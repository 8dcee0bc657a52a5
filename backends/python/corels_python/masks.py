"""Sets of points as gmpy2 integers (bit i = point i). Three operations carry the whole search.

a & b            points in both
without(a, b)    points of a that are not in b
popcount(a)      how many points
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from gmpy2 import mpz, popcount
from numpy.typing import NDArray

Mask = mpz
NOTHING = mpz(0)


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


Planes = list[tuple[int, Mask]]


def planes(weights: NDArray[np.int64]) -> Planes:
    """Weights of points, whole and not negative, as *bit-planes*: (b, the points with digit b).

    A weighted count is then a sum of population counts, see `weight`.
    """
    digits = range(int(weights.max(initial=0)).bit_length())
    bits = [
        (b, np.packbits((weights >> b & 1).astype(np.uint8), bitorder="little")) for b in digits
    ]
    return [(b, mpz(int.from_bytes(packed.tobytes(), "little"))) for b, packed in bits]


def weight(points: Mask, of: Planes) -> int:
    """Total weight of a set of points: sum over b of 2^b * popcount(points & plane b)."""
    return sum(popcount(points & plane) << bit for bit, plane in of)


class Counter:
    """Counts K weights of each point, for all antecedents at once."""

    def __init__(self, masks: Sequence[Mask], weights: NDArray[np.int64]) -> None:
        """masks: of the m antecedents; weights: int64[K, P], not negative."""
        self._masks = masks
        self._planes = [planes(row) for row in weights]

    def count(self, points: Mask) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """int64[K, m]: what every antecedent captures of a set; int64[K]: of the whole set."""
        inside = [
            [(b, p) for b, plane in measure if (p := points & plane)] for measure in self._planes
        ]
        counts = [[weight(mask, measure) for mask in self._masks] for measure in inside]
        totals = [sum(popcount(plane) << bit for bit, plane in measure) for measure in inside]
        shape = (len(self._planes), len(self._masks))
        return np.array(counts, dtype=np.int64).reshape(shape), np.array(totals, dtype=np.int64)
