"""One search of the C engine, as the core drives it: no decision is made here."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from threading import RLock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels import RuleList
from corels.problem import Instance, PlainRules, Problem
from corels.proof.records import list_record
from corels.search import (
    BEST_FIRST,
    DEPTH_FIRST,
    EVENT,
    Parts,
    Progress,
    ProofLog,
    SetSearch,
    Status,
)
from corels.search.calls import foreign, refuse_unknown
from corels.search.search import log10_remaining
from corels_c import parts as python_parts
from corels_c._native import ffi, lib
from corels_c.status import check, opened

STEP_SECONDS = 0.1  # after so long a step comes back at the next boundary
# From so many bytes on the engine reads masks where they are. A copy is aligned, which counts if
# the masks fit into the processor's caches.
LENT_BYTES = 1 << 24


def native_kernel() -> str | None:
    """Why no counting kernel can run, or None."""
    if lib.corels_kernel_current() == ffi.NULL:
        return f"CORELS_KERNEL is {os.environ['CORELS_KERNEL']!r}: this machine has no such kernel"
    return None


class CSearch(SetSearch):
    """Owns the engine's search and the arrays and callbacks that it refers to."""

    def __init__(self, problem: Problem, instance: Instance, parts: Parts) -> None:
        lent = instance.masks.nbytes >= LENT_BYTES
        kept = instance.without_points(lent=lent)
        self._problem, self._instance, self._parts = problem, kept, parts
        self.bounds = parts.bounds  # whose records say what they prove
        self.max_rules = parts.max_rules
        self._handle = ffi.NULL
        self._logged = -1  # the cost of the list that the log knows
        self._known: RuleList | None = None
        self._numbers: dict[int, int] | None = None  # of the problem's antecedents
        self._caller = python_parts.Caller(instance.n_antecedents, parts)
        out = ffi.new("corels_search **")
        given, arrays = _instance(instance, lent)
        options = self._caller.options()
        if parts.max_rules is not None:
            options.max_rules -= len(problem.first)
        status = lib.corels_search_new(out, given, options)
        check(status, "the search cannot begin")
        del arrays  # the engine has copied them, but for masks that are lent
        self._handle = out[0]
        self._report = ffi.new("corels_report *")
        self._lock = RLock()  # between `close` and `interrupt`: of another thread, of a signal

    @property
    def _search(self) -> Any:
        return opened(self._handle, "the search is")

    def offer(self, rules: PlainRules) -> bool:
        known, cost = RuleList.offered(self._problem, rules, self.max_rules)
        taken = bool(lib.corels_search_offer(self._search, cost))
        self._known = known if taken else self._known
        return taken

    def step(self, budget: int) -> Status:
        """Expand at most `budget` prefixes or sets (times the threads), for a tenth of a second."""
        status = lib.corels_search_step(self._search, max(1, budget), STEP_SECONDS)
        self._tell_log()
        if status == lib.CORELS_DONE:
            return Status.DONE
        if status == lib.CORELS_PART_FAILED:
            raise self._caller.error()
        check(
            status, "the search ran out of memory" if status == lib.CORELS_NO_MEMORY else "search"
        )
        return Status.RUNNING

    def start_log(self, log: ProofLog) -> None:
        """Every settled set, and in best-first every expanded prefix, becomes a claim."""
        refuse_unknown(self._parts, tables=True)
        status = lib.corels_search_prove(
            self._search,
            ffi.from_buffer("int32_t[]", np.ascontiguousarray(self._instance.origin)),
            ffi.from_buffer("int32_t[]", np.ascontiguousarray(self._instance.points)),
        )
        check(status, "the proof cannot begin")
        self.log = log

    def tell_open_claims(self) -> None:
        """What the engine can say of what it leaves open."""
        if self.log is not None:
            check(lib.corels_search_prove_open(self._search), "the proof")
            self._tell_log()

    def _tell_log(self) -> None:
        """What was proved since the last call, and the list if it is a better one."""
        if self.log is None:
            return
        waiting = lib.corels_search_proof(self._search, ffi.NULL, 0)
        records = ffi.new("uint8_t[]", waiting + 1)
        size = lib.corels_search_proof(self._search, records, waiting)
        self.log.proved(bytes(ffi.buffer(records, size)))
        objective = int(self._look().objective)
        if objective != self._logged:
            self._logged = objective
            self.log.found(list_record(self._problem, self.model()))

    def learn(self, rules: Sequence[int], value: int, left: int | None = None) -> bool:
        """A claim of an earlier proof, in the problem's numbers; whether it could be used."""
        if self._numbers is None:
            self._numbers = {int(name): at for at, name in enumerate(self._instance.origin)}
        if not all(rule in self._numbers for rule in rules):
            return False
        known = ffi.new("int32_t[]", [self._numbers[rule] for rule in rules])
        status = lib.corels_search_learn(
            self._search, known, len(rules), -1 if left is None else left, value
        )
        if status == lib.CORELS_NO_MEMORY:
            check(status, "the claims of a proof")
        return bool(status == lib.CORELS_OK)

    def build_tables_now(self, stages: int) -> None:
        """Build the first stages of all tables at once."""
        lib.corels_search_build_tables_now(self._search, stages)

    def interrupt(self) -> None:
        with self._lock:
            if self._handle != ffi.NULL:
                lib.corels_search_interrupt(self._handle)

    def events(self) -> NDArray[Any]:
        records = ffi.new("corels_event **")
        count = lib.corels_search_events(self._search, records)
        buffer = ffi.buffer(records[0], count * EVENT.itemsize)
        return np.frombuffer(buffer, dtype=EVENT).copy()

    def _look(self) -> Any:
        lib.corels_search_look(self._search, self._report)
        return self._report

    def progress(self) -> Progress:
        """Counters, the proven lower bound, and the remaining search space (Theorem 7)."""
        now = self._look()
        objective = now.objective
        return Progress(
            expanded=now.expanded,
            children=now.children,
            queued=now.open,
            cached=now.cached,
            merged=now.merged,
            objective=objective,
            lower_bound=now.lower_bound,
            memory=now.memory,
            peak_memory=now.peak_memory,
            settled=now.settled if now.settled >= 0 else math.nan,
            building=now.building if now.building >= 0 else math.nan,
            remaining=lambda: self._remaining(objective),
            extra=self._extra(now),
        )

    def _extra(self, now: Any) -> dict[str, int]:
        found = {
            "counts": now.counts,
            **self._stages(),
            "longest": now.longest,
            "inserted": now.inserted,
        }
        if self._parts.search == DEPTH_FIRST:
            found["memo_forgotten"] = now.forgotten
        return found

    def _stages(self) -> dict[str, int]:
        """How many stages of each bound's tables were built; without any it took no part."""
        stages = (
            (f"{bound.name}_stage", lib.corels_search_stages(self._search, place))
            for place, bound in enumerate(self._parts.bounds)
        )
        return {name: stage for name, stage in stages if stage >= 0}

    def _remaining(self, incumbent: int) -> float:
        """By length and lower bound of every queued prefix."""
        if self._parts.search != BEST_FIRST:
            return math.nan
        queued = self._look().open
        lengths = np.empty(queued, dtype=np.int32)
        bounds = np.empty(queued, dtype=np.int64)
        lib.corels_search_frontier(
            self._search,
            ffi.from_buffer("int32_t[]", lengths),
            ffi.from_buffer("int64_t[]", bounds),
            queued,
        )
        return log10_remaining(
            lengths.astype(np.int64),
            bounds,
            incumbent=incumbent,
            rule_cost=self._instance.rule_cost,
            n_antecedents=self._instance.n_antecedents,
        )

    def levels(self) -> tuple[int, ...]:
        room = self._instance.n_antecedents + 2
        found = ffi.new("int64_t[]", room)
        return tuple(found[0 : lib.corels_search_levels(self._search, found, room)])

    def pruned(self) -> Mapping[str, int]:
        counts = ffi.new("int64_t[]", max(1, len(self._parts.bounds)))
        lib.corels_search_pruned(self._search, counts)
        return {bound.name: counts[i] for i, bound in enumerate(self._parts.bounds)}

    def model(self) -> RuleList:
        best = ffi.new("int32_t[]", self._look().length + 1)
        length = lib.corels_search_best(self._search, best)
        if self._known is not None and length == 0:
            return self._known
        behind = [int(self._instance.origin[j]) for j in best[0:length]]
        return RuleList.of(self._problem, [*self._problem.first, *behind])

    def describe(self) -> Mapping[str, str]:
        kernel = ffi.string(lib.corels_search_kernel(self._search)).decode()
        found = self._parts.describe("c", kernel=kernel)
        if self._parts.search == DEPTH_FIRST:
            found["threads"] = str(self._parts.threads)
        return found

    def foreign(self) -> tuple[str, ...]:
        return foreign(self._parts)

    def origin(self) -> NDArray[np.int32]:
        return self._instance.origin

    def close(self) -> None:
        with self._lock:
            handle, self._handle = self._handle, ffi.NULL
            lib.corels_search_free(handle)


def _instance(instance: Instance, lent: bool) -> tuple[Any, list[Any]]:
    """The instance as a C struct, and the arrays that it points into."""
    arrays = [
        ffi.from_buffer("uint64_t[]", instance.masks),
        ffi.from_buffer("int32_t[]", instance.regrets),
        ffi.from_buffer("int32_t[]", instance.captured) if instance.counts_captured else ffi.NULL,
        ffi.from_buffer("int32_t[]", instance.minority) if instance.counts_captured else ffi.NULL,
        python_parts.barred(instance.may_say),
    ]
    given = ffi.new(
        "corels_instance *",
        {
            "antecedents": instance.n_antecedents,
            "points": instance.n_points,
            "classes": instance.n_classes,
            "for_rules": instance.for_rules,
            "lent": lent,
            "masks": arrays[0],
            "regrets": arrays[1],
            "captured": arrays[2],
            "minority": arrays[3],
            "barred": arrays[4],
            "unit": instance.unit,
            "rule_cost": instance.rule_cost,
            "base": instance.base,
            "total": instance.total,
        },
    )
    return given, arrays
