"""No command writes over what it reads, whatever the path is called."""

from __future__ import annotations

import itertools
import os
import sys
import textwrap

import pytest

from corels.cli.exits import Exit
from corels.hookspecs import Command

RULES = "{a:yes} 1 1 1 0 0 0\n{b:yes} 0 1 0 1 0 1\n{c:yes} 1 0 0 0 1 1\n"


@pytest.fixture
def folder(corels, tmp_path, table, rules, monkeypatch):
    """A model, its table and a rule file, in the folder where the command runs."""
    pytest.importorskip("polars")
    monkeypatch.chdir(tmp_path)
    run = ("run", table, "--label", "ill", "-q", "-r", "0.05", "--proof", "run.proof")
    assert corels(*run, "-o", "m.json", "--trace", "run.jsonl").code == 0
    (tmp_path / "t.csv").write_bytes((tmp_path / "people.csv").read_bytes())
    (tmp_path / "n.jsonl").write_bytes((tmp_path / "m.json").read_bytes())
    for name, suffix in (("people.csv", ".txt"), ("small.label", ".json"), ("run.proof", ".json")):
        (tmp_path / name).with_suffix(suffix).write_bytes((tmp_path / name).read_bytes())
    return tmp_path


def spelled(folder, name, way):
    """Another path to a file of the folder."""
    if way == "other spelling":
        (folder / "sub").mkdir()
        return f"sub/../{name}"
    if way == "absolute":
        return folder / name
    link = folder / f"link-{name}"
    if way == "symbolic link":
        link.symlink_to(folder / name)
    else:
        os.link(folder / name, link)
    return link


WAYS = ("absolute", "other spelling", "symbolic link", "hard link")
COMMANDS = [
    (("predict", "m.json", "people.csv"), "m.json"),
    (("predict", "m.json", "people.csv"), "people.csv"),
    (("export", "m.json", "--to", "sql"), "m.json"),
    (("run", "small.out", "small.json", "-q"), "small.json"),
    (("run", "people.csv", "--label", "ill", "-r", "0.05", "--resume", "run.json"), "run.json"),
    (("near", "--model", "n.jsonl", "people.csv"), "n.jsonl"),
    (("path", "small.out", "small.json"), "small.json"),
    (("report", "m.json", "people.csv", "--trace", "run.jsonl"), "run.jsonl"),
    (("report", "m.json"), "m.json"),
    (("compare", "t.csv", "--label", "ill"), "t.csv"),
    (("ablate", "t.csv", "--label", "ill"), "t.csv"),
    (("evaluate", "t.csv", "--label", "ill", "--folds", "2"), "t.csv"),
]
OTHER_OPTIONS = [
    (("run", "small.out", "-q"), "--trace"),
    (("run", "people.csv", "--label", "ill", "-q"), "--trace"),
    (("run", "people.csv", "--label", "ill", "-q"), "--proof"),
    (("run", "people.csv", "--label", "ill", "-q"), "--sink=trace:file"),
    (("compare", "people.csv", "--label", "ill"), "--results"),
    (("ablate", "people.csv", "--label", "ill"), "--results"),
    (("evaluate", "people.csv", "--label", "ill", "--folds", "2"), "--results"),
]


def in_turn(commands):
    """Each command with one of the ways, the first one with all of them."""
    ways = [*WAYS, *itertools.islice(itertools.cycle(WAYS), len(commands) - 1)]
    return [(*commands[max(0, at - 3)], way) for at, way in enumerate(ways)]


@pytest.mark.parametrize(("command", "name", "way"), in_turn(COMMANDS))
def test_it_is_refused(corels, folder, command, name, way):
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    path = spelled(folder, name, way)
    ended = corels(*command, "-o", path)
    assert ended.code == Exit.BAD_INPUT
    assert "would be written over" in ended.err.splitlines()[-1]
    assert {n: (folder / n).read_bytes() for n in before} == before
    assert not list(folder.rglob("*.tmp"))


@pytest.mark.parametrize(("command", "option", "way"), in_turn(OTHER_OPTIONS))
def test_other_outputs_than_output_are_refused(corels, folder, command, option, way):
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    name = "small.label" if "small.out" in command else "people.csv"
    ended = corels(*command, f"{option}={spelled(folder, name, way)}")
    assert ended.code == Exit.BAD_INPUT
    assert "would be written over" in ended.err.splitlines()[-1]
    assert {n: (folder / n).read_bytes() for n in before} == before


def test_a_command_of_a_plugin_is_guarded_without_a_word_of_its_own(
    corels, folder, monkeypatch, register
):
    code = """
        from corels.tables import columns_of
        from corels.run.output import OutputFile
        def careless(path: str) -> None:
            columns_of(path)
            OutputFile(path)
    """
    (folder / "careless_commands.py").write_text(textwrap.dedent(code))
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, "careless_commands", raising=False)
    register("command", "careless", Command("careless", "careless_commands", "careless"))
    before = (folder / "people.csv").read_bytes()
    ended = corels("careless", "people.csv")
    assert (ended.code, (folder / "people.csv").read_bytes()) == (Exit.BAD_INPUT, before)
    assert "people.csv would be written over people.csv" in ended.error


@pytest.mark.parametrize("option", ["--trace", "--proof", "--output"])
def test_two_outputs_of_a_run_are_two_files(corels, folder, option):
    ended = corels("run", "small.out", "-q", "-o", "x.json", option, "./x.json")
    assert ended.code == Exit.BAD_INPUT
    assert not (folder / "x.json").exists()


def test_a_picture_is_not_drawn_over_the_table(corels, folder):
    pytest.importorskip("matplotlib")
    (folder / "t.svg").symlink_to(folder / "people.csv")
    before = (folder / "people.csv").read_bytes()
    ended = corels("path", "people.csv", "--label", "ill", "-q", "--plot", "t.svg")
    assert ended.code == Exit.BAD_INPUT
    assert (folder / "people.csv").read_bytes() == before


def test_over_an_older_model_it_is_what_was_asked_for(corels, folder):
    assert corels("run", "small.out", "-q", "-o", "m.json").code == 0
