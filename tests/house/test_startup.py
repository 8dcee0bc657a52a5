"""What a start imports: an easy search takes milliseconds, so the start is what people wait for."""

import ast
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules

import pytest
from sources import PYTHON_ROOMS, python_files
from test_imports import OPTIONAL

# Module -> who needs it. `corels run` on a rule file does not.
HEAVY = {
    "corels.tables.binarizing": "tables",
    "corels.tables.mining": "tables, and who asks for conjunctions",
    "corels_classic.classifier": "the old package's users",
    "corels.tables.builtin": "--dataset",
    "corels.tables.labelled": "tables",
    "corels.sklearn.base": "scikit-learn's users",
    "corels.proof.format": "--proof, and who checks one",
    "corels.search.good_lists": "corels near",
    "corels.run.explain": "--explain",
    "corels_rule_list.path.path": "corels path",
    "corels.run.trace": "--trace, and documents in JSON",
    "corels_colgen.search": "the solver rule-set",
    "corels_falling.search": "the falling solvers",
    "corels_languages.functions": "corels export",
    "corels_languages.python": "corels export",
    "corels_python.depth_first": "the backend python",
    "numpy.random": "solvers that draw",
    "rich": "help, and the live display of a search that takes longer",
}

RUN = """
import sys
from corels.cli import main
try:
    main(sys.argv[1:])
except SystemExit as end:
    assert end.code == 0
print(*sys.modules)
"""


def _loaded(*words):
    done = subprocess.run(
        [sys.executable, "-c", RUN, "run", *words], capture_output=True, text=True, check=True
    )
    return set(done.stdout.splitlines()[-1].split())


def test_a_run_imports_only_what_it_needs(tmp_path):
    """Each of these takes 2 to 100 ms to import, where the whole run takes 200."""
    pytest.importorskip("corels_c._native", reason="the Python backend needs more")
    rules, labels = tmp_path / "data.out", tmp_path / "data.label"
    rules.write_text("{a} 0 1 0 1\n{b} 0 0 1 1\n")
    labels.write_text("{y:No} 1 0 1 0\n{y:Yes} 0 1 0 1\n")
    loaded = _loaded(str(rules), str(labels))
    assert "corels_rule_list.solver" in loaded
    assert not (HEAVY.keys() | OPTIONAL) & loaded


def test_a_run_on_a_table_in_memory_imports_nothing_of_costs_files_and_checks():
    pytest.importorskip("corels_c._native", reason="the Python backend needs more")
    loaded = _loaded("--dataset", "titanic")
    assert "corels.tables.labelled" in loaded
    costs = {"corels.tables.pricing"}
    files = {"corels.tables.frame", "glob", "polars", "highspy"}
    shown = {"rich", "pandas", "sklearn", "scipy", "pydantic", "matplotlib"}
    assert not (costs | files | shown | {"corels.check.recount"}) & loaded


def test_the_heavy_modules_exist():
    """A module that has moved would be looked for in vain."""
    assert [name for name in HEAVY if find_spec(name) is None] == []


PACKAGES = ["corels", "corels.tables"]


@pytest.mark.parametrize("package", PACKAGES)
def test_names_on_demand(package):
    """All are there, and none is a submodule's: that would take the place of what is exported."""
    module = import_module(package)
    submodules = {found.name for found in iter_modules(getattr(module, "__path__", []))}
    assert not submodules & set(module.__all__) - {"solve"}  # which is imported at once
    for name in module.__all__:
        assert name in dir(module)
        assert getattr(module, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        module.nothing  # noqa: B018


ON_DEMAND = "__dir__ = on_demand(\n"


@pytest.mark.parametrize(
    "path",
    [p for room in PYTHON_ROOMS for p in python_files(room) if ON_DEMAND in p.read_text("utf-8")],
    ids=str,
)
def test_type_checkers_see_the_names_that_are_imported_on_demand(path):
    """What a package imports under TYPE_CHECKING is what its dictionary names."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    checked = {
        (one.module, alias.name)
        for node in tree.body
        if isinstance(node, ast.If)
        for one in ast.walk(node)
        if isinstance(one, ast.ImportFrom)
        for alias in one.names
    }
    (homes,) = [
        node.args[1]
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "on_demand"
    ]
    named = {(k, n) for k, v in ast.literal_eval(homes).items() for n in v.split()}
    assert named - {("corels.tables", "tables")} == checked
