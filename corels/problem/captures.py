"""Sets of points as little-endian 64-bit words: bit i of a mask = point i."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

WORD = 64


def words_for(points: int) -> int:
    """Words of a mask over `points` points (at least one, so that every mask has an address)."""
    return max(1, -(-points // WORD))


def pack(bits: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """bool[M, P] -> uint64[M, words]; the padding bits are zero."""
    rows, points = bits.shape
    packed = np.zeros((rows, words_for(points) * 8), dtype=np.uint8)
    packed[:, : -(-points // 8)] = np.packbits(bits, axis=1, bitorder="little")
    return packed.view("<u8").astype(np.uint64, copy=False)


def unpack(masks: NDArray[np.uint64], points: int) -> NDArray[np.bool_]:
    """uint64[M, words] -> bool[M, P]."""
    packed = np.ascontiguousarray(masks).astype("<u8", copy=False).view(np.uint8)
    return np.unpackbits(packed, axis=1, count=points, bitorder="little").view(np.bool_)


def popcounts(masks: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Ones in each row."""
    return np.asarray(np.bitwise_count(masks).sum(axis=-1, dtype=np.int64))


def equal_columns(bits: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Group the equal columns of bool[M, N].

    Returns (group of each column, first column of each group); groups are numbered by their first
    column, so the numbering does not depend on how they were found.
    """
    return group_rows(pack_columns(bits))


def pack_columns(bits: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """bool[M, N] -> uint64[N, ceil(M/64)]: column i as one packed row."""
    antecedents, columns = bits.shape
    packed = np.zeros((columns, words_for(antecedents) * 8), dtype=np.uint8)
    packed[:, : -(-antecedents // 8)] = np.packbits(bits, axis=0, bitorder="little").T
    return packed.view("<u8").astype(np.uint64, copy=False)


def group_rows(keys: NDArray[np.uint64]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Group the equal rows of uint64[N, W]: (group of each row, first row of each group)."""
    digest = _digest(keys)
    _, first, group = np.unique(digest, return_index=True, return_inverse=True)
    if not np.array_equal(keys, keys[first[group]]):  # two rows share a digest: compare in full
        _, first, group = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return rank[group.reshape(-1)], first[order]


def equal_rows(masks: NDArray[np.uint64]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The distinct rows: (index of each first one, and for each row its place among those)."""
    group, first = group_rows(masks)
    return first, group


def _digest(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """One word a row; a row of one word is its own digest."""
    if keys.shape[1] == 1:
        return keys[:, 0]
    mixed: NDArray[np.uint64] = keys ^ (keys >> np.uint64(29))
    return np.asarray((mixed * _multipliers(keys.shape[1])).sum(axis=1, dtype=np.uint64))


def _multipliers(count: int) -> NDArray[np.uint64]:
    """Odd words that look random: SplitMix64. NumPy's generators take long to import."""
    word = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray((word ^ (word >> np.uint64(31))) | np.uint64(1))
