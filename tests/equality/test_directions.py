"""Lists that keep to the directions of columns: both backends equal brute force over all lists."""

import sqlite3
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from directed import VALUES, is_monotone, problem_of, random_directed, random_rows, side_kept
from seeds import seeds

from corels import RuleList, near, solve
from corels.errors import OptionError
from corels.problem.captures import unpack
from corels.testing import brute_force, recorded
from corels.testing.cases import by_python


def run_sql(expression, table, rows):
    """What an exported expression says of each row."""
    database = sqlite3.connect(":memory:")
    database.execute(f"CREATE TABLE t ({', '.join(table)})")
    marks = ", ".join("?" * len(table))
    database.executemany(f"INSERT INTO t VALUES ({marks})", list(zip(*table.values(), strict=True)))
    return [value for (value,) in database.execute(f"SELECT {expression} FROM t")]


EACH = 25  # tables of a part: 40 parts have 1,000
WAYS = (
    {},
    {"search": "best-first"},
    {"search": "depth-first", "bound": ("dominance", "support"), "start": "none"},
    {"search": "best-first", "map": "captured", "max_rules": 2},
    {"max_rules": 1},
    {"preset": "paper"},
)


@pytest.mark.parametrize("part", seeds(40, 1))
def test_both_backends_find_the_best_list_that_keeps_to_the_directions(part):
    for seed in range(EACH * part, EACH * part + EACH):
        _, data = random_directed(seed)
        problem, options = problem_of(data, seed), WAYS[seed % len(WAYS)]
        best = brute_force(problem, options.get("max_rules"))
        rng = np.random.default_rng(seed)
        for backend in ("c", "python"):
            result = solve(problem, backend=backend, **options)
            assert result.certificate.optimal, (seed, backend)
            assert result.certificate.objective == best, (seed, backend)
            assert side_kept(result.model, data), (seed, backend)
            assert is_monotone(result.model, data, rng), (seed, backend)
            assert problem.count(result.model.plain_rules()).cost == problem.scaled(best), seed


@pytest.mark.parametrize("part", seeds(10, 1))
def test_equal_traces(part):
    for seed in range(12 * part, 12 * part + 12):
        _, data = random_directed(seed, antecedents=8, rows=30)
        problem = problem_of(data, seed)
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
                assert list(map(str, run_sql(model.export("sql"), plain, 100))) == list(
                    map(str, said)
                )
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
