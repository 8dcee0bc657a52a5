"""One call of the compiled checker of falling lists: costs and prefixes in, what fails out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError, ResourceError
from corels.proofcheck.falling.costs import Costs
from corels_checker._native import ffi, lib

NO_LIMIT = 2**31 - 1


def check(costs: Costs, prefixes: Sequence[tuple[int, int]], total: int) -> tuple[int, int] | None:
    """The first prefix that does not hold and the antecedent behind it, or None.

    0 is the empty prefix. The antecedent is -1 where to end there costs less than `total`, and -2
    where the prefix cannot be. Raises InputError where the checker was built without 128 bits.
    """
    negatives, positives = np.ascontiguousarray(costs.points.counts, dtype=np.uint32)
    pairs = np.array(prefixes, dtype=np.uint32).reshape(-1, 2)
    shared, rules = np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1])
    masks = _packed(costs.points.captures)
    table = ffi.new(
        "corels_falling_table *",
        {
            "positive": costs.positive,
            "unit": costs.unit,
            "rule": costs.rule,
            "edges": costs.edges,
            "total": total,
            "antecedents": costs.antecedents,
            "points": len(positives),
            "max_length": -1 if costs.max_length is None else min(costs.max_length, NO_LIMIT),
            "masks": ffi.from_buffer("uint64_t[]", masks),
            "positives": ffi.from_buffer("uint32_t[]", positives),
            "negatives": ffi.from_buffer("uint32_t[]", negatives),
        },
    )
    given = ffi.new(
        "corels_falling_prefixes *",
        {
            "count": len(pairs),
            "shared": ffi.from_buffer("uint32_t[]", shared),
            "rules": ffi.from_buffer("uint32_t[]", rules),
        },
    )
    report = ffi.new("corels_falling_report *")
    result = lib.corels_check_falling(table, given, report)
    if result == lib.CORELS_FALLING_HOLDS:
        return None
    if result == lib.CORELS_FALLING_FAILS:
        return report.prefix, report.antecedent
    if result == lib.CORELS_FALLING_MEMORY:
        raise ResourceError("the checker: there is not enough memory")
    raise InputError("the compiled checker was built without 128 bits: use checker 'python'")


def _packed(captures: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """bool[M, P] -> uint64[M, words]."""
    words = -(-captures.shape[1] // 64)
    octets = np.zeros((len(captures), words * 8), dtype=np.uint8)
    octets[:, : -(-captures.shape[1] // 8)] = np.packbits(captures, axis=1, bitorder="little")
    return np.ascontiguousarray(octets.view("<u8").astype(np.uint64, copy=False))
