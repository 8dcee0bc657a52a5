import numpy as np
from corels_two_rules import TwoRules

import corels
from corels.testing import brute_force, check_solver, random_problem


def test_the_contract():
    check_solver(TwoRules)


def test_no_short_list_is_better():
    for seed in range(20):
        problem = random_problem(np.random.default_rng(seed))
        found = corels.solve(problem, "two-rules").certificate.objective
        assert found == brute_force(problem, max_rules=2)
