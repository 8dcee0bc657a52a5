"""The search equals brute force: both frontiers, every set of bounds, one thread and more."""

import numpy as np
import pytest
from engine import (
    ALWAYS,
    BOUNDS,
    DEFAULT,
    MAPS,
    OPTIONAL,
    Engine,
    brute_force,
    lib,
    list_cost,
    random_problem,
    tuned,
)
from seeds import ranges, seeds

POLICIES = ("objective", "bfs", "dfs", "lower_bound", "stochastic")


def chosen(rng):
    """A random set of bounds that depth-first takes, too."""
    number = int(rng.integers(0, 2 ** len(OPTIONAL)))
    kept = {name for bit, name in enumerate(OPTIONAL) if number >> bit & 1}
    return tuple(name for name in BOUNDS if name in kept or name in ALWAYS)


def check(rng, problem, **options):
    """Run to the end in small steps; everything said on the way is true, and so is the result."""
    captures, regrets, rule_cost, unit = problem
    best = brute_force(*problem)((1 << captures.shape[1]) - 1)
    engine = Engine(captures, regrets, rule_cost, unit, **options)
    assert engine.status == lib.CORELS_OK
    bound, budget, done = -1, int(rng.integers(1, 40)), False
    while not done:
        done = engine.step(budget)
        now = engine.look()
        assert bound <= now.lower_bound <= best <= now.objective
        bound = now.lower_bound
        engine.events()
    assert now.objective == now.lower_bound == best, options
    assert list_cost(captures, regrets, engine.rules(), rule_cost, unit) == best, options


def fuzz(numbers):
    for number in numbers:
        rng = np.random.default_rng([99, number])
        problem = random_problem(rng, classes=3 if number % 4 == 0 else 2)
        search = ("depth-first", "best-first")[number // 2 % 2]
        check(
            rng,
            problem,
            search=search,
            bounds=chosen(rng) if number % 3 else BOUNDS,
            map=str(rng.choice(MAPS[search])),
            policy=str(rng.choice(POLICIES)),
            start=bool(rng.integers(0, 2)),
            fine=bool(rng.integers(0, 2)),
            threads=int(rng.integers(1, 4)),
            seed=number,
        )


@pytest.mark.parametrize("numbers", ranges(60, 20_000, 4))
def test_random_instances(numbers):
    fuzz(numbers)


@pytest.mark.parametrize("chunk", seeds(8, 2))
def test_every_claim_of_the_memo_is_true(chunk):
    """Claims may go beyond what the prefix at hand needed, so the result alone proves little."""
    claims = 0
    for number in range(chunk * 6, chunk * 6 + 6):
        rng = np.random.default_rng([17, number])
        captures = rng.random((int(rng.integers(5, 11)), 12)) < rng.choice([0.3, 0.5])
        classes = 3 if number % 4 == 0 else 2
        label, weight = rng.integers(0, classes, 12), rng.integers(1, 9, 12)
        regrets = np.array([weight * (label != c) for c in range(classes)])
        rule_cost, unit = int(rng.integers(0, 3)), int(rng.integers(1, 3))
        engine = Engine(
            captures,
            regrets,
            rule_cost,
            unit,
            bounds=chosen(rng) if number % 2 else BOUNDS,
            policy=POLICIES[number // 2 % len(POLICIES)],
            start=False,
            threads=1 + number % 2,
            price_stages=(int(rng.integers(0, 9)), int(rng.integers(9, 20)), 20, 22),
        )
        engine.run(3)
        exact = brute_force(captures, regrets, rule_cost, unit)
        for cell in range(1 << 12):
            claim = engine.claim([cell >> i & 1 for i in range(12)])
            assert claim <= exact(cell), f"problem {number}, set {cell:b}"
            claims += claim >= 0
    assert claims > 12, "enough to tell"


@pytest.mark.parametrize("classes", [2, 3, 4])
def test_every_claim_under_a_closure_mask_is_true(classes):
    """Keys are masks of antecedents where these take fewer words than points; some antecedents
    capture points without regret alone, and one class may cost nothing."""
    patterns, claims = 16, 0
    for number in range(6):
        rng = np.random.default_rng([18, classes, number])
        captures = rng.random((9, patterns)) < rng.choice([0.2, 0.3])
        label, weight = rng.integers(0, classes, patterns), rng.integers(1, 9, patterns)
        regrets = np.array([weight * (label != c) for c in range(classes)])
        regrets[0] *= number % 2
        regrets[:, captures[number]] = 0
        rule_cost = int(rng.integers(0, 3))
        exact = brute_force(captures, regrets, rule_cost, 1)
        more = np.arange(80) % patterns  # each pattern several times, its regret once
        regrets = np.where(np.arange(80) < patterns, regrets[:, more], 0)
        engine = Engine(captures[:, more], regrets, rule_cost, start=False)
        engine.run(3)
        for rules in range(1 << len(captures)):
            left = ~captures[[r for r in range(len(captures)) if rules >> r & 1]].any(axis=0)
            claim = engine.claim(left[more])
            cell = sum(1 << int(i) for i in np.flatnonzero(left))
            assert claim <= exact(cell), f"problem {number}, what rules {rules:b} leave"
            claims += claim >= 0
    assert claims > 30, "enough to tell"


@pytest.mark.parametrize("search", MAPS)
def test_every_set_of_bounds_on_one_instance(search):
    """With a start in one of the two searches, without in the other."""
    rng = np.random.default_rng(4)
    captures = rng.random((8, 22)) < 0.4
    weight, label = rng.integers(1, 6, size=22), rng.random(22) < 0.5
    problem = (captures, np.array([weight * label, weight * ~label]), 3, 1)
    for number in range(2 ** len(OPTIONAL)):
        kept = {name for bit, name in enumerate(OPTIONAL) if number >> bit & 1}
        bounds = tuple(name for name in BOUNDS if name in kept or name in ALWAYS)
        start = (number.bit_count() + list(MAPS).index(search)) % 2 == 1
        options = {"search": search, "bounds": bounds, "map": MAPS[search][number % 2]}
        check(rng, problem, start=start, **options)


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
@pytest.mark.parametrize("search", MAPS)
@pytest.mark.parametrize("threads", [1, 2])
def test_degenerate(name, threads, search):
    captures, regrets, rule_cost, unit = DEGENERATE[name]
    problem = (captures, np.asarray(regrets, dtype=np.int64), rule_cost, unit)
    for bounds in (ALWAYS, DEFAULT, BOUNDS):
        for fine in (False, True):
            options = {"search": search, "map": MAPS[search][0], "fine": fine}
            check(np.random.default_rng(0), problem, bounds=bounds, threads=threads, **options)


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


def run(problem, budget=1 << 40, **options):
    captures, regrets, rule_cost, unit = problem
    engine = Engine(captures, regrets, rule_cost, unit, **options)
    return engine, engine.run(budget)


def figures(engine, now):
    totals = (now.objective, now.expanded, now.counts, now.merged, now.cached)
    return (*totals, *engine.pruned().values())


def test_little_to_do_is_not_left_to_one_worker_where_others_hold_sets():
    """It would wait for them, and they were not called: most of these searches did not end."""
    problem = medium(0, points=100, antecedents=25, rule_cost=2)
    options = {"price_stages": ()}
    _, alone = run(problem, **options)
    for turn in (1, 3):
        engine = Engine(*problem, threads=3, **options)
        lib.corels_search_take_turns(engine.handle, turn)
        assert not engine.step(300)
        lib.corels_search_take_turns(engine.handle, 0)
        while not engine.step(1):
            assert engine.look().counts < 3 * alone.counts
        now = engine.look()
        assert now.objective == now.lower_bound == alone.objective


@pytest.mark.parametrize("search", MAPS)
@pytest.mark.parametrize("policy", POLICIES)
def test_runs_repeat_and_the_step_size_changes_nothing(search, policy):
    problem, seen = medium(1), []
    for budget in (1 << 40, 3, 1 << 40):
        engine = Engine(
            *problem,
            search=search,
            map=MAPS[search][0],
            policy=policy,
            fine=True,
            price_stages=(100, 160, -1),
        )
        events, done = [], False
        while not done:
            done = engine.step(budget)
            events += engine.events()
        seen.append((figures(engine, engine.look()), engine.rules(), events))
    assert all(other == seen[0] for other in seen)


@pytest.mark.parametrize("search", MAPS)
@pytest.mark.parametrize("threads", [1, 2])
def test_prices_made_again_on_sampled_sets(search, threads):
    """The same optimum, and fewer sets: these prices are for the sets that the search meets."""
    options = {"search": search, "map": MAPS[search][0]}
    options["threads"] = threads if search == "depth-first" else 1
    for seed in (1, 4)[threads - 1 :]:
        problem, first = medium(seed, points=150, rule_cost=1), (20, 25, 30, 40)
        built, once = run(problem, price_stages=first, **options)
        retrained, again = run(problem, price_stages=(*first, 400), **options)
        stages = built.stages()["prices"]  # the trial's own table is kept if it closes enough
        assert stages in (3, 4) and once.objective == again.objective
        assert retrained.stages()["prices"] == stages + 1 and again.lower_bound == again.objective
        if options["threads"] == 1:
            assert again.expanded < 0.9 * once.expanded, "better on the sets that are met"


@pytest.mark.parametrize("search", MAPS)
def test_every_kernel_walks_alike(monkeypatch, search):
    problem, seen = medium(2), set()
    for kernel in ("portable", "popcnt", "avx2", "avx512"):
        if lib.corels_kernel_named(kernel.encode()):
            monkeypatch.setenv("CORELS_KERNEL", kernel)
            engine, now = run(problem, search=search, map=MAPS[search][0])
            assert engine.kernel == f"planes/{kernel}"
            seen.add(figures(engine, now))
    assert len(seen) == 1


def test_listening_changes_nothing():
    for search in MAPS:
        seen = set()
        for fine in (False, True):
            options = {"search": search, "map": MAPS[search][0], "fine": fine}
            engine = Engine(*medium(4), **options)
            while not engine.step():
                engine.events()
            seen.add(figures(engine, engine.look()))
        assert len(seen) == 1


def test_closure_keys_equal_set_keys():
    """Few antecedents over many points: keyed by what captures nothing; and the memo matters."""
    problem = medium(3, points=700, rule_cost=24)
    _, with_memo = run(problem, price_stages=())
    _, without = run(problem, price_stages=(), map="none")
    assert with_memo.objective == without.objective
    assert with_memo.merged > 0 and with_memo.expanded < without.expanded


def test_a_memory_limit_costs_work_but_not_the_certificate():
    problem = medium(5, rule_cost=10)
    bounds = tuple(name for name in DEFAULT if name != "second_rule")
    _, free = run(problem, bounds=bounds)
    limit = free.memory - free.cached * 16 + 70_000
    _, tight = run(problem, bounds=bounds, memory=limit)
    assert tight.objective == free.objective
    assert tight.peak_memory <= max(limit, free.memory // 2) + 70_000


@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("fine", [False, True])
def test_threads_prove_the_same(threads, fine):
    for seed in [threads - 2]:
        problem = medium(seed)
        _, one = run(problem)
        captures, regrets, rule_cost, unit = problem
        engine = Engine(*problem, threads=threads, fine=fine)
        while not engine.step():
            engine.events()
        many = engine.look()
        assert many.objective == one.objective == many.lower_bound
        assert list_cost(captures, regrets, engine.rules(), rule_cost, unit) == one.objective


@pytest.mark.parametrize("search", MAPS)
def test_the_lower_bound_rises_during_the_run(search):
    captures, regrets, _, unit = medium(6)
    engine = Engine(captures, regrets, 8, unit, price_stages=(), search=search, map=MAPS[search][0])
    seen, done = [], False
    while not done:
        done = engine.step(20)
        seen.append(engine.look().lower_bound)
    assert seen == sorted(seen)
    assert len(set(seen)) > 3, "it rises in more than one leap"


def test_the_beam_has_no_more_rules_than_capture_anything():
    captures = np.zeros((9, 3), dtype=bool)
    captures[:, 0] = True
    engine = Engine(captures, [[0, 0, 1], [1, 1, 0]], 0, tune=tuned(beam_idle_levels=32))
    assert engine.run().objective == 1
    assert engine.look().counts < 10


def test_bad_arguments_are_refused(monkeypatch):
    captures, regrets = np.eye(2, dtype=bool), [[1, 0], [0, 1]]
    wrong = [
        Engine(captures, regrets, -1),
        Engine(captures, regrets, 1, 0),
        Engine(captures, regrets, 1, threads=0),
        Engine(captures, regrets, 1, map="captured"),
        Engine(captures, regrets, 1, search="best-first"),  # its map is not memo
        Engine(captures, regrets, 1, policy="nobody"),
        Engine(captures, regrets, 1, bounds=("nobody",)),
        Engine(captures, regrets, 1, bounds=("lookahead",)),  # without the two of every cost
        Engine(captures, regrets, 1, bounds=(*DEFAULT, "prefix_length")),
        Engine(captures, regrets, 1, bounds=(*DEFAULT, "support")),  # reads what is not there
    ]
    assert [engine.status for engine in wrong] == [lib.CORELS_BAD_ARGUMENT] * len(wrong)
    monkeypatch.setenv("CORELS_KERNEL", "abacus")
    assert Engine(captures, regrets, 1).status == lib.CORELS_BAD_ARGUMENT
