"""Which parts the engine has, which it calls by address, and the calls to those in Python.

A part in Python costs one vectorised call an expansion. Each thread's table of children lies at one
place for the whole search, so the NumPy views of its columns are made once and only sliced. An
exception is kept until `step` returns, because it cannot travel through C.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import CorelsError, PluginError
from corels.options import Option
from corels.run.limits import default_memory
from corels.search import COLUMNS, DEPTH_FIRST, Bound, Children, Expansion, Parts, Policy
from corels.search.calls import built_in, kept, priorities
from corels_c._native import ffi, lib


def _option(row: Any) -> Option:
    whole = bool(row.whole)
    return Option(
        ffi.string(row.name).decode(),
        "int" if whole else "float",
        int(row.value) if whole else row.value,
        ffi.string(row.about).decode(),
        low=row.low,
        high=row.high,
    )


TUNING = tuple(_option(lib.corels_tuning_row(i)) for i in range(lib.corels_tuning_count()))
"""One option a tuning value, in the order of the engine's table (src/base/tuning.def)."""


STAGES: dict[str, tuple[int, ...]] = {}
"""For tests: counts after which each stage of a bound's tables is built, by the bound's name."""


class Caller:
    """The engine's options for the chosen parts, and what the parts in Python are called with."""

    def __init__(self, antecedents: int, parts: Parts) -> None:
        self.rows = antecedents
        self._parts = parts
        self._views: dict[int, dict[str, Any]] = {}
        self._kept_alive: list[Any] = []  # what the engine's options point at
        self._error: BaseException | None = None

    def _new(self, kind: str, value: Any) -> Any:
        self._kept_alive.append(ffi.new(kind, value))
        return self._kept_alive[-1]

    def options(self) -> Any:
        """The engine's options; the caller must outlive the search, because they point at it."""
        parts = self._parts
        bounds = self._new("corels_bound_choice[]", max(1, len(parts.bounds)))
        for choice, bound in zip(bounds, parts.bounds, strict=False):
            if bound.tables is not None:
                choice.tables = ffi.cast("corels_table_bound *", bound.tables)
            else:
                choice.native, choice.keep, choice.user = self._part(
                    bound, lib.corels_bound_known, "corels_keep_call", lib.corels_python_keep
                )
            choice.monotone = bound.monotone
            stages = STAGES.get(bound.name)
            if stages is not None:
                choice.stages = self._new("int64_t[]", stages)
                choice.stage_count = len(stages)
        policy, priority, user = self._part(
            parts.policy,
            lib.corels_policy_known,
            "corels_priority_call",
            lib.corels_python_priority,
        )
        tune = [parts.tune.get(row.name, row.default) for row in TUNING]
        return self._new(
            "corels_search_options *",
            {
                "frontier": lib.CORELS_DEPTH_FIRST
                if parts.search == DEPTH_FIRST
                else lib.CORELS_BEST_FIRST,
                "policy": policy,
                "priority": priority,
                "priority_user": user,
                "map": self._new("char[]", parts.map.encode()),
                "bounds": bounds,
                "bound_count": len(parts.bounds),
                "start": parts.start == "beam",
                "fine_events": parts.fine_events,
                "reads_sets": parts.reads_sets,
                "threads": parts.threads,
                "max_rules": -1 if parts.max_rules is None else parts.max_rules,
                "seed": parts.seed,
                "memory": parts.memory_limit or default_memory() or 0,
                "tune": self._new("double[]", tune),
            },
        )

    def _part(
        self, part: Bound | Policy, known: Any, call: str, in_python: Any
    ) -> tuple[Any, Any, Any]:
        """Name, function and argument of a bound or policy.

        known: whether the engine has a twin; call: the type of a native function; in_python: what
        calls a part in Python.
        """
        name = self._new("char[]", part.name.encode())
        if built_in(part) and known(name):
            return name, ffi.NULL, ffi.NULL
        if part.native is not None:
            return ffi.NULL, ffi.cast(call, part.native), ffi.NULL
        handle = ffi.new_handle((self, part))
        self._kept_alive.append(handle)
        return ffi.NULL, in_python, handle

    def table(self, children: Any) -> Children:
        """The engine's table as NumPy views, read-only."""
        place = int(ffi.cast("uintptr_t", children))
        columns = self._views.get(place)
        if columns is None:
            columns = self._views[place] = {
                name: _view(getattr(children, name), self.rows, kind) for name, kind in COLUMNS
            }
        count = children.count
        return Children(
            **{name: column[:count] for name, column in columns.items()},
            unit=children.unit,
            rule_cost=children.rule_cost,
            total=children.total,
            n_antecedents=children.antecedents,
            expansion=self._expansion(children),
            rules_left=children.rules_left,
        )

    def _expansion(self, children: Any) -> Expansion | None:
        """What a bound in Python that reads sets is given."""
        if children.expansion == ffi.NULL:
            return None
        at, m = children.expansion, self.rows
        counts = _view(at.counts, at.classes * at.stride, "int32").reshape(at.classes, at.stride)
        return Expansion(
            masks=_view(at.masks, m * at.words, "uint64").reshape(m, at.words),
            remaining=_view(at.remaining, at.words, "uint64"),
            counts=counts[:, :m].astype(np.int64),
            totals=_view(at.totals, at.classes, "int32").astype(np.int64),
            worst=_view(at.worst, at.points, "int32").astype(np.int64),
            regrets=_view(at.regrets, at.classes * at.points, "int32")
            .reshape(at.classes, at.points)
            .astype(np.int64),
            cost=at.cost,
        )

    def park(self, error: BaseException) -> int:
        """Keep an exception for `step`; the answer stops the engine."""
        self._error = error
        return 1

    def error(self) -> BaseException:
        """The parked exception."""
        if self._error is not None:
            return self._error
        chosen = [("policy", self._parts.policy), *(("bound", b) for b in self._parts.bounds)]
        native = " or ".join(f"{kind} {p.name!r}" for kind, p in chosen if p.native is not None)
        if native:
            return PluginError(f"the native function of {native} stopped the search")
        return CorelsError("a part failed without an error (a defect)")


def _view(pointer: Any, count: int, kind: str, *, writeable: bool = False) -> Any:
    array = np.frombuffer(
        ffi.buffer(pointer, count * np.dtype(kind).itemsize), dtype=kind, count=count
    )
    array.flags.writeable = writeable
    return array


@ffi.def_extern()
def corels_python_priority(children: Any, out: Any, handle: Any) -> int:
    caller, policy = ffi.from_handle(handle)
    try:
        found = priorities(policy, caller.table(children))
        _view(out, len(found), "float64", writeable=True)[:] = found
    except BaseException as error:  # Ctrl-C, too, must come out of `step`
        return int(caller.park(error))
    return 0


@ffi.def_extern()
def corels_python_keep(children: Any, incumbent: int, out: Any, handle: Any) -> int:
    caller, bound = ffi.from_handle(handle)
    try:
        found = kept(bound, caller.table(children), incumbent)
        _view(out, len(found), "bool", writeable=True)[:] = found
    except BaseException as error:
        return int(caller.park(error))
    return 0


def barred(may_say: NDArray[np.bool_] | None) -> Any:
    """What rules may not predict, as C has it: uint8[m, C]."""
    if may_say is None:
        return ffi.NULL
    return ffi.from_buffer("uint8_t[]", np.ascontiguousarray(~may_say).view(np.uint8))
