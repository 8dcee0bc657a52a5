"""Points: rows that all sets treat alike are one, and points have an order of their own."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from corels.problem.captures import Captures, Indices, WorkInPieces, transposed_in_pieces


def distinct_in_pieces(captures: Captures) -> WorkInPieces[tuple[Indices, Indices, Captures]]:
    """(point of each row, a row of each point, the sets over the points), without loss.

    Points are in the order of what they are, so that neither the order of the rows nor the reader
    changes it: those in the first set come first, among equals those in the second, and so on. A
    generator that yields between pieces.
    """
    group, first, keys = yield from captures.groups_in_pieces()
    group, first = _renumbered(group, first, keys)
    words = yield from transposed_in_pieces(keys, len(captures), first)
    return group, first, Captures(words, len(first))


def _renumbered(
    group: Indices, first: Indices, keys: NDArray[np.uint64]
) -> tuple[Indices, Indices]:
    """The same groups in the order of their words: by word 0, those that tie by word 1, and so on.

    keys: uint64[N, W], the sets that each row is in.
    """
    order, tied, number = np.arange(len(first)), np.arange(len(first)), 0
    within = np.zeros(len(first), dtype=np.intp)  # which rows have tied so far, by place
    while len(tied):
        rows = order[tied]
        found = _word_of(keys, number, first[rows])
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
    """A word of some rows, its first bit the highest; the more is set, the less."""
    octets = np.ascontiguousarray(keys[rows, number]).astype("<u8", copy=False).view(np.uint8)
    return np.asarray(~_MIRRORED[octets].view(">u8").astype(np.uint64))


_MIRRORED = np.packbits(np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1)[:, ::-1])
