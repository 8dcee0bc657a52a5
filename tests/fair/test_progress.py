"""What a search under constraints tells while it goes on, at limits and if no list is found."""

import time
from types import SimpleNamespace

import numpy as np
import pytest
from corels_rule_list.explain.advice import advice
from corels_rule_list.fair.search import ConstrainedSearch
from corels_rule_list.solver import RuleListSolver
from demanded import asking, people

import corels
from corels.cli.progress import LiveDisplay
from corels.clock import Clock
from corels.learning.front import parity_path
from corels.model.certificate_text import certificate_rows
from corels.options import check_all
from corels.problem import Problem
from corels.run.explain import ExplainSink
from corels.run.sinks import searching_for
from corels.search import EVENT, Context, Kind, Recorder, Status
from corels.tables import TableOptions, load, table_dataset


def never_alike():
    """No rule tells the groups apart, and one has more of the class than the other."""
    flags = {"a": [0, 1, 0, 1, 0, 1], "g": list("xxyyyy"), "yes": [1, 1, 0, 0, 1, 0]}
    options = TableOptions(constraints=("accuracy-parity by g within 0.1",))
    return corels.Problem.from_dataset(table_dataset(flags, "yes", options), "0.5")


def test_infeasible_is_an_answer_with_a_reason():
    with pytest.raises(corels.errors.InfeasibleError, match=r"keeps to accuracy by g within 0\.1"):
        corels.solve(never_alike())


def test_a_limit_before_any_list_is_known_says_so():
    problem = corels.Problem.from_dataset(asking("accuracy-parity by region within 0"), "0.001")
    with pytest.raises(corels.errors.InfeasibleError, match="was found before the search ended"):
        corels.solve(problem, node_limit=1)


def test_limits_leave_a_true_gap():
    problem = corels.Problem.from_dataset(asking("equalized-odds by region within 0.02"), "0.002")
    whole = corels.solve(problem).certificate
    for options in ({"time_limit": 0}, {"node_limit": 1}):
        stopped = corels.solve(problem, **options).certificate
        assert stopped.lower_bound <= whole.objective <= stopped.objective


def test_a_node_limit_counts_the_sets_of_graphs_too_and_is_kept_exactly():
    options = {"constraints": "equalized-odds by region within 0.02", "cuts": "quantile 3"}
    columns = people() | {"four": np.random.default_rng(4).integers(0, 9, 400).tolist()}
    data = table_dataset(columns, "yes", TableOptions(**options))
    problem = corels.Problem.from_dataset(data, "0.002")
    whole = corels.solve(problem).certificate
    assert whole.optimal and whole.extra["sets_of_the_graph"] > 1
    for limit in (1, whole.expanded // 2, whole.expanded - 1):
        stopped = corels.solve(problem, node_limit=limit).certificate
        assert (stopped.expanded, stopped.optimal) == (limit, False)


def test_the_sets_of_all_graphs_are_expanded():
    columns = people(200, seed=6)
    for name, seed in (("four", 6), ("five", 56)):
        columns[name] = np.random.default_rng(seed).integers(0, 9, 200).tolist()
    options = TableOptions(
        constraints=("equal-opportunity by region within 0.005",), cuts="quantile 3"
    )
    data = table_dataset(columns, "yes", options)
    certificate = corels.solve(corels.Problem.from_dataset(data, "0.005")).certificate
    assert certificate.optimal
    assert certificate.expanded > certificate.extra["sets_of_the_graph"] > 500


def test_the_certificate_names_the_bounds_that_took_part():
    """Formerly it named all bounds of the preset, and nothing that they had dropped."""
    problem = corels.Problem.from_dataset(asking("equalized-odds by region within 0.05"), "0.005")
    for tune, took_part in (
        ({}, set()),
        ({"prices_fewest": 1, "effort_prices": 10**9}, {"prices"}),
    ):
        certificate = corels.solve(problem, tune=tune).certificate
        assert certificate.optimal and certificate.pruned["hierarchical"] > 0
        rows = dict(certificate_rows(certificate))
        assert set(rows["bounds"].split(", ")) & {"leaves", "prices"} == took_part
        assert bool(certificate.extra["prices_stage"]) is ("prices" in took_part)


@pytest.mark.parametrize("backend", ["c", "python"])
def test_events_and_steps_tell_of_the_searches_inside(backend):
    problem = corels.Problem.from_dataset(asking("equalized-odds by region within 0.05"), "0.005")
    recorder, told = Recorder(), []
    story = ExplainSink(Context(problem, "rule-list", told.append))
    result = corels.solve(problem, sinks=[recorder, story], backend=backend)
    records = recorder.records
    kinds = records["kind"].tolist()
    assert kinds[0] == Kind.START and kinds[-1] == Kind.DONE
    searches = result.certificate.extra["searches_at_prices"]
    assert kinds.count(Kind.PRICED) == searches > 1
    assert kinds.count(Kind.PRICE) == len(problem.constraints) * searches
    best = records[records["kind"] == Kind.INCUMBENT]["objective"]
    assert (np.diff(best) < 0).all() and problem.objective(int(best[-1])) == result.model.objective(
        problem.regularization
    )
    for kind in (Kind.PRICED, Kind.GRAPH, Kind.BOUND):
        assert (records[records["kind"] == kind]["lower_bound"] <= best[-1]).all()
    text = "".join(told)
    assert text.count(" evaluations: every list that keeps to the constraints") == searches
    assert text.count(" has the price ") == len(problem.constraints) * searches
    assert "Everything was searched or ruled out" in text


def test_a_search_that_goes_on_is_told_and_counted_once(monkeypatch):
    monkeypatch.setattr("corels_rule_list.fair.search.PATIENCE", 3)
    monkeypatch.setattr("corels_rule_list.fair.search.FREELY", 1)
    options = TableOptions(constraints=("statistical-parity by sex within 0.1",))
    problem = corels.Problem.from_dataset(load("titanic", options), "0.003")
    recorder = Recorder()
    result = corels.solve(problem, sinks=[recorder])
    kinds = recorder.records["kind"].tolist()
    begun = recorder.records[recorder.records["kind"] == Kind.PRICE]["node"]
    begun = begun[:: len(problem.constraints)].tolist()  # an event for each constraint
    pauses = len(begun) - len(set(begun))
    assert pauses and begun.count(3) > 1, "a search that was left goes on"
    assert result.certificate.extra["searches_at_prices"] == kinds.count(Kind.PRICED) - pauses


def test_events_do_not_depend_on_the_length_of_steps(monkeypatch):
    """Searches that are left for other prices are left at the same expansion, however driven."""
    monkeypatch.setattr("corels_rule_list.fair.search.PATIENCE", 40)
    options = {"constraints": "equalized-odds by region within 0.02", "cuts": "quantile 3"}
    columns = people() | {"four": np.random.default_rng(4).integers(0, 9, 400).tolist()}
    data = table_dataset(columns, "yes", TableOptions(**options))
    problem, told = corels.Problem.from_dataset(data, "0.002"), []
    for budget in (1, 7, 1 << 40):
        search = RuleListSolver().search(problem, check_all(RuleListSolver.options, {}, ""))
        records = []
        while search.step(budget) is Status.RUNNING:
            records += search.events().tolist()
        told.append(records + search.events().tolist())
        search.close()
    assert told[0] == told[1] == told[2]
    length = EVENT.names.index("length")
    ended = [one[length] for one in told[0] if one[0] == Kind.PRICED]
    assert 0 in ended and 1 in ended


def test_the_live_display_waits_for_a_list(monkeypatch):
    """No list is known yet that is as right for both groups: the picture says so."""
    problem = corels.Problem.from_dataset(asking("accuracy-parity by region within 0"), "0.005")
    search = RuleListSolver().search(problem, check_all(RuleListSolver.options, {}, ""))
    shown = []
    monkeypatch.setattr("corels.cli.progress._live", lambda: Shown(shown))
    display = LiveDisplay(problem)
    display.clock = Clock(first=0.0)
    display.progress(search.progress(), search)
    search.close()
    assert "is known yet" in shown[0].plain


class Shown:
    """In place of rich's live display."""

    console = SimpleNamespace(size=SimpleNamespace(height=24))

    def __init__(self, pictures):
        self.pictures = pictures

    def update(self, picture, refresh):
        self.pictures.append(picture)


def told_apart_by_few():
    """Two groups; to err as often in both, a list has to ask for what 15 of 1,000 rows have."""
    flags = {"few": [0] * 500 + [1] * 15 + [0] * 485, "half": [0, 1] * 500}
    label = [int(i % 5 < 2) for i in range(500)] + [int(i < 15 or i % 2 == 0) for i in range(500)]
    data = {**flags, "g": ["x"] * 500 + ["y"] * 500, "yes": label}
    options = TableOptions(constraints=("accuracy-parity by g within 0.095",))
    return corels.Problem.from_dataset(table_dataset(data, "yes", options), "0.01")


@pytest.mark.parametrize(("most", "words"), [(0, "at most 0 rules"), (1, "at most one rule")])
def test_infeasible_speaks_of_short_lists_where_only_these_were_asked_for(most, words):
    problem = told_apart_by_few()
    assert corels.solve(problem).certificate.optimal
    problem = never_alike() if most else problem
    with pytest.raises(corels.errors.InfeasibleError, match=f"antecedents with {words} keeps"):
        corels.solve(problem, max_rules=most)


def test_advice_goes_on_where_an_easier_problem_has_no_answer():
    """Without the antecedent of few rows, no list keeps to the constraint."""
    problem = told_apart_by_few()
    known = corels.solve(problem).model
    stopped = corels.solve(problem, incumbent=known, time_limit=0)
    (sentence,) = advice(problem, stopped.model, stopped.certificate, {"time_limit": 0})
    assert "lambda" in sentence and "min-support" not in sentence


def test_no_first_rule_is_advised_where_the_answer_may_not_have_it():
    free = corels.Problem.from_dataset(table_dataset(people(), "yes"), "0.9")
    held = corels.Problem.from_dataset(asking("statistical-parity by region within 0"), "0.9")
    for problem, options, said in ((free, {}, 1), (free, {"max_rules": 0}, 0), (held, {}, 0)):
        found = corels.solve(problem, **options)
        assert found.certificate.optimal and not found.model.rules
        assert len([*advice(problem, found.model, found.certificate, options)]) == said


def test_a_front_says_how_far_it_is_where_a_command_was_silent(monkeypatch, capsys):
    usual = ConstrainedSearch.step
    monkeypatch.setattr(ConstrainedSearch, "step", lambda self, budget: usual(self, 1))
    monkeypatch.setattr("corels.clock.time", SimpleNamespace(perf_counter=time.perf_counter))
    monkeypatch.setattr(Clock, "said", time.perf_counter() - 3)
    problem = Problem.from_dataset(asking("statistical-parity by region within 0.05"), "0.005")
    with searching_for("a front"):
        parity_path(problem, sinks=["progress"])
    assert "lower bound" in capsys.readouterr().err
