"""The checkers share nothing with the search: every import of theirs is followed, to its end."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from corels.plugins import registry

ROOT = Path(__file__).resolve().parents[2]
SHARED = (
    *(
        f"corels.check.{name}"
        for name in ("finding", "opening", "points", "rated", "sides", "verdict")
    ),
    "corels.check.recount",
    "corels.clock",
    "corels.errors",
)
FAMILIES = {
    "corels_rule_list.proofcheck": ROOT / "plugins/rule_list/corels_rule_list/proofcheck",
    "corels_falling.proofcheck": ROOT / "plugins/falling/corels_falling/proofcheck",
    "corels_colgen.proofcheck": ROOT / "plugins/rule_set/corels_colgen/proofcheck",
}
ROOMS = {
    **FAMILIES,
    **{name: (ROOT / name.replace(".", "/")).with_suffix(".py") for name in SHARED},
    "corels_checker": ROOT / "backends/checker/corels_checker",
}
BY_STRING = {"import_module", "__import__", "find_spec", "entry_points", "load_module"}
ALLOWED = {
    ("corels_rule_list.proofcheck", "corels_checker"),  # the family's compiled checker
    *(
        ("corels.check.recount", f"corels.{name}")  # words, and names of rates
        for name in ("model.printable", "options", "problem.rates")
    ),
}


def modules(room):
    paths = sorted(ROOMS[room].rglob("*.py")) or [ROOMS[room]]
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in paths}


def imported(tree):
    """Imports for types alone are left out."""
    for node in walked(tree):
        if isinstance(node, ast.ImportFrom):
            assert not node.level, "relative"
            yield str(node.module)
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def walked(tree):
    yield tree
    for node in ast.iter_child_nodes(tree):
        if not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
            yield from walked(node)


def named(tree):
    """What is imported by a string: the strings themselves, "?" for what is not a plain string.

    If a module names one of the functions that import, and be it to hand it on, every call of
    it has to show its argument.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in BY_STRING | {"eval", "exec", "getattr_static"}:
                first = node.args[0] if node.args else None
                yield first.value if isinstance(first, ast.Constant) else "?"


@pytest.mark.parametrize("room", ROOMS)
def test_a_checker_imports_what_all_checkers_share_and_nothing_else_of_ours(room):
    for path, tree in modules(room).items():
        for name in [*imported(tree), *named(tree)]:
            own = f"{name}.".startswith((f"{room}.", *(f"{other}." for other in SHARED)))
            ours = name == "?" or name.startswith("corels")
            assert own or not ours or (room, name) in ALLOWED, (path.name, name)


@pytest.mark.parametrize("room", FAMILIES)
def test_it_rests_on_numpy_and_the_standard_library(room):
    known = {"numpy", "corels", "corels_checker", room.partition(".")[0]}
    shared = {path: tree for name in SHARED for path, tree in modules(name).items()}
    for path, tree in {**modules(room), **shared}.items():
        for name in [*imported(tree), *named(tree)]:
            top = name.partition(".")[0]
            assert top in known or top in sys.stdlib_module_names, (path.name, name)


def test_every_family_with_proofs_is_looked_at():
    """One that is registered from this repository has a folder `proofcheck`, listed above."""
    solvers = [registry().get("solver", name) for name in registry().names("solver")]
    with_proof = {s.__module__.partition(".")[0] for s in solvers if s().proof is not None}
    ours = {name for name in with_proof if any((ROOT / "plugins").glob(f"*/{name}"))}
    assert {f"{name}.proofcheck" for name in ours} == set(FAMILIES)


@pytest.mark.parametrize("room", FAMILIES)
def test_checking_loads_no_search_and_no_engine(room):
    """What really is loaded, however it is asked for; a family's own __init__ is light."""
    code = f"import {room}.checking, {room}.recount, sys; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "corels_c" not in loaded
    searching = ("corels_c.", "corels_python", "corels.run.solve", "corels.search.expand")
    assert not [name for name in loaded if name.startswith(searching)]
    native = [name for name in loaded if name.startswith("corels") and name.endswith("._native")]
    assert not native


def test_the_compiled_checker_includes_nothing_of_the_engine():
    own = {path.name for path in (ROOT / "backends/checker").glob("*.[ch]")}
    for path in (ROOT / "backends/checker").glob("*.[ch]"):
        found = set(re.findall(r'#include "(.*?)"', path.read_text(encoding="utf-8")))
        assert found <= own, path.name


def test_the_plain_checker_rests_on_nothing_else_of_ours():
    """Not on what is around it: only on how numbers are read, what constraints count, and words
    for how a check fails."""
    tree = modules("corels_rule_list.proofcheck")[
        FAMILIES["corels_rule_list.proofcheck"] / "plain.py"
    ]
    ours = [name for name in imported(tree) if name.startswith("corels")]
    assert ours == ["corels.check.points", "corels.check.rated", "corels.check.verdict"]


@pytest.mark.parametrize(
    "code",
    [
        "from corels.search import Search",
        "import corels_c",
        "from importlib import import_module\nimport_module('corels_c.search')",
        "import importlib\nname = 'corels_c'\nimportlib.import_module(name)",
        "from importlib.metadata import entry_points\nentry_points(group='corels')",
        "__import__('corels_python')",
    ],
)
def test_such_an_import_would_be_found(code):
    tree = ast.parse(code)
    names = [*imported(tree), *named(tree)]
    assert any(n == "?" or n.startswith("corels") for n in names)
