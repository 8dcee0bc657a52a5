"""The checkers share nothing with the search."""

import ast
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OURS = ("corels.errors", "corels.proofcheck", "corels_checker")


def test_the_python_checker_imports_nothing_of_the_search():
    for path in (ROOT / "corels/proofcheck").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module] if isinstance(node, ast.ImportFrom) else []
            names += [a.name for a in node.names] if isinstance(node, ast.Import) else []
            wrong = [n for n in names if n.startswith("corels") and not n.startswith(OURS)]
            assert not wrong, (path.name, wrong)


def test_the_compiled_checker_includes_nothing_of_the_engine():
    own = {path.name for path in (ROOT / "backends/checker").glob("*.[ch]")}
    for path in (ROOT / "backends/checker").glob("*.[ch]"):
        found = set(re.findall(r'#include "(.*?)"', path.read_text(encoding="utf-8")))
        assert found <= own, path.name


def test_checking_loads_no_engine():
    code = "import corels.proofcheck, corels_checker, sys; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not [name for name in loaded if name.startswith(("corels_c.", "corels_python"))]
    assert "corels_c" not in loaded


def lines(*patterns):
    found = [path for pattern in patterns for path in ROOT.glob(pattern)]
    assert found
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in found)


def test_the_checkers_are_short():
    """Whoever is to trust them has to be able to read them; docs/internals/proof.md has the counts.

    The plain checker of rule lists is one file: from the bytes of the records and the values of the
    table to what is proved.
    The compiled one, of rule lists, is all of its C files and headers.
    """
    assert lines("corels/proofcheck/plain.py") < 400
    for path in (ROOT / "corels/proofcheck").rglob("*.py"):
        assert len(path.read_text(encoding="utf-8").splitlines()) < 400
    compiled = lines("backends/checker/*.[ch]") - lines("backends/checker/falling*.[ch]")
    compiled -= lines("backends/checker/rule_sets*.[ch]")
    assert compiled < 720
    assert all(lines(f"backends/checker/{name}") < 340 for name in ("checker.c", "tables.h"))


def test_the_plain_checker_rests_on_nothing_else_of_ours():
    """Not on what is around it: only on the words for how a check fails."""
    tree = ast.parse((ROOT / "corels/proofcheck/plain.py").read_text(encoding="utf-8"))
    nodes = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    modules = [n.module if isinstance(n, ast.ImportFrom) else n.names[0].name for n in nodes]
    ours = [name for name in modules if name.startswith("corels")]
    assert ours == ["corels.proofcheck.failures"]
