"""Lists that keep to directions of columns, and that begin with given rules: both backends equal
brute force over all of them."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from directed import (
    VALUES,
    is_monotone,
    problem_of,
    random_directed,
    random_rows,
    side_kept,
    with_first,
)
from seeds import seeds
from sqlite_says import run_sql

from corels import RuleList, near, regularization_path, solve
from corels.errors import OptionError
from corels.problem.captures import unpack
from corels.testing import brute_force, recorded
from corels.testing.cases import by_python

EACH = 25  # tables of a part: 40 parts have 1,000
WAYS = (
    {},
    {"search": "best-first"},
    {"search": "depth-first", "bound": ("dominance", "support"), "start": "none"},
    {"search": "best-first", "map": "captured", "max_rules": 2},
    {"max_rules": 1},
    {"preset": "paper"},
)


def begins_so(model, problem, data):
    """Whether a list begins with the first rules of its data."""
    return all(
        (problem.captures[problem.numbers[rule.antecedent]] == asked).all()
        and one.outcome in (None, rule.prediction)
        for one, rule in zip(data.first, model.rules, strict=False)
        for asked in [problem.captures[problem.number_of(data.antecedents[one.antecedent])]]
    )


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("part", seeds(40, 1))
def test_both_backends_find_the_best_list_of_those_that_are_left(part, first):
    for seed in range(EACH * part, EACH * part + EACH):
        data = random_directed(seed)[1]
        data = with_first(data, seed) if first else data
        problem, options = problem_of(data, seed), dict(WAYS[seed % len(WAYS)])
        if first and "max_rules" in options:
            options["max_rules"] += 1
        best = brute_force(problem, options.get("max_rules"))
        rng = np.random.default_rng(seed)
        for backend in ("c", "python"):
            result = solve(problem, backend=backend, **options)
            assert result.certificate.optimal, (seed, backend)
            assert result.certificate.objective == best, (seed, backend)
            assert side_kept(result.model, data), (seed, backend)
            assert is_monotone(result.model, data, rng), (seed, backend)
            assert begins_so(result.model, problem, data), (seed, backend)
            assert problem.count(result.model.plain_rules()).cost == problem.scaled(best), seed


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("part", seeds(10, 1))
def test_equal_traces(part, first):
    for seed in range(12 * part, 12 * part + 12):
        data = random_directed(seed, antecedents=8, rows=30)[1]
        problem = problem_of(with_first(data, seed) if first else data, seed)
        for search in ("depth-first", "best-first"):
            options = {"search": search, "no_bound": ("prices", "leaves"), "seed": seed}
            c, events = recorded(problem, backend="c", **options)
            python, same = recorded(problem, backend="python", **options)
            assert events.tobytes() == same.tobytes(), (seed, search)
            assert c.model == python.model and c.certificate.pruned == python.certificate.pruned


def all_lists(problem):
    """{(antecedents in order): objective} of all lists whose rules capture something."""
    captures, found = unpack(problem.masks, problem.n_points), {}
    for length in range(4):
        for rules in permutations(range(problem.n_antecedents), length):
            left = problem.weights.any(axis=0)
            for rule in rules:
                if not (captures[rule] & left).any():
                    break
                left = left & ~captures[rule]
            else:
                model = RuleList.of(problem, rules)
                found[rules] = model.objective(problem.regularization)
    return found


@pytest.mark.parametrize("part", seeds(5, 1))
def test_good_lists_say_what_they_may(part):
    for seed in range(8 * part, 8 * part + 8):
        _, data = random_directed(seed, antecedents=4)
        problem = problem_of(data, seed)
        lists, more = all_lists(problem), problem.regularization
        most = min(lists.values()) + more
        wanted = {rules: cost for rules, cost in lists.items() if cost <= most}
        for backend in ("c", "python"):
            with near(problem, within=more, backend=backend, max_rules=3) as found:
                own = {tuple(one.antecedents): one.objective for one in found}
                assert own == wanted, (seed, backend)
                assert all(side_kept(one.rule_list, data) for one in found), (seed, backend)
                shares = found.usage()
                assert shares, (seed, backend)


@pytest.mark.parametrize("solver", ["rule-list", "falling", "rule-set"])
def test_models_of_all_families_and_their_exports_are_monotone(solver):
    """Random pairs of rows that differ in one directed column; in Python and SQL, too."""
    falls = 0
    for seed in range(24):
        data = random_directed(seed, antecedents=10, rows=40)[1]
        data = replace(data, costs=None, weights=None)
        if not data.directions or len(data.classes) > 2:
            continue
        problem, options = problem_of(data, seed), {"complexity": 6} if solver == "rule-set" else {}
        try:
            model = solve(problem, solver, **options).model
        except OptionError as error:
            assert "leave no condition" in str(error)
            continue
        rng = np.random.default_rng(seed)
        for way in data.directions:
            low = random_rows(rng, 4, 100)
            up = np.minimum(low[way.column] + rng.integers(0, 3, 100), VALUES - 1)
            high = {**low, way.column: up}
            before, after = model.predict(low), model.predict(high)
            for rows, said in ((low, before), (high, after)):
                plain = {name: values.tolist() for name, values in rows.items()}
                assert [str(v) for v in by_python(model, plain)] == list(map(str, said))
                assert list(map(str, run_sql(model.export("sql"), plain))) == list(map(str, said))
            one, other = (before, after) if way.way == "up" else (after, before)
            assert not ((one == 1) & (other != 1)).any(), (seed, way)
            falls += int((one != other).sum())
    assert falls > 20


def test_a_list_that_says_the_contrary_is_no_model_of_the_problem():
    refused = 0
    for seed in range(20):
        _, data = random_directed(seed)
        problem = problem_of(data, seed)
        for number in range(problem.n_antecedents if problem.may_say is not None else 0):
            for outcome in np.flatnonzero(~problem.may_say[number]).tolist():
                wrong = RuleList.of(problem, [number], [outcome, 0])
                with pytest.raises(OptionError, match=r"says .* if .*: expected one of"):
                    problem.count(wrong.plain_rules())
                with pytest.raises(OptionError, match=r"says .* if .*: expected one of"):
                    solve(problem, incumbent=wrong)
                refused += 1
    assert refused > 20


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
            assert path.objective(value) == brute_force(at), (seed, value)
