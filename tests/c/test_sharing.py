"""Several workers prove the same and do little twice; taking turns on one thread, they repeat."""

from pathlib import Path

import pytest
from engine import Engine, lib, list_cost, tuned
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
