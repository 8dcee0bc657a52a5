"""What is known before the first linear program: a rule set, and a bound that holds."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("highspy", reason="HiGHS (highspy) is not installed")

from corels_colgen.first import first_duals
from corels_colgen.instance import complexity, make_instance
from corels_colgen.proof import RuleSetProofs
from corels_colgen.proofcheck import checking, reading
from corels_colgen.proofcheck.costs import costs_of, priced
from corels_colgen.search import CoverSearch
from corels_colgen.searches import RuleSetSearch
from corels_colgen.solver import OPTIONS
from rule_set_oracle import all_clauses, best_objective, random_features, random_options
from test_optimal import random_problem

import corels
from corels.check.opening import opened
from corels.check.points import Points
from corels.model import Stopped
from corels.options import check_all
from corels.problem import Problem
from corels.problem.captures import unpack
from corels.tables import load


def cases(count):
    for seed in range(count):
        rng = np.random.default_rng(5000 + seed)
        given = random_options(rng)
        problem = random_problem(rng, random_features(rng, given))
        options = check_all(OPTIONS, given, "rule-set")
        yield problem, given, options, make_instance(problem, options, 1)


def test_no_clause_costs_less_than_the_first_duals_say():
    above = 0
    for problem, given, _, instance in cases(300):
        duals = first_duals(instance)
        assert (duals.mu <= instance.positive_weights).all()
        for clause in all_clauses(instance.n_features, None):
            covered = instance.positives[list(clause)].all(axis=0)
            assert duals.mu[covered].sum() <= instance.clause_loss(clause)
        bound = duals.master_bound() * instance.unit
        assert bound <= best_objective(problem, 1, given)
        above += bound > 0
    assert above > 50


def test_points_that_are_equal_in_all_features_pay_once():
    """Equal positive points share what the equal negative point weighs."""
    for _, _, _, instance in cases(100):
        doubled = np.concatenate([instance.positives] * 2, axis=1)
        weights = np.concatenate([instance.positive_weights] * 2)
        twice = replace(
            instance,
            positives=doubled,
            positive_weights=weights,
            once=np.zeros_like(weights),
            rates=instance.rates.at(np.tile(np.arange(len(weights) // 2), 2)),
        )
        duals = first_duals(twice)
        for clause in all_clauses(twice.n_features, None):
            covered = doubled[list(clause)].all(axis=0)
            assert duals.mu[covered].sum() <= twice.clause_loss(clause)


def test_each_clause_of_the_first_rule_set_lowers_its_cost():
    longer = 0
    for _, _, _, instance in cases(300):
        cost = instance.empty_cost
        search = CoverSearch(instance)
        for handed_back in search._begin():
            clauses = search.incumbent.clauses
            assert instance.cost(clauses) < cost or not handed_back
            cost = instance.cost(clauses)
            assert complexity(clauses) <= instance.budget
            assert all(len(clause) <= instance.max_conditions for clause in clauses)
        longer += len(search.incumbent.clauses) > 1
    assert longer > 20


def test_a_model_and_a_bound_are_there_before_the_linear_program(monkeypatch):
    monkeypatch.setattr("corels_colgen.master.Master.start", None)
    problem = Problem.from_dataset(load("titanic"), 0)
    search = RuleSetSearch(problem, check_all(OPTIONS, {}, "rule-set"))
    with pytest.raises(TypeError):
        while True:
            search.step(1)
    now = search.progress()
    assert 0.15 < search.objective(now.lower_bound) < search.objective(now.objective) < 0.25
    assert now.extra["bound from"] == "equal points of both classes"


def test_a_search_stopped_at_once_proves_its_bound(tmp_path):
    problem = Problem.from_dataset(load("titanic"), 0)
    path = str(tmp_path / "set.proof")
    certificate = corels.solve(problem, "rule-set", node_limit=1, proof=path).certificate
    assert certificate.stopped is Stopped.NODE_LIMIT and certificate.lower_bound > 0
    header, records, _ = opened(Path(path).read_bytes(), path)
    proved, claimed = reading.read_rule_sets(header, records, path).bounds[1]
    assert proved == claimed > 0


def test_the_checker_needs_no_search_for_the_first_duals(monkeypatch):
    """And does search as soon as one dual is larger than the equal negative points pay for."""
    refused = 0
    for problem, _, options, instance in cases(100):
        points = Points(unpack(problem.masks, problem.n_points), problem.weights)
        search = SimpleNamespace(options=options, limits=dict, scale=lambda: 1)
        costs = costs_of(RuleSetProofs().header(problem, search), points, 1)
        mu = first_duals(instance).mu.tolist()

        def paid_for(mu, costs=costs):
            return checking._paid_by_equal_points(
                costs, priced(costs, reading.Duals(1, 0, 0, tuple(mu)))
            )

        assert paid_for(mu)
        for i in range(len(mu)):
            more = (*mu[:i], mu[i] + 1, *mu[i + 1 :])
            paid = paid_for(more)
            if paid:  # then the negative point weighs more than the positive one
                assert mu[i] == instance.positive_weights[i]
            refused += not paid
    assert refused > 100
