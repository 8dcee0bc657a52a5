"""The compiled checker: a table and a proof in, the first failure out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError, ResourceError
from corels.proofcheck.failures import Failure, FalseDataError
from corels.proofcheck.reading import Proof
from corels.proofcheck.table import Table
from corels.proofcheck.watch import UNWATCHED, Watch
from corels_checker._native import ffi, lib

PARTS = 16  # of the work of a thread: they do not take equally long
WORDS = 1 << 22  # that are looked at between two looks at the clock: a fraction of a second
STATES = 1 << 18  # that are filled in one go
MOST_BITS = 16  # of a state of a cell
CLUSTERED = 8  # antecedents


def check(table: Table, proof: Proof, threads: int = 1, watch: Watch = UNWATCHED) -> Failure | None:
    """The first claim that does not hold, or None.

    watch: is told how far the check is, part by part. Raises EndedError where its time is up,
    InputError for malformed records, or weights of 2^31 or costs of 2^58 and more, ResourceError
    where memory is short.
    """
    if table.total >= (1 << 31) - 1 or max(table.rule_cost, table.unit * table.total) >= 1 << 58:
        raise InputError("these weights or costs are too large for checker 'c': use 'python'")
    given, _kept = _as_c(table, proof)
    records = ffi.from_buffer("uint8_t[]", proof.records)
    made = ffi.new("corels_check **")
    try:
        _raise(lib.corels_check_new(given, records, len(proof.records), made))
        for stage, work, at_once in _stages(table, proof):
            used = threads if at_once else 1
            failures = _run(made[0], stage, _parts(work, used), used, watch)
            if failures:  # first those of a claim, the first of them in the file
                return min(failures, key=lambda failure: (failure.claim < 0, failure.claim))
    finally:
        lib.corels_check_free(made[0])
    return None


class _Work(NamedTuple):
    """What a stage does, for so many cells or claims, and how many parts that makes."""

    what: str
    total: int
    parts: int


def _stages(table: Table, proof: Proof) -> Iterator[tuple[int, _Work, bool]]:
    """Each stage: its number, its work, and whether its parts may run at the same time."""
    antecedents, points = table.captures.shape
    words, claims = -(-points // 64), len(proof.values)
    sizes = [len(block) for blocks in proof.partitions for block in blocks]
    sizes += [len(items) for _, cells in proof.prices for items, _ in cells]
    states = sum(1 << min(size, MOST_BITS) for size in sizes)
    yield lib.CORELS_CHECK_FILL, _Work("cells of tables", len(sizes), states // STATES), True
    found = _Work("claims by their sets", claims, claims * words // WORDS)
    yield lib.CORELS_CHECK_FIND, found, False
    counted = _Work("claims", claims, claims * words * antecedents // WORDS)
    yield lib.CORELS_CHECK_CLAIMS, counted, True


def _parts(work: _Work, threads: int) -> _Work:
    """At least one part, and enough of them for the threads."""
    return work._replace(parts=max(work.parts, 1 if threads == 1 else threads * PARTS))


def _run(check: Any, stage: int, work: _Work, threads: int, watch: Watch) -> list[Failure]:
    """One stage, by so many threads: what does not hold."""

    def run(part: int) -> tuple[int, Any]:
        report = ffi.new("corels_check_report *")
        return lib.corels_check_run(check, stage, part, work.parts, report), report

    found = []
    watch.tell(work.what, 0, work.total)
    for done, (result, report) in enumerate(_results(run, work.parts, threads), start=1):
        _raise(result)
        if result == lib.CORELS_CHECK_FAILS:
            found.append(Failure(report.claim, report.value, report.antecedent, report.stop))
        watch.tell(work.what, work.total * done // work.parts, work.total)
    return found


def _results(
    run: Callable[[int], tuple[int, Any]], parts: int, threads: int
) -> Iterator[tuple[int, Any]]:
    """What each part comes to, in order. Whoever stops listening waits only for the parts that run
    at that moment."""
    if threads == 1:
        yield from map(run, range(parts))
        return
    pool = ThreadPoolExecutor(threads)
    try:
        yield from pool.map(run, range(parts))
    finally:
        pool.shutdown(cancel_futures=True)


def _raise(result: int) -> None:
    if result == lib.CORELS_CHECK_DATA:
        raise FalseDataError("a partition of the proof gives points that it may not, or too much")
    if result == lib.CORELS_CHECK_MEMORY:
        raise ResourceError("the checker: there is not enough memory")
    if result == lib.CORELS_CHECK_MALFORMED:
        raise InputError("the proof's records are malformed")


def _as_c(table: Table, proof: Proof) -> tuple[Any, list[NDArray[Any]]]:
    """The table for the C code, and the arrays that it points to."""
    order = _order(table, proof)
    place = np.append(np.argsort(order), -1)  # of a point in that order; -1 stays
    arrays = [
        _packed(table.captures[:, order]),
        np.ascontiguousarray(table.regrets[:, order], dtype=np.int32),
        np.ascontiguousarray(place[table.kept], dtype=np.int32),
    ]
    given = ffi.new(
        "corels_check_table *",
        {
            "unit": table.unit,
            "rule_cost": table.rule_cost,
            "antecedents": len(table.captures),
            "points": table.captures.shape[1],
            "classes": len(table.regrets),
            "numbered": len(table.kept),
            "masks": ffi.from_buffer("uint64_t[]", arrays[0]),
            "regrets": ffi.from_buffer("int32_t[]", arrays[1]),
            "kept": ffi.from_buffer("int32_t[]", arrays[2]),
        },
    )
    return given, arrays


def _order(table: Table, proof: Proof) -> NDArray[np.intp]:
    """Points by their class and weight, and by what the claims' rules capture: the checker then
    meets words of few weights, and words that a set has lost."""
    used = np.bincount(proof.rules, minlength=len(table.captures))
    keys = [table.captures[r] for r in np.argsort(used, kind="stable")[-CLUSTERED:]]
    regrets = table.regrets
    return np.lexsort((*keys, -regrets.max(axis=0, initial=0), regrets.argmax(axis=0)))


def _packed(captures: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """bool[M, P] -> uint64[M, words]."""
    words = -(-captures.shape[1] // 64)
    octets = np.zeros((len(captures), words * 8), dtype=np.uint8)
    octets[:, : -(-captures.shape[1] // 8)] = np.packbits(captures, axis=1, bitorder="little")
    return np.ascontiguousarray(octets.view("<u8").astype(np.uint64, copy=False))
