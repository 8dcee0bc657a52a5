"""Thresholds that rise: the lower bound of a running search never falls and is never too high.

Tables are forced early, and deepening begins early, so that tiny searches deepen, too.
"""

import numpy as np
from engine import DEFAULT, Engine, brute_force, random_problem, tuned

BARE = tuple(name for name in DEFAULT if name not in {"leaves", "prices"})
AT_ONCE = {"tune": tuned(deepen_after=0)}
EARLY = {"price_stages": (0, 0, 0, 0, 6), **AT_ONCE}  # the last one retrains


def bounds_of(engine, budget):
    """The lower bound after each step, and the report at the end."""
    seen = []
    while not engine.step(budget):
        seen.append(engine.look().lower_bound)
        assert len(seen) < 20_000
    return [*seen, engine.look().lower_bound], engine.look()


def problem_of(rng, classes):
    """A random instance that is not solved by its first set, with rules that cost at least two."""
    captures, regrets, rule_cost, unit = random_problem(rng, classes)
    return captures, regrets, max(2, rule_cost), unit * 2


def test_a_memo_that_forgets_and_strange_orders():
    rng = np.random.default_rng(8)
    for policy in ("curiosity", "dfs", "stochastic"):
        for _ in range(10):
            instance = problem_of(rng, 2)
            best = brute_force(*instance)(np.ones(instance[1].shape[1], bool))
            engine = Engine(*instance, policy=policy, memory=1 << 17, **EARLY)
            seen, end = bounds_of(engine, 3)
            assert seen == sorted(seen) and seen[-1] == best == end.objective


def wide(points=300):
    """An instance of some thousand expansions, in which there are several passes."""
    rng = np.random.default_rng(3)
    captures = rng.random((40, points)) < rng.uniform(0.05, 0.5, size=(40, 1))
    label = rng.random(points) < 0.3 + 0.4 * captures[0]
    return captures, np.array([label, ~label]).astype(np.int32), points // 50


def test_runs_repeat_for_every_step_size_and_passes_are_reported():
    ends = []
    for budget in (1 << 40, 100, 7):
        engine = Engine(*wide(), price_stages=(50,), **AT_ONCE)
        _, end = bounds_of(engine, budget)
        ends.append((end.objective, end.expanded, end.counts, end.passes, tuple(engine.rules())))
    assert len(set(ends)) == 1 and ends[0][3] >= 3


def test_the_last_pass_says_how_much_of_the_first_level_is_settled():
    engine = Engine(*wide(), price_stages=(50,), **AT_ONCE)
    told = []
    while not engine.step(20):
        now = engine.look()
        told.append((now.passes, now.settled))
        assert now.settled == -1 or 0 <= now.settled <= 1
        assert now.lower_bound <= now.threshold <= now.objective
        if now.passes and now.threshold < now.objective:
            assert now.settled == -1, "another pass follows"
    last = [settled for passes, settled in told if passes == told[-1][0] and settled >= 0]
    assert last == sorted(last) and len(last) > 5


def test_tables_under_way_tell_their_share():
    engine = Engine(*wide(), price_stages=(50,), **AT_ONCE)
    shares = []
    while not engine.step(1 << 40, 1e-4):
        shares.append(engine.look().building)
    made = [share for share in shares if share >= 0]
    assert made == sorted(made) and max(made, default=0) < 1
    assert engine.look().building == -1


def test_without_a_memo_nothing_deepens():
    engine = Engine(*wide(), price_stages=(0, 0, 0), map="none", **AT_ONCE)
    engine.step(500)
    assert engine.look().passes == 0


def test_thresholds_rise_after_many_counts():
    ends = []
    for budget in (1 << 40, 100, 7):
        engine = Engine(*wide(), bounds=BARE, tune=tuned(deepen_after=200))
        seen, end = bounds_of(engine, budget)
        assert seen == sorted(seen) and seen[-1] == end.objective
        ends.append((end.objective, end.expanded, end.passes))
    assert len(set(ends)) == 1 and ends[0][2] >= 3
    _, without = bounds_of(Engine(*wide(), bounds=BARE), 1 << 40)
    assert without.passes == 0 and without.objective == ends[0][0]
