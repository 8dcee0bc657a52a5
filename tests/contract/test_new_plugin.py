"""`corels new-plugin` writes folders that install and pass their own tests, for every kind."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from called import code
from corels_template.command import KINDS, files_of

ROOT = Path(__file__).resolve().parents[2]
FEWER = "import corels.testing.bounds as bounds; bounds.PROBLEMS = (8, 5, 3)"
NAMES = {kind: f"none-{kind}" for kind in KINDS} | {"family": "none", "family --full": "whole"}
WHOLE = ("__init__", "model", "search", "recount", "proof", "proofcheck", "estimator")
FOLDERS = {"tables": ("__init__.py", "bound.c"), "family --full": [f"{one}.py" for one in WHOLE]}


def ended(line):
    return code(*line.split())


@pytest.mark.outside
@pytest.mark.parametrize("kind", NAMES)
def test_what_it_writes_installs_and_passes_its_tests(kind, environment, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name = NAMES[kind]
    assert ended(f"new-plugin {kind} {name}") == 0
    folder = tmp_path / name
    module = f"corels_{name.replace('-', '_')}"
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    own = {f"{module}/{one}" for one in FOLDERS[kind]} if kind in FOLDERS else {f"{module}.py"}
    assert files == {"pyproject.toml", *own, f"tests/test_{name.replace('-', '_')}.py"}
    assert not [p for p in folder.rglob("*.*") if re.search("(?i)my.?part", p.read_text("utf-8"))]
    style = [sys.executable, "-m", "ruff", "check", "--isolated", "--ignore", "I", folder]
    linted = subprocess.run(style, check=False, capture_output=True, text=True)
    assert linted.returncode == 0, linted.stdout
    environment.install(folder)
    (folder / "tests/conftest.py").write_text(FEWER)
    done = environment.pytest(folder / "tests", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = "plugins", f"new-plugin {kind} {name} -o x"
    (_, listed), (refused, again) = environment.corels(*lines, cwd=tmp_path)
    assert re.search(rf"^  {name} .* corels-{name} 0\.1\.0$", listed, re.M), listed
    assert (refused, "has this name" in again) == (2, True), again


@pytest.mark.parametrize(
    ("output", "installed"), [("", "./mine"), (" -o x/y", "x/y"), (" -o z", "./z")]
)
def test_pip_is_told_of_a_folder_not_of_a_package(output, installed, tmp_path, monkeypatch, capsys):
    """`pip install mine` would ask the index for whatever is called so there."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x").mkdir()
    assert ended(f"new-plugin sink mine{output}") == 0
    assert f": pip install pytest {installed}, then" in "".join(capsys.readouterr())


def test_the_page_says_how_many_files_that_are():
    page = (ROOT / "docs/internals/architecture.md").read_text("utf-8")
    stated = re.findall(r"^\| (a policy, .*|a family) \| (\d) \|", page, re.M)
    assert [number for _, number in stated] == ["3", "3"]
    assert "an estimator [nine]" in page and len(files_of("family", "some", full=True)) == 9


@pytest.mark.outside
def test_a_new_family_is_used_at_once(environment, tmp_path):
    corels = environment.bin / "corels"
    environment.run(corels, "new-plugin", "family", "stump", "-o", "here", cwd=tmp_path)
    environment.install(tmp_path / "here")
    run = "run --dataset titanic --solver stump -r 0.05 -o m.json"
    done = environment.run(corels, *run.split(), cwd=tmp_path)
    assert "if sex = Female  then survived = yes   (344 of 470" in done.stdout, done.stderr
    for line in ("check m.json --dataset titanic", "report m.json -o r.html", "export m.json"):
        assert environment.run(corels, *line.split(), cwd=tmp_path).returncode == 0
    proof = environment.run(corels, *run.split(), "--proof", "p", cwd=tmp_path)
    assert proof.returncode == 2 and "solver 'stump' has no proofs" in proof.stderr


def test_the_folder_appears_whole_whenever_it_ends(tmp_path, monkeypatch, capsys):
    """Killed at any moment, it leaves nothing under the name that was asked for."""
    monkeypatch.chdir(tmp_path)
    seen, write = [], Path.write_text

    def writing(path, text, **how):
        seen.append(Path("mine").exists())
        if len(seen) == 3:
            raise OSError(28, "No space left on device")
        return write(path, text, **how)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_text", writing)
        assert ended("new-plugin sink mine") == 2
    assert "error: mine: cannot be written (No space left on device)" in capsys.readouterr().err
    assert seen == [False] * 3 and not list(tmp_path.iterdir())
    assert ended("new-plugin sink mine") == 0
