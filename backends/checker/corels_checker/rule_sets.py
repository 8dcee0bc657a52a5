"""The compiled searches of the checker of rule sets, through cffi.

The same as corels.proofcheck.rule_sets.clauses and .closing: the same results, the same counts of
work.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import ResourceError
from corels.proofcheck.rule_sets.clauses import Limits, TooLargeError
from corels.proofcheck.rule_sets.costs import Costs
from corels.proofcheck.rule_sets.reading import Clause, Duals
from corels.proofcheck.watch import Watch
from corels_checker._native import ffi, lib

WORK = 1 << 20  # words of a table between two looks at the clock

Found = list[tuple[Clause, int]]


def clauses(  # noqa: PLR0917
    costs: Costs, duals: Duals, limit: int, spare: int, limits: Limits, watch: Watch
) -> Found:
    """As `Clauses(...).found` of the plain checker. Raises TooLargeError as it does."""
    mu = np.array(duals.mu, dtype=np.int64)
    some = mu > 0
    arrays = {
        "held_positives": _packed(costs.positives[:, some]),
        "held_negatives": _packed(costs.negatives),
        "duals": np.ascontiguousarray(mu[some]),
        "caught": np.ascontiguousarray(costs.caught, dtype=np.int64),
    }
    problem = ffi.new(
        "corels_clauses_problem *",
        {
            "features": len(costs.positives),
            "longest": costs.longest,
            "positives": int(some.sum()),
            "negatives": len(costs.caught),
            "scale": duals.scale,
            "first": duals.price + duals.scale * costs.clause,
            "each": duals.price + duals.scale * costs.condition,
            "limit": limit,
            "spare": spare,
            "most": limits.clauses,
            "cells": -1 if limits.cells is None else limits.cells,
            **_pointers(arrays),
        },
    )
    search = lib.corels_clauses_open(problem)
    if search == ffi.NULL:
        raise _no_memory()
    search = ffi.gc(search, lib.corels_clauses_close)
    nodes = max(1, WORK // max(1, arrays["held_negatives"].size))
    _run(lambda: lib.corels_clauses_step(search, nodes), nodes, watch, "clauses that were extended")
    return _read(search)


def refuted(  # noqa: PLR0917
    costs: Costs, duals: Duals, found: Found, slack: int, nodes: int, watch: Watch
) -> bool:
    """As `Closing(...).refuted()` of the plain checker. Raises TooLargeError as it does."""
    mu = np.array(duals.mu, np.int64)
    cover = np.array([costs.positives[list(c)].all(axis=0) for c, _ in found], np.bool_)
    arrays = {
        "cover": _packed(cover.reshape(len(found), len(mu))),
        "reduced": np.array([cost for _, cost in found], np.int64),
        "sizes": np.array([1 + len(clause) for clause, _ in found], np.int64),
        "duals": mu,
        "leave": np.ascontiguousarray(costs.missed * duals.scale - mu, dtype=np.int64),
    }
    problem = ffi.new(
        "corels_closing_problem *",
        {
            "clauses": len(found),
            "points": len(mu),
            "price": duals.price,
            "slack": slack,
            "room": costs.budget,
            "nodes": nodes,
            **_pointers(arrays),
        },
    )
    search = lib.corels_closing_open(problem)
    if search == ffi.NULL:
        raise _no_memory()
    search = ffi.gc(search, lib.corels_closing_close)
    step = max(1, WORK // max(1, arrays["cover"].size))
    return _run(lambda: lib.corels_closing_step(search, step), step, watch, "sets of clauses")


def _run(step: Callable[[], int], nodes: int, watch: Watch, what: str) -> bool:
    """To the end; whether something was refuted."""
    done = 0
    while (result := step()) == lib.CORELS_SETS_RUNNING:
        done += nodes
        watch.tell(what, done)
    if result == lib.CORELS_SETS_TOO_LARGE:
        raise TooLargeError
    if result == lib.CORELS_SETS_MEMORY:
        raise _no_memory()
    return bool(result == lib.CORELS_SETS_REFUTED)


def _read(search: Any) -> Found:
    total = ffi.new("size_t *")
    count = lib.corels_clauses_count(search, total)
    sizes, features = np.zeros(count, np.int32), np.zeros(total[0], np.int32)
    costs = np.zeros(count, np.int64)
    lib.corels_clauses_read(
        search,
        ffi.from_buffer("int32_t[]", sizes),
        ffi.from_buffer("int32_t[]", features),
        ffi.from_buffer("int64_t[]", costs),
    )
    parts = np.split(features, np.cumsum(sizes)[:-1]) if count else []
    return [
        (tuple(sorted(part.tolist())), cost)
        for part, cost in zip(parts, costs.tolist(), strict=True)
    ]


def _pointers(arrays: dict[str, NDArray[Any]]) -> dict[str, Any]:
    kinds = {np.dtype(np.uint64): "uint64_t[]", np.dtype(np.int64): "int64_t[]"}
    return {name: ffi.from_buffer(kinds[a.dtype], a) for name, a in arrays.items()}


def _no_memory() -> ResourceError:
    return ResourceError("the checker: there is not enough memory")


def _packed(rows: Sequence[Any] | NDArray[np.bool_]) -> NDArray[np.uint64]:
    """bool[n, points] -> uint64[n, words]."""
    held = np.asarray(rows)
    words = -(-held.shape[1] // 64)
    octets = np.zeros((len(held), words * 8), dtype=np.uint8)
    octets[:, : -(-held.shape[1] // 8)] = np.packbits(held, axis=1, bitorder="little")
    return np.ascontiguousarray(octets.view("<u8").astype(np.uint64, copy=False))
