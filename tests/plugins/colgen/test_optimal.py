"""The solver against brute force: optimum, every bound on the way, and De Morgan's law."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

pytest.importorskip("highspy", reason="HiGHS (highspy) is not installed")

from corels_colgen.searches import RuleSetSearch
from corels_colgen.solver import OPTIONS
from rule_set_oracle import best_objective, objective, random_costs, random_features, random_options
from seeds import seeds

import corels
from corels.options import check_all
from corels.problem import Problem
from corels.problem.costs import Costs, classes_and
from corels.search import Status
from corels.testing.problems import dataset_of

CASES = 300


def random_problem(rng, features, *, costed=False):
    rows = int(rng.integers(2, 25))
    captures = rng.random((features, rows)) < rng.uniform(0.2, 0.8, size=(features, 1))
    labels = rng.integers(0, 2, rows)
    if rng.random() < 0.7:  # mostly something to learn
        clause = rng.choice(features, size=min(features, 2), replace=False)
        labels = np.where(rng.random(rows) < 0.85, captures[clause].all(axis=0), labels)
    weights = rng.integers(1, 5, rows) if rng.random() < 0.4 else None
    costs = random_costs(rng, labels) if costed else None
    return Problem.from_dataset(dataset_of(captures, labels, weights=weights, costs=costs), 0)


def clauses_of(problem, model):
    """The clauses of the positive class as numbers of antecedents."""
    number = {antecedent: j for j, antecedent in enumerate(problem.antecedents)}
    return [tuple(number[c] for c in clause.conditions) for clause in model.sets[0].clauses]


@pytest.mark.parametrize("costed", [False, True], ids=["errors", "costs"])
@pytest.mark.parametrize("block", seeds(24, 1))
def test_certified_objective_is_the_optimum(block, costed):
    check_optima(range(block * CASES // 6, (block + 1) * CASES // 6), costed=costed)


def check_optima(numbers, *, costed):
    for seed in numbers:
        rng = np.random.default_rng(seed)
        options = random_options(rng)
        if costed:
            options.pop("positive_weight", None)
        problem = random_problem(rng, random_features(rng, options), costed=costed)
        truth = best_objective(problem, 1, options)
        result = corels.solve(problem, "rule-set", **options)
        certificate = result.certificate
        assert certificate.objective == truth == certificate.lower_bound, (seed, options)
        assert certificate.stopped == "certified", seed
        form = options["form"]
        chosen = clauses_of(problem, result.model)
        assert objective(problem, 1, form, chosen, options) == truth, seed
        assert result.model.counted_objective(certificate) == truth, seed


@pytest.mark.parametrize("pricing", ["exact", "sampled"])
@pytest.mark.parametrize("limit", [None, 1, 3])
def test_bounds_hold_at_every_moment(pricing, limit):
    """Also if pricing is truncated, and if it is heuristic."""
    sources = set()
    for seed in range(24):
        rng = np.random.default_rng(1000 + seed)
        given = random_options(rng)
        problem = random_problem(rng, random_features(rng, given))
        truth = best_objective(problem, 1, given)
        options = check_all(
            OPTIONS, {**given, "pricing": pricing, "pricing_limit": limit}, "rule-set"
        )
        search = RuleSetSearch(problem, options)
        status, before = Status.RUNNING, Fraction(-1)
        while status is Status.RUNNING:
            status = search.step(1)
            progress = search.progress()
            bound = search.objective(progress.lower_bound)
            assert before <= bound <= truth, (seed, progress)
            assert truth <= search.objective(progress.objective), seed
            before = bound
            sources.add(progress.extra["bound from"])
        if status is Status.DONE:
            assert bound == truth, seed
        if limit is None:
            assert status is Status.DONE, seed
        search.close()
    assert "master solved, pricing complete" in sources
    if limit == 1:
        assert "master and least reduced cost" in sources


def negated(problem):
    """Features and labels the other way round."""
    from corels.problem.captures import Captures, unpack

    captures = ~unpack(problem.masks, problem.n_points)
    return replace(problem, captures=Captures.of(captures), weights=problem.weights[::-1].copy())


@pytest.mark.parametrize("block", seeds(3, 1))
def test_a_cnf_is_a_dnf_of_the_negated_data(block):
    """De Morgan: not (a and b or c) = (not a or not b) and not c."""
    for seed in range(2000 + 50 * block, 2050 + 50 * block):
        rng = np.random.default_rng(seed)
        options = random_options(rng)
        options.pop("form")
        options.pop("positive_weight", None)
        problem = random_problem(rng, int(rng.integers(1, 7)))
        other = negated(problem)
        cnf = corels.solve(problem, "rule-set", form="cnf", **options)
        dnf = corels.solve(other, "rule-set", form="dnf", **options)
        assert cnf.certificate.objective == dnf.certificate.objective, seed
        assert clauses_of(problem, cnf.model) == clauses_of(other, dnf.model), seed
        assert cnf.model.hamming == dnf.model.hamming, seed
        assert cnf.model.errors == dnf.model.errors, seed


def test_a_false_positive_that_costs_1_is_the_positive_weight():
    for seed in range(60):
        rng = np.random.default_rng(seed)
        options = random_options(rng) | {"positive_weight": Fraction(int(rng.integers(0, 8)), 3)}
        problem = random_problem(rng, random_features(rng, options))
        plain = corels.solve(problem, "rule-set", **options)
        missed, caught = options.pop("positive_weight"), 1
        of = np.array([problem.weights[1] * missed.numerator, problem.weights[0] * caught])
        of[1] *= missed.denominator
        costs = Costs(
            classes_and((0, 1), (), missed.denominator), of, problem.weights, paid_right=False
        )
        costed = corels.solve(replace(problem, costs=costs), "rule-set", **options)
        assert costed.certificate.objective == plain.certificate.objective, seed
        assert costed.certificate.lower_bound == plain.certificate.lower_bound, seed
        assert clauses_of(problem, costed.model) == clauses_of(problem, plain.model), seed


def test_costs_of_many_digits_are_certified():
    """An integer program would show a millionth of it less."""
    sources = set()
    for seed in (7010, 7072, *range(7000, 7008)):
        rng = np.random.default_rng(seed)
        options = {"complexity": 8, "max_conditions": 2, "form": ("dnf", "cnf")[seed % 2]}
        problem = random_problem(rng, 5, costed=True)
        digits = problem.costs.amounts * 10**6 + rng.integers(0, 99, problem.costs.amounts.shape)
        costs = replace(problem.costs, amounts=np.where(problem.costs.amounts, digits, 0))
        problem = replace(problem, costs=costs)
        found = corels.solve(problem, "rule-set", **options, time_limit=20).certificate
        assert found.objective == found.lower_bound == best_objective(problem, 1, options), seed
        sources.add(found.extra["bound from"])
    assert "enumeration of all rule sets" in sources
