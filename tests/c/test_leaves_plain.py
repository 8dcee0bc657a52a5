"""The plain form of the leaf bound, of the teaching backend: on its own, and in searches."""

from itertools import permutations

import numpy as np
import pytest
from corels_leaf_bound.bound import Weights
from engine import brute_force, of_all_points, random_problem

import corels
from corels.testing import random_problem as random_table


def weights_of(captures, regrets, rule_cost, unit, longest):
    return Weights(of_all_points(captures, regrets), rule_cost, unit, longest)


@pytest.mark.parametrize("classes", [2, 3, 4])
@pytest.mark.parametrize("longest", [1, 2, 3])
def test_never_above_the_best_completion_of_a_rule_or_more(longest, classes):
    rng = np.random.default_rng([42, longest])
    for _ in range(25):
        captures, regrets, rule_cost, unit = random_problem(rng, classes)
        captures, regrets = captures[:4], regrets[:, :16]
        captures = captures[:, : regrets.shape[1]]
        weights = weights_of(captures, regrets, rule_cost, unit, longest)
        exact = brute_force(captures, regrets, rule_cost, unit)
        for length in range(longest):
            for rules in permutations(range(len(captures)), length):
                left = ~captures[list(rules)].any(axis=0)
                completions = [
                    rule_cost
                    + unit * int(regrets[:, left & row].sum(axis=1).min())
                    + exact(left & ~row, longest - length - 1)
                    for row in captures
                    if (left & row).any()
                ]
                bound = weights.least(left, rule_cost, unit)
                assert all(bound <= cost for cost in completions)


@pytest.mark.parametrize("limit", [None, 1, 2, 3, 4])
@pytest.mark.parametrize("search", ["best-first", "depth-first"])
def test_searches_with_it_find_the_optimum(search, limit):
    rng, pruned = np.random.default_rng(2), 0
    for _ in range(20):
        problem = random_table(rng, antecedents=5, rows=int(rng.integers(10, 40)))
        options = {"search": search, "max_rules": limit}
        want = corels.solve(problem, **options).certificate
        options["no_bound"] = ("lookahead", "one_rule", "reduced_support")
        got = corels.solve(problem, backend="python", bound=["leaves"], **options).certificate
        assert got.optimal
        assert got.objective == want.objective
        pruned += got.pruned["leaves"]
    assert pruned > 0 or limit in {None, 1}
