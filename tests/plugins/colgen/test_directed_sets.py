"""Rule sets that keep to the directions of columns equal brute force over all such sets."""

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("highspy", reason="HiGHS (highspy) is not installed")

from directed import is_towards, random_directed
from rule_set_oracle import best_objective, random_options
from seeds import seeds

import corels
from corels.problem import Problem


@pytest.mark.parametrize("form", ["dnf", "cnf"])
@pytest.mark.parametrize("chunk", seeds(6, 1))
def test_it_equals_brute_force(chunk, form):
    tried = 0
    for seed in range(40 * chunk, 40 * chunk + 40):
        _, data = random_directed(seed, antecedents=6)
        data = replace(data, costs=None)
        kept = [at for at, one in enumerate(data.antecedents) if is_towards(one, data.directions)]
        if len(data.classes) > 2 or not data.directions or not kept[:3]:
            continue
        wrong = [at for at in range(data.n_antecedents) if at not in kept]
        some = [*kept[:3], *wrong]  # brute force takes three
        few = replace(
            data,
            antecedents=tuple(data.antecedents[at] for at in some),
            captures=data.captures.take(some),
        )
        right = replace(
            data,
            antecedents=tuple(data.antecedents[at] for at in kept[:3]),
            captures=data.captures.take(kept[:3]),
            directions=(),
        )
        options = random_options(np.random.default_rng([4, seed])) | {"form": form}
        best, tried = best_objective(Problem.from_dataset(right, 0), 1, options), tried + 1
        result = corels.solve(Problem.from_dataset(few, 0), "rule-set", **options)
        assert result.certificate.objective == best == result.certificate.lower_bound, seed
    assert tried > 10
