"""Files that cannot be written are refused before the runs, or cost only themselves."""

import os

import pytest

from corels.cli import main

WORDS = ("compare", "--dataset", "titanic", "-r", "0.1", "--repeats", "1", "--policy", "bfs")


@pytest.fixture
def compare(tmp_path, capsys):
    def run(*words):
        with pytest.raises(SystemExit) as ended:
            main([*WORDS, "--results", str(tmp_path / "runs.jsonl"), *map(str, words)])
        out, err = capsys.readouterr()
        return ended.value.code, out, err

    return run


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


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
def test_a_table_that_cannot_be_written_is_printed(compare, tmp_path):
    (tmp_path / "full.csv").symlink_to("/dev/full")
    code, out, err = compare("--output", tmp_path / "full.csv")
    assert code == 5
    assert "bfs" in out
    assert "full.csv: cannot be written (No space left on device)" in err


def test_what_a_learner_that_is_left_out_needs(monkeypatch, capsys):
    from corels_workbench.commands.experiments import _name_the_packages

    monkeypatch.setattr("corels_workbench.baselines.missing", lambda: {"list": "imodels and six"})
    _name_the_packages()
    assert "list is left out: it needs imodels and six (pip install" in capsys.readouterr().err
