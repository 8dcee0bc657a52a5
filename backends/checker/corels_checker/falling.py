"""The compiled checker of falling lists, through cffi: costs and prefixes in, what fails out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError, ResourceError
from corels.proofcheck.falling.costs import Cost, Costs
from corels.proofcheck.falling.reading import FallingProof
from corels_checker._native import ffi, lib

NO_LIMIT = 2**31 - 1
CELLS = 1 << 21  # antecedents times points that are looked at between two looks at the clock
NO_MEMORY = "the checker: there is not enough memory"


class Step(NamedTuple):
    """What became of a step. failing: the first prefix that does not hold (0 is the empty one) and
    the antecedent behind it: -1 where to end there costs less, -2 where the prefix cannot be. None:
    everything holds, and `done` of `total` prefixes are looked at. open: a bound may still show it
    in exact fractions; to go on then leaves this antecedent behind.
    """

    failing: tuple[int, int] | None
    open: bool
    what: str
    done: int
    total: int


def check(
    costs: Costs, proof: FallingProof, total: Cost, wanted: NDArray[np.uint8] | None = None
) -> Iterator[Step]:
    """Every prefix of a proof, step by step.

    total: the conclusion. wanted: uint8[1 + prefixes], 1 where a prefix is to be looked at; those
    become 2, and so do in the end all that they lean on. Raises InputError where the checker was
    built without 128 bits.
    """
    negatives, positives = np.ascontiguousarray(costs.points.counts, dtype=np.uint32)
    masks = _packed(costs.points.captures)
    own = proof.lists[-1] if int(total) != total else ()
    table = ffi.new(
        "corels_falling_table *",
        {
            "positive": costs.positive,
            "unit": costs.unit,
            "rule": costs.rule,
            "violation": -1 if costs.violation is None else costs.violation,
            "edges": costs.edges,
            "total": -1 if own else int(total),
            "antecedents": costs.antecedents,
            "points": len(positives),
            "max_length": -1 if costs.max_length is None else min(costs.max_length, NO_LIMIT),
            "masks": ffi.from_buffer("uint64_t[]", masks),
            "positives": ffi.from_buffer("uint32_t[]", positives),
            "negatives": ffi.from_buffer("uint32_t[]", negatives),
        },
    )
    pairs = np.array(proof.prefixes, dtype=np.uint32).reshape(-1, 2)
    rows = [np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1])]
    claimed, listed = np.array(proof.claimed, np.uint8), np.array([*own, 0], np.uint32)
    given = ffi.new(
        "corels_falling_prefixes *",
        {
            "count": len(pairs),
            "shared": ffi.from_buffer("uint32_t[]", rows[0]),
            "rules": ffi.from_buffer("uint32_t[]", rows[1]),
            "claimed": ffi.from_buffer("uint8_t[]", claimed),
            "wanted": ffi.NULL if wanted is None else ffi.from_buffer("uint8_t[]", wanted),
            "length": len(own),
            "list": ffi.from_buffer("uint32_t[]", listed),
        },
    )
    budget = max(1, CELLS // max(1, masks.size))
    yield from _steps(table, given, budget)


def _steps(table: Any, given: Any, budget: int) -> Iterator[Step]:
    result, report = ffi.new("int *"), ffi.new("corels_falling_report *")
    checker = lib.corels_falling_open(table, given, result)
    if checker == ffi.NULL:
        raise _refusal(result[0])
    checker = ffi.gc(checker, lib.corels_falling_close)
    total, steps, code = 1 + int(given.count), 0, lib.CORELS_FALLING_RUNNING
    while code in (lib.CORELS_FALLING_RUNNING, lib.CORELS_FALLING_FAILS):
        code = lib.corels_falling_step(checker, budget, report)
        steps += budget
        done = min(total, steps % total) if given.wanted == ffi.NULL else 0
        if code == lib.CORELS_FALLING_FAILS:
            yield Step((int(report.prefix), int(report.antecedent)), not report.exact, "", 0, 0)
        elif code == lib.CORELS_FALLING_RUNNING:
            what = "the states of the prefixes" if steps < total else "prefixes"
            yield Step(None, False, what, done, total)
    if code != lib.CORELS_FALLING_HOLDS:
        raise _refusal(code)


def _refusal(code: int) -> Exception:
    if code == lib.CORELS_FALLING_UNSUPPORTED:
        return InputError("the compiled checker was built without 128 bits: use checker 'python'")
    return ResourceError(NO_MEMORY)


def _packed(captures: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """bool[M, P] -> uint64[M, words]."""
    words = -(-captures.shape[1] // 64)
    octets = np.zeros((len(captures), words * 8), dtype=np.uint8)
    octets[:, : -(-captures.shape[1] // 8)] = np.packbits(captures, axis=1, bitorder="little")
    return np.ascontiguousarray(octets.view("<u8").astype(np.uint64, copy=False))
