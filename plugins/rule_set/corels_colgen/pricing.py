"""Pricing through the C library: which clauses have a reduced cost below a cutoff?

`Pricer` is a thin, typed interface of `corels_colgen/pricing.h`, which holds the definitions and
the proofs that the search rests on. All numbers are integers in units of 1/scale.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.problem.captures import pack
from corels_colgen._native import ffi, lib
from corels_colgen.instance import Bools, Clause, Ints


class Status(IntEnum):
    """What a step of the search says."""

    DONE = 0
    MORE = 1
    FULL = 2


@dataclass(frozen=True)
class Query:
    """What to search for: the fields of the C struct, see the header for each."""

    duals: Ints
    clause_cost: int
    condition_cost: int
    scale: int
    cutoff: int
    max_conditions: int
    redundant: int = 0
    capacity: int = 100
    keep_all: bool = False
    scale_by_size: int = 0
    touched: Bools | None = None


class Pricer:
    """The pricing problem of one table; start a search, step it, read the clauses found.

    `positives` (features x positive points) and `negatives` (features x negative points) are
    matrices of booleans; `negative_weights` are integers >= 1.
    """

    def __init__(self, positives: Bools, negatives: Bools, negative_weights: Ints) -> None:
        features = len(positives)
        positive_bits, negative_bits = pack(positives), pack(negatives)
        weights = np.ascontiguousarray(negative_weights, dtype=np.int64)
        self.points = positives.shape[1]
        handle = lib.corels_pricing_new(
            features,
            positives.shape[1],
            negatives.shape[1],
            _words(positive_bits),
            _words(negative_bits),
            ffi.from_buffer("int64_t[]", weights),
        )
        if handle == ffi.NULL:
            raise MemoryError(
                "pricing: out of memory, or CORELS_KERNEL names no kernel of this CPU"
            )
        self._handle = ffi.gc(handle, lib.corels_pricing_free)

    def start(self, query: Query) -> Status:
        """Begin a search and forget the one before; the root is looked at here."""
        duals = np.ascontiguousarray(query.duals, dtype=np.int64)
        if len(duals) != self.points:
            raise ValueError(f"{len(duals)} duals for {self.points} positive points")
        buffer = ffi.from_buffer("int64_t[]", duals)
        touched = ffi.NULL if query.touched is None else _words(pack(query.touched[None]))
        given = {**vars(query), "duals": buffer, "touched": touched}
        native = ffi.new("corels_pricing_query *", given)
        return _checked(lib.corels_pricing_start(self._handle, native))

    def step(self, nodes: int) -> Status:
        """Expand up to `nodes` clauses."""
        return _checked(lib.corels_pricing_step(self._handle, nodes))

    def beam(self, width: int) -> Status:
        """Begin the heuristic search on the query of the last start, in place of the other one:
        `step` goes on with it. It is fast, and proves nothing."""
        return _checked(lib.corels_pricing_beam(self._handle, width))

    def stats(self) -> Any:
        """How far it is: a `corels_pricing_stats` of the header."""
        return lib.corels_pricing_read(self._handle)

    def clauses(self) -> list[tuple[int, Clause]]:
        """The clauses kept with their reduced costs, best first, ties by features."""
        table, lengths, costs = self.table()
        rows = zip(costs.tolist(), table.tolist(), lengths.tolist(), strict=True)
        return sorted((cost, tuple(sorted(row[:length]))) for cost, row, length in rows)

    def table(self) -> tuple[NDArray[np.uint32], NDArray[np.uint32], Ints]:
        """The clauses kept as arrays: (found, stride) features, lengths, reduced costs."""
        found = self.stats().found
        stride = max(1, lib.corels_pricing_stride(self._handle))
        features = np.zeros((found, stride), dtype=np.uint32)
        lengths = np.zeros(found, dtype=np.uint32)
        costs = np.zeros(found, dtype=np.int64)
        if found:
            lib.corels_pricing_clauses(
                self._handle,
                ffi.from_buffer("uint32_t[]", features),
                ffi.from_buffer("uint32_t[]", lengths),
                ffi.from_buffer("int64_t[]", costs),
            )
        return features, lengths, costs


def _words(bits: NDArray[np.uint64]) -> object:
    return ffi.from_buffer("uint64_t[]", np.ascontiguousarray(bits))


def _checked(code: int) -> Status:
    if code == lib.CORELS_PRICING_NO_MEMORY:
        raise MemoryError("pricing: out of memory")
    if code == lib.CORELS_PRICING_RANGE:
        raise OverflowError("pricing: a weight or a cost is negative or too large for 64-bit sums")
    return Status(code)
