"""One call of the compiled checker: a table and a proof in, the first failure out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError, ResourceError
from corels.proofcheck.given import FalseDataError
from corels.proofcheck.plain import Failure
from corels.proofcheck.reading import Proof
from corels.proofcheck.table import Table
from corels_checker._native import ffi, lib


def check(table: Table, proof: Proof) -> Failure | None:
    """The first claim that does not hold, or None.

    Raises InputError for malformed records, or weights beyond 2^31 or costs beyond 2^58.
    """
    if table.total >= 1 << 31 or max(table.rule_cost, table.unit * table.total) >= 1 << 58:
        raise InputError("these weights or costs are too large for checker 'c': use 'python'")
    order = _order(table.regrets)
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
    report = ffi.new("corels_check_report *")
    records = ffi.from_buffer("uint8_t[]", proof.records)
    result = lib.corels_check_proof(given, records, len(proof.records), report)
    if result == lib.CORELS_CHECK_HOLDS:
        return None
    if result == lib.CORELS_CHECK_FAILS:
        return Failure(report.claim, report.value, report.antecedent, report.stop)
    if result == lib.CORELS_CHECK_DATA:
        raise FalseDataError("a partition of the proof gives points that it may not, or too much")
    if result == lib.CORELS_CHECK_MEMORY:
        raise ResourceError("the checker: there is not enough memory")
    raise InputError("the proof's records are malformed")


def _order(regrets: NDArray[np.int64]) -> NDArray[np.intp]:
    """Points by their class and weight, so that the checker's bit-planes are short."""
    return np.lexsort((-regrets.max(axis=0, initial=0), regrets.argmax(axis=0)))


def _packed(captures: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """bool[M, P] -> uint64[M, words]."""
    words = -(-captures.shape[1] // 64)
    octets = np.zeros((len(captures), words * 8), dtype=np.uint8)
    octets[:, : -(-captures.shape[1] // 8)] = np.packbits(captures, axis=1, bitorder="little")
    return np.ascontiguousarray(octets.view("<u8").astype(np.uint64, copy=False))
