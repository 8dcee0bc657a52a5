"""Native parts by anybody: an address of a C function, from ctypes or from Numba."""

import ctypes
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from corels_python.backend import PythonBackend

import corels
from corels.plugins import Entry, registry
from corels.search import COLUMNS
from corels.search.native import (
    KEEP,
    PRIORITY,
    ChildrenStruct,
    ExpansionStruct,
    address,
    call_keep,
    call_priority,
    numba_signatures,
)
from corels.tables import load
from corels.testing import check_bound, check_native, check_policy, tables

HEADER = Path(__file__).resolve().parents[2] / "backends/c/include/corels/part.h"
SIZES = {"int32_t": 4, "int64_t": 8, "uint64_t": 8, "uint8_t": 1}


@PRIORITY
def _halfway(children, priorities, user):
    table = children[0]
    for i in range(table.count):
        priorities[i] = (table.lower_bound[i] + table.objective[i]) / 2
    return 0


@KEEP
def _lookahead(children, incumbent, keep, user):
    table = children[0]
    for i in range(table.count):
        keep[i] = table.lower_bound[i] + table.rule_cost < incumbent
    return 0


@KEEP
def _stops(children, incumbent, keep, user):
    return 1


class Halfway(corels.Policy):
    name = "halfway"
    summary = "least (lower bound + objective) / 2 first"
    native = address(_halfway)

    def priority(self, children):
        return (children.lower_bound + children.objective) / 2


class Lookahead(corels.Bound):
    name = "native-lookahead"
    summary = "drops a child if its cost and one more rule reach the incumbent"
    theorem = "Lemma 2"
    scope = "set"
    native = address(_lookahead)

    def keep(self, children, incumbent):
        return children.lower_bound + children.rule_cost < incumbent


@pytest.mark.parametrize(
    ("struct", "name"), [(ChildrenStruct, "corels_children"), (ExpansionStruct, "corels_expansion")]
)
def test_the_structs_are_those_of_the_header(struct, name):
    body = re.search(rf"typedef struct {name} \{{(.*?)\}} {name};", HEADER.read_text(), re.S)[1]
    body = re.sub(r"/\*.*?\*/", "", body, flags=re.S)
    declared = []
    for line in filter(None, (part.strip() for part in body.split(";"))):
        kind, names = re.match(r"(?:const )?(\w+) (.*)", line, re.S).groups()
        for field in names.replace("\n", " ").split(","):
            pointer = field.strip().startswith("*")
            declared.append((field.strip(" *"), 8 if pointer else SIZES[kind]))
    mirrored = [(field, ctypes.sizeof(kind)) for field, kind, *_ in struct._fields_]
    assert mirrored == declared


def test_the_suites_take_native_parts(monkeypatch):
    monkeypatch.setattr("corels.testing.bounds.PROBLEMS", (8, 5, 3))
    check_policy(Halfway)
    check_bound(Lookahead)


@pytest.mark.parametrize("search", ["best-first", "depth-first"])
def test_the_engine_calls_the_native_function(search):
    problem = corels.Problem.from_dataset(load("tic-tac-toe"), "0.05")
    options = {"search": search, "no_bound": ("leaves", "prices", "lookahead"), "start": "none"}
    found = {}
    for backend in ("c", "python"):
        certificate = corels.solve(
            problem, backend=backend, policy=Halfway, bound=Lookahead, **options
        ).certificate
        found[backend] = (certificate.objective, certificate.expanded, dict(certificate.pruned))
        assert certificate.foreign == (
            f"bound native-lookahead given as a class in {Lookahead.__module__}",
        )
    assert found["c"] == found["python"]


def test_a_native_function_sees_the_node_that_is_expanded():
    """The same numbers from both backends."""
    seen = []

    @KEEP
    def looks(children, incumbent, keep, user):
        at, table = children[0].expansion[0], children[0]
        captured = sum(word.bit_count() for word in at.masks[: table.antecedents * at.words])
        seen.append((at.cost, at.points, at.classes, captured))
        for i in range(table.count):
            keep[i] = 1
        return 0

    class Looks(Lookahead):
        name = "looks"
        reads = frozenset({"sets"})
        native = address(looks)

        def keep(self, children, incumbent):
            return call_keep(self.native, children, incumbent)

    problem = corels.Problem.from_dataset(load("titanic"), "0.01")
    told = {}
    for backend in ("c", "python"):
        corels.solve(problem, backend=backend, bound=Looks, start="none", node_limit=6)
        told[backend], seen = seen, []
    assert told["c"] == told["python"] and told["c"]


def test_a_native_function_can_stop_the_search():
    class Stops(Lookahead):
        name = "stops"
        native = address(_stops)

    problem = corels.Problem.from_dataset(load("tic-tac-toe"), "0.05")
    with pytest.raises(corels.PluginError, match="native function of bound 'stops'"):
        corels.solve(problem, backend="c", bound=Stops, start="none")


def test_a_native_twin_that_differs_is_found():
    class Differs(Lookahead):
        name = "differs"

        def keep(self, children, incumbent):
            return children.lower_bound < incumbent

    with pytest.raises(AssertionError, match="native 'differs' answers"):
        check_native(Differs())


def test_numba():
    numba = pytest.importorskip("numba", reason="Numba is not installed")
    priority_call, keep_call = numba_signatures()

    @numba.cfunc(priority_call)
    def halfway(children, priorities, user):
        table = children[0]
        for i in range(table.count):
            priorities[i] = (table.lower_bound[i] + table.objective[i]) / 2
        return 0

    @numba.cfunc(keep_call)
    def lookahead(children, incumbent, keep, user):
        table = children[0]
        for i in range(table.count):
            keep[i] = table.lower_bound[i] + table.rule_cost < incumbent
        return 0

    for children, incumbent in tables():
        expected = Halfway().priority(children)
        assert np.array_equal(call_priority(halfway.address, children), expected)
        kept = call_keep(lookahead.address, children, incumbent)
        assert np.array_equal(kept, Lookahead().keep(children, incumbent))


def test_every_column_reaches_a_native_function():
    seen = {}

    @PRIORITY
    def look(children, priorities, user):
        table = children[0]
        for name, _ in COLUMNS:
            seen[name] = [getattr(table, name)[i] for i in range(table.count)]
        for i in range(table.count):
            priorities[i] = 0.0
        return 0

    for children, _ in tables(seed=5, count=5):
        call_priority(address(look), children)
        for name, _ in COLUMNS:
            assert seen[name] == getattr(children, name).tolist()


def test_a_backend_from_elsewhere_is_named():
    class Theirs(PythonBackend):
        name = "theirs"

        def search(self, problem, instance, parts):
            found = super().search(problem, instance, parts)
            known = found.describe
            found.describe = lambda: known() | {"backend": self.name}
            return found

    titanic = corels.Problem.from_dataset(load("titanic"), "0.02")
    before = len(registry())
    registry().add(Entry("backend", "theirs", Theirs, "their-package", "1.0"))
    try:
        certificate = corels.solve(titanic, backend="theirs").certificate
        without = corels.solve(titanic, backend="python").certificate
    finally:
        registry().forget_after(before)
    assert certificate.versions["their-package"] == "1.0"
    assert set(without.versions) == {"python", "numpy", "corels"}  # it took no part
    assert certificate.foreign == ("backend theirs of their-package 1.0",)
    assert corels.solve(titanic, backend="python").certificate.foreign == ()


KEEP_IN_C = """
#include "corels/part.h"
int my_keep(const corels_children *c, int64_t incumbent, uint8_t *keep, void *user) {
    (void)user;
    for (int32_t i = 0; i < c->count; i++) keep[i] = c->lower_bound[i] + c->rule_cost < incumbent;
    return 0;
}
"""


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_a_bound_in_c_is_compiled_against_the_installed_header(tmp_path):
    corels_c = pytest.importorskip("corels_c")
    (tmp_path / "keep.c").write_text(KEEP_IN_C)
    line = f"cc -shared -fPIC -Wall -Werror -I {corels_c.include()} -o keep.so keep.c"
    subprocess.run(line.split(), cwd=tmp_path, check=True)

    class InC(Lookahead):
        name = "in-c"
        native = address(ctypes.CDLL(str(tmp_path / "keep.so")).my_keep)

    check_native(InC())
