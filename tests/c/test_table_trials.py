"""Children that tables have dropped are searched all the same, to learn what the tables save."""

import pytest
from engine import tuned
from test_search import figures, medium, run

NONE = {"tables_tried": 1 << 20}
ALL = {"tables_tried": 1, "tables_tries_first": 10**9, "tables_tries_least": 10**9}


def walked(seed, tune, budget=1 << 40, **options):
    stages = {"stages": (), "price_stages": (100,)}
    return run(medium(seed), budget, tune=tuned(**tune), **stages, **options)


@pytest.mark.parametrize("seed", range(4))
def test_trials_change_the_work_and_not_the_result(seed):
    """They repeat, too, whatever the steps: it goes by counts."""
    _, without = walked(seed, NONE)
    for tune in (ALL, {}):
        runs = [walked(seed, tune, budget) for budget in (1 << 40, 1, 7)]
        assert len({figures(*one) for one in runs}) == 1
        now = runs[0][1]
        assert now.objective == now.lower_bound == without.objective
        assert now.expanded > without.expanded, "children that the tables drop"


@pytest.mark.parametrize("threads", [2, 3])
def test_workers_with_trials_prove_the_same(threads):
    for seed in range(4):
        _, without = walked(seed, NONE)
        _, now = walked(seed, ALL, threads=threads)
        assert now.objective == now.lower_bound == without.objective


@pytest.mark.parametrize("seed", range(4))
def test_trials_keep_to_their_room(seed):
    """Also those that were chosen before any had ended: here one of them, of 64 counts."""
    _, without = walked(seed, NONE)
    _, now = walked(seed, {"tables_tried": 1, "tables_tries": 10**9, "tables_tries_first": 0})
    assert without.expanded < now.expanded <= without.expanded + 64


def test_tables_that_pay_are_kept():
    """To the end they drop as much as tables that are not tried."""
    engine, _ = walked(1, {})
    known, _ = walked(1, NONE)
    assert engine.pruned()["prices"] > 0.95 * known.pruned()["prices"]


def test_similar_sets_are_asked_where_they_tell():
    """Asked about few sets they close few; the result is the same, and runs repeat."""
    seldom = {"similar_trial": 0, "similar_worth": 1, "similar_seldom": 1_000_000}
    merged = {}
    for name, tune in (("always", {}), ("hardly", seldom)):
        runs = [walked(0, NONE | tune, budget) for budget in (1 << 40, 7)]
        assert len({figures(*one) for one in runs}) == 1
        merged[name] = runs[0][1]
    assert merged["always"].objective == merged["hardly"].objective
    assert merged["hardly"].expanded > merged["always"].expanded


def test_a_stage_does_not_wait_for_ever_to_be_told_of_the_one_before():
    """Where the tables are asked about few sets, thresholds rise all the same."""
    untold = {"prices_trial": 10**9, "tables_tries_least": 10**9, "tables_tries_first": 10**9}
    soon = untold | {"prices_patience": 0.01, "prices_fewest": 10, "prices_fewest_time": 1}
    passes = {}
    for most in (20, 10**12):
        options = {"stages": (), "price_stages": (-2,) * 8}
        tune = tuned(**soon, tables_untried=most)
        engine, now = run(medium(0, rule_cost=3), tune=tune, **options)
        assert now.objective == now.lower_bound
        passes[most] = now.passes
        assert (engine.stages()["prices"] >= 3) == (most == 20)
    assert passes[20] > passes[10**12] == 0


@pytest.mark.parametrize("seed", [3, 4, 6])
def test_a_stage_waits_where_the_search_is_about_to_end(seed):
    """But not for long, and by what does not depend on where the steps end."""
    soon = {"prices_patience": 0.05, "prices_fewest": 100, "prices_fewest_time": 100}
    soon |= {"blocks_after": 150, "blocks_larger_after": 300, "blocks_larger_counts": 1}
    built = {}
    for share, latest in ((0, 2), (1e6, 1), (1e6, 1000)):
        tune = tuned(**soon, tables_ending=share, tables_ending_latest=latest)
        stages = {"stages": (-2,) * 8, "price_stages": (-2,) * 8}
        runs = [
            run(medium(seed, rule_cost=5), budget, tune=tune, **stages)
            for budget in (1 << 40, 1, 7)
        ]
        assert len({figures(*one) for one in runs}) == 1
        engine, now = runs[0]
        assert now.objective == now.lower_bound
        built[latest] = sum(engine.stages().values()), now.objective
    assert built[1] == built[2], "it does not wait for long"
    assert built[1000][0] < built[2][0] and built[1000][1] == built[2][1]
