"""Every mistake is one sentence that names it: what tests/corpus cannot say in a line."""

from __future__ import annotations

import io
import os

import called
import pytest

from corels.cli.exits import Exit

RUN = ("run", "--dataset", "titanic")


def test_a_folder_that_cannot_be_written(process, tmp_path):
    if os.geteuid() == 0:
        pytest.skip("the superuser may write anywhere")
    tmp_path.chmod(0o500)
    ended = process(*RUN, "-o", tmp_path / "m.json", cwd="/")
    tmp_path.chmod(0o700)
    assert ended.code == Exit.BAD_INPUT
    assert "Permission denied" in ended.error


@pytest.mark.parametrize("command", ["run", "path", "why", "tree", "compare", "ablate"])
@pytest.mark.parametrize(
    ("words", "fragment"),
    [
        (("--policy", "bsf"), "unknown policy 'bsf'"),
        (("--bound", "suport"), "unknown bound 'suport'"),
        (("--backend", "cc"), "unknown backend 'cc'"),
        (("--solver", "fallin"), "'fallin'"),
        (("--solver", "falling", "--abstain", "0.2"), "solver 'falling'"),
    ],
)
def test_parts_are_refused_before_the_data_is_read(corels, command, words, fragment):
    if command in ("why", "tree") and words[0] == "--solver":
        return  # they are about rule lists
    ended = corels(command, "gone.csv", "--label", "ill", *words)
    assert ended.code == 2 and fragment in ended.err and "gone.csv" not in ended.err


def test_a_defect_is_a_short_message_with_a_hint(corels, monkeypatch):
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("something impossible")

    monkeypatch.setattr("corels.cli.run.read_source", broken)
    ended = corels(*RUN)
    assert ended.code == Exit.UNEXPECTED
    assert "error: unexpected RuntimeError: something impossible" in ended.err
    assert "--debug" in ended.err


@pytest.mark.parametrize("how", ["option", "variable"])
def test_the_traceback_of_a_defect_on_request(capsys, monkeypatch, how):

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("something impossible")

    monkeypatch.setattr("corels.cli.run.read_source", broken)
    if how == "variable":
        monkeypatch.setenv("CORELS_DEBUG", "1")
    called.code(*RUN, *(["--debug"] if how == "option" else []))
    assert "Traceback" in capsys.readouterr().err


def test_a_number_of_400_digits_is_cut(corels):
    ended = corels("run", "--dataset", "titanic", "-r", "7" * 400)
    assert ended.code == Exit.BAD_INPUT
    assert "77777777777777777777... (400 digits)" in ended.error and len(ended.error) < 200


@pytest.mark.parametrize("name", ["m.docx", "m.PDF", "m.csv", "m.docx.gz"])
def test_an_output_of_another_kind_is_refused(corels, tmp_path, name):
    ended = corels("run", "--dataset", "titanic", "-q", "-o", tmp_path / name)
    assert (ended.code, ended.out) == (Exit.BAD_INPUT, "")
    assert "expected a name that ends in .json, .html" in ended.error
    assert list(tmp_path.iterdir()) == []


def test_long_lines_break_at_words_on_a_terminal(monkeypatch):
    from corels.cli import streams

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setenv("COLUMNS", "30")
    for line in ("one sentence that is much longer than thirty letters", "a/" * 40 + " it is"):
        monkeypatch.setattr("sys.stderr", shown := Terminal())
        streams.say(line)
        lines = shown.getvalue().splitlines()
        assert " ".join(lines) == line and len(lines) == 2
        assert all(len(one) <= 30 or " " not in one for one in lines)
    monkeypatch.setattr("sys.stderr", shown := io.StringIO())
    streams.say(line)
    assert shown.getvalue() == line + "\n"  # to a file as it is
