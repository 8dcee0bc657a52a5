"""The containers of the Python loop, one at a time."""

import pytest

from corels.plugins import registry
from corels.testing import check_cache, check_queue, check_symmetry_map


@pytest.mark.parametrize("name", registry().names("queue"))
def test_queues_keep_the_contract(name):
    check_queue(registry().get("queue", name))


@pytest.mark.parametrize("name", registry().names("cache"))
def test_caches_keep_the_contract(name):
    check_cache(registry().get("cache", name))


@pytest.mark.parametrize("name", registry().names("map"))
def test_symmetry_maps_keep_the_contract(name):
    check_symmetry_map(registry().get("map", name))
