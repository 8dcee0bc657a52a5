"""How a rule-set search is stopped, what it reports, and what its models can do."""

import signal
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

pytest.importorskip("highspy", reason="HiGHS (highspy) is not installed")

from corels_colgen.path import dataset_held_out, rule_set_path, solver_path
from corels_colgen.ruleset import RuleSet
from corels_colgen.searches import Known, RuleSetSearch
from corels_colgen.solver import OPTIONS

import corels
from corels.errors import InputError, OptionError
from corels.options import check_all
from corels.problem import Problem
from corels.problem.costs import Costs, classes_and
from corels.run.limits import LIMITS
from corels.search import Kind, Recorder
from corels.tables import TableOptions, load
from corels.tables.folds import stratified_folds
from corels.testing.problems import dataset_of


@pytest.fixture(scope="module")
def data():
    return load("tic-tac-toe", TableOptions(negations=True, min_support=0.0))


@pytest.fixture(scope="module")
def problem(data):
    return Problem.from_dataset(data, 0)


def test_tic_tac_toe_without_any_file(problem, data):
    recorder = Recorder()
    result = corels.solve(problem, "rule-set", sinks=[recorder], complexity=32)
    assert result.certificate.optimal and result.certificate.objective == 0
    assert len(result.model) == 8 and result.model.complexity == 32
    assert (result.model.predict_indices(data) == data.labels).all()
    kinds = recorder.records["kind"].tolist()
    assert kinds[0] == Kind.START and kinds[-1] == Kind.DONE
    objectives = recorder.records["objective"].tolist()
    assert objectives == sorted(objectives, reverse=True)
    extra = result.certificate.extra
    for name in ("the linear program", "pricing", "looks"):
        assert extra[f"seconds in {name}"] >= 0


def test_a_node_limit_repeats_exactly(problem):
    found = [corels.solve(problem, "rule-set", complexity=24, node_limit=3_000) for _ in range(2)]
    assert found[0].model == found[1].model
    certificate = found[0].certificate
    assert certificate.stopped == "node limit" and certificate.gap > 0
    assert certificate.objective == found[1].certificate.objective
    assert certificate.lower_bound == found[1].certificate.lower_bound


@pytest.mark.parametrize("phase", ["columns", "enumeration", "looks"])
def test_ctrl_c_keeps_the_best_and_its_gap(problem, phase, monkeypatch):
    step = RuleSetSearch.step

    def interrupted(self, budget):
        status = step(self, budget)
        if self.progress().extra["phase"] == phase and self.progress().cached:
            raise KeyboardInterrupt
        return status

    monkeypatch.setattr(RuleSetSearch, "step", interrupted)
    result = corels.solve(problem, "rule-set", complexity=24)
    certificate = result.certificate
    assert certificate.stopped == "interrupted"
    assert certificate.lower_bound < certificate.objective <= Fraction(626, 958)
    assert result.model.hamming == certificate.objective * 958
    if phase != "columns":
        assert certificate.lower_bound >= Fraction(53, 958)


def test_truncated_pricing_ends_without_a_proof(problem):
    result = corels.solve(problem, "rule-set", complexity=24, pricing_limit=50)
    assert result.certificate.stopped not in ("certified", "time limit")
    assert result.certificate.gap > 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": "corels/rule-list"}, "schema"),
        ({"version": 99}, "version"),
        ({"form": "xor"}, "form: .xor. is not a word"),
        ({"default_counts": [1]}, "expected 2 numbers of at least 0"),
        ({"sets": [{"then": "nobody"}]}, "malformed"),
    ],
)
def test_wrong_documents_are_refused(problem, change, message):
    document = corels.solve(problem, "rule-set", complexity=3, node_limit=20).model.to_document()
    with pytest.raises(InputError, match=message):
        RuleSet.from_document({**document, **change})


def test_the_path_goes_down_and_ends_in_the_optimum(problem):
    points = rule_set_path(problem, [32, 2, 5], time_limit=60, max_conditions=3)
    assert [point.budget for point in points] == [2, 5, 32]
    objectives = [point.objective for point in points]
    assert objectives == sorted(objectives, reverse=True) and objectives[-1] == 0
    for point in points:
        assert point.lower_bound == point.objective
        assert point.model.complexity <= point.budget


def interrupted_in(search, monkeypatch):
    """Ctrl-C in the first step of the search of this number."""
    steps, step = [], RuleSetSearch.step

    def interrupted(self, budget):
        steps.append(self)
        if steps[-2:-1] != [self] and len({id(one) for one in steps}) == search:
            signal.raise_signal(signal.SIGINT)
        return step(self, budget)

    monkeypatch.setattr(RuleSetSearch, "step", interrupted)


SETTINGS = {"budgets": "2,8", "over": "complexity", "folds": 0}
SETTINGS |= {option.name: None for option in LIMITS}


def test_an_interrupted_path_keeps_every_budget_that_was_begun(data, monkeypatch):
    told = []
    interrupted_in(2, monkeypatch)
    settings = {**check_all(OPTIONS, {"max_conditions": 3}, "rule-set"), **SETTINGS}
    found = solver_path(Problem.from_dataset(data, 0), data, settings, told.append)
    assert found.interrupted and not found.certified
    assert [point.budget for point in found] == [2, 8]
    assert all(point.lower_bound <= point.objective for point in found)
    assert told[0].startswith("budget 2: objective ")


def test_ctrl_c_in_the_folds_keeps_the_path_of_all_rows(data, monkeypatch):
    """A fold's path is about some of the rows only."""
    interrupted_in(4, monkeypatch)
    settings = {**check_all(OPTIONS, {"max_conditions": 2}, "rule-set"), **SETTINGS, "folds": 3}
    found = solver_path(Problem.from_dataset(data, 0), data, settings, None)
    assert found.interrupted and not found.held_out
    assert [point.model.total for point in found.points] == [958, 958]
    for row, point in zip(found.to_rows(), found.points, strict=True):
        right = point.model.predict_indices(data) == data.labels
        assert row["training_accuracy"] == pytest.approx(right.mean())


def test_the_local_search_goes_on_to_a_less_complex_rule_set_of_a_proved_cost(monkeypatch):
    data = dataset_of([[1, 1, 0, 0], [1, 1, 1, 0]], [1, 1, 0, 0])
    options = check_all(OPTIONS, {"complexity": 6}, "rule-set")
    search = RuleSetSearch(Problem.from_dataset(data, 0), options, Known({1: [(0, 1), (0,)]}))
    found = search.searches[1]
    monkeypatch.setattr("corels_colgen.search.LocalSearch.run", lambda *_: iter([[0], [1]]))
    proved = [found.proved for _ in found.search_locally(rounds=60)]
    assert proved == [True, True] and found.incumbent.clauses == [(0,)]


def test_a_closed_search_makes_no_further_step(problem):
    search = RuleSetSearch(problem, check_all(OPTIONS, {"complexity": 8}, "rule-set"))
    search.close()
    with pytest.raises(RuntimeError, match="was cancelled"):
        for _ in range(100):  # what comes before the first linear program needs no thread
            search.step(100)


def test_held_out_folds(data):
    found = dataset_held_out(data, [4, 32], 3, max_conditions=3)
    assert [entry.budget for entry in found] == [4, 32]
    assert all(len(entry.accuracies) == 3 for entry in found)
    assert found[1].accuracy > 0.97 > found[0].accuracy
    labels = np.array([0] * 10 + [1] * 5)
    for train, test in stratified_folds(labels, 5, 0):
        assert sorted([*train, *test]) == list(range(15))
        assert labels[test].sum() == 1
    with pytest.raises(OptionError, match="folds"):
        next(stratified_folds(labels, 1, 0))


def test_sampled_pricing_reaches_the_optimum(problem):
    result = corels.solve(problem, "rule-set", complexity=32, pricing="sampled")
    assert result.certificate.optimal and result.certificate.objective == 0


def test_huge_weights_are_refused_or_exact():
    def problem_with(weight):
        weights = np.array([weight, 1, 1])
        return Problem.from_dataset(dataset_of([[1, 1, 0]], [1, 0, 0], weights=weights), 0)

    result = corels.solve(problem_with(2**30), "rule-set", complexity=2)
    assert result.certificate.objective == Fraction(1, 2**30 + 2)
    with pytest.raises(corels.CorelsError, match="2\\^52"):
        corels.solve(
            problem_with(2**30), "rule-set", complexity=2, penalty_clause=Fraction(1, 7**12)
        )


def test_options_are_declared_once():
    checked = check_all(OPTIONS, {}, "rule-set")
    assert checked["form"] == "dnf" and checked["complexity"] is None
    assert len({option.name for option in OPTIONS}) == len(OPTIONS)


def test_held_out_folds_with_costs(data):
    """Rows of a fold cost what their mistakes do; a path shows costs in place of accuracy."""
    labels = data.labels
    wrong = np.array([labels == 1, labels == 0])
    costs = Costs(
        classes_and(data.classes, (), 2), np.where(wrong, [[6], [2]], 0), (~wrong).astype(np.int64)
    )
    data = replace(data, costs=costs)
    options = check_all(OPTIONS, {}, "rule-set")
    settings = {**options, **SETTINGS, "budgets": "2,5", "folds": 3, "max_conditions": 2}
    path = solver_path(Problem.from_dataset(data, 0), data, settings, None)
    assert path.certified
    for point, entry in zip(path.points, path.held_out, strict=True):
        assert entry.budget == point.budget and len(entry.costs) == 3
        assert all(0 < cost < 3 for cost in entry.costs)
        paid = costs.paid(point.model.predict_indices(data))
        row = next(row for row in path.to_rows() if row["budget"] == point.budget)
        assert row["mean_cost"] == pytest.approx(np.average(paid, weights=data.weights))
        assert row["held_out_cost"] == pytest.approx(np.mean(entry.costs))
    assert "mean cost" in path.to_text() and "accuracy" not in path.to_text()
    assert path.figure().panels[0].y_label == "mean cost"
