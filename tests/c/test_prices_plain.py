"""The plain form of the price bound, of the teaching backend: on its own, and in searches."""

import numpy as np
import pytest
from corels_rule_list.prices import Cells
from engine import brute_force, random_problem
from expansions import of_all_points

import corels
from corels.testing import random_problem as random_table


def cells_of(captures, regrets, rule_cost, unit):
    return Cells(of_all_points(captures, regrets), rule_cost, unit)


@pytest.mark.parametrize("seed", range(60))
def test_never_above_the_best_completion(seed):
    rng = np.random.default_rng([41, seed])
    captures, regrets, rule_cost, unit = random_problem(rng, classes=2 + seed % 2)
    cells = cells_of(captures, regrets, rule_cost, unit)
    exact = brute_force(captures, regrets, rule_cost, unit)
    for _ in range(8):
        left = rng.random(captures.shape[1]) < rng.random()
        assert cells.least(left) <= exact(sum(1 << int(i) for i in np.flatnonzero(left)))


def test_one_cell_is_exact():
    rng = np.random.default_rng(1)
    captures = np.unique(rng.random((5, 6)) < 0.5, axis=1)
    regrets = np.array([[3, 0] if i % 2 else [0, 2] for i in range(captures.shape[1])]).T
    cells = cells_of(captures, regrets, 2, 1)
    exact = brute_force(captures, regrets, 2, 1)
    for number in range(1 << captures.shape[1]):
        left = np.array([number >> i & 1 for i in range(captures.shape[1])], dtype=bool)
        assert cells.least(left) == exact(number)


@pytest.mark.parametrize("search", ["best-first", "depth-first"])
def test_searches_with_it_find_the_optimum(search):
    rng, pruned = np.random.default_rng(2), 0
    for _ in range(30):
        problem = random_table(rng, antecedents=5, rows=14)
        want = corels.solve(problem).certificate
        got = corels.solve(problem, backend="python", search=search, bound=["prices"]).certificate
        assert got.optimal
        assert got.objective == want.objective
        pruned += got.pruned["prices"]
    assert pruned > 0
