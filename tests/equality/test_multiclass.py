"""Any number of classes: both searches equal brute force (docs/internals/bounds.md)."""

import itertools
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from corels_rule_list.bounds import BOUNDS

import corels
from corels.problem import prepare
from corels.problem.captures import unpack
from corels.problem.costs import Costs, Outcomes
from corels.testing import random_dataset, random_problem

ON_TABLES = [bound.name for bound in BOUNDS]


def problems(chunk, count=12):
    """Small random problems of three to six classes, half of them weighted."""
    for number in range(count):
        rng = np.random.default_rng([77, chunk, number])
        classes = 3 + number % 4
        if number % 2:
            data = random_dataset(rng, antecedents=4, rows=14, classes=classes)
            weights = rng.integers(0, 6, data.n_rows)
            weights[0] += 1
            data = replace(data, weights=weights)
            yield corels.Problem.from_dataset(data, Fraction(int(rng.integers(1, 9)), 60))
        else:
            yield random_problem(rng, antecedents=4, rows=14, classes=classes)


@pytest.mark.parametrize("chunk", range(4))
def test_regret_form(chunk):
    """A cell's errors are its minority plus the least sum of regrets, whatever the classes."""
    for problem in problems(chunk):
        instance = prepare(problem, captured=True)
        captures = unpack(problem.masks, problem.n_points)
        base = instance.base // instance.unit
        for cell in [*captures, np.ones(problem.n_points, dtype=bool)]:
            counts = problem.weights[:, cell].sum(axis=1)
            majority = problem.weights.max(axis=0)
            regrets = (majority - problem.weights)[:, cell].sum(axis=1)
            minority = (problem.weights.sum(axis=0) - majority)[cell].sum()
            assert counts.sum() - counts.max() == minority + regrets.min()
        assert base == (problem.weights.sum(axis=0) - problem.weights.max(axis=0)).sum()


def test_relabelling_the_classes_changes_nothing():
    for problem in problems(0):
        best = corels.solve(problem).certificate.objective
        for order in itertools.islice(itertools.permutations(range(len(problem.classes))), 1, 8):
            other = replace(problem, weights=problem.weights[list(order)])
            assert corels.solve(other).certificate.objective == best


def test_merging_classes_never_costs_more():
    """Two classes seen as one: the optimum can only fall."""
    for problem in problems(1):
        merged = np.concatenate(
            [problem.weights[:-2], problem.weights[-2:].sum(axis=0, keepdims=True)]
        )
        other = replace(problem, weights=merged, classes=problem.classes[:-1])
        assert (
            corels.solve(other).certificate.objective <= corels.solve(problem).certificate.objective
        )


@pytest.mark.parametrize("search", ["depth-first", "best-first"])
def test_a_rule_that_saves_nothing_but_captures_is_a_child_on_both_backends(search):
    """Only the default may abstain, and for rules both classes cost the same."""
    data = random_dataset(np.random.default_rng(5), antecedents=3, rows=9)
    problem = corels.Problem.from_dataset(data, Fraction(0))
    names, kinds = (*problem.classes, "abstain"), ("class", "class", "abstain")
    paid = problem.weights.sum(axis=0)
    amounts = np.array([2 * paid, 2 * paid, paid])
    costs = Costs(Outcomes(names, kinds, default_only=True), amounts, np.zeros_like(amounts))
    problem = replace(problem, costs=costs)
    kept = {
        "no_bound": ("all",),
        "bound": ("hierarchical", "equivalent_points"),
        "search": search,
        "start": "none",
    }
    pruned = [
        corels.solve(problem, backend=backend, **kept).certificate.pruned
        for backend in ("c", "python")
    ]
    assert pruned[0] == pruned[1] and sum(pruned[0].values())
