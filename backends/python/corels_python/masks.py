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


class Weights:
    """A non-negative integer weight for each point.

    A weighted count is a sum of population counts: bit b of every point's weight forms one mask,
    the *bit-plane* b, and sum over i in S of weight[i] = sum over b of 2^b * popcount(S & plane b).
    """

    def __init__(self, weights: Sequence[int] | NDArray[np.int64]) -> None:
        self.planes: list[tuple[int, Mask]] = []  # (bit, points)
        values = np.asarray(weights, dtype=np.int64)
        for bit in range(int(values.max(initial=0)).bit_length()):
            rows = (values >> bit & 1).astype(np.uint8)
            packed = np.packbits(rows, bitorder="little").tobytes()
            self.planes.append((bit, mpz(int.from_bytes(packed, "little"))))

    def of(self, points: Mask) -> int:
        """Total weight of a set of points."""
        return sum(popcount(points & plane) << bit for bit, plane in self.planes)


class Counter:
    """Counts K weights of each point, for all antecedents at once."""

    def __init__(self, masks: Sequence[Mask], weights: NDArray[np.int64]) -> None:
        """masks: of the m antecedents; weights: int64[K, P], not negative."""
        self._masks = masks
        self._planes = [Weights(row).planes for row in weights]

    def count(self, points: Mask) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """int64[K, m]: what every antecedent captures of a set; int64[K]: of the whole set."""
        inside = [
            [(b, p) for b, plane in measure if (p := points & plane)] for measure in self._planes
        ]
        counts = [
            [sum(popcount(mask & plane) << bit for bit, plane in measure) for mask in self._masks]
            for measure in inside
        ]
        totals = [sum(popcount(plane) << bit for bit, plane in measure) for measure in inside]
        shape = (len(self._planes), len(self._masks))
        return np.array(counts, dtype=np.int64).reshape(shape), np.array(totals, dtype=np.int64)
