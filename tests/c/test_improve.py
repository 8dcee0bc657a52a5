"""The incumbent is improved beside the proof: honest lists, the same wherever steps end."""

from itertools import combinations_with_replacement, product

import numpy as np
import pytest
from engine import DEFAULT, Engine, list_cost
from test_search import figures

EARLY = {"price_stages": (3, 12, 30)}  # the first slice after 3 counts
FRONTIERS = [("depth-first", "memo", 1), ("depth-first", "memo", 2), ("best-first", "captured", 1)]


def drawn(seed, antecedents=9, points=16, classes=2):
    """A small random problem with weights, as Engine takes it."""
    rng = np.random.default_rng(seed)
    captures = rng.random((antecedents, points)) < rng.uniform(0.1, 0.7, size=(antecedents, 1))
    label, weight = rng.integers(0, classes, points), rng.integers(1, 6, points)
    regrets = np.array([weight * (label != c) for c in range(classes)])
    return captures, regrets, int(rng.integers(1, 4)), int(rng.integers(1, 3))


def bounds_while(engine, budget):
    """The lower bound after each step, and the report at the end."""
    seen, done = [], False
    while not done:
        done = engine.step(budget)
        now = engine.look()
        seen.append((now.lower_bound, now.objective))
    return seen, now


ENDS = ((1 << 40, 0), (1, 0), (7, 0), (1 << 40, 1e-6), (1 << 40, 1e-4))  # of steps: (budget, s)


def whole_search(problem, budget, seconds, **options):
    """The better lists one after another, and the figures at the end."""
    engine = Engine(*problem, bounds=DEFAULT, **EARLY, **options)
    found, done = [], False
    while not done:
        done = engine.step(budget, seconds)
        found += [event[-1] for event in engine.events() if event[0] == 1]
    return found, figures(engine, engine.look())


@pytest.mark.parametrize("search", ["depth-first", "best-first"])
def test_where_steps_end_changes_nothing(search):
    """Slices begin and end after counts, not after steps."""
    options = {"search": search, "map": "memo" if search == "depth-first" else "captured"}
    by_seed = 0
    for seed in range(3):
        problem = drawn(seed, antecedents=30, points=90)
        found = [whole_search(problem, *end, **options) for end in ENDS]
        assert all(other == found[0] for other in found[1:])
        better = found[0][0]
        assert better == sorted(set(better), reverse=True)
        by_seed += found[0] != whole_search(problem, 1 << 40, 0, seed=1, **options)
    assert by_seed, "no search was so long that what is drawn mattered"


@pytest.mark.parametrize("search", ["depth-first", "best-first"])
def test_no_list_of_a_larger_regularization_is_better(search):
    """With one limit: what a price of rules leads to is as good as the lists of higher ones."""
    map_ = "memo" if search == "depth-first" else "captured"
    for seed in range(5):
        captures, regrets, _, _ = drawn(seed, antecedents=24, points=60)
        found = {}
        for price in (2, 4, 8):
            engine = Engine(captures, regrets, price, 1, search=search, map=map_, **EARLY)
            for _ in range(150):
                if engine.step(1):
                    break
            found[price] = engine.rules(), engine.look().objective
        for price, (_, objective) in found.items():
            others = [rules for higher, (rules, _) in found.items() if higher > price]
            assert all(
                objective <= list_cost(captures, regrets, rules, price, 1) for rules in others
            )


def test_where_no_first_rule_pays():
    """The rare class is "exactly two of six": each pair of conditions predicts the common one."""
    points = np.array(list(product([0, 1, 2], repeat=6)))
    one = points == 0
    label = one.sum(axis=1) == 2
    single = np.concatenate([one, ~one], axis=1).T
    pairs = [a & b for a, b in combinations_with_replacement(single, 2)]
    captures = np.array([pair for pair in pairs if pair.any()])
    regrets = np.array([label, ~label], dtype=np.int32)
    engine = Engine(captures, regrets, 3, 1, **EARLY)
    empty = engine.look().objective
    for _ in range(300):
        engine.step(1)
    assert engine.look().expanded < 400
    assert engine.look().objective < empty == label.sum()
