"""The fast search equals brute force: every set of parts, one thread and two, any stage."""

import numpy as np
import pytest
from fast_search import PARTS, Fast, brute_force, lib, list_cost, random_problem


def check(rng, problem, parts, threads, **options):
    """Run to the end in small steps; everything said on the way is true, and so is the result."""
    captures, regrets, rule_cost, unit = problem
    best = brute_force(*problem)((1 << captures.shape[1]) - 1)
    fast = Fast(captures, regrets, rule_cost, unit, parts=parts, threads=threads, **options)
    assert fast.status == lib.CORELS_OK
    bound, budget = -1, int(rng.integers(1, 40))
    while True:
        now = fast.step(budget)
        assert bound <= now.lower_bound <= best <= now.cost
        bound = now.lower_bound
        if now.state == lib.CORELS_FAST_DONE:
            break
    where = f"parts {parts}, threads {threads}, {options}"
    assert now.cost == now.lower_bound == best, where
    assert list_cost(captures, regrets, fast.rules(), rule_cost, unit) == best, where


def fuzz(first, count):
    for number in range(first, first + count):
        rng = np.random.default_rng([99, number])
        problem = random_problem(rng, classes=3 if number % 4 == 0 else 2)
        parts = int(rng.integers(0, lib.CORELS_FAST_ALL + 1)) if number % 3 else 511
        stages = (int(rng.integers(0, 3)), int(rng.integers(0, 60)))
        check(rng, problem, parts, int(rng.integers(1, 3)), stages=stages, seed=number)


@pytest.mark.parametrize("chunk", range(8))
def test_random_instances(chunk):
    fuzz(chunk * 40, 40)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(40))
def test_twenty_thousand_random_instances(chunk):
    fuzz(10_000 + chunk * 500, 500)


@pytest.mark.parametrize("chunk", range(8))
def test_every_claim_of_the_memo_is_true(chunk):
    """Claims may go beyond what the prefix at hand needed, so the result alone proves little."""
    claims = 0
    for number in range(chunk * 12, chunk * 12 + 12):
        rng = np.random.default_rng([17, number])
        captures = rng.random((int(rng.integers(5, 11)), 12)) < rng.choice([0.3, 0.5])
        classes = 3 if number % 4 == 0 else 2
        label, weight = rng.integers(0, classes, 12), rng.integers(1, 9, 12)
        regrets = np.array([weight * (label != c) for c in range(classes)])
        rule_cost, unit = int(rng.integers(0, 3)), int(rng.integers(1, 3))
        parts = (
            lib.CORELS_FAST_ALL & ~PARTS["start"] & ~int(rng.integers(0, 64) if number % 2 else 0)
        )
        threads, stages = 1 + number % 2, (int(rng.integers(0, 4)), int(rng.integers(0, 9)))
        fast = Fast(captures, regrets, rule_cost, unit, parts=parts, threads=threads, stages=stages)
        while fast.step(3).state != lib.CORELS_FAST_DONE:
            pass
        exact = brute_force(captures, regrets, rule_cost, unit)
        for cell in range(1 << 12):
            claim = fast.claim([cell >> i & 1 for i in range(12)])
            assert claim <= exact(cell), f"problem {number}, set {cell:b}"
            claims += claim >= 0
    assert claims > 40, "enough to tell"


def test_every_set_of_parts_on_one_instance():
    rng = np.random.default_rng(4)
    captures = rng.random((8, 22)) < 0.4
    weight, label = rng.integers(1, 6, size=22), rng.random(22) < 0.5
    problem = (captures, np.array([weight * label, weight * ~label]), 3, 1)
    for parts in range(lib.CORELS_FAST_ALL + 1):
        check(rng, problem, parts, 1, stages=(0, 20))


DEGENERATE = {
    "no points": (np.zeros((2, 0), bool), np.zeros((2, 0)), 3, 1),
    "no antecedents": (np.zeros((0, 3), bool), [[1, 0, 2], [0, 5, 0]], 3, 1),
    "one point": (np.ones((1, 1), bool), [[1], [0]], 1, 1),
    "one antecedent": (np.array([[1, 0, 1]], bool), [[1, 0, 2], [0, 5, 0]], 1, 1),
    "one class of points": (np.array([[1, 0, 1]], bool), [[1, 4, 2], [0, 0, 0]], 1, 1),
    "rules are free": (np.eye(4, dtype=bool), [[1, 0, 2, 0], [0, 5, 0, 3]], 0, 1),
    "rules cost more than all errors": (np.eye(4, dtype=bool), [[1, 0, 2, 0], [0, 5, 0, 3]], 99, 1),
    "one class": (np.eye(3, dtype=bool), [[0, 0, 0]], 1, 1),
    "one class, and nothing to choose": (np.eye(3, dtype=bool), [[1, 0, 2]], 1, 1),
    "an antecedent without points": (np.array([[0, 0], [1, 0]], bool), [[1, 0], [0, 1]], 1, 3),
    "equal antecedents": (np.array([[1, 0], [1, 0]], bool), [[5, 0], [0, 5]], 1, 1),
    "all regrets zero": (np.eye(2, dtype=bool), [[0, 0], [0, 0]], 1, 1),
    "heavy weights": (np.eye(3, dtype=bool), [[10**8, 0, 7], [0, 10**8, 0]], 10**12, 10**6),
}


@pytest.mark.parametrize("name", DEGENERATE)
@pytest.mark.parametrize("threads", [1, 2])
def test_degenerate(name, threads):
    captures, regrets, rule_cost, unit = DEGENERATE[name]
    problem = (captures, np.asarray(regrets, dtype=np.int64), rule_cost, unit)
    for parts in (0, lib.CORELS_FAST_DEFAULT, lib.CORELS_FAST_ALL):
        check(np.random.default_rng(0), problem, parts, threads)


def medium(seed, points=400, antecedents=40, rule_cost=6):
    """Too large for brute force, small enough to be certified at once."""
    rng = np.random.default_rng(seed)
    base = rng.random((10, points)) < rng.uniform(0.2, 0.6, size=(10, 1))
    pairs = [(i, j) for i in range(10) for j in range(i + 1)][:antecedents]
    captures = np.array([base[i] & base[j] for i, j in pairs])
    truth = base[0] | (base[1] & base[2])
    label = truth ^ (rng.random(points) < 0.1)
    weight = rng.integers(1, 4, size=points)
    return captures, np.array([weight * label, weight * ~label]), rule_cost, 1


def run(problem, **options):
    captures, regrets, rule_cost, unit = problem
    fast = Fast(captures, regrets, rule_cost, unit, **options)
    now = fast.step()
    while now.state != lib.CORELS_FAST_DONE:
        now = fast.step()
    return fast, now


def figures(now):
    return (now.cost, now.expansions, now.counts, now.by_blocks, now.by_memo, now.memo_entries)


def test_runs_repeat_and_the_step_size_changes_nothing():
    problem = medium(1)
    fast, now = run(problem, stages=(50, 150))
    again, once_more = run(problem, stages=(50, 150))
    assert now.stage == 2, "long enough for all blocks"
    assert figures(now) == figures(once_more) and fast.rules() == again.rules()
    captures, regrets, rule_cost, unit = problem
    small = Fast(captures, regrets, rule_cost, unit, stages=(50, 150))
    while small.step(7).state != lib.CORELS_FAST_DONE:
        pass
    assert figures(small.look()) == figures(now)


def test_every_kernel_and_family_walks_alike(monkeypatch):
    problem, seen = medium(2), set()
    for kernel in ("portable", "popcnt", "avx2", "avx512bw", "avx512"):
        if lib.corels_kernel_named(kernel.encode()):
            monkeypatch.setenv("CORELS_KERNEL", kernel)
            for family in ("table", "planes"):
                fast, now = run(problem, stages=(50, 150), family=family)
                assert fast.kernel == f"{family}/{kernel}"
                seen.add(figures(now))
    assert len(seen) == 1


def test_closure_keys_equal_set_keys():
    """Few antecedents over many points: keyed by what captures nothing; and the memo matters."""
    problem = medium(3, points=700, rule_cost=24)
    _, with_memo = run(problem, stages=(-1, -1))
    parts = lib.CORELS_FAST_DEFAULT & ~PARTS["memo"]
    _, without = run(problem, stages=(-1, -1), parts=parts)
    assert with_memo.cost == without.cost
    assert with_memo.by_memo > 0 and with_memo.expansions < without.expansions


def test_a_memory_limit_costs_work_but_not_the_certificate():
    problem = medium(5, rule_cost=10)
    parts = lib.CORELS_FAST_DEFAULT & ~PARTS["blocks"] & ~PARTS["second_rule"]
    _, free = run(problem, parts=parts)
    limit = free.bytes - free.memo_entries * 16 + 70_000
    _, tight = run(problem, parts=parts, memory=limit)
    assert tight.cost == free.cost
    assert tight.peak_bytes <= max(limit, free.bytes // 2) + 70_000


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_prove_the_same(threads):
    for seed in range(6):
        problem = medium(seed)
        _, one = run(problem, stages=(20, 200))
        fast, many = run(problem, stages=(20, 200), threads=threads)
        assert many.cost == one.cost == many.lower_bound
        captures, regrets, rule_cost, unit = problem
        assert list_cost(captures, regrets, fast.rules(), rule_cost, unit) == one.cost


def test_the_lower_bound_rises_during_the_run():
    captures, regrets, _, unit = medium(6)
    fast = Fast(captures, regrets, 8, unit, stages=(-1, -1))
    seen = []
    while True:
        now = fast.step(20)
        seen.append(now.lower_bound)
        if now.state == lib.CORELS_FAST_DONE:
            break
    assert seen == sorted(seen)
    assert len(set(seen)) > 3, "it rises in more than one leap"


def test_bad_arguments_are_refused(monkeypatch):
    captures, regrets = np.eye(2, dtype=bool), [[1, 0], [0, 1]]
    assert Fast(captures, regrets, -1).status == lib.CORELS_BAD_ARGUMENT
    assert Fast(captures, regrets, 1, 0).status == lib.CORELS_BAD_ARGUMENT
    assert Fast(captures, regrets, 1, threads=0).status == lib.CORELS_BAD_ARGUMENT
    monkeypatch.setenv("CORELS_KERNEL", "abacus")
    assert Fast(captures, regrets, 1).status == lib.CORELS_BAD_ARGUMENT
