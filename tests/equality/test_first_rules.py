"""Lists that begin with given rules: both backends equal brute force over all of them."""

import pytest
from directed import best_behind, problem_of, random_directed, side_kept, with_first
from seeds import seeds

from corels import RuleList, regularization_path, solve
from corels.errors import OptionError
from corels.testing import recorded

EACH = 25
WAYS = (
    {},
    {"search": "best-first"},
    {"search": "depth-first", "start": "none"},
    {"search": "best-first", "map": "captured", "max_rules": 3},
    {"max_rules": 2},
    {"preset": "paper"},
)


@pytest.mark.parametrize("part", seeds(40, 1))
def test_both_backends_find_the_best_list_that_begins_so(part):
    for seed in range(EACH * part, EACH * part + EACH):
        data = with_first(random_directed(seed)[1], seed)
        problem, options = problem_of(data, seed), WAYS[seed % len(WAYS)]
        best = best_behind(problem, data, options.get("max_rules"))
        for backend in ("c", "python"):
            result = solve(problem, backend=backend, **options)
            where = (seed, backend)
            assert result.certificate.optimal, where
            assert result.certificate.objective == best, where
            assert side_kept(result.model, data), where
            assert result.model.objective(problem.regularization) == best, where
            rules = zip(data.first, result.model.rules, strict=False)
            for one, rule in rules:
                captured = problem.captures[problem.numbers[rule.antecedent]]
                asked = problem.captures[problem.number_of(data.antecedents[one.antecedent])]
                assert (captured == asked).all(), where
                assert one.outcome in (None, rule.prediction), where


@pytest.mark.parametrize("part", seeds(10, 1))
def test_equal_traces(part):
    for seed in range(12 * part, 12 * part + 12):
        data = with_first(random_directed(seed, antecedents=8, rows=30)[1], seed)
        problem = problem_of(data, seed)
        for search in ("depth-first", "best-first"):
            options = {"search": search, "no_bound": ("prices", "leaves"), "seed": seed}
            c, events = recorded(problem, backend="c", **options)
            python, same = recorded(problem, backend="python", **options)
            assert events.tobytes() == same.tobytes(), (seed, search)
            assert c.model == python.model and c.certificate.pruned == python.certificate.pruned


def test_a_list_that_begins_otherwise_is_no_model_of_the_problem():
    for seed in range(20):
        data = with_first(random_directed(seed)[1], seed)
        problem = problem_of(data, seed)
        with pytest.raises(OptionError, match="does not begin with the first rules"):
            problem.count(RuleList.of(problem, ()).plain_rules())
        with pytest.raises(OptionError, match=r"max_rules.? is 0: expected at least [12]"):
            solve(problem, max_rules=0)
        free = solve(problem_of(random_directed(seed)[1], seed)).model
        if not free.rules:
            with pytest.raises(OptionError, match="does not begin with the first rules"):
                solve(problem, incumbent=free)


@pytest.mark.parametrize("part", seeds(6, 1))
def test_the_path_has_the_best_list_for_every_lambda(part):
    for seed in range(10 * part, 10 * part + 10):
        data = random_directed(seed, antecedents=4)[1]
        data = with_first(data, seed) if seed % 2 else data
        problem = problem_of(data, seed)
        path = regularization_path(problem, "0.01")
        for value in ("0.01", "0.02", "0.05", "0.1", "0.3"):
            at = problem.with_regularization(value)
            assert path.objective(value) == best_behind(at, data), (seed, value)
