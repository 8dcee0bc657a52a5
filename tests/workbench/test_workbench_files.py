"""Files that cannot be written are refused before the runs, or cost only themselves."""

import json
import os
from functools import partial

import called
import pytest

WORDS = ("compare", "--dataset", "titanic", "-r", "0.1", "--repeats", "1", "--policy", "bfs")


@pytest.fixture
def compare(tmp_path, run):
    return partial(run, *WORDS, "--results", tmp_path / "runs.jsonl")


@pytest.mark.parametrize(
    ("option", "name", "message"),
    [
        ("--output", "table.xyz", "expected a name that ends in .csv"),
        ("--output", "none/table.csv", "there is no directory"),
        ("--plot", "gap.xyz", "expected a name that ends in .svg"),
        ("--plot", "none/gap.svg", "there is no directory"),
    ],
)
def test_a_name_that_will_not_do_is_refused_before_the_runs(
    compare, tmp_path, option, name, message
):
    code, out, err = compare(option, tmp_path / name)
    assert (code, out) == (2, "")
    assert message in err
    assert not (tmp_path / "runs.jsonl").exists()


def test_a_file_of_another_experiment_is_refused_with_what_would_be_typed(compare, tmp_path):
    assert compare()[0] == 0
    code, out, err = compare("--policy", "dfs")
    assert (code, out) == (2, "")
    assert "runs.jsonl holds another experiment: expected the name of a new file" in err


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
def test_a_table_that_cannot_be_written_is_printed(compare, tmp_path):
    (tmp_path / "full.csv").symlink_to("/dev/full")
    code, out, err = compare("--output", tmp_path / "full.csv")
    assert code == 5
    assert "bfs" in out
    assert "full.csv: cannot be written (No space left on device)" in err


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
def test_a_picture_that_cannot_be_written(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    trace, picture = tmp_path / "t.jsonl", tmp_path / "full.svg"
    picture.symlink_to("/dev/full")
    for words, code in (
        (("run", "--dataset", "titanic", "-r", ".1", "-q", "--trace", trace), 0),
        (("plot", trace, "--output", picture), 5),
    ):
        assert called.code(*words) == code
    assert "full.svg: cannot be written (No space left on device)" in capsys.readouterr().err


@pytest.mark.parametrize("absent", ["pandas", "sklearn"])
def test_without_what_all_models_need_nothing_is_judged(monkeypatch, capsys, absent):
    """Formerly every cell failed by itself."""
    monkeypatch.setattr("corels_workbench.baselines.find_spec", lambda name: name != absent or None)
    ended = called.code("evaluate", "--dataset", "titanic")
    err = capsys.readouterr().err
    assert ended == 2 and err.count("\n") == 1
    assert err.startswith("error: evaluate needs pandas and scikit-learn: pip install ")


@pytest.mark.parametrize(
    ("asked", "fair", "named"),
    [
        ((), False, ["greedy list"]),
        ((), True, ["greedy list", "exponentiated gradient"]),
        (("rule-list",), True, []),
    ],
)
def test_what_a_learner_that_is_left_out_needs(monkeypatch, capsys, asked, fair, named):
    from corels_workbench.commands.experiments import _name_the_packages

    absent = {"greedy list": "imodels and six", "exponentiated gradient": "fairlearn"}
    monkeypatch.setattr("corels_workbench.baselines.missing", lambda: absent)
    _name_the_packages(asked, ["statistical-parity by sex within 0.1"] * fair)
    lines = [line for line in capsys.readouterr().err.splitlines() if "is left out" in line]
    assert [line.split(" is left out: it needs ")[0] for line in lines] == named
    assert all(
        f"{absent[name]} (pip install" in line for name, line in zip(named, lines, strict=True)
    )


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder to work in."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def run(*words):
    return called.code(*WORDS, *words)


@pytest.mark.parametrize("command", ["compare", "ablate", "evaluate"])
def test_no_file_appears_that_nobody_asked_for(command, here):
    few = ("--model", "CART", "--folds", "2") if command == "evaluate" else ("--repeats", "1")
    assert called.code(command, "--dataset", "titanic", *few, "--quiet") == 0
    assert list(here.iterdir()) == []


def test_whose_rates_evaluate_shows_is_said(here, capsys):
    (here / "t.csv").write_text("a,y\n" + "1,ja\n0,nein\n" * 20)
    called.code("evaluate", "t.csv", "--label", "y", "--model", "CART", "--folds", "2")
    assert "note: the positive class of t is y = nein\n" in capsys.readouterr().err


def test_an_interrupted_command_goes_on_where_it_was(here, monkeypatch, capsys):
    from corels_workbench import comparing

    measure, begun = comparing.measure, []

    def interrupted(**arguments):
        begun.append(arguments)
        if len(begun) == 2:
            raise KeyboardInterrupt
        return measure(**arguments)

    monkeypatch.setattr(comparing, "measure", interrupted)
    words = ("--policy", "dfs", "-r", "0.2", "--results", "kept.jsonl")
    assert run(*words) == 130
    assert [file.name for file in here.iterdir()] == ["kept.jsonl"]
    assert "interrupted: the same command continues" in capsys.readouterr().err
    assert run(*words) == 0
    assert len(begun) == 2 + 3  # of four cells one was done
    assert "runs: 1 of 4\n" in capsys.readouterr().err


@pytest.mark.parametrize("positive", [None, "nein", "ja"])
def test_the_positive_class_of_evaluate_can_be_chosen(here, capsys, positive):
    """Of five rows two are ja, both among the three with a = 1. False negatives are dear: all of
    these three are said to be of the positive class, which has to be named."""
    (here / "t.csv").write_text("a,y\n" + "1,ja\n1,ja\n1,nein\n0,nein\n0,nein\n" * 20)
    words = ["evaluate", "t.csv", "--label", "y", "--model", "CART", "--folds", "2"]
    chosen = [] if positive is None else ["--positive", positive]
    ended = called.code(*words, "--cost", "fp=1,fn=3", *chosen, "-o", "found.json")
    told = capsys.readouterr().err
    if positive is None:
        assert ended == 2 and "about the positive class: 'ja' or 'nein'" in told
        return
    assert ended == 0
    assert f"note: the positive class of t is y = {positive}\n" in told
    (row,) = json.loads((here / "found.json").read_text("utf-8"))["rows"]
    rates = (row["mean cost"], row["true positive rate"], row["false positive rate"])
    assert rates == pytest.approx((0.2, 1, 1 / 3) if positive == "ja" else (0.4, 1, 1))


def test_a_positive_class_that_is_none_is_refused(here, capsys):
    (here / "t.csv").write_text("a,y\n" + "1,ja\n0,nein\n" * 20)
    assert called.code("evaluate", "t.csv", "--label", "y", "--positive", "oui") == 2
    assert "label column 'y' has no class 'oui'; it has 'ja', 'nein'" in capsys.readouterr().err
