"""Small random problems, and the optimum by trying every list."""

from fractions import Fraction
from itertools import permutations

import numpy as np
from corels_rule_list.model import RuleList

from corels.problem import Problem
from corels.tables import Antecedent, Condition, Dataset


def random_problem(
    seed, *, antecedents=4, rows=25, classes=2, weighted=False, regularization="0.1"
):
    rng = np.random.default_rng(seed)
    weights = rng.integers(1, 5, rows) if weighted else None
    return Problem.from_dataset(
        Dataset(
            antecedents=tuple(
                Antecedent.of(Condition(f"a{j}", "true")) for j in range(antecedents)
            ),
            captures=rng.random((antecedents, rows)) < 0.4,
            labels=rng.integers(0, classes, rows),
            classes=tuple("abcdefg"[:classes]),
            weights=weights,
        ),
        regularization,
    )


def least_errors(problem):
    """Fewest errors for each number of rules, over all lists."""
    best = {}
    for length in range(problem.n_antecedents + 1):
        found = [
            RuleList.of(problem, order).errors
            for order in permutations(range(problem.n_antecedents), length)
        ]
        best[length] = min(found)
    return best


def optimum(problem, regularization, errors=None):
    """The optimal objective at one lambda, by trying every list."""
    errors = least_errors(problem) if errors is None else errors
    return min(Fraction(e, problem.total) + regularization * k for k, e in errors.items())
