"""The search equals brute force: both frontiers, every set of bounds, one thread and more."""

import numpy as np
import pytest
from engine import ALWAYS, BOUNDS, DEFAULT, MAPS, Engine, brute_force, lib, list_cost, tuned

POLICIES = ("objective", "bfs", "dfs", "lower_bound", "stochastic")


def check(rng, problem, **options):
    """Run to the end in small steps; everything said on the way is true, and so is the result."""
    captures, regrets, rule_cost, unit = problem
    best = brute_force(*problem)(np.ones(captures.shape[1], bool))
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
            assert engine.kernel == kernel
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
    _, free = run(problem)
    limit = free.memory - free.cached * 16 + 70_000
    _, tight = run(problem, memory=limit)
    assert tight.objective == free.objective
    assert tight.peak_memory <= max(limit, free.memory // 2) + 70_000


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
