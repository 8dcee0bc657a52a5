"""The compiled checker: a table and a proof in, the first failure out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError, ResourceError
from corels.proofcheck.given import FalseDataError
from corels.proofcheck.plain import Failure
from corels.proofcheck.reading import Cell, Proof
from corels.proofcheck.table import Table
from corels.proofcheck.watch import UNWATCHED, Watch
from corels_checker._native import ffi, lib

PARTS = 16  # of the work of a thread: they do not take equally long
WORDS = 1 << 24  # that are looked at between two looks at the clock: a fraction of a second
STATES = 1 << 18  # that are filled in one go
MOST_BITS = 16  # of a state of a cell
CLUSTERED = 8  # antecedents
FALSE = "a partition of the proof gives points that it may not, or too much"


def check(table: Table, proof: Proof, threads: int = 1, watch: Watch = UNWATCHED) -> Failure | None:
    """The first claim that does not hold, or None.

    watch: is told how far the check is, part by part. Raises EndedError where its time is up,
    InputError for weights of 2^31 or costs of 2^58 and more, ResourceError where memory is short.
    """
    if table.total >= (1 << 31) - 1 or max(table.rule_cost, table.unit * table.total) >= 1 << 58:
        raise InputError("these weights or costs are too large for checker 'c': use 'python'")
    arrays: list[Any] = []  # what the C code points to lives as long as this list
    order = _order(table, proof)
    place = np.append(np.argsort(order), -1)[table.kept]  # in that order; -1 stays
    given = ffi.new("corels_check_table *", _table(table, order, arrays))
    claims = ffi.new("corels_check_proof *", _proof(proof, place, arrays))
    made, checker = ffi.new("corels_check **"), lib.corels_checker_here()
    try:
        _raise(checker.start(given, claims, made))
        for stage, work in _stages(table, proof):
            used = threads if stage == lib.CORELS_CHECK_CLAIMS else 1
            failures = _run(checker, made[0], stage, work, used, watch)
            if failures:  # first those of a claim, the first of them in the file
                return min(failures, key=lambda failure: (failure.claim < 0, failure.claim))
    finally:
        checker.end(made[0])
    return None


class _Work(NamedTuple):
    """What a stage does, for so many cells or claims, and how many parts that makes."""

    what: str
    total: int
    parts: int


def _stages(table: Table, proof: Proof) -> Iterator[tuple[int, _Work]]:
    """Each stage: its number and its work."""
    antecedents, points = table.captures.shape
    words, claims = -(-points // 64), len(proof.values)
    sizes = [len(block) for blocks in proof.partitions for block in blocks]
    sizes += [len(items) for _, cells in proof.prices for items, _ in cells]
    states = sum(1 << min(size, MOST_BITS) for size in sizes)
    yield lib.CORELS_CHECK_FILL, _Work("cells of tables", len(sizes), 1 + states // STATES)
    found = claims * words // WORDS
    yield lib.CORELS_CHECK_FIND, _Work("claims by their sets", claims, 1 + found)
    yield lib.CORELS_CHECK_CLAIMS, _Work("claims", claims, 1 + found * antecedents)


def _run(  # noqa: PLR0917
    checker: Any, check: Any, stage: int, work: _Work, threads: int, watch: Watch
) -> list[Failure]:
    """One stage, by so many threads: what does not hold."""
    parts = work.parts if threads == 1 else max(work.parts, threads * PARTS)
    ends = [work.total * part // parts for part in range(parts + 1)]

    def run(part: int) -> tuple[int, Any]:
        report = ffi.new("corels_check_report *")
        return checker.run(check, stage, ends[part], ends[part + 1], report), report

    found = []
    watch.tell(work.what, 0, work.total)
    for done, (result, report) in enumerate(_results(run, parts, threads), start=1):
        _raise(result)
        if result == lib.CORELS_CHECK_FAILS:
            found.append(Failure(report.claim, report.value, report.antecedent, report.stop))
        watch.tell(work.what, ends[done], work.total)
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
        raise FalseDataError(FALSE)
    if result == lib.CORELS_CHECK_MEMORY:
        raise ResourceError("the checker: there is not enough memory")


def _at(arrays: list[Any], values: Any, dtype: Any, kind: str) -> Any:
    """The address of an array, of a copy if it has another type."""
    arrays.append(np.ascontiguousarray(values, dtype=dtype))
    return ffi.from_buffer(f"{kind}[]", arrays[-1])


def _table(table: Table, order: NDArray[np.intp], arrays: list[Any]) -> dict[str, Any]:
    """The table, its points in this order."""
    classes, points = table.regrets.shape
    worst = table.regrets.max(axis=0, initial=0)[None]
    weights = table.regrets if classes == 2 else np.concatenate((table.regrets, worst))
    return {
        "unit": table.unit,
        "rule_cost": table.rule_cost,
        "antecedents": len(table.captures),
        "points": points,
        "classes": classes,
        "rows": len(weights),
        "masks": _at(arrays, _packed(table.captures[:, order]), np.uint64, "uint64_t"),
        "weights": _at(arrays, weights[:, order], np.int32, "int32_t"),
    }


def _proof(proof: Proof, place: NDArray[np.intp], arrays: list[Any]) -> dict[str, Any]:
    """place: the point that each number of the proof means, or -1."""
    width = 1 + len(proof.header["classes"])
    values = np.where(proof.relative, (proof.bound or 0) - proof.values, proof.values)
    given = [
        *(_record(None, [(b, []) for b in p], width, place, arrays) for p in proof.partitions),
        *(_record(*prices, width, place, arrays) for prices in proof.prices),
    ]
    arrays.append(ffi.new("corels_check_record[]", given))
    return {
        "bound": -1 if proof.bound is None else proof.bound,
        "claims": len(proof.values),
        "records": len(given),
        "rules": _at(arrays, proof.rules, np.int64, "int64_t"),
        "starts": _at(arrays, proof.starts, np.int64, "int64_t"),
        "values": _at(arrays, values, np.int64, "int64_t"),
        "given": arrays[-4],
    }


def _record(
    shift: int | None, cells: list[Cell], width: int, place: NDArray[np.intp], arrays: list[Any]
) -> dict[str, Any]:
    items, cuts = (_rows(rows, width) for rows in zip(*cells, strict=True))
    numbers = items[:, 0]
    if numbers.max(initial=0) >= len(place):
        raise FalseDataError(FALSE)
    items[:, 0] = place[numbers]
    if shift is None:  # so that sums of errors fit 16 bits
        most = max(int(items[:, 1:].sum()), 1)
    return {
        "priced": shift is not None,
        "shift": max(0, most.bit_length() - 15) if shift is None else shift,
        "cells": len(cells),
        "sizes": _at(arrays, [(len(a), len(b)) for a, b in cells], np.int64, "int64_t"),
        "items": _at(arrays, items, np.int64, "int64_t"),
        "cuts": _at(arrays, cuts, np.int64, "int64_t"),
    }


def _rows(lists: Iterable[list[list[int]]], width: int) -> NDArray[np.int64]:
    """int64[n, width]: all rows of all cells."""
    numbers = chain.from_iterable(chain.from_iterable(lists))
    return np.fromiter(numbers, np.int64).reshape(-1, width)


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
