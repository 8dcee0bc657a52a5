"""From an oracle instance to a Problem, and one call of a solver."""

from __future__ import annotations

from typing import Any

import numpy as np
from corels.antecedents import Antecedent, Condition
from corels.data import Dataset
from falling_oracle import Instance

import corels
from corels.problem import Problem


def problem_of(instance: Instance) -> Problem:
    names = [f"a{j}" for j in range(len(instance.captures))]
    return Problem.from_dataset(
        Dataset(
            tuple(Antecedent.of(Condition(name, "true")) for name in names),
            np.asarray(instance.captures, dtype=bool),
            np.asarray(instance.labels, dtype=np.int64),
            (0, 1),
            weights=np.asarray(instance.weights, dtype=np.int64),
        )
    )


def run(instance: Instance, **options: Any) -> corels.Result:
    soft = instance.C1 is not None
    costs = {"positive_weight": instance.w, "rule_cost": instance.C}
    if soft:
        costs["violation_cost"] = instance.C1
    solver = "softly-falling" if soft else "falling"
    return corels.solve(problem_of(instance), solver, **costs, **options)
