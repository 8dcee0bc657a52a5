"""The search equals brute force, hard and soft, with all sets of bounds."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from corels_falling.solver import BOUNDS
from falling_helpers import run
from falling_oracle import objective, optimum, random_instance
from seeds import seeds

# Every set of bounds by turns: all, none, each alone, each left out, and each pair.
SETTINGS: list[dict[str, tuple[str, ...]]] = [
    {},
    {"no_bound": ("all",)},
    *({"bound": (name,)} for name in BOUNDS),
    *({"no_bound": (name,)} for name in BOUNDS),
    *({"bound": pair} for pair in combinations(BOUNDS, 2)),
]


FALSE = [Fraction(1), Fraction(2), Fraction(1, 3), Fraction(5, 2), Fraction(40)]


def verify(seed: int, soft: bool, *, costed: bool = False) -> None:
    rng = np.random.default_rng([seed, soft, 1])
    instance = random_instance(rng, soft=soft, most=5)
    if costed:
        instance = replace(instance, f=rng.choice(FALSE))
    cap = int(rng.integers(0, 4)) if rng.random() < 0.3 else None
    best = optimum(instance, cap)
    for setting in [SETTINGS[0], *(SETTINGS[i] for i in rng.integers(0, len(SETTINGS), 3))]:
        result = run(instance, max_rules=cap, **setting)
        assert result.certificate.objective == best, (seed, soft, setting)
        assert result.certificate.optimal
        model = result.model
        path = tuple(int(str(rule.antecedent)[1:]) for rule in model.rules)
        assert objective(instance, path) == best


@pytest.mark.parametrize("soft", [False, True], ids=["hard", "soft"])
@pytest.mark.parametrize("chunk", seeds(10, 1))
def test_it_equals_brute_force(chunk: int, soft: bool) -> None:
    for seed in range(chunk * 40, chunk * 40 + 40):
        verify(seed, soft)


@pytest.mark.parametrize("soft", [False, True], ids=["hard", "soft"])
@pytest.mark.parametrize("chunk", seeds(20, 1))
def test_with_costs_of_mistakes_it_equals_brute_force(chunk: int, soft: bool) -> None:
    for seed in range(5000 + chunk * 25, 5025 + chunk * 25):
        verify(seed, soft, costed=True)


def test_a_false_positive_that_costs_1_is_the_positive_weight() -> None:
    for seed in range(15):
        rng = np.random.default_rng(seed)
        plain = random_instance(rng, soft=bool(seed % 2), most=4)
        one = run(plain)
        other = run(replace(plain, f=Fraction(1)))
        assert one.certificate.objective == other.certificate.objective
        assert one.certificate.lower_bound == other.certificate.lower_bound
        assert one.certificate.expanded == other.certificate.expanded
        assert (one.model.rules, one.model.default) == (other.model.rules, other.model.default)
        assert one.model.predictions == other.model.predictions
