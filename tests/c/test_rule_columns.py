"""Counting sets by what their last rule captured changes no count, and so nothing at all."""

import numpy as np
import pytest
from engine import Engine, tuned

NEVER = {"rule_columns_points": 1_000_000_000}
AT_ONCE = {"rule_columns_points": 0, "rule_columns_after": 1}


def problem(seed):
    """Unit weights or others, for the two layouts that have such columns; antecedents that capture
    few points and nearly all, and complements, of which one is counted."""
    rng = np.random.default_rng([23, seed])
    points = int(rng.integers(150, 260))
    captures = rng.random((9, points)) < rng.uniform(0.05, 0.95, size=(9, 1))
    captures = np.concatenate([captures, ~captures[:4]])
    weight = rng.integers(1, int(rng.choice([2, 6])), size=points)
    label = captures[0] & captures[1] ^ (rng.random(points) < 0.2)
    return captures, [weight * label, weight * ~label], int(rng.integers(3, 10)), 1


def walked(seed, tune, given=None, **options):
    given = given or problem(seed)
    engine = Engine(*given, tune=tuned(**tune), fine=True, **options)
    events, done = [], False
    while not done:
        done = engine.step()
        events += engine.events()
    return events, engine.look()


@pytest.mark.parametrize("tune", [AT_ONCE, AT_ONCE | {"rule_columns_after": 3}])
@pytest.mark.parametrize("max_rules", [-1, 3])
@pytest.mark.parametrize("seed", range(12))
def test_the_search_is_the_same(seed, max_rules, tune):
    events, usual = walked(seed, NEVER, max_rules=max_rules)
    others, now = walked(seed, tune, max_rules=max_rules)
    assert others == events
    assert (now.objective, now.lower_bound) == (usual.objective, usual.lower_bound)


@pytest.mark.parametrize("seed", range(4))
def test_workers_share_the_columns(seed):
    _, usual = walked(seed, NEVER)
    _, now = walked(seed, AT_ONCE, threads=3)
    assert now.objective == now.lower_bound == usual.objective


def test_columns_keep_to_the_memory_limit():
    rng, limit = np.random.default_rng(2), 1 << 24
    captures = rng.random((200, 150)) < rng.uniform(0.05, 0.9, size=(200, 1))
    label = rng.integers(0, 80, 150)
    given = captures, [1 * (label != c) for c in range(80)], 3, 1
    options = {"max_rules": 3, "memory": limit, "price_stages": (-1,)}
    events, usual = walked(0, NEVER, given, **options)
    others, now = walked(0, AT_ONCE, given, **options)
    assert others == events
    assert usual.memory < now.memory < limit
