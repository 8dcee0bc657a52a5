"""From an oracle instance to a Problem, and one call of a solver."""

from __future__ import annotations

from typing import Any

import numpy as np
from falling_oracle import Instance

import corels
from corels.problem import Problem
from corels.problem.costs import Costs
from corels.tables import Antecedent, Condition, Dataset, TableOptions
from corels.tables.pricing import pricing_of


def costs_of(instance: Instance) -> Costs | None:
    if instance.f is None:
        return None
    costs = f"fp={instance.f},fn={instance.f * instance.w}"
    found = pricing_of(TableOptions(cost=costs), (0, 1))
    assert found is not None
    return found.costs(np.asarray(instance.labels, dtype=np.int64))


def problem_of(instance: Instance) -> Problem:
    names = [f"a{j}" for j in range(len(instance.captures))]
    return Problem.from_dataset(
        Dataset(
            tuple(Antecedent.of(Condition(name, "true")) for name in names),
            np.asarray(instance.captures, dtype=bool),
            np.asarray(instance.labels, dtype=np.int64),
            (0, 1),
            weights=np.asarray(instance.weights, dtype=np.int64),
            costs=costs_of(instance),
        )
    )


def prices_of(instance: Instance) -> dict[str, Any]:
    """The options of the solver."""
    found = {"rule_cost": instance.C}
    if instance.f is None:
        found["positive_weight"] = instance.w
    return found | ({} if instance.C1 is None else {"violation_cost": instance.C1})


def run(instance: Instance, **options: Any) -> corels.Result:
    soft = instance.C1 is not None
    costs = prices_of(instance)
    solver = "softly-falling" if soft else "falling"
    return corels.solve(problem_of(instance), solver, **costs, **options)
