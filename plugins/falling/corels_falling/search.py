"""The search for falling and softly falling lists: a thin layer over the C library, by cffi."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError, OptionError, OverflowRefusedError, ResourceError
from corels.problem import PlainRules, Problem
from corels.search import EVENT, Kind, Progress, ProofLog, Search, Status, event_records
from corels_falling.model import OWN, FallingRuleList, falling_rule_list
from corels_falling.proof import tell
from corels_falling.setting import Setting
from corels_falling.solver import BOUNDS, bounds_of

try:
    from corels_falling._native import ffi, lib  # type: ignore[import-untyped]
except ImportError as missing:  # a pure-Python install
    ffi = lib = None
    WHY_MISSING = str(missing)

NO_MEMORY = "the falling rule list search ran out of memory"
TABLE_BYTES = 2 << 30  # what the dominance table may take if no limit is given
PRICES = ("positive_weight", "rule_cost", "violation_cost", "false_positive_cost")
_BATCH = 4096


@dataclass(eq=False)
class FallingSearch(Search):
    """A search for a falling list. Costs are whole numbers; soft ones are rounded to such.

    options: checked, all of them given. kept: the numbers of the antecedents in the problem that
    was `given` to the solver; None: it is the same. Raises OptionError without the C library.
    """

    problem: Problem
    setting: Setting
    options: Mapping[str, Any]
    memory_limit: int | None = None
    kept: NDArray[np.int32] | None = None
    given: Problem | None = None

    def __post_init__(self) -> None:
        if lib is None:
            raise OptionError(
                f"the compiled part of the falling rule list plugin was not built ({WHY_MISSING}): "
                "install a build that has it"
            )
        self.max_rules, self._use = self.options["max_rules"], bounds_of(self.options)
        self._scale = self.setting.scale(self.problem.n_antecedents)
        self._status = Status.RUNNING
        self._best: tuple[tuple[int, ...], FallingRuleList] | None = None  # the last one asked for
        self._buffer = np.zeros(_BATCH, dtype=EVENT)
        self._told_end = False
        begun = {"count": self.problem.n_antecedents, "objective": self._empty_cost()}
        self._pending = [event_records({"kind": Kind.START, **begun})]
        self._handle = self._open()

    def _open(self) -> Any:
        """Hand the arrays over; the library copies them."""
        problem, scale = self.problem, self._scale
        weights = np.ascontiguousarray(problem.weights, dtype=np.uint32)
        masks = np.ascontiguousarray(problem.masks, dtype=np.uint64)
        given = ffi.new(
            "corels_falling_problem *",
            {
                "classes": problem.n_points,
                "antecedents": problem.n_antecedents,
                "positives": ffi.cast("uint32_t *", weights[1].ctypes.data),
                "negatives": ffi.cast("uint32_t *", weights[0].ctypes.data),
                "captures": ffi.cast("uint64_t *", masks.ctypes.data),
                "positive_cost": scale.positive,
                "unit": scale.negative,
                "rule_cost": scale.rule,
                "violation_cost": scale.violation,
            },
        )
        limit, most = self.memory_limit, self.max_rules
        chosen = ffi.new(
            "corels_falling_options *",
            {
                "bounds": sum(1 << BOUNDS.index(name) for name in self._use),
                "max_rules": 0xFFFFFFFF if most is None else most,
                "memory_limit": TABLE_BYTES if limit is None else limit // 2,
            },
        )
        status = ffi.new("int32_t *")
        handle = lib.corels_falling_new(given, chosen, status)
        if handle == ffi.NULL:
            raise _refusal(status[0])
        return ffi.gc(handle, lib.corels_falling_free)

    def take(self, path: Sequence[int]) -> bool:
        rules = ffi.new("uint32_t[]", [*path, 0])
        return bool(_checked(lib.corels_falling_offer(self._handle, rules, len(path))))

    def step(self, budget: int) -> Status:
        """Expand about `budget` prefixes."""
        code = _checked(lib.corels_falling_step(self._handle, budget))
        if code == lib.CORELS_FALLING_DONE:
            self._status = Status.DONE
        return self._status

    def start_log(self, log: ProofLog) -> None:
        """Write the prefixes that are expanded from now on."""
        self.log = log
        lib.corels_falling_prove(self._handle)

    def events(self) -> NDArray[Any]:
        """Records of kind START, INCUMBENT and DONE."""
        batches = [*self._pending]
        self._pending = []
        while count := lib.corels_falling_drain(
            self._handle, ffi.cast("corels_falling_event *", self._buffer.ctypes.data), _BATCH
        ):
            records = self._buffer[:count]
            grown = records["kind"] == Kind.POP
            if self.log is not None:
                tell(self.log, self.path(), records[["length", "antecedent"]][grown].tolist())
            batches.append(records[~grown])
        if self._status is not Status.RUNNING and not self._told_end:
            self._told_end = True
            now = self.progress()
            ended = {"objective": now.objective, "lower_bound": now.lower_bound}
            batches.append(event_records({"kind": Kind.DONE, **ended}))
        return np.concatenate(batches) if batches else event_records()

    def _empty_cost(self) -> int:
        """Of the list without rules."""
        negatives, positives = self.problem.weights.sum(axis=1).tolist()
        return int(min(self._scale.positive * positives, self._scale.negative * negatives))

    def statistics(self) -> Any:
        """The native counters (corels_falling_statistics)."""
        return lib.corels_falling_read(self._handle)

    def progress(self) -> Progress:
        """A snapshot; costs on the scale of `objective`."""
        found, proved = self.statistics(), self._status is Status.DONE
        best = self._empty_cost() if found.best_cost == 2**63 - 1 else found.best_cost
        return Progress(
            expanded=found.visited,
            children=found.children,
            queued=found.open,
            cached=found.memo_entries,
            objective=best,
            lower_bound=best if proved else min(best, found.bound),
            memory=found.memo_bytes,
            peak_memory=found.memo_bytes,
            **self._further(found.settled, found.visited),
        )

    def pruned(self) -> Mapping[str, int]:
        found = self.statistics()
        counts = {name: int(found.pruned[i]) for i, name in enumerate(BOUNDS)}
        return {"order": int(found.infeasible)} | counts

    def path(self) -> tuple[int, ...]:
        rules = ffi.new("uint32_t[]", self.problem.n_antecedents + 1)
        length = lib.corels_falling_best(self._handle, rules, self.problem.n_antecedents)
        return tuple(rules[i] for i in range(length))

    def close(self) -> None:
        self._handle = None

    def offer(self, rules: PlainRules) -> bool:
        """Begin with a list, which is counted here. Rules that capture nothing are left out, and
        what a hard list says behind its last rule above the threshold costs no more without them.

        Raises OptionError for what is no falling list of the antecedents that take part.
        """
        path = []
        for number, rule in enumerate(self.problem.count(rules).rules, 1):
            if rule.quantity or [len(clause) for clause in rule.clauses] not in ([], [1]):
                raise OptionError(f"the model is no list: its rule {number} is not one antecedent")
            path += [self.problem.number_of(one) for clause in rule.clauses for one in clause]
        found = falling_rule_list(self.problem, path, self.setting)
        raw = [rule.raw for rule in found if rule.captured]
        rises = [n for n, (one, after) in enumerate(pairwise(raw), 2) if after > one]
        if rises and not self.setting.soft:
            raise OptionError(
                f"the model is no falling rule list of this problem: the proportion of rule "
                f"{rises[0]} is above the one before"
            )
        path = [n for n, rule in zip(path, found.rules, strict=True) if rule.captured]
        if not self.setting.soft:
            path = path[: sum(one > self.setting.threshold for one in raw[: len(path)])]
        most = len(path) if self.max_rules is None else self.max_rules
        return self.take(path[:most])

    def model(self) -> FallingRuleList:
        path = self.path()
        if self._best is None or self._best[0] != path:
            self._best = (path, falling_rule_list(self.problem, path, self.setting))
        return self._best[1]

    def states(self) -> Mapping[str, Any]:
        """Prices and limits, as a proof's header has them."""
        violation, false = self.setting.violation_cost, self.setting.false_positive_cost
        return {
            "positive_weight": str(self.setting.positive_weight),
            "rule_cost": str(self.setting.rule_cost),
            "violation_cost": None if violation is None else str(violation),
            **({} if self.problem.costs is None else {"false_positive_cost": str(false)}),
            "max_rules": self.max_rules,
            "total": self.setting.rows,
            "unit": self._scale.unit,
        }

    def limits(self) -> Mapping[str, int | str]:
        support = self.options["min_class_support"]
        return {
            **({} if self.max_rules is None else {"max_rules": self.max_rules}),
            **({"min_class_support": str(support)} if support else {}),
        }

    def describe(self) -> Mapping[str, str]:
        return {"backend": "c", "bounds": " ".join(self._use)}

    def scale(self) -> int:
        return self._scale.unit * self._scale.rows

    def objective(self, cost: int) -> Fraction:
        """Exact for the incumbent, else on the scale."""
        if cost == self.progress().objective:
            return self.setting.objective(self.model().blocks())
        return Fraction(cost, self.scale())

    def origin(self) -> NDArray[np.int32] | None:
        return self.kept

    def _further(self, settled: float, expanded: int) -> dict[str, Any]:
        """What a snapshot says of how far the search is, and further: prices, prefixes expanded.
        settled: the share of the first rules."""
        extra = {n: stated for n, stated in self.states().items() if n in PRICES and stated}
        if self.setting.soft:
            extra[OWN] = str(self.model().predicted_objective())
        extra["counts"] = expanded
        over = self._status is Status.DONE  # also if no prefix had to be expanded
        return {"settled": 1.0 if over else settled, "extra": extra}


def begin(
    problem: Problem, options: Mapping[str, Any], *, soft: bool, memory_limit: int | None
) -> Search:
    """A search that has not begun. options: checked, all of them given."""
    setting = Setting.of(options, problem, soft=soft)
    some, origin = _frequent(problem, options["min_class_support"])
    return FallingSearch(some, setting, options, memory_limit, origin, problem)


def _frequent(problem: Problem, min_support: float) -> tuple[Problem, NDArray[np.int32] | None]:
    """The problem with the antecedents that are frequent in a class, and their old numbers."""
    if min_support == 0 or not problem.n_antecedents:
        return problem, None
    share = Fraction(str(min_support))
    least = [max(1, math.ceil(share * int(total))) for total in problem.weights.sum(axis=1)]
    kept = np.flatnonzero((problem.class_supports >= np.array(least)[:, None]).any(axis=0))
    if not len(kept):
        raise InputError(
            f"⟨min_class_support⟩ is {min_support}: no antecedent holds for so many of a class"
        )
    return problem.restricted(kept.tolist()), kept.astype(np.int32)


def _checked(code: int) -> int:
    """What a call has answered. Raises ResourceError if memory was short."""
    if code < 0:
        raise ResourceError(NO_MEMORY)
    return code


def _refusal(status: int) -> Exception:
    if status == lib.CORELS_FALLING_OUT_OF_RANGE:
        return OverflowRefusedError(
            "the data has 2^30 rows or more, counted with their whole weights, or 2^24 antecedents "
            "or more: too many to be counted"
        )
    if status == lib.CORELS_FALLING_NO_KERNEL:
        return OptionError(
            f"CORELS_KERNEL is {os.environ.get('CORELS_KERNEL')!r}: this machine has no such kernel"
        )
    return ResourceError(NO_MEMORY)
