"""Native parts: the published structs of `include/corels/part.h` for ctypes, NumPy and Numba.

A policy or bound may carry `native`, the address of a C function, so that the C engine calls it
without Python. Authors need no header: `PRIORITY` and `KEEP` are the two signatures for ctypes,
`numba_signatures` gives them for Numba's `cfunc`. Both take the children as a struct with the
columns of `corels.search.COLUMNS` in their order, then the number of rows and what all rows share.

    int priority(const corels_children *, double *priorities, void *user);
    int keep(const corels_children *, int64_t incumbent, uint8_t *keep, void *user);

They answer 0, or anything else to stop the search. The table is theirs to read until they return.
"""

from __future__ import annotations

import ctypes
from collections import namedtuple
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.search.children import COLUMNS, Children

SHARED = (  # what all rows share, in the order of the struct
    ("count", "int32"),  # rows
    ("antecedents", "int32"),
    ("unit", "int64"),
    ("rule_cost", "int64"),
    ("total", "int64"),
)
_ARRAYS = {  # of an expansion
    **dict.fromkeys(("masks", "remaining"), "uint64"),
    **dict.fromkeys(("counts", "totals", "worst", "regrets"), "int32"),
}
_C = {"int32": ctypes.c_int32, "int64": ctypes.c_int64, "uint64": ctypes.c_uint64}


class ExpansionStruct(ctypes.Structure):
    """`corels_expansion`: see `corels.search.Expansion`; counts is int32[classes][stride]."""

    _fields_ = [
        *((name, ctypes.POINTER(_C[kind])) for name, kind in _ARRAYS.items()),
        *((name, ctypes.c_int32) for name in ("classes", "points", "words", "stride")),
        ("cost", ctypes.c_int64),
    ]


class ChildrenStruct(ctypes.Structure):
    """`corels_children`: a pointer for each column, then what all rows share."""

    _fields_ = [
        *((name, ctypes.POINTER(_C[kind])) for name, kind in COLUMNS),
        *((name, _C[kind]) for name, kind in SHARED),
        ("expansion", ctypes.POINTER(ExpansionStruct)),
        ("rules_left", ctypes.c_int32),
    ]


PRIORITY = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.POINTER(ChildrenStruct), ctypes.POINTER(ctypes.c_double), ctypes.c_void_p
)
KEEP = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.POINTER(ChildrenStruct),
    ctypes.c_int64,
    ctypes.POINTER(ctypes.c_uint8),
    ctypes.c_void_p,
)


def address(function: Any) -> int:
    """The address of a ctypes function made with PRIORITY or KEEP; keep the function alive."""
    found = ctypes.cast(function, ctypes.c_void_p).value
    if found is None:
        raise ValueError("the function has no address")
    return found


def struct_of(children: Children) -> tuple[ChildrenStruct, list[Any]]:
    """A table as the engine hands it over, and what must stay alive as long as it is used."""
    struct = ChildrenStruct()
    held = _point(struct, children, dict(COLUMNS))
    struct.count, struct.antecedents = len(children), children.n_antecedents
    struct.unit, struct.rule_cost, struct.total = children.unit, children.rule_cost, children.total
    struct.rules_left = children.rules_left
    if (of := children.expansion) is not None:
        below = ExpansionStruct(cost=of.cost, points=len(of.worst), words=of.masks.shape[1])
        held += [below, *_point(below, of, _ARRAYS)]
        below.classes, below.stride = of.counts.shape
        struct.expansion = ctypes.pointer(below)
    return struct, held


def _point(struct: Any, of: Any, kinds: Mapping[str, str]) -> list[Any]:
    """Let the fields of a struct point to arrays, which have to stay alive."""
    held = []
    for name, kind in kinds.items():
        held.append(np.ascontiguousarray(getattr(of, name), kind))
        setattr(struct, name, held[-1].ctypes.data_as(ctypes.POINTER(_C[kind])))
    return held


def call_priority(native: int, children: Children) -> NDArray[np.float64]:
    """What the function at an address answers for a table: float64[n]."""
    out = np.full(max(1, len(children)), np.nan)
    _call(PRIORITY(native), children, out.ctypes.data_as(ctypes.POINTER(ctypes.c_double)))
    return out[: len(children)]


def call_keep(native: int, children: Children, incumbent: int) -> NDArray[np.bool_]:
    """What the function at an address keeps of a table: bool[n]."""
    out = np.ones(max(1, len(children)), dtype=np.uint8)
    _call(KEEP(native), children, incumbent, out.ctypes.data_as(ctypes.POINTER(ctypes.c_uint8)))
    return out[: len(children)].astype(np.bool_)


def _call(function: Any, children: Children, *more: Any) -> None:
    struct, held = struct_of(children)
    status = function(ctypes.byref(struct), *more, None)
    del held
    if status:
        raise RuntimeError(f"the native function answered {status}: 0 is expected")


def numba_signatures() -> tuple[Any, Any]:
    """The signatures of a priority and of a keep function for `numba.cfunc`.

    Their first argument points to a struct: `children[0].objective[i]` is a number of row i,
    `children[0].count` the number of rows. Needs Numba.
    """
    import numba

    types: Any = numba.types
    fields = {name: types.CPointer(getattr(types, kind)) for name, kind in COLUMNS}
    fields |= {name: getattr(types, kind) for name, kind in SHARED}
    struct = types.NamedTuple(list(fields.values()), namedtuple("children", list(fields)))
    table, user = types.CPointer(struct), types.voidptr
    return (
        types.int32(table, types.CPointer(types.float64), user),
        types.int32(table, types.int64, types.CPointer(types.uint8), user),
    )
