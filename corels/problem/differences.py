"""Captures as differences: each set by the rows in which it differs from an earlier one.

Neighbouring cuts of a column differ in few rows: all cuts of a column together in as many as there
are rows, where their bits are cuts times rows. So rows are grouped, chosen and reordered by these
differences where there are few of them, and by their bits, transposed, where there are many.

A set is compared with the empty one and the two before it ("x <= 3" with "x <= 2", past "x > 2"),
and the least difference is kept. All bits of a row follow from the differences that the row is in
(each bit is that of the earlier set, flipped or not), and the other way round: two rows are in
equal sets exactly if they are in equal differences.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.problem.captures import (
    WORD,
    Captures,
    Indices,
    WorkInPieces,
    by_leader,
    multipliers,
    pieces,
    popcounts,
    transposed_in_pieces,
    unpack,
    words_for,
)

BEFORE = (1, 2)  # so many places before a set is what it is compared with
FEW = 4  # words of bits that one difference is worth
SMALL = 1 << 22  # words of bits that are transposed sooner than they are compared


def distinct_in_pieces(captures: Captures) -> WorkInPieces[tuple[Indices, Indices, Captures]]:
    """(point of each row, a row of each point, the sets over the points), without loss.

    Rows that all sets treat alike are one point. Points are in the order of what they are, so that
    neither the order of the rows nor the reader changes it: those in the first set come first,
    among equals those in the second, and so on. A generator that yields between pieces.
    """
    few = yield from _differences_in_pieces(captures)
    groups = None if few is None else few.groups()
    yield
    if few is None or groups is None:
        group, first, keys = yield from captures.groups_in_pieces()
        group, first = _renumbered(group, first, partial(_word_of, keys))
        words = yield from transposed_in_pieces(keys, len(captures), first)
        return group, first, Captures(words, len(first))
    group, first = _renumbered(*groups, few.keys(captures))
    chosen = yield from few.over_in_pieces(captures, first)
    return group, first, chosen


Key = Callable[[int, Indices], NDArray[Any]]  # number k, some rows -> the k-th key of each


def _renumbered(group: Indices, first: Indices, key: Key) -> tuple[Indices, Indices]:
    """The same groups in the order of their keys: by key 0, those that tie by key 1, and so on."""
    order, tied, number = np.arange(len(first)), np.arange(len(first)), 0
    within = np.zeros(len(first), dtype=np.intp)  # which rows have tied so far, by place
    while len(tied):
        rows = order[tied]
        found = key(number, first[rows])
        by = np.lexsort((found, within[tied])) if number else np.argsort(found)
        order[tied], found = rows[by], found[by]
        begins = np.ones(len(tied), dtype=np.bool_)
        begins[1:] = (found[1:] != found[:-1]) | (within[tied][1:] != within[tied][:-1])
        within[tied] = np.cumsum(begins)
        alone = begins & np.append(begins[1:], True)
        tied, number = tied[~alone], number + 1
    place = np.empty(len(first), dtype=np.intp)
    place[order] = np.arange(len(first))
    return place[group], first[order]


def _word_of(keys: NDArray[np.uint64], number: int, rows: Indices) -> NDArray[np.uint64]:
    """A word of some rows of uint64[N, W], its first bit the highest; the more is set, the less."""
    octets = np.ascontiguousarray(keys[rows, number]).astype("<u8", copy=False).view(np.uint8)
    return np.asarray(~_MIRRORED[octets].view(">u8").astype(np.uint64))


_MIRRORED = np.packbits(np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1)[:, ::-1])


def columns_in_pieces(captures: Captures, points: NDArray[Any]) -> WorkInPieces[Captures]:
    """`captures.columns(points)` for different points; a generator that yields between pieces."""
    few = yield from _differences_in_pieces(captures)
    if few is None:
        return (yield from captures.columns_in_pieces(points))
    return (yield from few.over_in_pieces(captures, points))


@dataclass(frozen=True, eq=False)
class _Differences:
    """M sets over `length` rows: set `sets[k]` differs in row `rows[k]` from set `like[sets[k]]`.

    like: int[M], -1 for the empty set. sets, rows: int[F], by rising sets.
    """

    length: int
    like: Indices
    sets: Indices
    rows: Indices

    def groups(self) -> tuple[Indices, Indices] | None:
        """(group of each row, first row of each group); None if two rows share a digest."""
        sets = self.sets[np.argsort(self.rows, kind="stable")]
        ends = np.bincount(self.rows, minlength=self.length).cumsum()
        sums = np.zeros(len(sets) + 1, dtype=np.uint64)
        np.cumsum(multipliers(len(self.like))[sets], out=sums[1:])
        starts = np.concatenate([[0], ends[:-1]])
        _, first, group = np.unique(
            sums[ends] - sums[starts], return_index=True, return_inverse=True
        )
        later = np.flatnonzero(first[group] != np.arange(self.length))
        same, count = first[group[later]], (ends - starts)[later]
        if not np.array_equal(count, (ends - starts)[same]):
            return None
        within = np.arange(count.sum()) - np.repeat(count.cumsum() - count, count)
        mine, theirs = (np.repeat(starts[of], count) + within for of in (later, same))
        return by_leader(first[group]) if np.array_equal(sets[mine], sets[theirs]) else None

    def keys(self, captures: Captures) -> Key:
        """The keys that put rows in the order of what is in which set.

        Of two rows in equal sets so far, the one with the earlier difference is the only one of the
        two that leaves the set it was in, and comes last, or that comes in, and comes first.
        """
        by_row = np.argsort(self.rows, kind="stable")
        sets, rows, last = self.sets[by_row], self.rows[by_row], len(self.like)
        ends = np.bincount(rows, minlength=self.length).cumsum()
        starts, like = np.concatenate([[0], ends[:-1]]), self.like[sets]
        before = captures.words[like, rows // WORD] >> (rows % WORD).astype(np.uint64)
        leaves = (like >= 0) & (before & np.uint64(1)).astype(np.bool_)
        found = np.append(np.where(leaves, 2 * last - sets, sets), last)

        def key(number: int, some: Indices) -> Indices:
            at = starts[some] + number
            return np.asarray(found[np.where(at < ends[some], at, len(sets))])

        return key

    def over_in_pieces(self, captures: Captures, points: NDArray[Any]) -> WorkInPieces[Captures]:
        """The sets over chosen rows, which are different."""
        if np.array_equal(points, np.arange(self.length)):
            return captures
        place = np.full(self.length, -1)
        place[points] = np.arange(len(points))
        rows = place[self.rows]
        sets, rows = self.sets[rows >= 0], rows[rows >= 0]
        made = Captures.empty(len(self.like), len(points))
        bits = np.uint64(1) << (rows % WORD).astype(np.uint64)
        at = sets * words_for(len(points)) + rows // WORD
        flat, words = made.words.reshape(-1), list(made.words)
        for part in pieces(made.words):
            some = slice(*np.searchsorted(sets, (part.start, part.stop)))
            np.bitwise_or.at(flat, at[some], bits[some])
            for number, like in enumerate(self.like[part].tolist(), part.start):
                if like >= 0:
                    np.bitwise_xor(words[number], words[like], out=words[number])
            yield
        return made


def _differences_in_pieces(captures: Captures) -> WorkInPieces[_Differences | None]:
    """The differences; None where they are not worth to be found, or as soon as there are too
    many to be worth it."""
    if captures.words.size < SMALL:
        return None
    words, left = captures.words, captures.words.size // FEW
    likes, sets, rows = [], [], []
    for part in pieces(words):
        start, flips = part.start, words[part].copy()
        like, counts = np.full(len(flips), -1), popcounts(flips)
        for before in BEFORE:
            skip = max(0, before - start)  # sets that have none so far before them
            low, high = start + skip, start + len(flips)
            if low >= high:
                continue
            other = words[low:high] ^ words[low - before : high - before]
            count = popcounts(other)
            better = np.flatnonzero(count < counts[skip:])
            flips[skip + better], counts[skip + better] = other[better], count[better]
            like[skip + better] = low - before + better
        left -= int(counts.sum())
        if left < 0:
            return None
        some = np.flatnonzero(flips)
        at, bit = np.nonzero(unpack(flips.reshape(-1, 1)[some], WORD))
        likes.append(like)
        sets.append(start + some[at] // words.shape[1])
        rows.append(some[at] % words.shape[1] * WORD + bit)
        yield
    return _Differences(captures.length, *map(np.concatenate, (likes, sets, rows)))
