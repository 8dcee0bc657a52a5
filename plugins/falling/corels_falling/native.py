"""The native search behind the core's `Search` interface: a thin layer over cffi."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import OptionError, OverflowRefusedError, ResourceError
from corels.proof import ProofLog
from corels.search import EVENT, Kind, Progress, Status, event_records
from corels_falling.common import FallingSearch
from corels_falling.options import BOUNDS
from corels_falling.proof import tell
from corels_falling.setting import root_bound

try:
    from corels_falling._native import ffi, lib  # type: ignore[import-untyped]
except ImportError as missing:  # a pure-Python install
    ffi = lib = None
    WHY_MISSING = str(missing)

NO_MEMORY = "the falling rule list search ran out of memory"
TABLE_BYTES = 2 << 30  # what the dominance table may take where no limit is given
_BATCH = 4096


def available() -> bool:
    """Whether the native part was built."""
    return lib is not None


class NativeSearch(FallingSearch):
    """One running search of the C library."""

    backend = "c"

    def __post_init__(self) -> None:
        super().__post_init__()
        root = root_bound(self.problem, self.setting, self._scale)
        self._root = math.floor(root * self.scale())
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


def _checked(code: int) -> int:
    """What a call has answered. Raises ResourceError where memory was short."""
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
