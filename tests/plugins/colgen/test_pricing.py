"""Pricing against full enumeration of all conjunctions."""

from itertools import combinations

import numpy as np
import pytest
from corels_colgen.instance import Clause
from corels_colgen.pricing import Pricer, Query, Status
from seeds import seeds

CASES = 600


def enumerate_costs(positives, negatives, weights, query) -> dict[Clause, int]:
    """Reduced cost of every conjunction of 1..max_conditions features."""
    costs = {}
    for size in range(1, min(query.max_conditions, len(positives)) + 1):
        for clause in combinations(range(len(positives)), size):
            rows = list(clause)
            negative = int(weights[negatives[rows].all(axis=0)].sum())
            dual = int(query.duals[positives[rows].all(axis=0)].sum())
            costs[clause] = (
                query.scale * negative - dual + query.clause_cost + query.condition_cost * size
            )
    return costs


def random_case(seed):
    rng = np.random.default_rng(seed)
    features, n_pos, n_neg = rng.integers(1, 9), rng.integers(0, 90), rng.integers(0, 90)
    density = rng.uniform(0.2, 0.9)
    positives = rng.random((features, n_pos)) < density
    negatives = rng.random((features, n_neg)) < density
    if rng.random() < 0.5:  # nested features, as thresholds are
        for j in np.flatnonzero(rng.random(features - 1) < 0.6) + 1:
            positives[j] |= positives[j - 1]
            negatives[j] |= negatives[j - 1]
    weights = rng.choice([1, 1, 1, 2, 5], n_neg).astype(np.int64)
    if rng.random() < 0.5:
        weights[:] = 1
    scale = int(rng.choice([1, 7, 1024]))
    duals = rng.integers(0, scale + 1, n_pos)
    duals[rng.random(n_pos) < 0.4] = scale
    query = Query(
        duals=duals,
        clause_cost=int(rng.integers(0, 4 * scale)),
        condition_cost=int(rng.integers(0, 3 * scale)),
        scale=scale,
        cutoff=int(rng.integers(-3 * scale, 5 * scale)),
        max_conditions=int(rng.integers(1, 7)),
        capacity=int(rng.choice([1, 3, 1000])),
    )
    return rng, positives, negatives, weights, query


@pytest.mark.parametrize("block", range(6))
def test_least_reduced_cost_equals_enumeration(block):
    for seed in range(block * CASES // 6, (block + 1) * CASES // 6):
        rng, positives, negatives, weights, query = random_case(seed)
        query = Query(**{**query.__dict__, "redundant": query.condition_cost // query.scale})
        costs = enumerate_costs(positives, negatives, weights, query)
        pricer = Pricer(positives, negatives, weights)
        pricer.start(query)
        truth = min(*costs.values(), query.cutoff)
        for _ in range(10_000):
            assert pricer.stats().lower_bound <= truth, seed
            if pricer.step(int(rng.integers(1, 4))) is not Status.MORE:
                break
        stats = pricer.stats()
        assert stats.lower_bound == stats.best == truth, seed
        found = pricer.clauses()
        assert all(costs[clause] == cost < query.cutoff for cost, clause in found), seed
        assert len(set(found)) == len(found) <= query.capacity, seed
        if truth < query.cutoff:
            assert found[0][0] == truth, seed


@pytest.mark.parametrize("seed", seeds(3, 1))
def test_more_chains_than_are_tried(seed):
    """1,300 columns of two cuts, of which no column contains another."""
    rng = np.random.default_rng([1300, seed])
    wide = rng.random((1300, 70)) < 0.5
    narrow = wide & (rng.random(wide.shape) < 0.8)
    both = np.stack([narrow, wide], axis=1).reshape(-1, 70)
    positives, negatives = both[:, :40], both[:, 40:]
    weights, duals = rng.integers(1, 4, 30), rng.integers(0, 8, 40)
    query = Query(duals, clause_cost=9, condition_cost=2, scale=7, cutoff=0, max_conditions=2)
    pricer = Pricer(positives, negatives, weights)
    pricer.start(query)
    assert pricer.step(1 << 40) is Status.DONE
    pairs = 7 * (negatives * weights) @ negatives.T - (positives * duals) @ positives.T
    conditions = 4 - 2 * np.eye(len(both), dtype=np.int64)
    assert pricer.stats().best == (pairs + conditions + 9).min() < 0


def makes_needless(one, other, positives, negatives) -> bool:
    """Does `one` cover all positives of `other`, no other negatives, with no more conditions?"""
    inside = positives[list(other)].all(axis=0) <= positives[list(one)].all(axis=0)
    outside = negatives[list(one)].all(axis=0) <= negatives[list(other)].all(axis=0)
    return len(one) <= len(other) and inside.all() and outside.all()


@pytest.mark.parametrize("block", range(6))
def test_keep_all_finds_every_clause_that_no_other_makes_needless(block):
    for seed in range(block * CASES // 6, (block + 1) * CASES // 6):
        _, positives, negatives, weights, query = random_case(seed)
        query = Query(**{**query.__dict__, "keep_all": True, "capacity": 100_000})
        costs = enumerate_costs(positives, negatives, weights, query)
        pricer = Pricer(positives, negatives, weights)
        pricer.start(query)
        assert pricer.step(1 << 40) is Status.DONE
        found = {clause: cost for cost, clause in pricer.clauses()}
        assert all(costs[clause] == cost < query.cutoff for clause, cost in found.items()), seed
        for clause, cost in costs.items():
            if cost < query.cutoff and clause not in found:
                assert any(
                    makes_needless(other, clause, positives, negatives) for other in found
                ), (seed, clause)


def test_keep_all_says_when_it_is_full():
    _, positives, negatives, weights, query = random_case(3)
    query = Query(**{**query.__dict__, "cutoff": 1 << 40, "keep_all": True, "capacity": 1})
    pricer = Pricer(positives, negatives, weights)
    assert Status.FULL in (pricer.start(query), pricer.step(1 << 40))
    assert pricer.stats().lower_bound <= min(
        enumerate_costs(positives, negatives, weights, query).values()
    )


def test_beam_finds_only_true_clauses_and_proves_nothing():
    for seed in range(100):
        _, positives, negatives, weights, query = random_case(seed)
        costs = enumerate_costs(positives, negatives, weights, query)
        pricer = Pricer(positives, negatives, weights)
        pricer.start(query)
        pricer.beam(4)
        while pricer.step(1) is not Status.DONE:
            pass
        found = pricer.clauses()
        assert all(costs[clause] == cost < query.cutoff for cost, clause in found), seed
        assert len(set(found)) == len(found), seed
        assert pricer.stats().lower_bound <= min(costs.values()), seed


def test_values_out_of_range_are_refused():
    _, positives, negatives, weights, query = random_case(5)
    pricer = Pricer(positives, negatives, weights)
    for change in ({"clause_cost": -1}, {"scale": 1 << 61}, {"condition_cost": 1 << 61}):
        with pytest.raises(OverflowError):
            pricer.start(Query(**{**query.__dict__, **change}))
    with pytest.raises(ValueError, match="duals"):
        pricer.start(Query(**{**query.__dict__, "duals": query.duals[1:]}))
