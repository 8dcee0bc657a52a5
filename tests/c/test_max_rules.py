"""Lists of at most K rules: the optimum and every claim equal brute force, in both frontiers."""

import numpy as np
import pytest
from engine import BOUNDS, MAPS, Engine, brute_force, lib, list_cost, random_problem
from seeds import ranges, seeds
from test_search import POLICIES, chosen, figures, medium

EARLY = {"price_stages": (0, 3, 6, 8)}


def check(rng, problem, most, sets=0, **options):
    """Run to the end in small steps; bounds on the way, the list and its length are right."""
    captures, regrets, rule_cost, unit = problem
    best = brute_force(*problem)((1 << captures.shape[1]) - 1, most)
    engine = Engine(*problem, max_rules=most, **options)
    assert engine.status == lib.CORELS_OK
    lib.corels_search_take_turns(engine.handle, sets)
    bound, budget, done = -1, int(rng.integers(1, 40)), False
    while not done:
        done = engine.step(budget)
        now = engine.look()
        assert bound <= now.lower_bound <= best <= now.objective
        assert now.length <= most
        bound = now.lower_bound
        engine.events()
    assert now.objective == now.lower_bound == best, options
    assert list_cost(captures, regrets, engine.rules(), rule_cost, unit) == best, options
    return now


def fuzz(numbers):
    """Returns how many of the optima are longer without the limit."""
    bind = 0
    for number in numbers:
        rng = np.random.default_rng([41, number])
        problem = random_problem(rng, classes=3 if number % 4 == 0 else 2)
        if number % 5 == 0:
            problem = (*problem[:2], 0, problem[3])
        search, most = ("depth-first", "best-first")[number // 2 % 2], int(rng.integers(0, 5))
        now = check(
            rng,
            problem,
            most,
            sets=int(rng.integers(0, 3)),
            search=search,
            bounds=chosen(rng) if number % 3 else BOUNDS,
            map=str(rng.choice(MAPS[search])),
            policy=str(rng.choice(POLICIES)),
            start=bool(rng.integers(0, 2)),
            fine=bool(rng.integers(0, 2)),
            threads=int(rng.integers(1, 4)),
            price_stages=(int(rng.integers(0, 5)), 5, 9, 12),
            memory=(0, 40_000)[number // 3 % 2],
            seed=number,
        )
        bind += now.objective > brute_force(*problem)((1 << problem[0].shape[1]) - 1)
    return bind


@pytest.mark.parametrize("numbers", ranges(80, 10_000, 4))
def test_random_instances(numbers):
    assert fuzz(numbers) > 10, "the limit should matter"


@pytest.mark.parametrize("chunk", seeds(8, 2))
def test_every_claim_of_the_memo_is_true_for_every_number_of_rules_left(chunk):
    claims = 0
    for number in range(chunk * 8, chunk * 8 + 8):
        rng = np.random.default_rng([18, number])
        captures = rng.random((int(rng.integers(5, 10)), 10)) < rng.choice([0.3, 0.5])
        classes = 3 if number % 4 == 0 else 2
        label, weight = rng.integers(0, classes, 10), rng.integers(1, 9, 10)
        regrets = np.array([weight * (label != c) for c in range(classes)])
        problem = (captures, regrets, int(rng.integers(0, 3)), int(rng.integers(1, 3)))
        most = int(rng.integers(1, 5))
        engine = Engine(
            *problem,
            max_rules=most,
            bounds=chosen(rng) if number % 2 else BOUNDS,
            policy=POLICIES[number // 2 % len(POLICIES)],
            start=False,
            threads=1 + number % 2,
            price_stages=(int(rng.integers(0, 9)), int(rng.integers(9, 20)), 20, 22),
        )
        engine.run(3)
        exact = brute_force(*problem)
        for cell in range(1 << 10):
            for left in range(-1, most + 1):
                claim = engine.claim([cell >> i & 1 for i in range(10)], left)
                assert claim <= exact(cell, left), f"problem {number}, set {cell:b}, {left} left"
                claims += claim >= 0
    assert claims > 30, "enough to tell"


@pytest.mark.parametrize("search", MAPS)
def test_a_limit_that_cannot_bind_changes_nothing(search):
    """No better list has more rules than the incumbent is worth."""
    for seed in range(3):
        problem = medium(seed, rule_cost=20)
        errors = int(problem[1].sum(axis=1).min())
        seen = []
        for most in (-1, errors // 20, errors // 20 + 1, 1000):
            engine = Engine(*problem, max_rules=most, search=search, map=MAPS[search][0], fine=True)
            events, done = [], False
            while not done:
                done = engine.step()
                events += engine.events()
            seen.append((figures(engine, engine.look()), engine.rules(), events))
        assert all(other == seen[0] for other in seen)


@pytest.mark.parametrize("search", MAPS)
@pytest.mark.parametrize("rule_cost", [0, 1, 6])
def test_larger_tables_agree_whatever_takes_part(search, rule_cost):
    """Both frontiers, with and without memo, start and threads, one optimum for each K."""
    problem, before = medium(7, points=150, rule_cost=rule_cost), None
    for most in range(4):
        found = set()
        for options in ({}, {"map": "none"}, {"start": False, "threads": 2}, EARLY):
            map = options.get("map", MAPS[search][0])
            engine = Engine(*problem, max_rules=most, search=search, **{**options, "map": map})
            now = engine.run(50)
            assert now.length <= most and now.lower_bound == now.objective
            assert list_cost(*problem[:2], engine.rules(), rule_cost, 1) == now.objective
            found.add(now.objective)
        assert len(found) == 1
        assert before is None or found <= {*range(before + 1)}, "more rules are never worse"
        before = found.pop()
