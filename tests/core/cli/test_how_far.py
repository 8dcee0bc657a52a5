"""How far a command is, and how long it takes: lines on stderr, by a clock that the test drives."""

import json
import signal
from dataclasses import replace
from fractions import Fraction
from functools import partial
from types import SimpleNamespace

import pytest
from corels_rule_list.commands.near import _tell
from corels_rule_list.path import cross_validation
from corels_rule_list.path.cross_validation import cross_validated
from corels_rule_list.path.path import regularization_path
from corels_rule_list.solver import RuleListSolver

import corels
from corels.cli import progress as displays
from corels.cli.progress_lines import ProgressLines
from corels.clock import Clock
from corels.errors import InputError
from corels.search import Progress
from corels.search.good_lists import NearProgress
from corels.tables import table_dataset
from corels.tables.deadline import LONG, Deadline


class Time:
    def __init__(self):
        self.now = 100.0

    def perf_counter(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    made = Time()
    monkeypatch.setattr("corels.clock.time", made)
    return made


def defaults():
    return {option.name: option.default for option in RuleListSolver.options}


@pytest.fixture(scope="module")
def problem():
    return corels.Problem.from_dataset(corels.tables.load("tic-tac-toe"), ".02")


def test_what_nobody_can_look_into_is_said_when_it_begins(clock):
    told = []
    work = Deadline(None, lambda *said: told.append(said))
    work.begin("reading small.csv", LONG - 1)
    assert told == []
    work.begin("reading large.csv", 107_000_000)
    assert told == [("reading large.csv (107 MB)", 0, 0)]
    work.begin("reading large.csv", 107_000_000)
    assert len(told) == 1


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("counting", [False, True])
def test_a_large_table_is_named_before_it_is_opened(tmp_path, monkeypatch, ending, counting):
    path, told = tmp_path / f"large.{ending}", []
    path.write_bytes(b"PAR1" * LONG)

    def refused(*_, **__):
        assert told == [(f"reading {path} (4 MB)", 0, 0)]
        raise InputError("enough")

    for opening in ("frame.read_bytes", "stored.files_of"):
        monkeypatch.setattr(f"corels.tables.{opening}", refused)
    with pytest.raises(InputError, match="enough"):
        deadline = Deadline(None, lambda *said: told.append(said))
        table_dataset(path, "y", deadline=deadline, counting=counting)


def test_pieces_tell_what_is_left(clock, capsys):
    told = ProgressLines("checking: ")
    for done in (0, 10, 400, 1500):
        told("claims", done, 2000)
        clock.now += done / 100
    told("the rest", 7, 0)
    told("reading x.csv (107 MB)", 0, 0)
    assert capsys.readouterr().err.splitlines() == [
        "checking: claims: 0 of 2,000",
        "checking: claims: 10 of 2,000",
        "checking: claims: 400 of 2,000",
        "checking: claims: 1,500 of 2,000, about 1 s left",
        "checking: the rest: 7",
        "checking: reading x.csv (107 MB)",
    ]


def test_a_search_has_a_line_after_a_second_and_then_one_every_two(clock, capsys, problem):
    lines = displays.PlainLines(problem)
    search = SimpleNamespace(
        pruned=dict, objective=problem.objective, scale=lambda: None, levels=tuple
    )
    lines.start(search)
    for _ in range(130):
        clock.now += 0.1
        lines.progress(Progress(objective=10), search)
    shown = capsys.readouterr().err.splitlines()
    assert [float(line.split()[0]) for line in shown] == pytest.approx(
        [1, 3, 5, 7, 9, 11], abs=0.31
    )
    assert all("time left not known" in line for line in shown)


def test_a_count_of_lists_says_how_far_it_is(clock, capsys):
    report = partial(_tell, Clock())
    now = NearProgress(90, 30, 0, 5 << 20, 5 << 20)
    for _ in range(8):
        report(Fraction(1, 4), now)
        clock.now += 0.5
    shown = capsys.readouterr().err.splitlines()
    assert len(shown) == 2
    assert shown[0] == "objectives up to 0.250000: 30 of 90 sets, 5 MB"
    clock.now += 5
    report(Fraction(1, 4), replace(now, expanded=4000, building=0.5))
    done = "30 of 90 sets, 4,000 expanded to count them, building tables 50%, 5 MB"
    said = f"objectives up to 0.250000: {done}\n"
    assert capsys.readouterr().err == said


@pytest.mark.parametrize("seed", range(10))
def test_no_path_takes_more_than_twice_as_many_searches_as_rules(seed):
    from random import Random

    names, random = "abcdef", Random(seed)
    rows = [[random.random() < 0.4 for _ in names] for _ in range(60)]
    labels = [int(row[0] or (row[1] and random.random() < 0.9)) for row in rows]
    table = {name: [int(row[i]) for row in rows] for i, name in enumerate(names)}
    data = corels.tables.table_dataset({**table, "y": labels}, "y")
    sizes = []
    regularization_path(
        corels.Problem.from_dataset(data),
        "0.004",
        report=lambda found, certificate: sizes.append(len(found)),
    )
    assert len(sizes) <= max(1, 2 * sizes[0])


def test_no_time_for_all_searches_leaves_gaps(problem):
    path = regularization_path(problem, "0.005", total_time=0)
    assert not path.certified and path.gap("0.005") > 0
    data = corels.tables.load("titanic")
    assert not cross_validated(data, "0.01", folds=2, total_time=0).certified


def test_auto_shares_the_time_limit_between_folds_and_search(corels, monkeypatch):
    from corels_rule_list.path import cross_validation

    given = {}

    def noted(*data, total_time, **options):
        given.update(options, total_time=total_time)
        return cross_validated(*data, **options)

    monkeypatch.setattr(cross_validation, "cross_validated", noted)
    words = ("run", "--dataset", "titanic", "--regularization", "auto", "--time-limit", "6000")
    ended = corels(*words)
    assert ended.code == 0 and "chosen lambda is" in ended.err
    assert 2900 < given["total_time"] <= 3000 and "time_limit" not in given


def test_ctrl_c_in_the_folds_keeps_the_path(corels, monkeypatch):
    def interrupted(*data, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("corels_rule_list.path.request.cross_validated", interrupted)
    ended = corels("path", "--dataset", "titanic", "--low", "0.02", "--folds", "2")
    assert ended.code == 130 and "lambda" in ended.out and "held out" not in ended.out


def test_a_path_of_no_time_says_so(corels):
    ended = corels("path", "--dataset", "tic-tac-toe", "--low", "0.01", "--total-time", "0")
    assert ended.code == 2 and "the time limit of 0 s was reached" in ended.err


def test_it_ends_with_the_best_model_so_far_and_its_file(corels, tmp_path, monkeypatch):
    search, begun = cross_validation.regularization_path, []

    def pressed(*given, **options):
        begun.append(given)
        if len(begun) == 2:
            signal.raise_signal(signal.SIGINT)
        return search(*given, **options)

    monkeypatch.setattr(cross_validation, "regularization_path", pressed)
    model = tmp_path / "m.json"
    ended = corels("run", "--dataset", "titanic", "-r", "auto:0.02", "-o", model)
    assert ended.code == 130 and len(begun) == 2
    said = ended.err.splitlines()
    assert said[0].startswith("lambda is chosen first, on folds of the rows")
    assert "fold 1 of 5: " in said[1] and "fold 2 of 5: " in said[2]
    assert "2 held-out folds: " in said[3] and "it rests on these folds only" in said[3]
    assert "then survived = " in ended.out
    assert json.loads(model.read_text())["rules"]
