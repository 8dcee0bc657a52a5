"""Lists of at most K rules: the optimum and every claim equal brute force, in both frontiers."""

import pytest
from engine import MAPS, Engine, list_cost
from test_search import figures, medium

EARLY = {"price_stages": (0, 3, 6, 8)}


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
