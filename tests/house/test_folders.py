"""Every folder has one sentence that says what lives there, where a reader looks for it.

That is the docstring of its package, its own README, or a row of the table in the README of a
folder above it: `| `name/` | what lives there |`.
"""

import ast
import re
import sys

import pytest
from sources import ROOT, c_files

sys.path.insert(0, str(ROOT / "tools"))
import structure

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
    """What is said of a folder; '' if nothing is."""
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


def test_a_sentence_says_what_lives_there():
    silent = [folder for folder in folders() if len(sentence(folder).split()) < 4]
    assert not silent, "these folders have no sentence"


@pytest.mark.parametrize("top", ["plugins", "backends", "tests"])
def test_the_tables_name_folders_that_are_there(top):
    for page in (ROOT / top).rglob("README.md"):
        for name in rows_of(page):
            assert (page.parent / name).is_dir(), f"{page.relative_to(ROOT)} names {name}/"


ENGINE = sorted({path.parent for path in (ROOT / "backends/c/src").rglob("*.c")})


@pytest.mark.parametrize("folder", ENGINE, ids=lambda one: one.name)
def test_the_page_of_a_folder_of_the_engine_leads_to_each_of_its_files(folder):
    """Named on the folder's page, on a page that this one links, or in a table (bounds.def)."""
    page = folder / "README.md"
    own = page.read_text("utf-8")
    linked = [(folder / to).resolve() for to in re.findall(r"\]\(([^)#]+)", own)]
    text = own + "".join(to.read_text("utf-8") for to in [*linked, *folder.glob("*.def")])
    named = set(re.findall(r"\b([a-z0-9_]+)\.[ch]\b|_BOUND\((\w+)", text))
    left_out = [path.name for path in folder.glob("*.c") if path.stem not in set().union(*named)]
    assert not left_out, f"{page.relative_to(ROOT)} leads to no word about {left_out}"
    gone = [
        name
        for name in re.findall(r"`([a-z0-9_]+\.(?:c|h|def))`", own)
        if not (folder / name).exists()
    ]
    assert not gone, f"{page.relative_to(ROOT)} names {gone}"


def test_comments_in_c_name_files_that_are_there():
    files = [*c_files(), *(ROOT / "backends").rglob("*.def")]
    known = {path.name for path in files}
    gone = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in files
        for line in path.read_text("utf-8").splitlines()
        if not line.lstrip().startswith("#")
        for name in re.findall(r"\b[a-z][a-z0-9_]*\.(?:[ch]|def)\b", line)
        if name not in known
    ]
    assert not gone


def test_there_is_something_to_look_at():
    names = {folder.relative_to(ROOT).as_posix() for folder in folders()}
    assert {"corels", "corels/model", "backends/c/src/search", "tests/house", "plugins"} <= names
    assert sentence(ROOT / "cmake") == ""


def test_no_folders_import_each_other_in_a_circle():
    arrows = structure.arrows_of(structure.files_of(None))
    assert "corels/problem" in arrows["corels/tables"]
    assert not structure.circles(arrows)


def test_a_circle_is_found_and_what_follows_from_others_is_left_out():
    arrows = {"a": {"b", "c", "d"}, "b": {"c"}, "c": {"b", "d"}, "d": set()}
    assert structure.circles(arrows) == [{"b", "c"}]
    drawn = structure.needed(arrows, {"b": 0, "c": 0})
    assert sorted(drawn) == [("a", "b"), ("b", "c"), ("c", "b"), ("c", "d")]
