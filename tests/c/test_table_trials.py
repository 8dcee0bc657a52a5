"""Children that tables have dropped are searched all the same, to learn what the tables save."""

import pytest
from engine import tuned
from test_search import figures, medium, run

NONE = {"tables_tried": 1 << 20}
ALL = {"tables_tried": 1, "tables_tries_first": 10**9, "tables_tries_least": 10**9}


def walked(seed, tune, budget=1 << 40, **options):
    stages = {"price_stages": (100,)}
    return run(medium(seed), budget, tune=tuned(**tune), **stages, **options)


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_trials_change_the_work_and_not_the_result(seed):
    """They repeat, too, whatever the steps: it goes by counts."""
    _, without = walked(seed, NONE)
    for tune in (ALL, {}):
        runs = [walked(seed, tune, budget) for budget in (1 << 40, 7)]
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


def test_trials_keep_to_their_room():
    """Also those that were chosen before any had ended: here one of them, of 64 counts."""
    more = []
    for seed in range(4):
        _, without = walked(seed, NONE)
        _, now = walked(seed, {"tables_tried": 1, "effort_trials": 1, "tables_tries_first": 0})
        more.append(now.expanded - without.expanded)
    assert 0 < max(more) <= 64


def test_tables_that_pay_are_kept():
    """To the end they drop as much as tables that are not tried."""
    engine, _ = walked(1, {})
    known, _ = walked(1, NONE)
    assert engine.pruned()["prices"] > 0.95 * known.pruned()["prices"]


@pytest.mark.parametrize("seed", [3, 4, 6])
def test_a_stage_waits_where_the_search_is_about_to_end(seed):
    """By what does not depend on where the steps end. Stages that options ask for never wait."""
    soon = {"effort_prices": 20000, "prices_fewest": 100, "prices_fewest_time": 100}
    stages = {"price_stages": (-2,) * 8}
    runs = [
        run(medium(seed, rule_cost=5), budget, tune=tuned(**soon), **stages)
        for budget in (1 << 40, 7)
    ]
    assert len({figures(*one) for one in runs}) == 1
    engine, now = runs[0]
    at_once, again = run(medium(seed, rule_cost=5), price_stages=(100,) * 8)
    assert now.objective == now.lower_bound == again.objective
    assert engine.stages()["prices"] < at_once.stages()["prices"]
