"""Saved rule lists that stand for a search: what is recounted, and what is refused."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import corels
from corels import InputError, OptionError
from corels.model import Stopped
from corels.model.documents import data_entry, to_json
from corels.tables import load


@pytest.fixture(scope="module")
def problem():
    return corels.Problem.from_dataset(load("titanic"), "0.01")


@pytest.fixture(scope="module")
def result(problem):
    return corels.solve(problem)


def saved(tmp_path, problem, result):
    path = tmp_path / "model.json"
    path.write_text(to_json(result.to_document()))
    return str(path)


def test_near_needs_no_search(tmp_path, problem, result, monkeypatch):
    expected = corels.near(problem, within="5%")
    monkeypatch.setattr("corels_rule_list.near.run.solve", None)
    again = corels.load_result(saved(tmp_path, problem, result), problem)
    found = corels.near(problem, within="5%", result=again)
    assert found.count == expected.count and list(found) == list(expected)
    assert found.certificate.complete


def test_near_searches_on_from_a_list_that_is_not_certified(tmp_path, problem, result):
    stopped = replace(result.certificate, lower_bound=Fraction(1, 10), stopped=Stopped.TIME_LIMIT)
    path = saved(tmp_path, problem, replace(result, certificate=stopped))
    found = corels.near(problem, within="5%", result=corels.load_result(path, problem))
    assert found.count == 22 and found.certificate.search.optimal


def test_a_false_claim_is_found(tmp_path, problem):
    """A file may claim that a worse list is optimal: `near` finds the better one."""
    worse = corels.RuleList.of(problem, [])
    claimed = worse.objective(problem.regularization)
    certificate = replace(corels.solve(problem).certificate, objective=claimed, lower_bound=claimed)
    path = saved(
        tmp_path, problem, corels.Result(worse, certificate, data=data_entry(worse, problem))
    )
    lie = corels.load_result(path, problem)
    with pytest.raises(InputError, match="is better than the optimum 711/2201"):
        corels.near(problem, within="1%", result=lie)


def test_counts_that_are_not_those_of_the_data_are_refused(tmp_path, problem, result):
    """The file agrees with itself, but not with the data."""
    path = saved(tmp_path, problem, result)
    found = json.loads(Path(path).read_text())
    found["rules"][0]["counts"], found["rules"][1]["counts"] = [116, 354], [1374, 357]
    errors = Fraction(116 + 357, 2201) + Fraction(1, 100)
    certificate = found["certificate"]
    certificate["exact"] |= {"objective": str(errors), "lower_bound": str(errors)}
    certificate |= {"objective": float(errors), "lower_bound": float(errors)}
    Path(path).write_text(json.dumps(found))
    with pytest.raises(
        InputError, match=r"rule 1 of the model has the counts \[116, 354\], here \[126"
    ):
        corels.load_result(path, problem)


def test_another_problem_is_refused(tmp_path, problem, result):
    path = saved(tmp_path, problem, result)
    with pytest.raises(InputError, match=r"lambda is stated as 1/100, and here 1/50"):
        corels.load_result(path, problem.with_regularization("0.02"))
    other = corels.Problem.from_dataset(load("tic-tac-toe"), "0.01")
    with pytest.raises(InputError, match="of another problem: the label is stated as survived"):
        corels.load_result(path, other)
    with pytest.raises(OptionError, match="the result is of another problem"):
        corels.near(other, result=result)


def test_without_a_certificate_it_is_refused(tmp_path, problem, result):
    path = tmp_path / "model.json"
    path.write_text(to_json(result.model.to_document()))
    with pytest.raises(InputError, match="a model and no certificate"):
        corels.load_result(str(path), problem)


def test_other_families_are_refused(tmp_path, problem):
    falling = pytest.importorskip("corels_falling")
    assert falling
    found = corels.solve(problem, "falling")
    path = saved(tmp_path, problem, found)
    with pytest.raises(InputError, match="no certificate that says its lambda"):
        corels.load_result(path, problem)
    with pytest.raises(OptionError, match="is a falling rule list: expected a rule list"):
        corels.near(problem, result=found)
