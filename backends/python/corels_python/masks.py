"""Sets of points as gmpy2 integers: bit i = point i. Three operations carry the whole search.

    a & b            points in both
    without(a, b)    points of a that are not in b
    popcount(a)      how many points

A weighted count is a sum of population counts: weight bit b of every point forms one mask, the
*bit-plane* b, and sum over i in a of weight[i] = sum over b of 2^b * popcount(a & plane[b]).
"""

from __future__ import annotations

from collections.abc import Iterable

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
    """A mask as bytes, for a symmetry map."""
    return int(a).to_bytes((a.bit_length() + 7) // 8, "little")


class Weights:
    """A non-negative integer weight for each point, as bit-planes."""

    def __init__(self, weights: Iterable[int]) -> None:
        weights = [int(weight) for weight in weights]
        bits = max(weights, default=0).bit_length()
        self._planes = [
            mpz(sum(1 << i for i, weight in enumerate(weights) if weight >> bit & 1))
            for bit in range(bits)
        ]

    def of(self, points: Mask) -> int:
        """Total weight of a set of points."""
        return sum(popcount(points & plane) << bit for bit, plane in enumerate(self._planes))
