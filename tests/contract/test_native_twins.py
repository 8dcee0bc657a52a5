"""The C engine's policies and children table equal the Python definitions, bit by bit."""

import ctypes
import re
from pathlib import Path

import numpy as np
import pytest
from corels_c import _native
from corels_rule_list.bounds import BOUNDS
from corels_rule_list.policies import POLICIES
from corels_rule_list.set_bounds import SET_BOUNDS, TABLE_BOUNDS

from corels.search import COLUMNS, Children
from corels.search.native import struct_of

ffi, lib = _native.ffi, _native.lib
HEADER = Path(__file__).resolve().parents[2] / "backends/c/include/corels/part.h"
BIG = 2**61
TYPES = {"int32_t": "int32", "int64_t": "int64"}


def test_the_struct_has_the_columns_in_their_order():
    body = re.search(r"typedef struct corels_children \{(.*?)\}", HEADER.read_text(), re.S)[1]
    fields = re.findall(r"^\s*(\w+) \*(\w+);", body, re.M)
    assert [(name, TYPES[kind]) for kind, name in fields] == list(COLUMNS)
    declared = [
        name
        for name, field in ffi.typeof("corels_children").fields
        if field.type.kind == "pointer" and name != "expansion"
    ]
    assert declared == [name for name, _ in COLUMNS]


def random_tables(seed, count=300):
    """Tables with small numbers, huge ones, zeros and ties, as the engine may meet them."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        n = int(rng.integers(0, 70))
        top = (10, 1000, 2**31 - 1)[number % 3]
        columns = {name: rng.integers(0, top, size=n).astype(kind) for name, kind in COLUMNS}
        columns["length"] = rng.integers(1, 40, size=n).astype(np.int32)
        columns["prediction"] = rng.integers(0, 3, size=n).astype(np.int32)
        unit = int(rng.choice([1, 3, 2**29 if top < 2**31 - 1 else 2**30]))
        rule_cost = int(rng.choice([0, 1, unit * int(rng.integers(1, 20)), BIG // 64]))
        for name in ("lower_bound", "objective"):
            columns[name] = rng.integers(0, BIG if number % 2 else top, size=n)
        columns["serial"] = rng.integers(0, 2**62, size=n)
        columns["correct"] = np.minimum(columns["correct"], columns["support"])
        columns["errors"] = np.minimum(columns["errors"], columns["worst"])
        total = int(columns["captured"].max(initial=0)) + int(rng.integers(1, 9))
        yield (
            Children(
                **columns,
                unit=unit,
                rule_cost=rule_cost,
                total=total,
                n_antecedents=int(rng.integers(1, 300)),
                rules_left=int(rng.integers(-1, 4)),
            ),
            int(rng.integers(0, 2**63 - 1)),
        )


def native(children):
    """The same table as a C struct, and what keeps it alive."""
    table, kept = struct_of(children)
    return ffi.cast("corels_children *", ctypes.addressof(table)), (table, kept)


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.name)
def test_policies(policy):
    name = ffi.new("char[]", policy.name.encode())
    assert lib.corels_policy_known(name)
    for children, seed in random_tables(1):
        out = np.full(max(1, len(children)), np.nan)
        table, kept = native(children)
        assert not lib.corels_policy_apply(name, table, seed, ffi.from_buffer("double[]", out))
        part = policy()
        part.start(seed)
        expected = np.asarray(part.priority(children), dtype=np.float64)
        assert out[: len(children)].tobytes() == expected.tobytes()
        del kept


@pytest.mark.parametrize("bound", [*BOUNDS, *TABLE_BOUNDS, *SET_BOUNDS], ids=lambda b: b.name)
def test_a_twin_works_where_the_definition_does(bound):
    assert lib.corels_bound_scope(bound.name.encode()) == (bound.scope == "set")


def test_unknown_names_are_refused():
    table, kept = native(next(random_tables(3))[0])
    priorities = np.zeros(100)
    status = lib.corels_policy_apply(b"nobody", table, 0, ffi.from_buffer("double[]", priorities))
    assert status == lib.CORELS_BAD_ARGUMENT
    assert not lib.corels_policy_known(b"nobody") and not lib.corels_bound_known(b"nobody")
    assert lib.corels_bound_scope(b"nobody") == -1
    del kept
