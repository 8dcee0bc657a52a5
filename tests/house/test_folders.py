"""Every folder has one sentence that says what lives there, where a reader looks for it.

That is the docstring of its package, its own README, or a row of the table in the README of a
folder above it: `| `name/` | what lives there |`.
"""

import ast
import re

import pytest
from sources import ROOT

ROW = re.compile(r"^\| `([^`]+)/` \| (.+) \|$", re.M)
BUILT = {"__pycache__", "build", "results", "instances"}  # git ignores them


def folders():
    """Every folder of the source that holds a file or a folder that does."""
    found = set()
    for top in ("corels", "plugins", "backends", "tests", "benchmarks"):
        for path in (ROOT / top).rglob("*"):
            inside = path.relative_to(ROOT).parts
            if path.is_file() and not BUILT & set(inside) and not any(p[0] == "." for p in inside):
                found |= {ROOT.joinpath(*inside[:n]) for n in range(1, len(inside))}
    return sorted(found)


def sentence(folder):
    """What is said of a folder; '' where nothing is."""
    package, page = folder / "__init__.py", folder / "README.md"
    if package.exists():
        return (ast.get_docstring(ast.parse(package.read_text("utf-8"))) or "").partition("\n\n")[0]
    if page.exists():
        return page.read_text("utf-8").partition("\n\n")[2].partition("\n\n")[0]
    for above in folder.parents:
        rows = rows_of(above / "README.md")
        if (name := folder.relative_to(above).as_posix()) in rows:
            return rows[name]
        if above == ROOT:
            return ""
    return ""


def rows_of(page):
    """Folder -> what its row says."""
    return dict(ROW.findall(page.read_text("utf-8"))) if page.exists() else {}


@pytest.mark.parametrize("folder", folders(), ids=lambda one: one.relative_to(ROOT).as_posix())
def test_a_sentence_says_what_lives_there(folder):
    assert len(sentence(folder).split()) >= 4, f"{folder.relative_to(ROOT)}/ has no sentence"


@pytest.mark.parametrize("top", ["plugins", "backends", "tests"])
def test_the_tables_name_folders_that_are_there(top):
    for page in (ROOT / top).rglob("README.md"):
        for name in rows_of(page):
            assert (page.parent / name).is_dir(), f"{page.relative_to(ROOT)} names {name}/"


def test_there_is_something_to_look_at():
    names = {folder.relative_to(ROOT).as_posix() for folder in folders()}
    assert {"corels", "corels/model", "backends/c/src/search", "tests/house", "plugins"} <= names
    assert sentence(ROOT / "cmake") == ""
