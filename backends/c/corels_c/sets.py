"""One fast search of the C engine (include/corels/fast.h), as the core drives it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.model import Model
from corels.model.rulelist import RuleList, rule_list
from corels.problem import Instance, Problem
from corels.run.memory import default_memory
from corels.search import EVENT, Kind, Parts, Progress, Search, Status
from corels_c._native import ffi, lib
from corels_c.status import check

# After so many counts blocks of 12, then of 16 points are built (docs/internals/fast-search.md).
STAGES = (2_000, 14_000)

# Bound -> the engine's switch for it, and the figure that says how many children it ruled out.
SWITCHES = {
    "lookahead": (lib.CORELS_FAST_LOOKAHEAD, "by_cost"),
    "reduced_support": (lib.CORELS_FAST_REDUCED_SUPPORT, "by_reduced_support"),
    "one_rule": (lib.CORELS_FAST_ONE_RULE, "by_one_rule"),
    "blocks": (lib.CORELS_FAST_BLOCKS, "by_blocks"),
    "second_rule": (lib.CORELS_FAST_SECOND_RULE, "by_second_rule"),
    "dominance": (lib.CORELS_FAST_DOMINANCE, "by_dominance"),
    "similar_support": (lib.CORELS_FAST_SIMILAR_SUPPORT, "by_similar_support"),
}
ALWAYS = ("hierarchical", "equivalent_points")


def refusal(parts: Parts) -> str | None:
    """Why the fast search cannot run with these parts, or None."""
    policy = f"policy {parts.policy.name!r}"
    missing = [name for name in ALWAYS if name not in parts.bound_names]
    if missing:
        return f"{policy} cannot do without bound {missing[0]!r}: it is part of every cost there"
    if parts.map not in ("none", "captured"):
        return f"{policy} has the maps none and captured, not {parts.map!r}"
    if parts.fine_events:
        return f"{policy} writes no fine events: choose another policy, such as objective"
    return None


class SetSearch(Search):
    """Owns the engine's search; every decision is the engine's."""

    def __init__(self, problem: Problem, instance: Instance, parts: Parts) -> None:
        self._problem, self._instance, self._parts = problem, instance, parts
        self._search = ffi.NULL
        self._known = -1  # incumbents already reported
        self._offered: RuleList | None = None
        self._done = False
        out = ffi.new("corels_fast **")
        given, arrays = _instance(instance)
        status = lib.corels_fast_new(out, given, _options(parts))
        del arrays  # the engine has copied what it keeps
        check(status, "the search cannot begin")
        self._search = out[0]

    def offer(self, model: Model) -> bool:
        """A warm start: only lists cheaper than the known one are looked for."""
        if not isinstance(model, RuleList):
            return False
        cost = model.cost(self._problem) - self._instance.base
        if cost >= self._look().cost:
            return False
        check(lib.corels_fast_offer(self._search, cost), "the search cannot begin")
        self._offered = model
        return True

    def prove(self) -> str | None:
        """Every settled set becomes a claim."""
        antecedents = np.ascontiguousarray(self._instance.origin, dtype=np.int32)
        points = np.ascontiguousarray(self._instance.points, dtype=np.int32)
        status = lib.corels_fast_prove(
            self._search,
            ffi.from_buffer("int32_t[]", antecedents),
            ffi.from_buffer("int32_t[]", points),
        )
        check(status, "the proof cannot begin")
        return None

    def proof(self, *, last: bool = False) -> bytes:
        """What the engine has written since the last call."""
        if last:
            check(lib.corels_fast_prove_open(self._search), "the proof ran out of memory")
        waiting = lib.corels_fast_proof(self._search, ffi.NULL, 0)
        records = ffi.new("uint8_t[]", waiting + 1)
        taken = lib.corels_fast_proof(self._search, records, waiting)
        return bytes(ffi.buffer(records, taken))

    def step(self, budget: int) -> Status:
        """Expand at most about `budget` sets a thread; returns after each improvement."""
        check(lib.corels_fast_step(self._search, max(1, budget)), "the search ran out of memory")
        return Status.DONE if self._look().state == lib.CORELS_FAST_DONE else Status.RUNNING

    def _look(self) -> Any:
        report = ffi.new("corels_fast_report *")
        lib.corels_fast_look(self._search, report)
        return report

    def events(self) -> NDArray[Any]:
        """The records since the last call: start, incumbents, done."""
        now = self._look()
        records = []
        if self._known < 0:
            default = self._instance.regrets.sum(axis=1, dtype=np.int64).min(initial=2**62)
            cost = self._instance.unit * int(default) + self._instance.base
            records.append(_event(Kind.START, count=self._instance.n_antecedents, objective=cost))
        if now.incumbents != self._known:
            self._known = now.incumbents
            rules = self._rules()
            length = len(self._offered) if self._offered and not rules else len(rules)
            records.append(
                _event(
                    Kind.INCUMBENT,
                    antecedent=rules[-1] if rules else -1,
                    length=length,
                    objective=now.cost + self._instance.base,
                )
            )
        if now.state == lib.CORELS_FAST_DONE and not self._done:
            self._done = True
            cost = now.cost + self._instance.base
            records.append(_event(Kind.DONE, objective=cost, lower_bound=cost))
        return np.array(records, dtype=EVENT)

    def progress(self) -> Progress:
        """Counters and the proven lower bound."""
        now = self._look()
        base = self._instance.base
        return Progress(
            expanded=now.expansions,
            children=now.children,
            queued=now.open,
            cached=now.memo_entries,
            merged=now.by_memo,
            objective=now.cost + base,
            lower_bound=now.lower_bound + base,
            memory=now.bytes,
            peak_memory=now.peak_bytes,
            extra={
                "counts": now.counts,
                "memo_forgotten": now.memo_forgotten,
                "block_stage": now.stage,
            },
        )

    def pruned(self) -> Mapping[str, int]:
        """Children that each bound removed."""
        now = self._look()
        names = [bound.name for bound in self._parts.bounds]
        return {name: getattr(now, SWITCHES[name][1]) for name in names if name in SWITCHES}

    def _rules(self) -> list[int]:
        out = ffi.new("int32_t[]", self._look().length + 1)
        return list(out[0 : lib.corels_fast_list(self._search, out)])

    def model(self) -> RuleList:
        """The incumbent: the known list that the search was offered, until there is a better."""
        rules = self._rules()
        if self._offered is not None and not rules:
            return self._offered
        return rule_list(self._problem, [int(self._instance.origin[j]) for j in rules])

    def describe(self) -> Mapping[str, str]:
        """The parts, for the certificate."""
        return {
            "backend": "c",
            "kernel": ffi.string(lib.corels_fast_kernel(self._search)).decode(),
            "policy": self._parts.policy.name,
            "map": self._parts.map,
            "bounds": " ".join(bound.name for bound in self._parts.bounds),
            "start": self._parts.start,
            "seed": str(self._parts.seed),
            "threads": str(self._parts.threads),
        }

    def close(self) -> None:
        """Free the engine's memory."""
        lib.corels_fast_free(self._search)
        self._search = ffi.NULL


def _event(kind: Kind, **fields: int) -> Any:
    record = np.zeros((), dtype=EVENT)
    record["kind"] = kind
    for name, value in fields.items():
        record[name] = value
    return record


def _instance(instance: Instance) -> tuple[Any, list[Any]]:
    """The instance as a C struct, and the arrays that it points into."""
    masks = ffi.from_buffer("uint64_t[]", instance.masks)
    regrets = ffi.from_buffer("int32_t[]", instance.regrets)
    given = ffi.new(
        "corels_fast_instance *",
        {
            "rule_cost": instance.rule_cost,
            "unit": instance.unit,
            "antecedents": instance.n_antecedents,
            "points": instance.n_points,
            "classes": instance.n_classes,
            "masks": masks,
            "regrets": regrets,
        },
    )
    return given, [masks, regrets]


def _options(parts: Parts) -> Any:
    switches = sum(SWITCHES[name][0] for name in parts.bound_names if name in SWITCHES)
    if parts.map == "captured":
        switches |= lib.CORELS_FAST_MEMO
    if parts.start == "beam":
        switches |= lib.CORELS_FAST_START
    return ffi.new(
        "corels_fast_options *",
        {
            "parts": switches,
            "threads": parts.threads,
            "seed": parts.seed,
            "memory": parts.memory_limit or default_memory() or 0,
            "stages": STAGES,
            "family": ffi.NULL,
        },
    )
