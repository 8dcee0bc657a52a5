"""Both checkers accept what is true and provable, and nothing that is false."""

from itertools import combinations

import numpy as np
import pytest
from corels_rule_list.proof.format import end
from seeds import seeds
from small import Small, objective

from corels.proof.records import claim, found_list

CHECKERS = ("python", "c")


def shape(seed):
    return {
        "antecedents": 2 + seed % 4,
        "rows": 6 + 5 * (seed % 5),
        "classes": 2 + (seed % 3 == 0),
        "weighted": seed % 2 == 1,
    }


def all_claims(small, raised=None):
    """The true value of every set of antecedents as a claim; one of them raised by one."""
    m = small.problem.n_antecedents
    sets = [z for n in range(m + 1) for z in combinations(range(m), n)]
    return [claim(z, small.f(small.left(z)) + (z == raised)) for z in sets], sets


@pytest.mark.parametrize("checker", CHECKERS)
@pytest.mark.parametrize("seed", range(25))
def test_all_true_claims_are_accepted(seed, checker):
    small = Small(seed, **shape(seed))
    claims, _ = all_claims(small)
    best = small.f(small.left(()))
    verdict = small.check(small.proof(*claims, small.conclusion(best)), checker)
    assert verdict.failure is None
    assert verdict.objective == verdict.lower_bound == objective(small, best)


@pytest.mark.parametrize("checker", CHECKERS)
@pytest.mark.parametrize("seed", seeds(25, 6))
def test_no_false_claim_is_accepted(seed, checker):
    """Whichever claim is raised by one, the proof is refused, though all others are true."""
    small = Small(seed, **shape(seed))
    for raised in all_claims(small)[1]:
        claims, _ = all_claims(small, raised)
        verdict = small.check(small.proof(*claims), checker)
        assert verdict.failure is not None
        assert f"claim {all_claims(small)[1].index(raised) + 1}" in verdict.failure


@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("seed", range(5))
def test_threads_find_the_same(seed, threads):
    small = Small(seed, **shape(seed))
    sets = all_claims(small)[1]
    for raised in (None, *sets[:: max(1, len(sets) // 5)]):
        content = small.proof(*all_claims(small, raised)[0])
        alone, together = (small.check(content, "c", n) for n in (1, threads))
        assert alone == together
        assert (alone.failure is None) is (raised is None)


@pytest.mark.parametrize("checker", CHECKERS)
@pytest.mark.parametrize("seed", seeds(40, 8))
def test_random_claims_are_accepted_only_if_all_are_true(seed, checker):
    """False claims do not support each other either."""
    small, random = Small(seed, **shape(seed)), np.random.default_rng(seed)
    m = small.problem.n_antecedents
    for _ in range(20):
        claims, true = [], True
        for z in (z for n in range(m + 1) for z in combinations(range(m), n)):
            if random.random() < 0.7:
                most = small.f(small.left(z))
                value = max(0, most + int(random.integers(-3, 2)))
                true &= value <= most
                claims.append(claim(z, value))
        verdict = small.check(small.proof(*claims), checker)
        assert verdict.failure is not None or true


@pytest.mark.parametrize("checker", CHECKERS)
def test_the_list_and_the_bound_are_checked(checker):
    small = Small(3, **shape(3), lam="1/30")
    best, claims = small.f(small.left(())), all_claims(small)[0]
    rules = small.optimal_list()
    wrong_cost = found_list(rules, best - 1)
    verdict = small.check(small.proof(*claims, wrong_cost, end(best - 1)), checker)
    assert "the proof says" in verdict.failure
    high = small.check(small.proof(*claims, found_list(rules, best), end(best + 1)), checker)
    assert "above the cost of the proof's own list" in high.failure
    alone = small.check(small.proof(found_list(rules, best), end(best)), checker)
    assert "no claim shows that every list costs" in alone.failure
