"""The searches of the checker of rule sets, plain and compiled, find the same and count alike."""

from fractions import Fraction

import numpy as np
import pytest

from corels.proofcheck.rule_sets import clauses as plain
from corels.proofcheck.rule_sets.clauses import Limits, TooLargeError
from corels.proofcheck.rule_sets.closing import refuted
from corels.proofcheck.rule_sets.costs import Costs
from corels.proofcheck.rule_sets.reading import Duals
from corels.proofcheck.watch import EndedError, Watch

native = pytest.importorskip("corels_checker.rule_sets")


def random_costs(seed):
    """Costs, duals that are no true ones, and a limit of reduced costs."""
    random = np.random.default_rng(seed)
    features, p, q = (int(random.integers(2, most)) for most in (9, 90, 90))
    scale = int(random.integers(1, 50))
    costs = Costs(
        positives=random.random((features, p)) < random.uniform(0.3, 0.9),
        negatives=random.random((features, q)) < random.uniform(0.1, 0.9),
        missed=random.integers(1, 6, p),
        caught=random.integers(1, 1 + int(random.integers(1, 9)), q),
        clause=int(random.integers(0, 3)),
        condition=int(random.integers(0, 3)),
        budget=int(random.integers(2, 14)),
        longest=int(random.integers(1, features + 1)),
        unit=Fraction(1),
    )
    shrunk = costs.missed * scale * random.random(p) * (random.random(p) < 0.7)
    duals = Duals(scale, int(random.integers(0, 40)), 0, tuple(shrunk.astype(int).tolist()))
    return costs, duals, int(random.integers(-40, 300)), random


def outcome(call, *arguments):
    try:
        return call(*arguments)
    except TooLargeError:
        return "too large"


def same(seed):
    costs, duals, limit, random = random_costs(seed)
    for cells in (None, int(random.integers(10_000, 4_000_000))):
        limits = Limits(int(random.choice([5, 100_000])), cells)
        given = costs, duals, limit, int(random.integers(0, 9)), limits, Watch()
        found, other = outcome(plain.clauses, *given), outcome(native.clauses, *given)
        if "too large" in (found, other):
            assert found == other
            continue
        assert sorted(found) == sorted(other)
        usable = [(clause, max(0, cost)) for clause, cost in sorted(found)][:40]
        slack = int(random.integers(0, 400))
        for nodes in (3, 300):
            given = costs, duals, usable, slack, nodes, Watch()
            assert outcome(refuted, *given) == outcome(native.refuted, *given)


@pytest.mark.parametrize("start", range(0, 200, 20))
def test_both_find_the_same(start):
    for seed in range(start, start + 20):
        same(seed)


@pytest.mark.slow
def test_both_find_the_same_thousands_of_times():
    for seed in range(1000, 6000):
        same(seed)


@pytest.mark.parametrize("search", [plain.clauses, native.clauses])
def test_the_time_limit_ends_a_search(search):
    random = np.random.default_rng(0)
    costs = Costs(
        random.random((40, 60)) < 0.8,
        random.random((40, 60)) < 0.8,
        np.ones(60, int),
        np.ones(60, int),
        0,
        0,
        100,
        40,
        Fraction(1),
    )
    duals = Duals(1, 0, 0, (1,) * 60)
    watch = Watch(0.05)
    with pytest.raises(EndedError, match=r"the time limit of 0\.05 s"):
        search(costs, duals, 10**6, 0, Limits(10**9, None), watch)
    assert "not finished: clauses that were extended" in watch.summary()
