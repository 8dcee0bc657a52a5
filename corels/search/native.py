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
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.search.children import COLUMNS, Children, Expansion

SHARED = (  # what all rows share, in the order of the struct
    ("count", "int32"),  # rows
    ("antecedents", "int32"),
    ("unit", "int64"),
    ("rule_cost", "int64"),
    ("total", "int64"),
)
_C = {"int32": ctypes.c_int32, "int64": ctypes.c_int64}


class ExpansionStruct(ctypes.Structure):
    """`corels_expansion`: see `corels.search.Expansion`; counts is int32[classes][stride]."""

    _fields_ = [
        *((name, ctypes.POINTER(ctypes.c_uint64)) for name in ("masks", "remaining")),
        *((n, ctypes.POINTER(ctypes.c_int32)) for n in ("counts", "totals", "worst", "regrets")),
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
    held: list[Any] = [np.ascontiguousarray(getattr(children, name)) for name, _ in COLUMNS]
    struct = ChildrenStruct()
    for (name, kind), column in zip(COLUMNS, held, strict=True):
        setattr(struct, name, column.ctypes.data_as(ctypes.POINTER(_C[kind])))
    struct.count, struct.antecedents = len(children), children.n_antecedents
    struct.unit, struct.rule_cost, struct.total = children.unit, children.rule_cost, children.total
    struct.rules_left = children.rules_left
    if children.expansion is not None:
        expansion, more = _expansion_struct(children.expansion)
        struct.expansion = ctypes.pointer(expansion)
        held += [expansion, *more]
    return struct, held


def _expansion_struct(of: Expansion) -> tuple[ExpansionStruct, list[Any]]:
    arrays: dict[str, NDArray[Any]] = {
        "masks": of.masks.astype(np.uint64),
        "remaining": of.remaining.astype(np.uint64),
        "counts": of.counts.astype(np.int32),
        "totals": of.totals.astype(np.int32),
        "worst": of.worst.astype(np.int32),
        "regrets": np.ascontiguousarray(of.regrets, dtype=np.int32),
    }
    struct = ExpansionStruct()
    for name, array in arrays.items():
        field = ctypes.c_uint64 if array.dtype == np.uint64 else ctypes.c_int32
        setattr(struct, name, array.ctypes.data_as(ctypes.POINTER(field)))
    struct.classes, struct.stride = of.counts.shape
    struct.points, struct.words, struct.cost = len(of.worst), of.masks.shape[1], of.cost
    return struct, list(arrays.values())


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
    column = {"int32": types.CPointer(types.int32), "int64": types.CPointer(types.int64)}
    number = {"int32": types.int32, "int64": types.int64}
    fields = {name: column[kind] for name, kind in COLUMNS}
    fields |= {name: number[kind] for name, kind in SHARED}
    struct = types.NamedTuple(list(fields.values()), namedtuple("children", list(fields)))
    table, user = types.CPointer(struct), types.voidptr
    return (
        types.int32(table, types.CPointer(types.float64), user),
        types.int32(table, types.int64, types.CPointer(types.uint8), user),
    )
