"""A proof's bytes, as a header and records. The format: docs/reference/proof-format.md.

The file is a line of JSON and then numbers, seven bits a byte, low ones first, the eighth bit set
where more follow. A process that was killed leaves a file whose last record is cut off: what comes
before it is read, and the proof says that it is not `finished`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError
from corels.proofcheck.opening import numbers, opened

CLAIM, EXPANDED, LIST, BLOCKS, PRICES, END = map(ord, "cxlbpe")
MOST_ITEMS = 16  # of a block: its table has a row for each subset
MOST_POINTS = 64  # of a cell
SHIFT = 64  # what is added to the shift of prices, so that it is no negative number

Block = Sequence[Sequence[int]]  # items: the point's number, then its regret for each class
Cell = tuple[Block, Block]  # items; and cuts: an antecedent, then its price for each class


@dataclass
class Proof:
    """What a file says, not yet believed. Rules are numbers of antecedents of the header.

    rules: every claim's, one behind another; claim i has rules[starts[i] : starts[i + 1]].
    values: int64, what whatever follows costs at least. For a claim of the best-first search
    `relative` holds and the value is the prefix's own cost g: the claim is `bound` - g.
    lists: rules and cost of each incumbent, in order. bound: of every list; None where the file
    ends before it. records: the bytes behind the header, to the last whole record.
    """

    header: Mapping[str, Any]
    records: bytes
    rules: NDArray[np.int64]
    starts: NDArray[np.int64]
    values: NDArray[np.int64]
    relative: NDArray[np.bool_]
    lists: list[tuple[list[int], int]] = field(default_factory=list)
    partitions: list[list[Block]] = field(default_factory=list)
    prices: list[tuple[int, list[Cell]]] = field(default_factory=list)  # shift and cells
    bound: int | None = None

    def claim(self, number: int) -> tuple[int, ...]:
        return tuple(self.rules[self.starts[number] : self.starts[number + 1]].tolist())


def read_proof(content: bytes, name: str = "the proof") -> Proof:
    """Header and records. Raises InputError for what is no proof, or is damaged before its end."""
    header, records = opened(content, name)
    if header.get("family") != "rule-list":
        raise InputError(f"{name}: this is for proofs of rule lists, not of {header.get('family')}")
    sizes = len(header["antecedents"]), len(header["classes"])
    return _Records(name, *sizes).parse(header, records)


class _Records:
    """One pass over the numbers. A record that is cut off at the end is left out."""

    def __init__(self, name: str, antecedents: int, classes: int) -> None:
        self.name, self.antecedents, self.classes = name, antecedents, classes

    def parse(self, header: Mapping[str, Any], content: bytes) -> Proof:
        try:
            decoded, ends = numbers(content)
        except ValueError as error:
            raise InputError(f"{self.name}: {error}") from None
        self.all: list[int] = decoded.tolist()
        nothing = np.zeros(0, dtype=np.int64)
        proof = Proof(header, b"", nothing, nothing, nothing, nothing.astype(np.bool_))
        self.at, whole, claims = 0, 0, list[tuple[int, int, int]]()
        try:
            while self.at < len(self.all) and proof.bound is None:
                self._record(proof, claims)
                whole = self.at
        except IndexError:
            pass  # cut off
        if proof.bound is not None and (whole < len(self.all) or ends[-1] < len(content)):
            raise InputError(f"{self.name}: there is more behind the end")
        proof.records = content[: int(ends[whole - 1]) if whole else 0]
        self._claims(proof, decoded, np.array(claims, dtype=np.int64).reshape(-1, 3))
        return proof

    def _record(self, proof: Proof, claims: list[tuple[int, int, int]]) -> None:
        kind = self._next()
        if kind in (CLAIM, EXPANDED):
            length = self._size(self.antecedents, "rules")
            claims.append((self.at, length, kind))
            self.at += length
            self._next()
        elif kind == LIST:
            rules = [self._size(self.antecedents - 1, "antecedents") for _ in self._many()]
            proof.lists.append((rules, self._next()))
        elif kind == BLOCKS:
            partition = [self._block() for _ in range(self._next())]
            if partition not in proof.partitions:  # a search that was resumed states it again
                proof.partitions.append(partition)
        elif kind == PRICES:
            prices = self._next() - SHIFT, [self._cell() for _ in range(self._next())]
            if prices not in proof.prices:
                proof.prices.append(prices)
        elif kind == END:
            proof.bound = self._next()
        else:
            raise InputError(f"{self.name}: record {kind} is of no known kind")

    def _next(self) -> int:
        self.at += 1
        return self.all[self.at - 1]

    def _size(self, most: int, what: str) -> int:
        size = self._next()
        if size > most:
            raise InputError(f"{self.name}: {size} {what}, where there are no more than {most}")
        return size

    def _many(self) -> range:
        return range(self._size(self.antecedents, "rules"))

    def _block(self) -> Block:
        return self._rows(self._size(MOST_ITEMS, "points in a block"))

    def _cell(self) -> Cell:
        points = self._rows(self._size(MOST_POINTS, "points in a cell"))
        return points, self._rows(self._size(self.antecedents, "cuts of a cell"))

    def _rows(self, count: int) -> list[list[int]]:
        """So many rows of a number and one more for each class."""
        return [[self._next() for _ in range(1 + self.classes)] for _ in range(count)]

    def _claims(self, proof: Proof, decoded: Any, claims: NDArray[np.int64]) -> None:
        """Every claim's rules, which are written as differences."""
        claims = claims[claims[:, 0] + claims[:, 1] < len(decoded)]
        at, lengths, kind = claims.T
        proof.starts = np.concatenate(([0], np.cumsum(lengths)))
        flat = np.repeat(at - proof.starts[:-1], lengths) + np.arange(proof.starts[-1])
        sums = np.concatenate(([0], np.cumsum(np.minimum(decoded[flat], 1 << 31))))
        proof.rules = sums[1:] - np.repeat(sums[proof.starts[:-1]], lengths)
        if proof.rules.max(initial=0) >= self.antecedents:
            raise InputError(f"{self.name}: a claim names an antecedent that there is not")
        proof.values, proof.relative = decoded[at + lengths], kind == EXPANDED
