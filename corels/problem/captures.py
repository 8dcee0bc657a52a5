"""Captures: sets of rows, packed into words once and kept packed from the table to the search.

What each antecedent captures is the bulk of every problem: 1,000 antecedents over a million rows
are a gigabyte as bytes, 125 megabytes as bits. So conditions write their answers straight into
packed words (`Captures.fill`), and nothing converts them back: mining ANDs words, a data set, a
`Problem` and an `Instance` hold the same kind of object, and rows are grouped, sliced and reordered
packed. Only code that shows or predicts single rows unpacks them.

The form: `words` is uint64[M, ceil(N/64)], one row of words per antecedent; bit i % 64 of word
i // 64 says that row i is captured. The bits behind the last row are zero; every method relies on
that and keeps it so. The words are native integers, so the form is the same on every machine.

To choose and reorder *columns* of a bit matrix (rows of the table) bit by bit would be slow.
Instead the matrix is transposed (blocks of 64 x 64 bits, six exchanges of half blocks each, as in
Warren, "Hacker's Delight", section 7-3), its rows are gathered, and it is transposed back. All of
that is done in pieces of half a million words, between which the caller gets control: the functions
that end in `_in_pieces` are generators; `finished` runs one to its end, `worked_on` for a while.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from corels.clock import Clock

WORD = 64
PIECE = 1 << 19  # words that one piece of work goes through: some milliseconds
KEYS = 1 << 23  # words of rows as keys that are there at a time
FEW_TWICE = 8  # rows of a repeated digest are few if they are less than one of so many

Indices = NDArray[np.intp]
T = TypeVar("T")
WorkInPieces = Generator[None, None, T]


def finished(pieces: WorkInPieces[T], check: Callable[[], None] | None = None) -> T:
    """Run a generator to its end, and what it returns.

    check: is called between two pieces, and may raise to end the work.
    """
    while True:
        try:
            next(pieces)
            if check is not None:
                check()
        except StopIteration as end:
            result: T = end.value
            return result


def worked_on(pieces: WorkInPieces[T], seconds: float) -> T | None:
    """Run a generator for about so many seconds, to the next boundary between two pieces.

    What it returns, once; None before.
    """
    clock = Clock(seconds)
    try:
        while True:
            next(pieces)
            if clock.expired():
                return None
    except StopIteration as end:
        result: T = end.value
        return result


def words_for(points: int) -> int:
    """Words of a mask over `points` points (at least one, so that every mask has an address)."""
    return max(1, -(-points // WORD))


@dataclass(frozen=True, eq=False)
class Captures:
    """Which of `length` rows (or points) each of M antecedents is true of.

    Attributes:
        words: uint64[M, words_for(length)], packed as the module says.
        length: N, the rows.

    Indexing by a number and iterating give bool[N]; `np.asarray(captures)` gives bool[M, N].
    """

    words: NDArray[np.uint64]
    length: int

    @classmethod
    def of(cls, bits: Any) -> Captures:
        """Pack bool[M, N]; `Captures` are returned as they are.

        Raises ValueError if the array has not two dimensions.
        """
        if isinstance(bits, Captures):
            return bits
        bits = np.asarray(bits, dtype=np.bool_)
        if bits.ndim != 2:
            raise ValueError(f"captures have {bits.ndim} dimensions, expected 2")
        return cls(pack(bits), bits.shape[1])

    @classmethod
    def empty(cls, count: int, length: int) -> Captures:
        """`count` sets that capture nothing yet; see `fill`."""
        return cls(np.zeros((count, words_for(length)), dtype=np.uint64), length)

    def __len__(self) -> int:
        return len(self.words)

    @property
    def shape(self) -> tuple[int, int]:
        """(M, N)."""
        return len(self.words), self.length

    def __getitem__(self, number: int) -> NDArray[np.bool_]:
        return np.asarray(unpack(self.words[number : number + 1 or None], self.length)[0])

    def __iter__(self) -> Iterator[NDArray[np.bool_]]:
        return (self[number] for number in range(len(self)))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        bits = self.unpack()
        return bits if dtype is None else bits.astype(dtype)

    def fill(self, number: int, bits: NDArray[np.bool_]) -> None:
        """Write one set, bool[N], of captures made with `empty`."""
        self.words[number] = pack(bits[None, :])[0]

    def unpack(self) -> NDArray[np.bool_]:
        """bool[M, N]."""
        return unpack(self.words, self.length)

    def take(self, numbers: Any) -> Captures:
        """The sets with these numbers (indices or a mask), in this order; all are not copied."""
        return finished(self.take_in_pieces(numbers))

    def take_in_pieces(self, numbers: Any) -> WorkInPieces[Captures]:
        """`take`, as a generator that yields between pieces."""
        if (chosen := _chosen(numbers, len(self))) is None:
            return self
        words = np.empty((len(chosen), self.words.shape[1]), dtype=np.uint64)
        for part in pieces(words):
            words[part] = self.words[chosen[part]]
            yield
        return Captures(words, self.length)

    def columns(self, points: NDArray[Any]) -> Captures:
        """The same sets over chosen rows: row k of the result is row points[k]."""
        return finished(self.columns_in_pieces(points))

    def columns_in_pieces(self, points: NDArray[Any]) -> WorkInPieces[Captures]:
        """`columns`, as a generator that yields between pieces."""
        if (rows := _chosen(points, self.length)) is None:
            return self
        chosen = Captures.empty(len(self), len(rows))
        size = WORD * max(1, KEYS // max(1, self.length))  # of all sets at once if rows are few
        for start in range(0, len(self), size):
            some = self.words[start : start + size]
            keys = yield from transposed_in_pieces(some, self.length)
            out = chosen.words[start : start + size]
            yield from transposed_in_pieces(keys, len(some), rows, out)
        return chosen

    def supports(self, weights: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """int64[M]: how many rows each set has, or what they weigh.

        weights: int64[N], 0 or more; None for 1 each.
        """
        return supports(self.words, weight_planes(weights))

    def groups(self) -> tuple[Indices, Indices]:
        """Group the rows that all sets treat alike: (group of each row, first row of each group).

        Groups are numbered by their first rows, so that it does not matter how they were found.
        """
        return finished(self.groups_in_pieces())[:2]

    def groups_in_pieces(self) -> WorkInPieces[tuple[Indices, Indices, NDArray[np.uint64]]]:
        """(group of each row, first row of each group, uint64[N, ceil(M/64)] rows as keys)."""
        keys = yield from transposed_in_pieces(self.words, self.length)
        group, first = yield from group_rows_in_pieces(keys)
        return group, first, keys


def _chosen(numbers: Any, count: int) -> Indices | None:
    """Some of `count` numbers, also if they are given by a mask; None for all, in order."""
    chosen = np.asarray(numbers, dtype=None if len(numbers) else np.intp)
    chosen = np.flatnonzero(chosen) if chosen.dtype == np.bool_ else chosen
    return None if np.array_equal(chosen, np.arange(count)) else chosen


class OverPoints:
    """What has captures: M antecedents, each true of some of P points."""

    captures: Captures

    @property
    def masks(self) -> NDArray[np.uint64]:
        """uint64[M, W]: the packed words of `captures`."""
        return self.captures.words

    @property
    def n_antecedents(self) -> int:
        """M, the different antecedents."""
        return len(self.captures)

    @property
    def n_points(self) -> int:
        """P, the distinct points."""
        return self.captures.length


def pack(bits: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """bool[M, P] -> uint64[M, words]; the padding bits are zero."""
    rows, points = bits.shape
    packed = np.zeros((rows, words_for(points) * 8), dtype=np.uint8)
    packed[:, : -(-points // 8)] = np.packbits(bits, axis=1, bitorder="little")
    return packed.view("<u8").astype(np.uint64, copy=False)


def alike(words: NDArray[np.uint64], may_say: NDArray[np.bool_] | None) -> NDArray[np.uint64]:
    """uint64[M, W]: equal rows are of antecedents that are one: they capture the same, and may say
    the same (bool[M, O], None: anything)."""
    return words if may_say is None else np.concatenate([words, pack(may_say)], axis=1)


def pieces(words: NDArray[Any]) -> Iterator[slice]:
    """The rows of a matrix of words, so many at a time that one piece of work goes through them."""
    step = max(1, PIECE // max(1, words.shape[1]))
    return (slice(start, start + step) for start in range(0, len(words), step))


def unpack(masks: NDArray[np.uint64], points: int) -> NDArray[np.bool_]:
    """uint64[M, words] -> bool[M, P]."""
    packed = np.ascontiguousarray(masks).astype("<u8", copy=False).view(np.uint8)
    return np.unpackbits(packed, axis=1, count=points, bitorder="little").view(np.bool_)


def popcounts(masks: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Ones in each row."""
    return np.asarray(np.bitwise_count(masks).sum(axis=-1, dtype=np.int64))


def weight_planes(weights: NDArray[np.int64] | None) -> NDArray[np.uint64] | None:
    """uint64[B, W]: plane b holds the rows whose weight has bit b. None for weights of 1."""
    if weights is None or not len(weights):
        return None
    planes = Captures.empty(int(weights.max()).bit_length(), len(weights))
    for bit in range(len(planes)):
        planes.fill(bit, (weights >> bit & 1).astype(np.bool_))
    return planes.words


def supports(
    masks: NDArray[np.uint64], planes: NDArray[np.uint64] | None = None
) -> NDArray[np.int64]:
    """int64[M]: the weight of the rows in each mask; planes as `weight_planes` makes them."""
    if planes is None:
        return popcounts(masks)
    counts = np.zeros(len(masks), dtype=np.int64)
    for part in pieces(masks):  # few words at a time stay in the cache
        for bit, plane in enumerate(planes):
            counts[part] += popcounts(masks[part] & plane) << bit
    return counts


def pack_columns(bits: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """bool[M, N] -> uint64[N, ceil(M/64)]: column i as one packed row."""
    return finished(transposed_in_pieces(pack(bits), bits.shape[1]))


def transposed_in_pieces(
    words: NDArray[np.uint64],
    length: int,
    chosen: NDArray[Any] | None = None,
    out: NDArray[np.uint64] | None = None,
) -> WorkInPieces[NDArray[np.uint64]]:
    """The transposed bit matrix: uint64[M, words_for(length)] -> uint64[length, words_for(M)].

    chosen: transpose these rows of `words`, in this order, instead of all. out: zeros to write to.
    """
    count = len(words) if chosen is None else len(chosen)
    out = np.zeros((length, words_for(count)), dtype=np.uint64) if out is None else out
    width = words_for(length)
    piece = max(1, PIECE // (width * WORD))  # blocks of 64 rows that are transposed at a time
    for start in range(0, -(-count // WORD), piece):
        rows = slice(start * WORD, min(count, (start + piece) * WORD))
        part = words[rows] if chosen is None else words[chosen[rows]]
        blocks = -(-len(part) // WORD)
        padded = np.zeros((blocks * WORD, width), dtype=np.uint64)
        padded[: len(part)] = part[:, :width]
        turned = _transpose_blocks(padded.reshape(blocks, WORD, width))
        # turned[b, c, w]: bits of the rows of block b in column 64 w + c
        columns = turned.transpose(2, 1, 0).reshape(width * WORD, blocks)
        out[:, start : start + blocks] = columns[:length]
        yield
    return out


def _transpose_blocks(blocks: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """uint64[B, 64, W], each [b, :, w] a 64 x 64 matrix of bits, transposed in place."""
    count, _, width = blocks.shape
    for half, mask in _LOWER_HALVES:
        shift = np.uint64(half)
        halves = blocks.reshape(count, WORD // (2 * half), 2, half, width)
        low, high = halves[:, :, 0], halves[:, :, 1]
        exchanged = low >> shift
        exchanged ^= high
        exchanged &= mask
        high ^= exchanged
        exchanged <<= shift
        low ^= exchanged
    return blocks


# For halves of 32, 16, ..., 1 bits: the mask of every lower one.
_LOWER_HALVES = tuple(
    (half, np.uint64(sum(1 << bit for bit in range(WORD) if not bit & half)))
    for half in (WORD >> step for step in range(1, WORD.bit_length()))
)


def group_rows_in_pieces(keys: NDArray[np.uint64]) -> WorkInPieces[tuple[Indices, Indices]]:
    """Group the equal rows of uint64[N, W]: (group of each row, first row of each group)."""
    digest = np.empty(len(keys), dtype=np.uint64)
    for rows in pieces(keys):
        digest[rows] = _digest(keys[rows])
        yield
    leader = yield from _leaders_in_pieces(digest)
    del digest
    later = np.flatnonzero(leader != np.arange(len(keys)))
    for part in pieces(keys):
        some = later[part]
        if not np.array_equal(keys[some], keys[leader[some]]):  # two rows share a digest
            _, first, group = np.unique(keys, axis=0, return_index=True, return_inverse=True)
            leader = first[group.reshape(-1)]
            break
        yield
    return by_leader(leader)


def _leaders_in_pieces(digest: NDArray[np.uint64]) -> WorkInPieces[Indices]:
    """The first row that has the digest of each row.

    Rows of a digest of their own, which are most if columns are independent, are only sorted by
    value: ten times as fast as an order of rows, and 36 MB in the place of 474 MB for 10^7 rows.
    """
    ordered = np.sort(digest)
    yield
    twice = ordered[1:][ordered[1:] == ordered[:-1]]
    del ordered
    leader = np.arange(len(digest))
    if not len(twice):
        return leader
    some: Indices | slice = slice(None)
    if len(twice) < len(digest) // FEW_TWICE:
        found = []
        for start in range(0, len(digest), PIECE):
            part = digest[start : start + PIECE]
            at = np.minimum(np.searchsorted(twice, part), len(twice) - 1)
            found.append(start + np.flatnonzero(twice[at] == part))
            yield
        some = np.concatenate(found)
    del twice
    _, first, group = np.unique(digest[some], return_index=True, return_inverse=True)
    leader[some] = leader[some][first][group]
    yield
    return leader


def by_leader(leader: Indices) -> tuple[Indices, Indices]:
    """(group of each row, first row of each group), the groups numbered by their first rows, from
    the first row that is in the group of each."""
    own = leader == np.arange(len(leader))
    rank = np.cumsum(own)
    rank -= 1
    return rank[leader], np.flatnonzero(own)


def _digest(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """One word a row; a row of one word is its own digest."""
    if keys.shape[1] == 1:
        return keys[:, 0]
    mixed: NDArray[np.uint64] = keys ^ (keys >> np.uint64(29))
    return np.asarray((mixed * multipliers(keys.shape[1])).sum(axis=1, dtype=np.uint64))


def multipliers(count: int) -> NDArray[np.uint64]:
    """Odd words that look random. NumPy's generators take long to import."""
    words = random.Random(0)
    return np.array([words.getrandbits(64) | 1 for _ in range(count)], dtype=np.uint64)
