"""Several workers prove the same and do little twice; taking turns on one thread, they repeat."""

from pathlib import Path

import numpy as np
import pytest
from engine import Engine, brute_force, lib, list_cost, random_problem, tuned
from test_search import medium
from waiting import until


def in_turns(problem, workers, sets, **options):
    engine = Engine(*problem, threads=workers, **options)
    lib.corels_search_take_turns(engine.handle, sets)
    return engine, engine.run()


@pytest.mark.parametrize("seed", range(4))
def test_workers_do_little_twice(seed):
    problem = medium(seed)
    # Trials of tables are a fixed sum at the start: no small part of so small a search.
    stages = {"price_stages": (400, 2000), "tune": tuned(tables_tried=1 << 20)}
    _, one = in_turns(problem, 1, 0, **stages)
    for workers, most in ((2, 1.1), (8, 1.1), (16, 1.25)):
        engine, many = in_turns(problem, workers, 1, **stages)
        assert many.objective == many.lower_bound == one.objective
        assert list_cost(*problem[:2], engine.rules(), *problem[2:]) == one.objective
        assert many.expanded <= most * one.expanded + 12 * workers, (
            "so small a search has little to share"
        )


@pytest.mark.parametrize("bounds", [("hierarchical", "equivalent_points"), None])
def test_runs_in_turns_repeat(bounds):
    problem = medium(1)
    options = {} if bounds is None else {"bounds": (*bounds, "reduced_support", "lookahead")}
    _, first = in_turns(problem, 5, 3, **options)
    _, again = in_turns(problem, 5, 3, **options)
    assert (first.expanded, first.merged) == (again.expanded, again.merged)


@pytest.mark.parametrize("chunk", range(4))
def test_any_number_of_workers_equals_brute_force(chunk):
    """With and without a memo, and with one that forgets sets and the workers that are there."""
    for number in range(chunk * 25, chunk * 25 + 25):
        rng = np.random.default_rng([7, number])
        problem = random_problem(rng, classes=2 + number % 2)
        best = brute_force(*problem)((1 << problem[0].shape[1]) - 1)
        engine, found = in_turns(
            problem,
            int(rng.choice([2, 3, 8, 70])),
            int(rng.integers(1, 5)),
            map=("memo", "memo", "none")[number % 3],
            memory=(0, 40_000)[number // 3 % 2],
            start=bool(number & 4),
        )
        assert found.objective == found.lower_bound == best
        captures, regrets, rule_cost, unit = problem
        assert list_cost(captures, regrets, engine.rules(), rule_cost, unit) == best


def threads_here():
    return len(list(Path("/proc/self/task").iterdir()))


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs the threads of /proc")
def test_no_thread_outlives_a_step():
    """A process may be forked between two steps, and a fork copies no threads."""
    engine = Engine(*medium(2), threads=4, price_stages=(100, 300, 500))
    before = threads_here()
    status = lib.CORELS_OK
    while status == lib.CORELS_OK:
        status = lib.corels_search_step(engine.handle, 60, 0.0)
        # One that has ended may still be listed; threads of earlier tests may end meanwhile.
        until(lambda: threads_here() <= before)
    assert status == lib.CORELS_DONE
