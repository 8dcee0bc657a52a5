"""Steps end when they should, whatever the search is at, and nothing is lost by it."""

import threading
import time

import numpy as np
import pytest
from engine import DEFAULT, MAPS, Engine, ffi, hard_table, lib, tuned
from test_search import figures, medium


def wide(antecedents=2_000, points=400, classes=2):
    """So many antecedents that one expansion takes milliseconds."""
    rng = np.random.default_rng(1)
    base = rng.random((50, points)) < rng.uniform(0.1, 0.6, size=(50, 1))
    pairs = rng.integers(0, 50, size=(antecedents, 2))
    label = rng.integers(0, classes, points)
    weight = rng.integers(1, 4, points)
    regrets = np.array([weight * (label != c) for c in range(classes)])
    return base[pairs[:, 0]] & base[pairs[:, 1]], regrets, 6, 1


@pytest.mark.parametrize(("search", "threads"), [*((name, 1) for name in MAPS), ("depth-first", 3)])
def test_the_shortest_steps_go_on(search, threads):
    """A step whose time is up before its threads have begun does some work all the same."""
    engine, steps = Engine(*medium(2), search=search, map=MAPS[search][0], threads=threads), 0
    while not engine.step(seconds=1e-9):
        steps += 1
        done = engine.look()
        assert steps < 1000 + 20 * done.counts, (steps, done.counts, done.phase)
        time.sleep(0.0002)  # whoever looks at the clock finds that a long time has passed


@pytest.mark.parametrize("search", MAPS)
@pytest.mark.parametrize("start", [True, False])
def test_interrupted_all_the_while_the_search_proves_the_same(search, start):
    """Interrupts come in the middle of expansions, of the start and of building tables."""
    options = {"search": search, "map": MAPS[search][0], "start": start}
    options["price_stages"] = (60, 80, 100, 150)  # a set that is cut is not told to them twice
    whole = Engine(*medium(3, points=250), **options)
    whole.run()
    engine, over = Engine(*medium(3, points=250), fine=True, **options), threading.Event()

    def ring():
        while not over.is_set():
            lib.corels_search_interrupt(engine.handle)
            time.sleep(0.0003)

    bell = threading.Thread(target=ring)
    bell.start()
    bound, best, done = -1, [], False
    try:
        while not done:
            done = engine.step()
            now = engine.look()
            assert bound <= now.lower_bound <= now.objective
            bound = now.lower_bound
            best += [event[-1] for event in engine.events() if event[0] == 1]
    finally:
        over.set()
        bell.join()
    assert now.objective == now.lower_bound == whole.look().objective
    assert best == sorted(set(best), reverse=True), "each improvement is told once"
    assert figures(engine, now) == figures(whole, whole.look()), "cut expansions are done again"


def test_a_step_takes_about_the_time_asked():
    """Not a timed test: so many steps that none can have taken the whole search."""
    engine = Engine(*wide())
    steps, phases = 0, set()
    while steps < 30 and not engine.step(1 << 40, 0.001):
        steps += 1
        phases.add(engine.look().phase)
    assert steps == 30
    assert lib.CORELS_PHASE_START in phases


FAR = (*hard_table(np.random.default_rng(1), 200, 8), 6, 1)


@pytest.mark.parametrize("search", MAPS)
def test_where_time_ends_the_steps_changes_nothing(search):
    """Steps of two microseconds end in the midst of everything: slices, building, passes."""
    stages = (20, 40, 60, 80, 100, 120, 130, 150)  # from the fourth on, prices are made again
    options = {"search": search, "map": MAPS[search][0], "price_stages": stages}
    options["tune"] = tuned(deepen_after=0)
    seen = []
    for seconds in (0, 2e-6):
        engine = Engine(*FAR, **options)
        while not engine.step(1 << 40, seconds):
            engine.look()  # which makes views of what is open
        now = engine.look()
        seen.append((now.passes, engine.stages()["prices"], *figures(engine, now)))
    assert len(set(seen)) == 1
    assert seen[0][1] >= 4, "prices were made again"
    assert (seen[0][0] > 0) == (search == "depth-first")


def test_a_full_event_buffer_ends_the_step_and_loses_nothing():
    whole, options = Engine(*medium(1), fine=True), {"fine": True}
    kept = []
    while not whole.step(50):
        kept += whole.events()
    kept += whole.events()
    engine, pauses, events, done = Engine(*medium(1), **options), set(), [], False
    while not done:
        done = engine.step()
        pauses.add(engine.look().pause)
        if engine.look().pause in (lib.CORELS_PAUSE_EVENTS,) or done:
            events += engine.events()
    assert events == kept
    if len(kept) > 20_000:
        assert lib.CORELS_PAUSE_EVENTS in pauses


@ffi.callback("corels_keep_call")
def keeps_all(children, incumbent, keep, user):
    for row in range(children.count):
        keep[row] = 1
    return 0


@ffi.callback("corels_keep_call")
def drops_as_lookahead(children, incumbent, keep, user):
    for row in range(children.count):
        keep[row] = children.lower_bound[row] + children.rule_cost < incumbent
    return 0


@ffi.callback("corels_priority_call")
def by_objective(children, priorities, user):
    for row in range(children.count):
        priorities[row] = children.objective[row]
    return 0


@ffi.callback("corels_keep_call")
def refuses(children, incumbent, keep, user):
    return 1


@pytest.mark.parametrize("search", MAPS)
def test_parts_by_address_take_the_place_of_native_ones(search):
    options = {"search": search, "map": MAPS[search][0]}
    options |= {"price_stages": (), "tune": tuned(deepen_after=10**12)}
    problem = medium(
        2, points=250
    )  # (once thresholds rise, the native default policy has another order)
    native = Engine(*problem, **options)
    native.run()
    nothing = Engine(*problem, bounds=(*DEFAULT, (keeps_all, ffi.NULL)), **options)
    nothing.run()
    assert figures(nothing, nothing.look())[:4] == figures(native, native.look())[:4]
    order = Engine(*problem, policy=(by_objective, ffi.NULL), **options)
    order.run()
    assert figures(order, order.look()) == figures(native, native.look())
    bounds = tuple(
        (drops_as_lookahead, ffi.NULL) if name == "lookahead" else name for name in DEFAULT
    )
    stranger = Engine(*problem, bounds=bounds, **options)
    assert stranger.run().objective == native.look().objective


@pytest.mark.parametrize("search", MAPS)
def test_a_part_that_refuses_ends_the_search_and_leaves_what_is_true(search):
    engine = Engine(
        *medium(2), bounds=(*DEFAULT, (refuses, ffi.NULL)), search=search, map=MAPS[search][0]
    )
    status = lib.CORELS_OK
    while status == lib.CORELS_OK:
        status = lib.corels_search_step(engine.handle, 100, 0)
    assert status == lib.CORELS_PART_FAILED
    assert lib.corels_search_step(engine.handle, 100, 0) == status, "it stays ended"
    whole = Engine(*medium(2))
    whole.run()
    assert engine.look().lower_bound <= whole.look().objective <= engine.look().objective


@pytest.mark.parametrize("search", MAPS)
@pytest.mark.parametrize("good", [0, 1, 5])
def test_an_expansion_that_broke_off_stays_in_the_lower_bound(search, good):
    """The part fails after so many calls: what was not expanded is not proved."""
    calls = []

    @ffi.callback("corels_keep_call")
    def fails_later(children, incumbent, keep, user):
        calls.append(1)
        for row in range(children.count):
            keep[row] = 1
        return len(calls) > good

    options = {"search": search, "map": MAPS[search][0], "start": False}
    bounds = ("hierarchical", "equivalent_points", (fails_later, ffi.NULL))
    engine = Engine(*medium(2, rule_cost=2), bounds=bounds, **options)
    status = lib.CORELS_OK
    while status == lib.CORELS_OK:
        status = lib.corels_search_step(engine.handle, 1000, 0)
    assert status == lib.CORELS_PART_FAILED
    assert engine.look().lower_bound < engine.look().objective
