"""The exact search equals brute force, hard and soft, with all sets of bounds, on both backends."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from corels_falling import native
from corels_falling.options import BOUNDS
from falling_helpers import run
from falling_oracle import objective, optimum, random_instance
from seeds import seeds

needs_native = pytest.mark.skipif(not native.available(), reason="native part not built")

# Every set of bounds by turns: all, none, each alone, each left out, and each pair.
SETTINGS: list[dict[str, tuple[str, ...]]] = [
    {},
    {"no_bound": ("all",)},
    *({"bound": (name,)} for name in BOUNDS),
    *({"no_bound": (name,)} for name in BOUNDS),
    *({"bound": pair} for pair in combinations(BOUNDS, 2)),
]


FALSE = [Fraction(1), Fraction(2), Fraction(1, 3), Fraction(5, 2), Fraction(40)]


def verify(seed: int, soft: bool, backend: str, *, costed: bool = False) -> None:
    rng = np.random.default_rng([seed, soft, 1 if backend == "c" else 2])
    instance = random_instance(rng, soft=soft, most=5 if backend == "c" else 4)
    if costed:
        instance = replace(instance, f=rng.choice(FALSE))
    cap = int(rng.integers(0, 4)) if rng.random() < 0.3 else None
    best = optimum(instance, cap)
    settings = SETTINGS if backend == "c" else SETTINGS[:3]
    for setting in [SETTINGS[0], *(settings[i] for i in rng.integers(0, len(settings), 3))]:
        result = run(instance, backend=backend, max_rules=cap, **setting)
        assert result.certificate.objective == best, (seed, soft, backend, setting)
        assert result.certificate.optimal
        model = result.model
        path = tuple(int(str(rule.antecedent)[1:]) for rule in model.rules)
        assert objective(instance, path) == best


@needs_native
@pytest.mark.parametrize("soft", [False, True], ids=["hard", "soft"])
@pytest.mark.parametrize("chunk", seeds(10, 3))
def test_native_equals_brute_force(chunk: int, soft: bool) -> None:
    for seed in range(chunk * 60, chunk * 60 + 60):
        verify(seed, soft, "c")


@pytest.mark.parametrize("soft", [False, True], ids=["hard", "soft"])
@pytest.mark.parametrize("chunk", seeds(4, 2))
def test_teaching_equals_brute_force(chunk: int, soft: bool) -> None:
    for seed in range(chunk * 40, chunk * 40 + 40):
        verify(seed, soft, "python")


@pytest.mark.parametrize("backend", [pytest.param("c", marks=needs_native), "python"])
@pytest.mark.parametrize("soft", [False, True], ids=["hard", "soft"])
@pytest.mark.parametrize("chunk", seeds(20, 1))
def test_with_costs_of_mistakes_it_equals_brute_force(chunk: int, soft: bool, backend: str) -> None:
    for seed in range(5000 + chunk * 40, 5040 + chunk * 40):
        verify(seed, soft, backend, costed=True)


@pytest.mark.parametrize("backend", [pytest.param("c", marks=needs_native), "python"])
def test_a_false_positive_that_costs_1_is_the_positive_weight(backend: str) -> None:
    for seed in range(40):
        rng = np.random.default_rng(seed)
        plain = random_instance(rng, soft=bool(seed % 2), most=4)
        one = run(plain, backend=backend)
        other = run(replace(plain, f=Fraction(1)), backend=backend)
        assert one.certificate.objective == other.certificate.objective
        assert one.certificate.lower_bound == other.certificate.lower_bound
        assert one.certificate.expanded == other.certificate.expanded
        assert (one.model.rules, one.model.default) == (other.model.rules, other.model.default)
        assert one.model.predictions == other.model.predictions
