"""The engine's containers in the Python loop, one at a time, against the loop's own."""

import numpy as np
import pytest

from corels.plugins import registry
from corels.testing import check_cache, check_queue, check_symmetry_map, random_problem, recorded

SWAPS = [
    {"queue": "c_heap"},
    {"cache": "c_tree"},
    {"map": "c_permutation"},
    {"map": "c_captured"},
    {"queue": "c_heap", "cache": "c_tree", "map": "c_captured"},
]


@pytest.mark.parametrize("name", registry().names("queue"))
def test_queues_keep_the_contract(name):
    check_queue(registry().get("queue", name))


@pytest.mark.parametrize("name", registry().names("cache"))
def test_caches_keep_the_contract(name):
    check_cache(registry().get("cache", name))


@pytest.mark.parametrize("name", registry().names("map"))
def test_symmetry_maps_keep_the_contract(name):
    check_symmetry_map(registry().get("map", name))


@pytest.mark.parametrize("swap", SWAPS, ids=lambda swap: "+".join(swap.values()))
def test_a_swapped_container_changes_nothing(swap):
    own = {"map": swap["map"].removeprefix("c_")} if "map" in swap else {}
    for number in range(24):
        problem = random_problem(np.random.default_rng([7, number]), antecedents=6, rows=30)
        policy = ("bfs", "curiosity", "stochastic")[number % 3]
        _, expected = recorded(problem, backend="python", policy=policy, preset="paper", **own)
        _, found = recorded(problem, backend="python", policy=policy, preset="paper", **swap)
        assert found.tobytes() == expected.tobytes(), (number, swap)
