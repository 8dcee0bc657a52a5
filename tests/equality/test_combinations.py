"""Every combination of parts, on both backends, equals brute force over all rule lists.

2,048 random problems carry 9,216 combinations: 6 policies x 3 symmetry maps x every subset of the
nine bounds on tables. Each carries one of the 16 subsets of the bounds on sets, too, in turn. Every
combination runs on both backends, which must also write the same fine events.
"""

import itertools

import numpy as np
import pytest

from corels.standard.bounds import BOUNDS
from corels.standard.policies import POLICIES
from corels.standard.set_bounds import SET_BOUNDS
from corels.testing import brute_force, random_problem, recorded

MAPS = ("none", "permutation", "captured")
PROBLEMS, CHUNKS = 2048, 32
NAMES = [bound.name for bound in BOUNDS]
SUBSETS = [
    tuple(name for bit, name in enumerate(NAMES) if number >> bit & 1)
    for number in range(2 ** len(NAMES))
]
SET_NAMES = [bound.name for bound in SET_BOUNDS]
SET_SUBSETS = [
    tuple(name for bit, name in enumerate(SET_NAMES) if number >> bit & 1)
    for number in range(2 ** len(SET_NAMES))
]
COMBINATIONS = list(itertools.product([p.name for p in POLICIES], MAPS, SUBSETS))


def combinations_of(number):
    """The combinations that problem `number` carries: all of them over all problems."""
    return COMBINATIONS[number::PROBLEMS]


def test_every_combination_is_carried():
    carried = {c for number in range(PROBLEMS) for c in combinations_of(number)}
    assert carried == set(COMBINATIONS)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_backends_equal_brute_force_and_each_other(chunk):
    for number in range(chunk, PROBLEMS, CHUNKS):
        rng = np.random.default_rng([2024, number])
        problem = random_problem(rng, antecedents=4, rows=12, classes=3 if number % 5 == 0 else 2)
        expected = brute_force(problem)
        for turn, (policy, symmetry_map, on_tables) in enumerate(combinations_of(number)):
            bounds = (*on_tables, *SET_SUBSETS[(number + number // 16 + turn) % 16])
            options = {
                "policy": policy,
                "map": symmetry_map,
                "no_bound": ("all",),
                "bound": bounds,
                "seed": number,
            }
            c, c_events = recorded(problem, backend="c", **options)
            python, python_events = recorded(problem, backend="python", **options)
            where = f"problem {number}, {options}"
            assert c.certificate.objective == expected, where
            assert c.certificate.optimal and python.certificate.optimal, where
            assert c_events.tobytes() == python_events.tobytes(), where
            assert c.certificate.pruned == python.certificate.pruned, where
            assert c.model == python.model, where
