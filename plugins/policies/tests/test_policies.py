"""The policies keep the contract of all policies, and each does what its file says."""

import numpy as np
import pytest
from corels_policies import Bandit, Dive, Dives, Midpoint
from corels_policies.dives import BLOCK

import corels
from corels.tables import load
from corels.testing import check_policy, tables

POLICIES = (Dive, Midpoint, Bandit, Dives)


@pytest.mark.parametrize("policy", POLICIES)
def test_the_contract(policy):
    check_policy(policy)


@pytest.mark.parametrize("policy", POLICIES)
def test_the_entry_point_registers_it(policy):
    from corels.plugins import registry

    assert registry().get("policy", policy.name) is policy


@pytest.mark.parametrize("policy", [Bandit, Dives])
@pytest.mark.parametrize("search", ["best-first", "depth-first"])
def test_both_backends_walk_the_same_way(policy, search):
    """Prices are a bound of one backend, so both leave them out."""
    problem = corels.Problem.from_dataset(load("heart"), "0.04")
    expanded = [
        corels.solve(
            problem, policy=policy, search=search, backend=backend, no_bound=("prices", "leaves")
        ).certificate.expanded
        for backend in ("c", "python")
    ]
    assert expanded[0] == expanded[1] > 100


def test_a_bandit_repeats_with_its_seed_and_differs_with_another():
    def run(seed):
        found = []
        policy = Bandit()
        policy.start(seed)
        policy._best, policy._width = 0, 100  # random tables have no gap to draw from
        for children, _ in tables(seed=3):
            found.extend(policy.priority(children).tolist())
        return found

    assert run(1) == run(1)
    assert run(1) != run(2)


def test_a_bandit_moves_a_length_forward_that_hits():
    children = next(table for table, _ in tables(seed=5) if len(table) > 3)
    length = int(children.length[0])
    gains = {}
    for name, counts in {"hits": [500.0, 0.0], "misses": [0.0, 500.0]}.items():
        policy = Bandit()
        policy._best, policy._width = 0, 100
        policy._counts[length] = counts
        gains[name] = children.objective - policy.priority(children)
    assert gains["hits"].min() > 90
    assert 0 <= gains["misses"].max() < 10


def test_dives_take_turns():
    policy = Dives()
    children = next(table for table, _ in tables(seed=5) if len(table) > 3)
    for _ in range(BLOCK):
        assert policy.priority(children).max() < 0, "a dive comes before what was queued otherwise"
    for _ in range(BLOCK):
        assert np.array_equal(policy.priority(children), children.objective.astype(float))
    assert np.array_equal(policy.priority(children), Dive().priority(children))
    policy.start(0)
    assert np.array_equal(policy.priority(children), Dive().priority(children))
