"""One search of the C engine, as the core drives it: no decision is made here."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.model import Model
from corels.model.rulelist import RuleList, rule_list
from corels.problem import Instance, Problem
from corels.search import EVENT, Parts, Progress, Search, Status
from corels.search.remaining import log10_remaining
from corels_c import parts as python_parts
from corels_c._native import ffi, lib
from corels_c.status import check


def native_kernel() -> str | None:
    """Why no counting kernel can run, or None."""
    if lib.corels_kernel_current() == ffi.NULL:
        return f"CORELS_KERNEL is {os.environ['CORELS_KERNEL']!r}: this machine has no such kernel"
    return None


class CSearch(Search):
    """Owns the engine's search and the arrays and callbacks that it refers to."""

    def __init__(self, problem: Problem, instance: Instance, parts: Parts) -> None:
        self._problem, self._instance, self._parts = problem, instance, parts
        self._search = ffi.NULL
        self._known: RuleList | None = None
        self._caller = python_parts.Caller(instance, parts)
        options, self._kept_alive = self._caller.options()
        out = ffi.new("corels_search **")
        given, arrays = _instance(instance)
        check(lib.corels_search_new(out, given, options), "the search cannot begin")
        del arrays  # the engine has copied what it keeps
        self._search = out[0]

    def offer(self, model: Model) -> bool:
        """A warm start: only lists cheaper than the known one are looked for."""
        if not isinstance(model, RuleList):
            return False
        taken = bool(lib.corels_search_offer(self._search, model.cost(self._problem)))
        self._known = model if taken else self._known
        return taken

    def step(self, budget: int) -> Status:
        """Expand at most `budget` prefixes."""
        status = lib.corels_search_step(self._search, budget)
        if status == lib.CORELS_DONE:
            return Status.DONE
        if status == lib.CORELS_PART_FAILED:
            raise self._caller.error()
        check(status, "the search ran out of memory")
        return Status.RUNNING

    def events(self) -> NDArray[Any]:
        """The records since the last call."""
        records = ffi.new("corels_event **")
        count = lib.corels_search_events(self._search, records)
        buffer = ffi.buffer(records[0], count * EVENT.itemsize)
        return np.frombuffer(buffer, dtype=EVENT).copy()

    def progress(self) -> Progress:
        """Counters, the proven lower bound, and the remaining search space (Theorem 7)."""
        now = ffi.new("corels_progress *")
        lib.corels_search_progress(self._search, now)
        return Progress(
            expanded=now.expanded,
            children=now.children,
            queued=now.queued,
            cached=now.cached,
            merged=now.merged,
            objective=now.objective,
            lower_bound=now.lower_bound,
            memory=now.memory,
            peak_memory=max(now.memory, now.peak_memory),
            remaining=lambda: self._remaining(now),
        )

    def _remaining(self, now: Any) -> float:
        lengths = np.empty(now.queued, dtype=np.int32)
        bounds = np.empty(now.queued, dtype=np.int64)
        lib.corels_search_frontier(
            self._search,
            ffi.from_buffer("int32_t[]", lengths),
            ffi.from_buffer("int64_t[]", bounds),
            now.queued,
        )
        return log10_remaining(
            lengths.astype(np.int64),
            bounds,
            incumbent=now.objective,
            rule_cost=self._instance.rule_cost,
            n_antecedents=self._instance.n_antecedents,
        )

    def pruned(self) -> Mapping[str, int]:
        """Children that each bound removed."""
        counts = ffi.new("int64_t[]", max(1, len(self._parts.bounds)))
        lib.corels_search_pruned(self._search, counts)
        return {bound.name: counts[i] for i, bound in enumerate(self._parts.bounds)}

    def model(self) -> RuleList:
        """The incumbent: the known list that the search was offered, until there is a better."""
        best = ffi.new("int32_t[]", self._instance.n_antecedents + 1)
        length = lib.corels_search_best(self._search, best)
        if self._known is not None and length == 0:
            return self._known
        return rule_list(self._problem, [int(self._instance.origin[j]) for j in best[0:length]])

    def describe(self) -> Mapping[str, str]:
        """The parts, for the certificate."""
        return {
            "backend": "c",
            "kernel": ffi.string(lib.corels_search_kernel(self._search)).decode(),
            "search": self._parts.search,
            "policy": self._parts.policy.name,
            "map": self._parts.map,
            "bounds": " ".join(bound.name for bound in self._parts.bounds),
            "start": self._parts.start,
            "seed": str(self._parts.seed),
        }

    def origin(self) -> NDArray[np.int32]:
        """Antecedents of the instance -> of the problem."""
        return self._instance.origin

    def close(self) -> None:
        """Free the engine's memory."""
        lib.corels_search_free(self._search)
        self._search = ffi.NULL


def _instance(instance: Instance) -> tuple[Any, list[Any]]:
    """The instance as a C struct, and the arrays that it points into."""
    arrays = [
        ffi.from_buffer("uint64_t[]", instance.masks),
        ffi.from_buffer("int32_t[]", instance.regrets),
        ffi.from_buffer("int32_t[]", instance.captured) if instance.counts_captured else ffi.NULL,
        ffi.from_buffer("int32_t[]", instance.minority) if instance.counts_captured else ffi.NULL,
    ]
    given = ffi.new(
        "corels_instance *",
        {
            "antecedents": instance.n_antecedents,
            "points": instance.n_points,
            "classes": instance.n_classes,
            "masks": arrays[0],
            "regrets": arrays[1],
            "captured": arrays[2],
            "minority": arrays[3],
            "unit": instance.unit,
            "rule_cost": instance.rule_cost,
            "base": instance.base,
            "total": instance.total,
        },
    )
    return given, arrays
