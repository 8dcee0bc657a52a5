"""Limits and Ctrl-C leave what is certain; wrong options are refused in one sentence."""

import signal
from dataclasses import replace
from fractions import Fraction
from itertools import count, pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from brute import random_dataset
from corels_rule_list.near import near
from corels_rule_list.near.text import summary
from corels_rule_list.path.path import regularization_path
from test_backends_agree import correlated

import corels
from corels.clock import Clock
from corels.errors import ResourceError
from corels.search import Status
from corels.tables import load

HARD = corels.Problem.from_dataset(correlated(2, 30, 300), "0.01")


def certain(found):
    """All lists up to `complete_to` are there: as many as a count of that threshold finds."""
    proof = found.certificate
    if proof.complete_to is None:
        assert found.count == 0 and not list(found)
        return
    with near(found.problem, within=proof.complete_to - proof.optimum) as again:
        assert again.certificate.complete and again.count == found.count > 0


@pytest.fixture(scope="module")
def result():
    return corels.solve(HARD)


def test_a_time_limit(result):
    with near(HARD, within="60%", time_limit=0.4, result=result) as found:
        assert found.certificate.stopped == "time limit" and not found.certificate.complete
        assert "beyond it unknown (time limit)" in found.to_text() or found.count == 0
        certain(found)


def test_different_predictions_have_a_clock(monkeypatch):
    """They are counted a few lists at a time; what is done is told, and the limit ends it."""
    monkeypatch.setattr("corels_rule_list.near.filtered.CELLS", 64)
    told = []
    with near(corels.Problem.from_dataset(load("titanic"), "0.01"), within="0.02") as found:
        clock = Clock(report=lambda *seen: told.append(seen), first=0, every=0)
        assert f"different predictions on the data: {found.classes()}" in summary(found, clock)
        assert {what for what, _, _ in told} == {"lists whose predictions are compared"}
        assert all(0 < done < total == found.count for _, done, total in told)
        line = "different predictions on the data: not counted (the time limit came first)"
        assert line in summary(found, Clock(0))


def test_a_memory_limit(result):
    with near(HARD, within="60%", memory_limit=12, result=result) as found:
        assert found.certificate.stopped == "memory limit"
        assert found.certificate.peak_memory <= 12 * 10**6
        certain(found)


def test_memory_that_runs_out(result, monkeypatch):
    """In the second budget: the first is complete."""
    engine = pytest.importorskip("corels_c.near").CNear
    begin, begun = engine.begin, []

    def refused(self, budget):
        begun.append(budget)
        if len(begun) == 2:
            raise ResourceError("the lists cannot be counted: there is not enough memory")
        return begin(self, budget)

    monkeypatch.setattr(engine, "begin", refused)
    with near(HARD, within="60%", result=result, backend="c") as found:
        assert found.certificate.stopped == "out of memory"
        assert found.certificate.complete_to is not None
        certain(found)


def test_ctrl_c(result, monkeypatch):
    """At the third report, by a clock that goes on by a twentieth of a second at each reading."""
    readings, told = count(), []
    clock = SimpleNamespace(perf_counter=lambda: 0.05 * next(readings))
    monkeypatch.setattr("corels.clock.time", clock)

    def press(at, now):
        told.append((at, now))
        if len(told) == 3:
            signal.raise_signal(signal.SIGINT)

    with near(HARD, within="60%", result=result, report=press) as found:
        assert found.certificate.stopped == "interrupted"
        certain(found)
    assert all(isinstance(at, Fraction) and now.sets > 0 for at, now in told)


def test_nothing_is_certain_without_the_optimum():
    problem = corels.Problem.from_dataset(load("tic-tac-toe"), "0.001")
    with near(problem, within="1%", time_limit=0.0) as found:
        assert found.certificate.complete_to is None
        assert len(found) == found.count == found.classes() == 0 and found.lengths() == {}
        text = found.to_text()
    assert text.startswith("Nothing is certain yet: the search for the optimum ended early (time")
    assert "the lower bound 0 and this list of objective 0.3" in text
    assert text.endswith(str(found.model)), "what is known is given"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"within": "-1%"}, "expected a number such as 0.01"),
        ({"within": 0.1, "best": 3}, "within and best are both given"),
        ({"must_use": "sex = Male", "avoid": ["sex = Male"]}, "is to be used and to be avoided"),
        (
            {"first": ["sex = Male", "sex = Female", "age = Child"]},
            "captures no row that others leave",
        ),
        ({"backend": "fortran"}, "fortran"),
    ],
)
def test_wrong_options_are_refused(options, message):
    problem = corels.Problem.from_dataset(load("titanic"), "0.01")
    with pytest.raises(corels.OptionError, match=message.replace("(", r"\(")):
        near(problem, **options)


def test_rows_that_no_training_row_equals_are_refused():
    data = random_dataset(1, antecedents=4, rows=6, classes=2, weights=False)
    problem = corels.Problem.from_dataset(data, "0.1")
    captures = np.asarray(data.captures)
    other = replace(data, captures=np.ones_like(captures))
    with near(problem, within=1) as found:
        if captures.all(axis=0).any():
            pytest.skip("a training row satisfies all of them")
        with pytest.raises(corels.OptionError, match="row 1 satisfies a combination"):
            found.disagreement(other)


def test_disagreement_and_predictions():
    data = load("titanic")
    problem = corels.Problem.from_dataset(data, "0.01")
    with near(problem, within="5%") as found:
        shares = found.predictions(data)
        assert shares.shape == (2201, 2) and np.allclose(shares.sum(axis=1), 1)
        lists = [one.rule_list.predict_indices(data) for one in found]
        assert np.allclose(shares[:, 1], np.mean(lists, axis=0))
        expected = np.mean([one != lists[0] for one in lists], axis=0)
        assert np.allclose(found.disagreement(data), expected)
        with pytest.raises(corels.OptionError, match="unknown metric 'recal'"):
            found.range_of("recal", data=data)


def test_ctrl_c_in_the_last_step_of_the_search(monkeypatch):
    """The search is certified all the same; what follows it ends."""
    from corels_c.search import CSearch

    step, certified = CSearch.step, []

    def pressed(self, budget):
        status = step(self, budget)
        if status is Status.DONE:
            certified.append(self)
            signal.raise_signal(signal.SIGINT)
        return status

    monkeypatch.setattr(CSearch, "step", pressed)
    problem = corels.Problem.from_dataset(load("tic-tac-toe"), "0.02")
    with near(problem, within="20%") as found:
        assert found.certificate.stopped == "interrupted" and found.count == 0
    path = regularization_path(problem, "0.01")
    assert path.interrupted and len(certified) == 2, "one search of each"


def test_each_budget_begins_with_one_set(monkeypatch):
    """One set may take half a second: nobody could stop 64 of them, or say how far they are."""
    engine = pytest.importorskip("corels_c.near").CNear
    given, step, begin = [], engine.step, engine.begin

    def noted(self, sets):
        given.append(sets)
        return step(self, sets)

    def begun(self, budget):
        given.append("begin")
        return begin(self, budget)

    monkeypatch.setattr(engine, "step", noted)
    monkeypatch.setattr(engine, "begin", begun)
    problem = corels.Problem.from_dataset(load("titanic"), "0.01")
    with near(problem, within="5%", backend="c") as found:
        assert found.count > 1
    firsts = [after for before, after in pairwise(given) if before == "begin"]
    assert firsts and set(firsts) == {1}


def test_the_bound_leaves_is_told_of_and_what_it_held():
    """It is built within a step, so no look at what is held would see it."""
    problem = corels.Problem.from_dataset(load("breast-cancer"), "0.01")
    with near(problem, within="30%", max_rules=3) as found:
        now = found._engine.progress()
        assert now.stages["leaves"] == 1
        assert found.certificate.peak_memory > 2 * now.memory > 0
    with near(HARD, within="10%") as found:  # lists of any number of rules
        assert found._engine.progress().stages.keys() >= {"prices"}


def test_tables_do_not_wait_for_trials_between_questions():
    """A question takes a few counts, so what tables save is hardly ever tried: the third stage of
    prices would come after all questions that it could have answered."""
    problem = corels.Problem.from_dataset(load("heart"), "0.02")
    with near(problem, within="8%", backend="c") as found:
        assert found.count == 128
        assert found._engine.progress().stages["prices"] == 3


def test_what_is_known_of_a_result_is_used_and_contradictions_are_refused():
    problem = corels.Problem.from_dataset(random_dataset(3, antecedents=5, rows=13), "0.01")
    longer = corels.solve(problem)
    assert len(longer.model) > 1
    short = corels.solve(problem, max_rules=1)
    with near(problem, result=short, best=3) as found:
        assert found.certificate.filters["max_rules"] == 1
        assert found.certificate.search == short.certificate
    with near(problem, result=longer, best=3, max_rules=1) as found:
        assert found.certificate.optimum == short.certificate.objective
    with near(problem, result=longer, best=3, max_rules=len(longer.model)) as found:
        assert found.certificate.search == longer.certificate
    names = [antecedent.name for antecedent in problem.antecedents]
    with pytest.raises(corels.OptionError, match="2 antecedents and at most 1 rules"):
        near(problem, max_rules=1, must_use=names[:2])
    for wrong in (-1, "few", 1.5):
        with pytest.raises(corels.OptionError, match="max_rules is"):
            near(problem, max_rules=wrong)
