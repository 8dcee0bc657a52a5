"""All good lists in the C engine (include/corels/near.h)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.search import Parts
from corels.search.good_lists import (
    Antecedents,
    Level,
    NearEngine,
    NearGraph,
    NearInstance,
    NearLimitError,
    NearProgress,
    Shares,
    TooManyListsError,
    Wanted,
)
from corels_c._native import ffi, lib
from corels_c.parts import Caller, barred
from corels_c.status import check, opened

MOST_AT_ONCE = 4096  # lists that one call writes
WORD = 2**64


class CNear(NearEngine):
    """The graph of all lists within a budget, in C."""

    def __init__(self, instance: NearInstance, wanted: Wanted, parts: Parts, memory: int) -> None:
        self.instance = instance
        self._handle, self.memory, self._bounds = ffi.NULL, memory, parts.bounds
        self._caller = Caller(len(instance.masks), parts)
        given = _instance(instance)
        options, kept = _options(len(instance.masks), wanted)
        options.memory, options.asked = memory, self._caller.options()
        out = ffi.new("corels_near **")
        status = lib.corels_near_new(out, given[0], options)
        del kept, given  # the engine has copied what it keeps
        check(status, "the lists cannot be counted")
        self._handle = out[0]

    @property
    def _near(self) -> Any:
        return opened(self._handle, "these lists are")

    def begin(self, budget: int) -> None:
        _check(lib.corels_near_begin(self._near, budget))

    def step(self, sets: int) -> bool:
        status = lib.corels_near_step(self._near, sets)
        if status == lib.CORELS_PART_FAILED:
            raise self._caller.error()
        if status != lib.CORELS_DONE:
            _check(status)
        return bool(status == lib.CORELS_DONE)

    def progress(self) -> NearProgress:
        now = ffi.new("corels_near_progress *")
        lib.corels_near_look(self._near, now)
        built = (lib.corels_near_stages(self._near, place) for place in range(len(self._bounds)))
        return NearProgress(
            now.sets,
            now.processed,
            now.counted,
            now.memory,
            now.peak_memory,
            expanded=now.expanded,
            building=now.building,
            stages={b.name: n for b, n in zip(self._bounds, built, strict=True) if n >= 0},
        )

    def levels(self) -> list[Level]:
        count = lib.corels_near_levels(self._near, ffi.NULL, 0)
        found = ffi.new("corels_near_level[]", max(1, count))
        lib.corels_near_levels(self._near, found, count)
        return [Level(at.cost, at.rules, at.high << 64 | at.low) for at in found[0:count]]

    def _longest(self) -> int:
        return max((level.rules for level in self.levels()), default=0)

    def lists(self, start: int, count: int) -> list[Antecedents]:
        longest, found = self._longest(), list[Antecedents]()
        lengths = ffi.new("int32_t[]", MOST_AT_ONCE)
        rules = ffi.new("int32_t[]", MOST_AT_ONCE * longest + 1)
        while len(found) < count:
            first, n = start + len(found), min(MOST_AT_ONCE, count - len(found))
            _check(lib.corels_near_lists(self._near, *divmod(first, WORD), n, lengths, rules))
            found += [tuple(rules[i * longest : i * longest + lengths[i]]) for i in range(n)]
        return found

    def graph(self) -> NearGraph:
        sizes = ffi.new("int64_t[2]")
        _check(lib.corels_near_graph(self._near, sizes, *[ffi.NULL] * 4))
        words = self.instance.masks.shape[1]
        sets = np.zeros((sizes[0], words), dtype=np.uint64)
        begins = np.zeros(sizes[0] + 1, dtype=np.int64)
        rules, behind = np.zeros((2, sizes[1]), dtype=np.int32)
        cast = (("uint64_t[]", sets), ("int64_t[]", begins), ("int32_t[]", rules))
        given = [ffi.from_buffer(kind, array) for kind, array in (*cast, ("int32_t[]", behind))]
        _check(lib.corels_near_graph(self._near, sizes, *given))
        return NearGraph(sets, begins, rules, behind)

    def shares(self) -> Shares:
        classes, bits = len(self.instance.regrets), self.instance.bits
        antecedents = len(self.instance.masks)
        uses = np.zeros((antecedents, classes, 2), dtype=np.uint64)
        first = np.zeros((antecedents, 2), dtype=np.uint64)
        predicted = np.zeros((classes, bits, 2), dtype=np.uint64)
        out = [ffi.from_buffer("uint64_t[]", part) for part in (uses, first, predicted)]
        _check(lib.corels_near_shares(self._near, *out))
        return Shares(
            [_wholes(row) for row in uses], _wholes(first), [_wholes(row) for row in predicted]
        )

    def range(self, scores: NDArray[np.int32]) -> tuple[int, int, Antecedents, Antecedents]:
        longest = self._longest()
        bounds, lengths = ffi.new("int64_t[2]"), ffi.new("int32_t[2]")
        rules = ffi.new("int32_t[]", 2 * longest + 1)
        given = ffi.from_buffer("int32_t[]", np.ascontiguousarray(scores, dtype=np.int32))
        _check(lib.corels_near_range(self._near, given, bounds, lengths, rules))
        low, high = (tuple(rules[i * longest : i * longest + lengths[i]]) for i in range(2))
        return bounds[0], bounds[1], low, high

    def close(self) -> None:
        lib.corels_near_free(self._handle)
        self._handle = ffi.NULL


def _check(status: int) -> None:
    if status == lib.CORELS_NEAR_LIMIT:
        raise NearLimitError("the lists of this tolerance need more memory than the limit")
    if status == lib.CORELS_NEAR_TOO_MANY:
        raise TooManyListsError(
            f"there are more than 2^{lib.corels_near_bits()} lists, the most that backend 'c' "
            "counts: use backend 'python', or a smaller tolerance"
        )
    check(status, "the lists cannot be counted")


def _wholes(pairs: NDArray[np.uint64]) -> list[int]:
    """Numbers of 128 bits, from [n][2] words: the high one comes first."""
    high, low = pairs.T
    if not high.any():  # as nearly always
        return low.tolist()
    return [a << 64 | b for a, b in zip(high.tolist(), low.tolist(), strict=True)]


def _instance(instance: NearInstance) -> tuple[Any, Any, Any, Any]:
    """The C struct, and the arrays that it points into."""
    masks = ffi.from_buffer("uint64_t[]", instance.masks)
    regrets = ffi.from_buffer("int32_t[]", instance.regrets)
    not_said = barred(instance.may_say)
    given = {
        "antecedents": len(instance.masks),
        "points": instance.bits,
        "front": instance.front,
        "classes": len(instance.regrets),
        "for_rules": instance.for_rules,
        "barred": not_said,
        "masks": masks,
        "regrets": regrets,
        "unit": instance.unit,
        "rule_cost": instance.rule_cost,
    }
    return ffi.new("corels_near_instance *", given), masks, regrets, not_said


def _options(antecedents: int, wanted: Wanted) -> tuple[Any, list[Any]]:
    prefix = ffi.new("int32_t[]", list(wanted.begins_with) or [0])
    required = ffi.new("int32_t[]", list(wanted.must_use) or [0])
    avoided = ffi.new("uint8_t[]", antecedents)
    for index in wanted.avoid:
        avoided[index] = 1
    given = {
        "prefix": prefix,
        "prefix_length": len(wanted.begins_with),
        "required": required,
        "required_count": len(wanted.must_use),
        "avoided": avoided,
        "max_rules": -1 if wanted.max_rules is None else wanted.max_rules,
    }
    return ffi.new("corels_near_options *", given), [prefix, required, avoided]
