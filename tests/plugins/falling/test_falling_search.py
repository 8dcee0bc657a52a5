"""The searches through the core's facade: seeds, limits, steps, costs, a missing native part."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from corels_falling import search, solver
from falling_helpers import problem_of, run
from falling_oracle import Instance, optimum, random_instance

import corels
from corels.errors import OptionError, OverflowRefusedError
from corels.testing.problems import dataset_of


def instances(number: int, soft: bool, most: int = 5):
    rng = np.random.default_rng([number, soft])
    return [random_instance(rng, soft=soft, most=most) for _ in range(number)]


def middling(soft: bool) -> Instance:
    """Large enough to be stopped on the way."""
    rng = np.random.default_rng(7)
    captures = rng.random((14, 300)) < 0.3
    labels = (rng.random(300) < 0.15 + 0.25 * captures[0] + 0.2 * captures[1]).astype(int)
    ones = np.ones(300, dtype=int)
    C1 = Fraction(1, 20) if soft else None
    return Instance(captures, labels, ones, Fraction(3), Fraction(1, 1000), C1)


@pytest.mark.parametrize("soft", [False, True])
def test_a_small_dominance_table_changes_the_time_only(soft):
    instance = middling(soft)
    free, tight = run(instance), run(instance, no_bound=("dominance",))
    assert free.certificate.objective == tight.certificate.objective
    assert free.certificate.expanded <= tight.certificate.expanded
    if soft:
        assert free.certificate.expanded < tight.certificate.expanded


def test_every_bound_prunes_something_somewhere():
    pruned: dict[str, int] = {}
    cases = [run(middling(soft)) for soft in (False, True)]
    cases += [run(replace(middling(True), C=Fraction(1, 50), C1=Fraction(1, 2)))]
    cases += [run(replace(middling(False), C=Fraction(1, 100)))]
    for result in cases:
        for name, count in result.certificate.pruned.items():
            pruned[name] = pruned.get(name, 0) + count
    idle = {name for name, count in pruned.items() if not count}
    assert idle <= {"classes", "lagrangian"}, pruned


@pytest.mark.parametrize("name", ["portable"])  # each against that: tests/kernels
def test_every_kernel_does_the_same(name):
    """In a process of its own, because the kernel is chosen once."""
    code = """
import sys, json
sys.path.insert(0, sys.argv[1])
from test_falling_search import middling, run
c = run(middling(False)).certificate
print(json.dumps([str(c.objective), c.expanded, c.children, dict(c.pruned)]))
"""
    import os
    from pathlib import Path

    environment = {**os.environ, "CORELS_KERNEL": name}
    done = subprocess.run(
        [sys.executable, "-c", code, str(Path(__file__).parent)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if "has no such kernel" in done.stderr:
        pytest.skip(f"this machine cannot run the kernel {name}")
    expected = run(middling(False)).certificate
    found = json.loads(done.stdout)
    assert found == [
        str(expected.objective),
        expected.expanded,
        expected.children,
        dict(expected.pruned),
    ]


def test_rare_antecedents_can_be_left_out():
    rng = np.random.default_rng(0)
    captures = np.array([rng.random(100) < 0.5, np.arange(100) == 3, rng.random(100) < 0.4])
    labels = captures[0].astype(int)
    instance = Instance(captures, labels, np.ones(100, int), Fraction(1), Fraction(0), None)
    result = run(instance, min_class_support=0.1)
    assert result.certificate.objective == optimum(replace(instance, captures=captures[[0, 2]]))
    with pytest.raises(corels.errors.InputError, match="no antecedent holds"):
        run(replace(instance, captures=captures[[1]]), min_class_support=0.5)


def searching(instance, soft, **given):
    """A search that has not begun."""
    family = solver.SoftlyFallingSolver() if soft else solver.FallingSolver()
    chosen = {option.name: option.default for option in family.options}
    chosen |= {"positive_weight": instance.w, "rule_cost": instance.C}
    chosen |= {"violation_cost": instance.C1} if soft else {}
    return family.search(problem_of(instance), chosen | given)


@pytest.mark.parametrize("soft", [False, True])
def test_the_search_says_how_much_of_the_first_level_is_settled(soft):
    search = searching(middling(soft), soft, max_rules=3)
    told = []
    while search.step(1).value == "running":
        told.append(search.progress().settled)
    assert told == sorted(told) and len(set(told)) > 5 and 0 <= told[0] < told[-1] <= 1
    assert search.progress().settled == 1


@pytest.mark.parametrize("soft", [False, True])
def test_a_search_that_expands_nothing_has_settled_everything(soft):
    instance = replace(middling(soft), C=Fraction(9, 10))  # no rule can pay for itself
    search = searching(instance, soft)
    while search.step(1).value == "running":
        pass
    now = search.progress()
    assert (now.expanded, now.settled) == (0, 1)


@pytest.mark.parametrize("soft", [False, True])
def test_a_warm_start_is_taken_and_does_not_change_the_optimum(soft):
    instance = middling(soft)
    cold = run(instance)
    search = searching(instance, soft)
    assert search.offer(cold.model.plain_rules())
    assert not search.offer(cold.model.plain_rules())
    assert search.model() == cold.model
    while search.step(1000).value == "running":
        pass
    assert search.objective(search.progress().objective) == cold.certificate.objective
    assert search.progress().expanded <= cold.certificate.expanded


def test_costs_too_fine_for_exact_arithmetic_are_refused():
    instance = replace(middling(False), C=Fraction(1, 10**18 + 9))
    with pytest.raises(OverflowRefusedError, match="smaller"):
        run(instance)


def test_three_classes_are_refused():
    data = dataset_of([[1, 0, 1, 0]], [0, 1, 2, 1], 3)
    with pytest.raises(corels.errors.InputError, match="has 3 classes"):
        corels.solve(corels.Problem.from_dataset(data), "falling")


def test_without_the_compiled_part_it_says_so(monkeypatch):
    monkeypatch.setattr(search, "lib", None)
    monkeypatch.setattr(search, "WHY_MISSING", "no module", raising=False)
    with pytest.raises(OptionError, match=r"was not built \(no module\): install a build"):
        run(instances(1, False)[0])
