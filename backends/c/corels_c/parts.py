"""Parts written in Python, called by the C engine: one vectorised call an expansion.

The engine's table of children lies at one place for the whole search, so the NumPy views of its
columns are made once and only sliced. An exception is kept until `step` returns, because it cannot
travel through C.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from corels.errors import CorelsError
from corels.problem import Instance
from corels.search import COLUMNS, Children, Expansion, Parts
from corels.search.calls import kept, priorities
from corels_c._native import ffi, lib


class Caller:
    """Which parts are native, and the calls to those that are not."""

    def __init__(self, instance: Instance, parts: Parts) -> None:
        self._rows = instance.n_antecedents
        self._parts = parts
        self._columns: dict[str, Any] | None = None
        self._error: BaseException | None = None

    def options(self) -> tuple[Any, list[Any]]:
        """The engine's options, and what must outlive the search because they point at it."""
        parts, names = self._parts, self._parts.bound_names
        handle = ffi.new_handle(self)
        policy = ffi.new("char[]", parts.policy.name.encode())
        native_policy = _is_builtin(parts.policy) and lib.corels_policy_known(policy)
        map_name = ffi.new("char[]", parts.map.encode())
        labels = [ffi.new("char[]", bound.name.encode()) for bound in parts.bounds]
        bounds = ffi.new("corels_bound_choice[]", max(1, len(labels)))
        for choice, bound, label in zip(bounds, parts.bounds, labels, strict=False):
            native = _is_builtin(bound) and lib.corels_bound_known(label)
            choice.native = label if native else ffi.NULL
            choice.before = bound.monotone
            choice.monotone = bound.monotone
        options = ffi.new(
            "corels_options *",
            {
                "policy": policy if native_policy else ffi.NULL,
                "map": map_name,
                "bounds": bounds,
                "bound_count": len(labels),
                "equivalent_points": "equivalent_points" in names,
                "rejection": "rejection" in names,
                "hierarchical": "hierarchical" in names,
                "lookahead": "lookahead" in names,
                "fine_events": parts.fine_events,
                "reads_sets": parts.reads_sets,
                "seed": parts.seed,
                "handle": handle,
                "priority": lib.corels_python_priority,
                "keep": lib.corels_python_keep,
            },
        )
        return options, [handle, policy, map_name, labels, bounds, options]

    def table(self, children: Any) -> Children:
        """The engine's table as NumPy views, read-only."""
        if self._columns is None:
            self._columns = {
                name: _view(getattr(children, name), self._rows, kind) for name, kind in COLUMNS
            }
        count = children.count
        return Children(
            **{name: column[:count] for name, column in self._columns.items()},
            unit=children.unit,
            rule_cost=children.rule_cost,
            total=children.total,
            n_antecedents=children.antecedents,
            expansion=self._expansion(children),
        )

    def _expansion(self, children: Any) -> Expansion | None:
        """What a bound in Python that reads sets is given."""
        if children.expansion == ffi.NULL:
            return None
        at, m = children.expansion, self._rows
        counts = _view(at.counts, at.classes * at.stride, "int32").reshape(at.classes, at.stride)
        return Expansion(
            masks=_view(at.masks, m * at.words, "uint64").reshape(m, at.words),
            remaining=_view(at.remaining, at.words, "uint64"),
            counts=counts[:, :m].astype(np.int64),
            totals=_view(at.totals, at.classes, "int32").astype(np.int64),
            worst=_view(at.worst, at.points, "int32").astype(np.int64),
            cost=at.cost,
        )

    def priority(self, children: Any, out: Any) -> None:
        """Fill `out` with the policy's priorities."""
        found = priorities(self._parts.policy, self.table(children))
        _view(out, len(found), "float64", writeable=True)[:] = found

    def keep(self, bound: int, children: Any, incumbent: int, out: Any) -> None:
        """Fill `out` with a bound's verdicts."""
        found = kept(self._parts.bounds[bound], self.table(children), incumbent)
        _view(out, len(found), "bool", writeable=True)[:] = found

    def park(self, error: BaseException) -> int:
        """Keep an exception for `step`; the answer stops the engine."""
        self._error = error
        return 1

    def error(self) -> BaseException:
        """The parked exception."""
        return self._error or CorelsError("a part failed without an error (a defect)")


def _is_builtin(part: object) -> bool:
    """A native twin stands in for the built-in part only, never for a stranger's of its name."""
    return type(part).__module__.startswith(("corels.standard.", "corels_c."))


def _view(pointer: Any, count: int, kind: str, *, writeable: bool = False) -> Any:
    array = np.frombuffer(
        ffi.buffer(pointer, count * np.dtype(kind).itemsize), dtype=kind, count=count
    )
    array.flags.writeable = writeable
    return array


@ffi.def_extern()
def corels_python_priority(handle: Any, children: Any, out: Any) -> int:
    caller: Caller = ffi.from_handle(handle)
    try:
        caller.priority(children, out)
    except BaseException as error:  # Ctrl-C, too, must come out of `step`
        return caller.park(error)
    return 0


@ffi.def_extern()
def corels_python_keep(handle: Any, bound: int, children: Any, incumbent: int, out: Any) -> int:
    caller: Caller = ffi.from_handle(handle)
    try:
        caller.keep(bound, children, incumbent, out)
    except BaseException as error:
        return caller.park(error)
    return 0
