"""Every mistake is one sentence that names it, exit code 2, and nothing is half-written."""

from __future__ import annotations

import io
import os

import pytest
from cli_program import leftovers

from corels.cli.exits import Exit

RUN = ("run", "--dataset", "titanic")

MISTAKES = [
    (("run",), ["no data", "titanic"]),
    (("bogus",), ["bogus"]),
    (("run", "--polcy", "bfs"), ["--polcy"]),
    ((*RUN, "--policy", "bsf"), ["policy", "'bsf'", "did you mean 'bfs'", "curiosity"]),
    ((*RUN, "--map", "x"), ["symmetry map", "'x'", "captured"]),
    ((*RUN, "--bound", "suport"), ["bound", "'suport'", "did you mean 'support'"]),
    ((*RUN, "--no-bound", "x"), ["bound", "'x'"]),
    ((*RUN, "--bound", "prices", "--no-bound", "prices"), ["--bound and --no-bound both"]),
    (
        (*RUN, "--solver", "falling", "--bound", "swap", "--no-bound", "swap"),
        ["--bound and --no-bound both name 'swap'"],
    ),
    (
        (*RUN, "--solver", "rule-set", "--max-rules", "2"),
        ["it is an option of rule-list, falling, softly-falling"],
    ),
    ((*RUN, "--trace-level", "fine"), ["--trace-level is given without --trace"]),
    (("path", "--dataset", "heart", "--folds", "304"), ["--folds is 304", "2 to the 303 rows"]),
    ((*RUN, "--backend", "cc"), ["backend", "'cc'"]),
    (("near", "gone.csv", "--label", "x", "--backend", "cc"), ["backend", "'cc'"]),
    (("near", "--dataset", "titanic", "--count", "--lists", "3"), ["--count prints no lists"]),
    (("near", "--dataset", "titanic", "--json", "--lists", "3"), ["--json prints no lists"]),
    ((*RUN, "--solver", "rule-lists"), ["solver", "'rule-lists'", "did you mean 'rule-list'"]),
    ((*RUN, "--preset", "fats"), ["preset", "'fats'", "did you mean 'fast'"]),
    ((*RUN, "--sink", "x"), ["sink", "'x'"]),
    ((*RUN, "--sink", "trace"), ["sink 'trace' needs the option 'file'"]),
    ((*RUN, "-r", "nan"), ["--regularization", "nan", "0 to 1"]),
    ((*RUN, "-r", "inf"), ["regularization", "inf"]),
    ((*RUN, "-r", "-0.1"), ["regularization", "-0.1", "0 to 1"]),
    ((*RUN, "-r", "1.5"), ["regularization", "1.5", "0 to 1"]),
    ((*RUN, "-r", "1/0"), ["regularization", "1/0"]),
    ((*RUN, "-r", "abc"), ["regularization", "'abc'"]),
    ((*RUN, "-r", "1e-9999"), ["--regularization", "'1e-9999'"]),
    ((*RUN, "-r", "1e-999999999"), ["--regularization", "0 to 1"]),
    (("path", "--dataset", "titanic", "--low", "x"), ["--low is 'x'", "at least 0"]),
    (("path", "--dataset", "titanic", "--high", "7"), ["--high is 7", "0 to 1"]),
    (("why", "--dataset", "titanic", "-r", "x"), ["--regularization is 'x'"]),
    ((*RUN, "-r", ""), ["regularization", "''"]),
    ((*RUN, "-r", "0.000000000000000000001"), ["regularization", "too fine", "2^62"]),
    ((*RUN, "--time-limit", "nan"), ["--time-limit is", "nan"]),
    ((*RUN, "--node-limit", "2.5"), ["--node-limit is", "2.5", "whole"]),
    ((*RUN, "--seed"), ["--seed"]),
    ((*RUN, "--backend", "python", "--threads", "2"), ["'python'", "one thread"]),
    ((*RUN, "-o", "m.tex"), ["m.tex", ".json, .html"]),
    ((*RUN, "--trace", "t", "--trace-level", "finest"), ["--trace-level is", "'finest'", "fine"]),
    ((*RUN, "--positive", "maybe"), ["'maybe'", "survived"]),
    ((*RUN, "--label", "x"), ["--label", "--dataset"]),
    (
        ("compare", "--dataset", "titanic", "-r", "0.1", "--config", "x: no_bound=a no_bound=b"),
        ["--config x", "no_bound", "twice", "no_bound=a,b"],
    ),
    (
        ("compare", "--dataset", "titanic", "-r", "0.1", "--config", "x: bound=pricess"),
        ["configuration 'x'", "'pricess'", "did you mean 'prices'"],
    ),
    (("run", "--dataset", "titanik"), ["'titanik'", "titanic"]),
    (("run", "{folder}/no.out"), ["no.out"]),
    (("run", "{folder}/no.csv", "--label", "x"), ["no.csv", "no such file"]),
    (("run", "{folder}", "--label", "x"), ["label column 'x'"]),
    (("run", "{folder}/small.out", "{folder}"), ["directory"]),
    (("run", "{folder}/small.out", "--label", "x"), ["'x'", "rule file"]),
    (("run", "{folder}/small.out", "--missing", "refuse"), ["--missing", "rule file"]),
    (("run", "{folder}/small.out", "--dataset", "titanic"), ["small.out", "--dataset titanic"]),
    (("run", "{folder}/people.csv"), ["people.csv", "--label", "ill"]),
    (("run", "{folder}/people.csv", "--label", "il"), ["people.csv", "'il'", "ill"]),
    (
        ("run", "{folder}/people.csv", "--label", "ill", "--ignore", "age,smokes"),
        ["people.csv", "'smokes'", "did you mean 'smoker'"],
    ),
    (("run", "{folder}/people.csv", "{folder}/small.label", "--label", "ill"), ["small.label"]),
    ((*RUN, "-o", "{folder}"), ["directory"]),
    ((*RUN, "-o", "{folder}/none/m.json"), ["m.json", "no directory"]),
    ((*RUN, "-o", ""), ["name of a file"]),
    ((*RUN, "-o", "-"), ["name of a file"]),
    ((*RUN, "--trace", "{folder}/none/t"), ["none", "no directory"]),
    ((*RUN, "--trace", "{folder}/m", "-o", "{folder}/m"), ["over", "another name"]),
    (
        ("run", "{folder}/small.out", "-o", "{folder}/small.out"),
        ["small.out", "a name that ends in"],
    ),
    (
        ("run", "{folder}/people.csv", "--label", "ill", "--constraint", "recall by seks >= .5"),
        ["people.csv: there is no group column 'seks'"],
    ),
    (("show",), ["MODEL"]),
    (("show", "{folder}/no.json"), ["no.json", "no such file"]),
    (("show", "{folder}/people.csv"), ["people.csv", "not JSON"]),
    (("show", "{folder}/empty.json"), ["empty.json", "schema"]),
    (("show", "{folder}/other.json"), ["other.json", "corels/other"]),
    (("show", "{folder}/gone.json"), ["gone.json", "'vanished'", "not installed"]),
    (("export", "{folder}/m.json", "--to", "x"), ["--to", "'x'"]),
    (("predict", "{folder}/m.json"), ["DATA", "--dataset"]),
    (("predict", "{folder}/m.json", "{folder}/people.csv"), ["people.csv: the data has no column"]),
    (("predict", "{folder}/m.json", "--dataset", "tic-tac-toe"), ["'sex'"]),
    (
        ("check", "{folder}/m.json", "{folder}/people.csv"),
        ["people.csv", "no column 'survived'", "--label", "ill"],
    ),
    (("check", "{folder}/m.json", "--dataset", "titanic", "--label", "x"), ["'x'"]),
    (("check", "{folder}/m.json", "--dataset", "titanic", "--weight", "x"), ["weight", "'x'"]),
    (
        ("check", "{folder}/m.json", "--dataset", "titanic", "--weight", "sex"),
        ["weight column 'sex' is 'Male' in row 1: expected a number of 0 or more"],
    ),
]


@pytest.fixture
def folder(corels, tmp_path, table, rules):
    corels("run", "--dataset", "titanic", "-q", "-o", tmp_path / "m.json")
    (tmp_path / "empty.json").write_text("{}")
    (tmp_path / "other.json").write_text('{"schema": "corels/other", "version": 1}')
    (tmp_path / "gone.json").write_text(
        '{"schema": "corels/other", "version": 1, "certificate": {"solver": "vanished"}}'
    )
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "fragments"), MISTAKES, ids=[" ".join(a)[-60:] for a, _ in MISTAKES]
)
def test_one_sentence(corels, folder, arguments, fragments):
    if any("people.csv" in word for word in arguments):
        pytest.importorskip("polars")
    before = sorted(os.listdir(folder))
    ended = corels(*(word.format(folder=folder) for word in arguments))
    assert ended.code == Exit.BAD_INPUT
    assert ended.out == "" and "certified" not in ended.err  # nothing was searched before
    for fragment in fragments:
        assert fragment in ended.error
    assert ended.error.count(f"{folder}/people.csv: ") <= 1
    assert sorted(os.listdir(folder)) == before
    assert leftovers(folder) == []


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
    from corels.cli import main

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("something impossible")

    monkeypatch.setattr("corels.cli.run.read_source", broken)
    if how == "variable":
        monkeypatch.setenv("CORELS_DEBUG", "1")
    with pytest.raises(SystemExit):
        main([*RUN, *(["--debug"] if how == "option" else [])])
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
    from corels.cli import exits

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setenv("COLUMNS", "30")
    for line in ("one sentence that is much longer than thirty letters", "a/" * 40 + " it is"):
        monkeypatch.setattr("sys.stderr", shown := Terminal())
        exits.say(line)
        lines = shown.getvalue().splitlines()
        assert " ".join(lines) == line and len(lines) == 2
        assert all(len(one) <= 30 or " " not in one for one in lines)
    monkeypatch.setattr("sys.stderr", shown := io.StringIO())
    exits.say(line)
    assert shown.getvalue() == line + "\n"  # to a file as it is
