"""The leaf bound against brute force, and its weights under interruptions and threads."""

import numpy as np
import pytest
from engine import DEFAULT, KERNELS, Engine, brute_force, lib

LIMITS = (-1, 1, 2, 3, 4, 5)
# Every limit with two outcomes, and with three or four.
PAIRS = [*((limit, 2) for limit in LIMITS), (-1, 3), (2, 3), (4, 3), (1, 4), (3, 4), (5, 4)]


def random_table(rng, points=12, antecedents=5, heaviest=6, outcomes=2):
    """Captures and regrets of outcomes; every antecedent captures something, every point errs."""
    captures = rng.random((antecedents, points)) < rng.choice([0.3, 0.5, 0.7])
    captures[np.arange(antecedents), rng.integers(0, points, antecedents)] = True
    if outcomes > 2:
        regrets = rng.integers(0, heaviest, (outcomes, points))
        regrets -= regrets.min(axis=0)
        regrets[0] += regrets.max(axis=0) == 0
        return captures, regrets
    regrets = np.zeros((2, points), dtype=np.int64)
    regrets[rng.integers(0, 2, points), np.arange(points)] = rng.integers(1, heaviest, points)
    return captures, regrets


def noisy_table(rng, rows, antecedents, abstain=0):
    """A conjunction, with noise, among independent antecedents. abstain: if it is not 0, a third
    outcome costs so much and a wrong one ten times as much as it does without."""
    captures = rng.random((antecedents, rows)) < rng.uniform(0.1, 0.6, (antecedents, 1))
    label = (captures[0] & captures[1]) ^ (rng.random(rows) < 0.15)
    regrets = np.array([label, ~label]).astype(np.int64)
    if abstain:
        regrets = np.vstack([10 * regrets, np.full(rows, abstain)])
    return captures, regrets


def left_by(captures, rules):
    return ~captures[list(rules)].any(axis=0)


@pytest.mark.parametrize(("limit", "outcomes"), PAIRS)
def test_no_child_is_dropped_that_leads_to_what_is_needed(limit, outcomes):
    rng = np.random.default_rng(limit + 10)
    dropped = 0
    for _ in range(40 if outcomes == 2 else 25):
        captures, regrets = random_table(rng, outcomes=outcomes)
        rule_cost, unit = int(rng.integers(1, 12)), int(rng.integers(1, 5))
        least = brute_force(captures, regrets, rule_cost, unit)
        for length in range(3 if limit < 0 else min(3, limit)):
            rules = rng.choice(len(captures), length, replace=False)
            rest = left_by(captures, rules)
            need = int(rng.integers(1, 6 * rule_cost + 10))
            engine = Engine(captures, regrets, rule_cost, unit, max_rules=limit)
            all_children = engine.keep(rest, need, None, length)
            kept = engine.keep(rest, need, "leaves", length)
            assert set(kept) <= set(all_children)
            for r in set(all_children) - set(kept):
                dropped += 1
                of_rule = rest & captures[r]
                cost = rule_cost + unit * int(regrets[:, of_rule].sum(axis=1).min())
                left = limit - length - 1 if limit >= 0 else -1
                # The list that ends here is known already; each longer one costs the need or more.
                further = [
                    rule_cost
                    + unit * int(regrets[:, behind_of(captures, rest, r, q)].sum(axis=1).min())
                    + least(rest & ~captures[r] & ~captures[q], left - 1 if left > 0 else left)
                    for q in range(len(captures))
                    if left and behind_of(captures, rest, r, q).any()
                ]
                assert cost + min(further, default=need) >= need, (length, r)
    assert dropped > 10


def behind_of(captures, rest, r, q):
    """What q captures behind r."""
    return rest & ~captures[r] & captures[q]


@pytest.mark.parametrize(
    ("rows", "antecedents", "limit", "abstain"),
    [(700, 20, 3, 0), (400, 12, 4, 0), (700, 20, 3, 4), (400, 12, 4, 2)],
)
def test_noise_is_dropped_and_the_optimum_stays(rows, antecedents, limit, abstain):
    captures, regrets = noisy_table(np.random.default_rng(rows), rows, antecedents, abstain)
    options = {"max_rules": limit, "price_stages": (-1,) * 8}
    options["leaf_stages"] = (0,)
    rule_cost = rows // 100 * (10 if abstain else 1)
    with_leaves = Engine(captures, regrets, rule_cost, **options)
    without = Engine(
        captures, regrets, rule_cost, bounds=[n for n in DEFAULT if n != "leaves"], **options
    )
    found, wanted = with_leaves.run(), without.run()
    assert found.objective == wanted.objective
    assert with_leaves.pruned()["leaves"] > 0


def test_runs_do_not_depend_on_steps_or_threads_of_the_building():
    captures, regrets = noisy_table(np.random.default_rng(5), 500, 16)
    seen, rng = set(), np.random.default_rng(6)
    for seconds, interrupts in ((0, False), (1e-4, False), (1e-4, True)):
        engine = Engine(captures, regrets, 9, max_rules=3, leaf_stages=(0,), fine=True)
        records = []
        while True:
            if interrupts and rng.integers(2):
                lib.corels_search_interrupt(engine.handle)
            done = engine.step(7, seconds)
            records += engine.events()
            if done:
                break
        seen.add((tuple(records), engine.look().counts))
    assert len(seen) == 1
    parallel = Engine(captures, regrets, 9, max_rules=3, leaf_stages=(0,), threads=2)
    assert parallel.run().objective == engine.look().objective


@pytest.mark.parametrize("abstain", [0, 3])
def test_every_kernel_finds_the_same_weights(abstain, monkeypatch):
    """By what the search then counts: conjunctions of two to six conditions, and of many rows."""
    captures, regrets = noisy_table(np.random.default_rng(7), 600, 19, abstain)
    regrets *= np.random.default_rng(8).integers(1, 6, regrets.shape[1])
    for limit in (2, 3, 4, 5, 6):
        seen = set()
        for kernel in KERNELS:
            if not lib.corels_kernel_named(kernel.encode()):
                continue
            monkeypatch.setenv("CORELS_KERNEL", kernel)
            engine = Engine(
                captures,
                regrets,
                250 if abstain else 25,
                max_rules=limit,
                leaf_stages=(0,),
                leaf_options={"longest": 6},
            )
            report = engine.run()
            assert engine.stages()["leaves"] == 1
            seen.add((report.objective, report.counts, tuple(engine.pruned().items())))
        assert len(seen) == 1


@pytest.mark.parametrize(("limit", "abstain"), [(3, 0), (4, 0), (5, 0), (3, 1)])
def test_threads_enumerate_the_same(limit, abstain):
    """By the needs up to which children are dropped of some sets."""
    rng = np.random.default_rng(9)
    captures, regrets = noisy_table(rng, 700, 17, abstain)
    sets, seen = rng.random((5, 700)) < rng.uniform(0.5, 1, (5, 1)), set()
    each = 10 if abstain else 1
    needs = range(12 * each, 400 * each, each)
    for threads in (1, 2, 3):
        engine = Engine(captures, regrets, 12 * each, max_rules=limit, threads=threads)
        seen.add(
            tuple(
                next(need for need in needs if engine.keep(rest, need, "leaves")) for rest in sets
            )
        )
    assert len(seen) == 1
    assert len(set(*seen)) > 3


def test_what_is_found_stays_within_the_memory_limit():
    """If labels are at random, many thousand conjunctions gain too much."""
    rng = np.random.default_rng(11)
    captures = rng.random((100, 800)) < rng.uniform(0.1, 0.6, (100, 1))
    label = rng.random(800) < 0.5
    peaks, stages = {}, {}
    for limit in (0, 8_000_000, 1_000_000, 200_000):
        engine = Engine(
            captures,
            np.array([label, ~label]).astype(np.int64),
            8,
            max_rules=3,
            price_stages=(-1,) * 8,
            leaf_stages=(0,),
            memory=limit,
        )
        while engine.look().expanded < 50 and not engine.step(10):
            pass
        peaks[limit], stages[limit] = engine.look().peak_memory, engine.stages()["leaves"]
    assert peaks[0] > 8_000_000 > peaks[8_000_000] > 1_000_000 > peaks[1_000_000] > 200_000
    assert stages == {0: 1, 8_000_000: 1, 1_000_000: 1, 200_000: 0}


def test_long_lists_go_without():
    captures, regrets = random_table(np.random.default_rng(3))
    engine = Engine(captures, regrets, 1, unit=9, leaf_stages=(-2,))
    engine.run()
    assert engine.stages()["leaves"] == 0
