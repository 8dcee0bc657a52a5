"""No command writes over what it reads, whatever the path is called."""

from __future__ import annotations

import os

import pytest

from corels.cli.exits import Exit

RULES = "{a:yes} 1 1 1 0 0 0\n{b:yes} 0 1 0 1 0 1\n{c:yes} 1 0 0 0 1 1\n"


@pytest.fixture
def folder(corels, tmp_path, table, rules, monkeypatch):
    """A model, its table and a rule file, in the folder where the command runs."""
    pytest.importorskip("polars")
    monkeypatch.chdir(tmp_path)
    ended = corels("run", table, "--label", "ill", "-q", "-o", tmp_path / "m.json", "-r", "0.05")
    assert ended.code == 0
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
    (("predict", "m.json", "small.out"), "small.label"),
    (("export", "m.json", "--to", "sql"), "m.json"),
    (("run", "people.csv", "--label", "ill", "-q"), "people.csv"),
    (("run", "small.out", "-q"), "small.label"),
    (("run", "small.out", "small.label", "-q"), "small.label"),
]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("command", "name"), COMMANDS)
def test_it_is_refused(corels, folder, command, name, way):
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    path = spelled(folder, name, way)
    ended = corels(*command, "-o", path)
    assert ended.code == Exit.BAD_INPUT
    assert "would be written over" in ended.error
    assert {n: (folder / n).read_bytes() for n in before} == before
    assert not list(folder.rglob("*.tmp"))


@pytest.mark.parametrize("option", ["--trace", "--output"])
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
