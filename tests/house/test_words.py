"""Small promises that are easy to break: one spelling, no machine's paths, a changelog."""

import ast
import re
import subprocess
import tomllib

import pytest
from sources import PYTHON_ROOMS, ROOT, python_files

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
TEXT = {".py", ".c", ".h", ".md", ".toml", ".cmake", ".cdef", ".txt", ".yml", ".yaml", ""}


_SKIPPED = {".", "build", "dist", "_build", "__pycache__"}  # ".": every hidden folder


def _folders(path):
    return [part for part in path.relative_to(ROOT).parts[:-1] if part != ".ci"]


def files():
    """The files of the project, as git knows them, or all of them if there is no git."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    names = listed.stdout.splitlines() if listed.returncode == 0 else []
    found = [ROOT / name for name in names] or [
        path
        for path in ROOT.rglob("*")
        if not _SKIPPED & {part if part in _SKIPPED else part[:1] for part in _folders(path)}
    ]
    return [path for path in found if path.is_file() and path.suffix in TEXT]


def test_versions_agree():
    import corels

    assert PROJECT["project"]["version"] == corels.__version__


def test_the_changelog_has_an_entry_for_what_is_being_made():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    unreleased = text.partition("## [Unreleased]")[2].partition("\n## [")[0]
    assert len(unreleased.strip().splitlines()) > 3


def test_licence_and_type_marker_are_there():
    assert "BSD 3-Clause" in (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert (ROOT / "corels/py.typed").exists()
    assert PROJECT["project"]["license"] == "BSD-3-Clause"


@pytest.mark.parametrize("room", ["corels_c", "corels_python", "corels_falling"])
def test_every_package_is_shipped(room):
    assert room in PROJECT["tool"]["scikit-build"]["wheel"]["packages"]


def test_no_path_of_a_machine_is_written_down():
    pattern = re.compile(r"(?<![\w.])/(?:work|root|home)/\w|/tmp/\w")  # not `/tmp` alone
    wrong = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in files()
        for number, line in enumerate(
            path.read_text(encoding="utf-8", errors="replace").splitlines(), 1
        )
        if pattern.search(line) and path.name != "test_words.py"
    ]
    assert not wrong


def test_terms_are_spelled_one_way():
    """The field's words, as the paper spells them."""
    wrong_words = re.compile(
        r"\b[Rr]egularisation\b|(?<![\w.`/])rulelist(?![\w.`])|[Aa]ntecend|[Ii]ncumbant"
    )
    wrong = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in files()
        if path.suffix == ".md"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if wrong_words.search(line)
    ]
    assert not wrong


def _strings(node):
    """The pieces of text in an expression, as `raise` would join them."""
    return "".join(
        part.value
        for part in ast.walk(node)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    )


def test_errors_of_the_library_speak_to_both_its_readers():
    """They name no option as it is typed, unless in brackets or a quoted command: the reader may
    well be in Python."""
    typed_only = {  # of commands
        "plugins/rule_list/corels_rule_list/near/output.py",
        "plugins/classic/corels_classic/legacy.py",
        "plugins/dask/corels_dask/command.py",
    }
    found = []
    for path in (path for room in PYTHON_ROOMS for path in python_files(room)):
        inside = path.relative_to(ROOT).as_posix()
        if inside.startswith("corels/cli/") or "/commands/" in inside or inside in typed_only:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            made = node.exc if isinstance(node, ast.Raise) else None
            made = node.value if isinstance(node, ast.Return) else made
            said = "" if made is None else re.sub("`[^`]*`", "", _strings(made))
            if re.search(r"(?<!\()(?<!\w)--[a-z]", said):
                found.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert found == []


def test_the_core_names_no_family():
    families = re.compile(r"falling|rule.?set|colgen", re.IGNORECASE)
    texts = {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for path in python_files("corels")
    }
    assert [name for name in texts if families.search(texts[name])] == []
    for name, text in texts.items():
        if name.startswith(("corels/search/", "corels/run/")):
            assert not re.search(r"rule.list", text, re.IGNORECASE), name
