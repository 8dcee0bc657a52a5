"""compare and ablate: the figures are those of the searches, and other people's parts take part."""

import itertools
from dataclasses import replace

import called
import numpy as np
import pytest
from corels_rule_list.presets import FULL, ablations
from corels_workbench import ablate, compare
from corels_workbench.comparing import MOST_RUNS, Times, Watcher, summary
from corels_workbench.table import Table

import corels
from corels.tables import load


@pytest.fixture(scope="module")
def titanic():
    return load("titanic")


class Backwards(corels.Policy):
    name = "backwards"
    summary = "worst objective first"

    def priority(self, children):
        return -children.objective.astype(np.float64)


def test_compare_tells_what_the_searches_tell(titanic, monkeypatch):
    monkeypatch.setattr("corels_workbench.comparing.SHORT", 100.0)
    configurations = {"default": {}, "mine": {"policy": Backwards}}
    table = compare(titanic, configurations, repeats=2, regularizations=("0.01", "0.02"))
    assert len(table) == 8 and table.complete
    for row in table.rows:
        certificate = corels.solve(
            corels.Problem.from_dataset(titanic, row["regularization"]),
            **configurations[row["configuration"]],
        ).certificate
        assert row["objective"] == float(certificate.objective)
        assert row["expanded"] == certificate.expanded
        assert 0 <= row["seconds_to_optimum"] <= row["times"][0]  # of the first run
    medians = summary(table)
    assert all(row["runs"] == 2 * MOST_RUNS for row in medians.rows)  # they are short
    assert all(row["certified"] for row in medians.rows)


def test_a_configuration_that_cannot_run_is_a_row_with_the_reason(titanic):
    table = compare(titanic, {"wrong": {"bound": ["prefix_length"]}, "right": {}}, repeats=1)
    wrong, right = table.rows
    assert "looks at the prefix" in wrong["error"]
    assert right["certified"]


def test_ablations_leave_out_one_part_each():
    found = ablations({})
    assert next(iter(found)) == FULL
    assert found["without dominance"]["no_bound"] == ("dominance",)
    assert found["without memo"]["map"] == "none"
    assert found["without start"]["start"] == "none"
    paper = ablations({"preset": "paper"})
    assert "without lookahead" in paper and "without permutation" in paper
    assert "without start" not in paper


def test_every_ablation_of_both_searches_has_the_same_objective(titanic):
    for preset in ("fast", "paper"):
        table = ablate(titanic, options={"preset": preset}, regularizations=("0.02",))
        assert not [row["error"] for row in table.rows if "error" in row]
        assert len({row["objective"] for row in table.rows}) == 1
        rows = summary(table).rows
        assert rows[0]["configuration"] == FULL and rows[0]["beside"] == "the first"


def test_a_run_that_hits_the_limit_is_marked():
    board = load("tic-tac-toe")
    table = ablate(board, options={"preset": "plain"}, regularizations=("0.001",), time_limit=0.05)
    first, second, *_ = summary(table).rows
    assert first["configuration"] == FULL and first["certified"] is False
    assert second["beside"] == "both were stopped"


@pytest.fixture
def counted_seconds(monkeypatch):
    """Runs take as long as they expand prefixes, give or take a tenth: machines are not busy."""
    noise = itertools.cycle((1.0, 1.1, 0.9))

    def solved(*given, **options):
        result = corels.solve(*given, **options)
        seconds = result.certificate.expanded * next(noise) / 1e6
        return replace(result, certificate=replace(result.certificate, seconds=seconds))

    monkeypatch.setattr("corels_workbench.comparing.solve", solved)


@pytest.mark.usefixtures("counted_seconds")
def test_a_search_and_itself_take_about_the_same_time_and_more_work_takes_longer():
    board = load("tic-tac-toe")
    less = {"no_bound": ("prices",)}
    more = {**less, "preset": "paper"}
    table = compare(board, {"one": less, "same": less, "more": more}, repeats=2)
    one, same, more = (row["beside"] for row in summary(table).rows)
    assert (one, same) == ("the first", "about the same")
    assert more.endswith(" times as long") and float(more.split()[0]) > 1


def test_words_for_times():
    def times(*seconds, ended=True):
        return Times(seconds, ended)

    first = times(1.0, 1.1, 1.2)
    assert first.spread == "1.02 to 1.18" and first.median == 1.1
    assert times(2.0, 2.2, 2.4).beside(first) == "2 times as long"
    assert times(0.5, 0.55, 0.6).beside(first) == "0.5 times as long"
    assert times(1.0, 1.05, 9.0).beside(first) == "about the same"
    assert (
        times(2.2).beside(first) == "2 times as long, in one run" and times(2.2).spread == "one run"
    )
    assert times(2.2, 2.2, ended=False).beside(first) == "at least 2 times as long"
    assert first.beside(times(2.2, 2.2, ended=False)) == "at most 0.5 times as long"
    assert times(2.2, ended=False).beside(times(2.2, ended=False)) == "both were stopped"
    assert times().beside(first) == "" and times().median is None


def test_every_column_has_words(titanic):
    table = compare(titanic, {"default": {}}, repeats=1)
    for one in (table, summary(table)):
        shown = one.in_words().columns
        assert not [name for name in shown if "_" in name]
        assert {"most open", "children kept", "bytes of memory"} <= set(shown)
    rates = Table(({"fpr of a_b": 0.5, "balanced_accuracy": 1},)).in_words()
    assert rates.columns == ("false positive rate of a_b", "balanced accuracy")


def test_the_most_open_prefixes_are_unknown_before_a_search_is_under_way(titanic):
    """The report of its begin has one, the empty prefix, which is no largest number."""
    problem = corels.Problem.from_dataset(titanic, "0.01")
    seen = []

    class Seen(Watcher):
        def progress(self, snapshot, search):
            super().progress(replace(snapshot, expanded=0, queued=1), search)
            seen.append(self.largest)
            super().progress(replace(snapshot, expanded=5, queued=7), search)
            seen.append(self.largest)

    corels.solve(problem, policy="bfs", sinks=[Seen(problem)])
    assert seen[:2] == [None, 7]


ROWS = ({"name": "a|b", "n": 1, "x": 0.125, "ok": True}, {"name": "c&d", "n": 2, "x": None})


def test_forms_of_a_table(tmp_path):
    table = Table(ROWS)
    assert table.columns == ("name", "n", "x", "ok")
    assert "| a\\|b | 1 | 0.125 | yes |" in table.to_markdown()
    assert r"c\&d & 2 & - & -" in table.to_latex()
    assert table.to_csv().splitlines()[0] == "name,n,x,ok"
    for name in ("t.csv", "t.json", "t.md", "t.tex"):
        table.write(str(tmp_path / name))
        assert (tmp_path / name).stat().st_size > 20
    with pytest.raises(corels.OptionError, match="expected a name that ends in"):
        table.write(str(tmp_path / "t.xyz"))


def test_a_frame_of_a_table(tmp_path):
    pytest.importorskip("polars", reason="data frames are polars'")
    assert Table(ROWS).to_frame().shape == (2, 4)
    Table(ROWS).write(str(tmp_path / "t.parquet"))


def test_two_families_beside_each_other(capsys):
    typed = ["compare", "--dataset", "titanic", "-r", "0.02", "--repeats", "1", "--quiet"]
    both = ["--config", "lists: solver=rule-list", "--config", "sets: solver=rule-set complexity=5"]
    assert not called.code(*typed, *both)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[2] for line in lines[1:3]] == ["lists", "sets"]
    assert called.code(*typed, "--config", "sets: solver=rule-set policy=bfs") == 2
    assert "policy" in capsys.readouterr().err
