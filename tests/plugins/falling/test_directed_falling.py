"""Falling lists that keep to the directions of columns equal brute force over all such lists."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from directed import is_towards, random_directed
from falling_helpers import prices_of
from falling_oracle import Instance, optimum
from seeds import seeds

import corels
from corels.problem import Problem


@pytest.mark.parametrize("soft", [False, True], ids=["hard", "soft"])
@pytest.mark.parametrize("chunk", seeds(10, 1))
def test_it_equals_brute_force(chunk: int, soft: bool) -> None:
    tried = 0
    for seed in range(40 * chunk, 40 * chunk + 40):
        _, data = random_directed(seed, antecedents=7)
        data = replace(data, costs=None)
        if len(data.classes) > 2 or not data.directions:
            continue
        rng = np.random.default_rng([soft, seed])
        kept = [is_towards(one, data.directions) for one in data.antecedents]
        weights = np.ones(data.n_rows, int) if data.weights is None else data.weights
        instance = Instance(
            data.captures.unpack()[kept][:4],
            data.labels,
            weights,
            Fraction(int(rng.integers(1, 7)), 2),
            Fraction(1, int(rng.integers(10, 60))),
            Fraction(1, int(rng.integers(2, 60))) if soft else None,
        )
        if not any(kept):
            continue
        dropped = np.flatnonzero(kept)[4:]  # brute force takes four
        some = np.setdiff1d(np.arange(data.n_antecedents), dropped)
        antecedents = tuple(data.antecedents[at] for at in some)
        few = replace(data, antecedents=antecedents, captures=data.captures.take(some))
        best, tried = optimum(instance), tried + 1
        solver = "softly-falling" if soft else "falling"
        result = corels.solve(Problem.from_dataset(few), solver, **prices_of(instance))
        assert result.certificate.objective == best, seed
        assert result.certificate.optimal
    assert tried > 10
