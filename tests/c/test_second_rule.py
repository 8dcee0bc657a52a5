"""Second rules that others beat are left out: the verdicts are those of a look at all of them."""

import numpy as np
import pytest
from engine import KERNELS, Engine, lib, wide_problem
from seeds import seeds


def best_gains(wins, loses, left, gone):
    """Of each child the most that a rival gains: shapes (rivals,), (rivals,), (children,) twice."""
    gains = np.minimum(wins, left[:, None]) - np.maximum(0, loses - gone[:, None])
    return gains.max(axis=1, initial=0)


def enough(problem, subset, need, children):
    """Which children all rivals together leave: the formula of docs/internals/bounds.md."""
    captures, regrets, rule_cost, unit = problem
    a, b = ((captures & subset) @ regret for regret in regrets)
    total_a, total_b = (int(regret[subset].sum()) for regret in regrets)
    child = np.asarray(children, dtype=int)
    needs = need - rule_cost - unit * np.minimum(a, b)[child]
    rival = np.maximum(a, b) > rule_cost // unit
    left_a, left_b = total_a - a[child], total_b - b[child]
    ones = left_a - best_gains(a[rival], b[rival], left_a, b[child])
    zeros = left_b - best_gains(b[rival], a[rival], left_b, a[child])
    room = needs - 1 - rule_cost
    gains = (room >= 0) & (np.minimum(ones, zeros) <= room // unit)
    return [r for r, keep in zip(children, (needs > 2 * rule_cost) | gains, strict=True) if keep]


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("seed", seeds(10, 4))
def test_children_are_dropped_as_if_they_looked_at_all_rivals(kernel, seed, monkeypatch):
    if not lib.corels_kernel_named(kernel.encode()):
        pytest.skip("this processor has no such instructions")
    monkeypatch.setenv("CORELS_KERNEL", kernel)
    rng = np.random.default_rng([19, seed])
    problem = wide_problem(rng)
    captures, regrets, rule_cost, unit = problem
    engine = Engine(captures, regrets, rule_cost, unit, seed=seed)
    dropped = 0
    for _ in range(6):
        subset = rng.random(captures.shape[1]) < rng.uniform(0.3, 1)
        none = unit * int((regrets * subset).sum(axis=1).min())
        for need in (none, int(rng.integers(0, none + 1)), int(rng.integers(0, 4 * rule_cost))):
            asked = engine.keep(subset, need)
            kept = engine.keep(subset, need, "second_rule")
            assert kept == enough(problem, subset, need, asked)
            dropped += len(asked) - len(kept)
    assert dropped, "nothing was asked"
