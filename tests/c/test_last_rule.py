"""Sets with room for one rule only, closed without a count, held against every list of one rule."""

import numpy as np
import pytest
from engine import KERNELS, Engine, lib, random_problem, wide_problem


def least_of_one_rule(problem, subset):
    """What the best list of exactly one rule for these points costs."""
    captures, regrets, rule_cost, unit = problem
    inside = (captures & subset) @ regrets.T
    outside = (regrets * subset).sum(axis=1) - inside
    return rule_cost + unit * int((inside.min(axis=1) + outside.min(axis=1)).min())


def verdicts(problem, seed):
    """(told to fail, the least cost of one rule, without rules, the need asked), at many needs."""
    captures, regrets, rule_cost, unit = problem
    rng = np.random.default_rng([16, seed])
    engine = Engine(captures, regrets, rule_cost, unit, seed=seed)
    for _ in range(6):
        subset = rng.random(captures.shape[1]) < rng.uniform(0.3, 1)
        rule = int(rng.integers(len(captures)))
        left = subset & ~captures[rule]
        one, none = least_of_one_rule(problem, left), unit * int((regrets * left).sum(axis=1).min())
        for need in (one - unit, one - 1, one, one + 1, one + unit, rule_cost, none, none + 1):
            yield engine.last_rule_fails(subset, rule, need), one, none, need


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("seed", range(12))
def test_no_rule_that_is_good_enough_is_missed(kernel, seed, monkeypatch):
    if not lib.corels_kernel_named(kernel.encode()):
        pytest.skip("this processor has no such instructions")
    monkeypatch.setenv("CORELS_KERNEL", kernel)
    rng = np.random.default_rng([17, seed])
    for problem in (wide_problem(rng), random_problem(rng)):
        for fails, one, _, need in verdicts(problem, seed):
            assert not fails or one >= need


def test_a_set_is_told_to_fail_wherever_few_rules_might_do():
    """A test that never answers yes would miss nothing, either."""
    told = out = 0
    for seed in range(30):
        problem = wide_problem(np.random.default_rng([18, seed]))
        for fails, one, none, need in verdicts(problem, seed):
            if one >= need and none >= need:
                out += 1
                told += fails
    assert told > out / 2, (told, out)
