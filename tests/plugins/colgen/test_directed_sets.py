"""Rule sets that keep to the directions of columns equal brute force over all such sets."""

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("highspy", reason="HiGHS (highspy) is not installed")

from corels_colgen.solver import RuleSetSolver
from directed import is_towards, random_directed
from rule_set_oracle import best_objective, random_options
from seeds import seeds

import corels
from corels.errors import OptionError
from corels.problem import Problem


@pytest.mark.parametrize("form", ["dnf", "cnf"])
@pytest.mark.parametrize("chunk", seeds(6, 1))
def test_it_equals_brute_force(chunk, form):
    tried = 0
    for seed in range(40 * chunk, 40 * chunk + 40):
        _, data = random_directed(seed, antecedents=6)
        data = replace(data, costs=None)
        kept = [at for at, one in enumerate(data.antecedents) if is_towards(one, data.directions)]
        if len(data.classes) > 2 or not data.directions or not kept[:3]:
            continue
        wrong = [at for at in range(data.n_antecedents) if at not in kept]
        some = [*kept[:3], *wrong]  # brute force takes three
        few = replace(
            data,
            antecedents=tuple(data.antecedents[at] for at in some),
            captures=data.captures.take(some),
        )
        right = replace(
            data,
            antecedents=tuple(data.antecedents[at] for at in kept[:3]),
            captures=data.captures.take(kept[:3]),
            directions=(),
        )
        options = random_options(np.random.default_rng([4, seed])) | {"form": form}
        best, tried = best_objective(Problem.from_dataset(right, 0), 1, options), tried + 1
        result = corels.solve(Problem.from_dataset(few, 0), "rule-set", **options)
        assert result.certificate.objective == best == result.certificate.lower_bound, seed
    assert tried > 10


def test_the_price_of_directions_is_of_a_search_that_shares_nothing():
    """What it finds out is of other antecedents, and holds for more rule sets."""
    shared = 0
    for seed in range(60):
        _, data = random_directed(seed, antecedents=6)
        problem = Problem.from_dataset(replace(data, costs=None), 0)
        if len(data.classes) > 2 or not data.directions:
            continue
        family = RuleSetSolver().sharing()
        try:
            found = corels.solve(problem, family, complexity=4).certificate
        except OptionError:  # the directions leave no condition
            continue
        own = problem.one_sided().n_antecedents
        clauses = family.known.clauses[1]
        assert all(number < own for clause in clauses for number in clause), seed
        free = corels.solve(
            replace(problem, directions=(), may_say=None), family.name, complexity=4
        )
        assert family.known.least == found.lower_bound
        price = found.extra["objective_without_directions"]
        assert price == f"{float(free.certificate.objective):.6f}", seed
        shared += own < problem.n_antecedents
    assert shared > 5
