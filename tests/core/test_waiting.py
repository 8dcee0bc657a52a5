"""A run that ends before its instance is prepared says what it would have said of its search."""

from pathlib import Path

import numpy as np
import pytest
from corels_rule_list import solver

import corels
from corels.check.opening import opened
from corels.check.points import Table
from corels.check.proof import check_proof
from corels.search import SetSearch, Sink, backend
from corels.tables import TableOptions, load, table_dataset
from corels.tables.builtin import load_columns
from corels.testing import brute_force


class KeepsAll(corels.Bound):
    """Of nobody's distribution."""

    name = "keeps-all"
    summary = "drops nothing"
    scope = "set"

    def keep(self, children, incumbent):
        return children.lower_bound >= 0


@pytest.fixture(scope="module")
def problem():
    return corels.Problem.from_dataset(load("heart"), "0.01")


@pytest.fixture
def large(monkeypatch):
    """Any problem takes so long to prepare."""
    monkeypatch.setattr(solver, "worked_on", lambda pieces, seconds: None)
    monkeypatch.setattr(backend, "worked_on", lambda pieces, seconds: None)


SEARCHES = [
    {**engine, "search": search}
    for engine in ({}, {"backend": "python"})
    for search in ("depth-first", "best-first")
]


@pytest.mark.parametrize("options", [*SEARCHES, {"preset": "paper"}, {"threads": 2}], ids=str)
def test_nothing_is_left_out_of_the_certificate(problem, options, request):
    begun = corels.solve(problem, node_limit=1, **options).certificate
    request.getfixturevalue("large")
    stopped = corels.solve(problem, time_limit=0, **options)
    found = stopped.certificate
    assert len(stopped.model) == 0 and not found.optimal and found.expanded == 0
    assert found.parts.keys() == begun.parts.keys() and found.extra.keys() >= {"counts"}
    assert {**begun.parts, "kernel": ""} == {**found.parts, "kernel": ""}
    assert dict(found.pruned) == dict.fromkeys(begun.pruned, 0)
    assert found.lower_bound <= begun.lower_bound


def test_it_names_what_the_proof_would_rest_on(problem, request):
    begun = corels.solve(problem, bound=(KeepsAll,), node_limit=3).certificate
    request.getfixturevalue("large")
    stopped = corels.solve(problem, bound=(KeepsAll,), time_limit=0).certificate
    assert stopped.foreign == begun.foreign != ()


@pytest.mark.parametrize("options", [*SEARCHES, {"preset": "paper"}], ids=str)
@pytest.mark.parametrize(
    "given", [{}, {"cost": "fp=2,fn=1", "positive": "is 1"}, {"abstain": "0.2"}], ids=str
)
def test_no_bound_is_claimed_that_does_not_hold(given, options, large):
    rng = np.random.default_rng(3)
    bits, labels = rng.integers(0, 2, (3, 60)), rng.integers(0, 3, 60)
    table = {"a": bits[0], "b": bits[1], "c": bits[2], "class": [f"is {n}" for n in labels]}
    if given:
        table["class"] = [f"is {n % 2}" for n in labels]
    table = {name: list(values) for name, values in table.items()}
    data = table_dataset(table, "class", TableOptions(**given))
    problem = corels.Problem.from_dataset(data, "0.01")
    result = corels.solve(problem, time_limit=0, **options)
    best, certificate = brute_force(problem, 2), result.certificate
    nothing = result.model.objective(problem.regularization)
    assert certificate.lower_bound <= best <= certificate.objective == nothing


@pytest.mark.parametrize("options", SEARCHES, ids=str)
def test_a_known_list_is_kept(problem, options, request):
    best = corels.solve(problem)
    request.getfixturevalue("large")
    limited = {"time_limit": 0, "incumbent": best.model, **options}
    stopped = corels.solve(problem, **limited)
    assert stopped.model == best.model
    assert stopped.certificate.objective == best.certificate.objective
    shorter = corels.solve(problem, max_rules=1, **limited)
    assert len(best.model) > 1 and len(shorter.model) <= 1
    assert shorter.certificate.objective > best.certificate.objective


def test_the_search_that_is_ready_begins_with_it(problem, monkeypatch):
    best = corels.solve(problem)
    monkeypatch.setattr(solver, "worked_on", lambda pieces, seconds: None)
    result = corels.solve(problem, incumbent=best.model, node_limit=0)
    assert result.model == best.model and result.certificate.parts["kernel"] != "none"


@pytest.mark.parametrize("options", SEARCHES[:3], ids=str)
def test_a_proof_is_begun_or_refused(problem, options, tmp_path, request):
    earlier, later = (str(tmp_path / name) for name in ("earlier", "later"))
    corels.solve(problem, proof=earlier, node_limit=2)
    request.getfixturevalue("large")
    with pytest.raises(corels.OptionError, match="no proof can be written"):
        corels.solve(problem, bound=(KeepsAll,), time_limit=0, proof=earlier + "!", **options)
    resume = None if "backend" in options else earlier  # the C engine takes claims
    stopped = corels.solve(problem, time_limit=0, proof=later, resume=resume, **options)
    columns, label = load_columns("heart")
    del columns[label]
    data = load("heart")
    labels = [data.classes[number] for number in data.labels]
    proof, here = opened(Path(later).read_bytes()), problem.statement()
    shown = check_proof(proof, Table(columns, labels), here, checker="python")
    assert shown.failure is None and shown.objective == stopped.certificate.objective


def test_sinks_are_told_of_it(problem, large):
    told = []

    class Listener(Sink):
        def preparing(self):
            told.append("preparing")

        def start(self, search):
            told.append(search)

    corels.solve(problem, sinks=[Listener()], time_limit=0.3)
    assert set(told[:-1]) == {"preparing"} and isinstance(told[-1], SetSearch)
