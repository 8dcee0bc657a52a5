"""The help of every command: what most people need on one screen, and examples that run."""

from __future__ import annotations

import re
import shlex
import signal
import subprocess

import pytest
from cli_program import CORELS, TABLE

from corels.cli.app import build
from corels.plugins import registry

# The old program's own usage, as it was, is the help of `legacy`.
COMMANDS = [name for name in registry().names("command") if name != "legacy"]
SCREEN = 88  # lines, at 80 columns


def examples(text):
    return [
        line.strip() for line in text.partition("Examples:")[2].splitlines() if "corels " in line
    ]


def flags(text):
    """The options that a help lists."""
    lines = [line.replace(",", " ").split() for line in text.splitlines()]
    return {word for words in lines if len(words) > 1 and words[0] == "│" for word in words[1:3]}


def declared(name):
    """The lines of a command's docstring, which the help breaks."""
    command = build(name).commands[name]
    return command, (command.epilog or "").split("\n\n")[1:]


LINES = [line for name in COMMANDS for line in declared(name)[1]]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with every file that the examples name."""
    pytest.importorskip("polars")
    folder = tmp_path_factory.mktemp("examples")
    (folder / "people.csv").write_text(TABLE)
    rows = TABLE.splitlines()
    (folder / "new.csv").write_text("\n".join(row.rpartition(",")[0] for row in rows) + "\n")
    words = ["run", "people.csv", "--label", "ill", "-q", "-r", "0.05", "-o", "model.json"]
    words += ["--proof", "run.proof", "--trace", "run.jsonl"]
    subprocess.run([*CORELS, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    (folder / "other.jsonl").write_bytes((folder / "run.jsonl").read_bytes())
    return folder


@pytest.fixture
def folder(made, tmp_path, monkeypatch):
    for path in made.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_three_examples_and_one_screen(corels, name):
    command, lines = declared(name)
    assert len(lines) == 3 and all(len(line) < 79 for line in lines)
    assert sum(line.startswith(f"corels {name}") for line in lines) >= 2
    text = corels(name, "--help").out
    assert examples(text)[:3] == lines
    assert len(text.splitlines()) <= SCREEN
    assert {*command.common} <= {param.name for param in command.params}


@pytest.mark.outside
@pytest.mark.parametrize("line", LINES)
def test_every_example_runs(corels, folder, line, request):
    words = shlex.split(line)[1:]
    if words[0] == "serve":
        words = ["0" if word == "8000" else word for word in words]  # a port that is free
        serving = subprocess.Popen([*CORELS, *words], stdout=subprocess.PIPE, text=True)
        assert serving.stdout.readline().startswith("http://127.0.0.1:")
        serving.send_signal(signal.SIGINT)
        assert serving.wait(timeout=500) in (0, 130)
        serving.stdout.close()
        return
    if words[0] == "ablate" and "--repeats" not in words:
        words += ["--repeats", "1"]
    if words[0] == "shards":
        words += ["--scheduler", request.getfixturevalue("scheduler")]
    before = {path.name for path in folder.iterdir()}
    assert corels(*words).code == 0
    after = {path.name for path in folder.iterdir()}
    if "-o" in words:
        assert words[words.index("-o") + 1] in after
    assert before <= after


def test_no_further_option_stays_shown(corels):
    short, _, again = (corels("run", how).out for how in ("--help", "--help-all", "--help"))
    assert short == again


@pytest.mark.parametrize("name", COMMANDS)
def test_help_all_shows_the_rest(corels, name):
    command, _ = declared(name)
    short, long = corels(name, "--help").out, corels(name, "--help-all").out
    options = [param for param in command.params if param.param_type_name == "option"]
    options = [param for param in options if not param.hidden]  # such as names of before
    rare = [param for param in options if command.common and param.name not in command.common]
    listed, all_listed = flags(short), flags(long)
    for param in options:
        names = {*param.opts}
        assert bool(names & listed) == (param not in rare), names
        assert names & all_listed
    told = f"{len(rare)} more options: corels {name} --help-all"
    assert (told in short) == bool(rare) and "--help-all" not in long


@pytest.mark.parametrize("name", COMMANDS)
def test_options_are_explained_in_one_style(name):
    """A phrase: small letter first, no full stop; a default as it would be typed."""
    command, _ = declared(name)
    for param in command.params:
        if (told := param.help) and param.name != "help":
            names = told[:2].isupper() or told.startswith("Monte Carlo")
            assert names or not told[0].isupper(), told
            assert not told.endswith("."), told
            assert "default: (" not in told and not re.search(r"default: \d+\.0\)", told), told
