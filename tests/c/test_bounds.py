"""Every bound by itself, held against brute force: f(S) from the children that it keeps is f(S)."""

import numpy as np
import pytest
from engine import OPTIONAL, Engine, brute_force, random_problem

from corels.plugins import registry
from corels.search import COLUMNS, Children
from corels.search.calls import claimed

# `one_rule` is not a filter: the search itself closes sets by it.
BOUNDS = [name for name in OPTIONAL if name != "one_rule"]


def tells_a_cost(name):
    """Whether it says "this child costs at least so much"; others say "not this child first"."""
    columns = {column: np.ones(1, dtype=kind) for column, kind in COLUMNS}
    child = Children(**columns, unit=1, rule_cost=1, total=1, n_antecedents=1)
    return claimed(registry().get("bound", name)(), child, 5) is not None


def number(subset):
    return sum(1 << int(i) for i in np.flatnonzero(subset))


def errors_of(regrets, subset):
    return int((np.asarray(regrets) * subset).sum(axis=1).min())


def child_cost(problem, least, subset, rule):
    """The cost of the best completion of `subset` whose first rule is `rule`."""
    captures, regrets, rule_cost, unit = problem
    cut = subset & captures[rule]
    return rule_cost + unit * errors_of(regrets, cut) + least(number(subset & ~cut))


def without_children(problem, subset):
    """The best completion of at most one rule: the incumbent knows it before a bound is asked."""
    captures, regrets, rule_cost, unit = problem
    closings = [
        rule_cost + unit * (errors_of(regrets, subset & c) + errors_of(regrets, subset & ~c))
        for c in captures
    ]
    return min([unit * errors_of(regrets, subset), *closings])


# `leaves` holds for sets that so many rules leave (tests/c/test_leaves.py), not for any set.
@pytest.mark.parametrize("bound", [name for name in BOUNDS if name != "leaves"])
def test_what_is_kept_still_holds_an_optimum(bound):
    for seed in range(20):
        rng = np.random.default_rng([13, seed])
        problem = random_problem(rng, classes=3 if seed % 4 == 3 else 2)
        captures, regrets, rule_cost, unit = problem
        least = brute_force(*problem)
        engine = Engine(captures, regrets, rule_cost, unit, seed=seed)
        for _ in range(5):
            subset = rng.random(captures.shape[1]) < 0.8
            known = without_children(problem, subset)
            need = max(0, known - int(rng.integers(0, 4)))
            kept = engine.keep(subset, need, bound)
            best = min([child_cost(problem, least, subset, r) for r in kept], default=need)
            exact = least(number(subset))
            assert min(best, need) == min(exact, need), "an optimum below need was lost"
            if tells_a_cost(bound):
                dropped = set(range(len(captures))) - set(kept)
                for rule in dropped:
                    if (subset & captures[rule]).any():
                        assert child_cost(problem, least, subset, rule) >= min(need, known)


@pytest.mark.parametrize("bound", BOUNDS)
def test_every_bound_rules_something_out(bound):
    """A bound that never prunes would pass every test of soundness."""
    dropped = 0
    for seed in range(60):
        rng = np.random.default_rng([14, seed])
        captures, regrets, rule_cost, unit = random_problem(rng)
        engine = Engine(captures, regrets, max(1, rule_cost), unit, seed=seed)
        everything = np.ones(captures.shape[1], dtype=bool)
        need = unit * errors_of(regrets, everything)
        before = engine.keep(everything, need)
        dropped += len(before) - len(engine.keep(everything, need, bound))
    assert dropped > 0


def test_a_bound_that_lies_would_be_caught():
    """The property itself notices: a child that holds the only optimum must not be missed."""
    captures = np.array([[1, 1, 0, 0], [0, 0, 1, 0]], dtype=bool)
    regrets = np.array([[3, 3, 0, 0], [0, 0, 3, 3]])
    problem = (captures, regrets, 1, 1)
    least = brute_force(*problem)
    everything = np.ones(4, dtype=bool)
    assert least(number(everything)) == child_cost(problem, least, everything, 0) == 1
    assert child_cost(problem, least, everything, 1) > 1
