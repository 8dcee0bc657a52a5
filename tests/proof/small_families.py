"""Small problems of other families, their proofs, and what brute force says of them."""

import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np

sys.path += [str(Path(__file__).parents[1] / "plugins" / part) for part in ("falling", "colgen")]

from falling_helpers import prices_of, problem_of
from falling_oracle import Instance, objective, optimum, random_instance
from rule_set_oracle import best_objective, random_costs
from rule_set_oracle import objective as set_objective

import corels
from corels.check.opening import opened
from corels.check.points import Table
from corels.check.proof import check_proof
from corels.problem import Problem
from corels.tables.column import as_column
from corels.testing.problems import dataset_of


def columns_of(captures):
    rows = np.asarray(captures, dtype=bool)
    return {f"a{j}": as_column(f"a{j}", row) for j, row in enumerate(rows)}


class SmallFalling:
    """One random table, its proof, and all its lists by brute force. costed: mistakes have costs,
    and no positive weight."""

    def __init__(self, seed, *, soft, most=5, instance=None, costed=False):
        self.random = np.random.default_rng(seed)
        self.instance = instance or random_instance(self.random, soft=soft, most=most)
        if costed:
            false = Fraction(1 + seed % 5, 1 + seed // 5 % 4)
            self.instance = replace(self.instance, f=false)
        self.problem = problem_of(self.instance)

    def write(self, path, **options):
        solver = "falling" if self.instance.C1 is None else "softly-falling"
        prices = prices_of(self.instance)
        return corels.solve(self.problem, solver, proof=str(path), **prices, **options)

    def check(self, content):
        """What the checker shows."""
        one = self.instance
        labels = [int(label) for label in one.labels]
        here = self.problem.statement_like(opened(content).header)
        table = Table(columns_of(one.captures), labels, one.weights.tolist())
        return check_proof(content, table, here)

    def numbers(self):
        """The problem's antecedents as rows of the instance."""
        return [int(a.name[1:]) for a in self.problem.antecedents]


class SmallSets:
    """One random table of two or three classes, its proof, and brute force over its rule sets.
    costed: mistakes have costs, often by row, and no positive weight."""

    def __init__(self, seed, *, classes=2, features=4, rows=16, costed=False):
        random = np.random.default_rng(seed)
        self.random, self.classes = random, classes
        self.captures = random.random((features, rows)) < random.uniform(0.3, 0.8, (features, 1))
        clean = (self.captures[0] & self.captures[1]) | self.captures[-1]
        noise = random.random(rows) < 0.25
        self.labels = np.where(noise, random.integers(0, classes, rows), clean).astype(np.int64)
        self.labels[:classes] = range(classes)
        self.weights = random.integers(1, 5, rows) if seed % 3 == 0 else np.ones(rows, np.int64)
        self.options = {
            "form": ("dnf", "cnf")[int(random.integers(2))],
            "positive_weight": random.choice([Fraction(1), Fraction(5, 2), Fraction(1, 3)]),
        }
        if random.random() < 0.6:
            self.options["complexity"] = int(random.integers(2, 9))
        else:
            self.options["penalty_clause"] = Fraction(1, int(random.integers(5, 40)))
            self.options["penalty_condition"] = Fraction(1, int(random.integers(10, 60)))
        if random.random() < 0.4:
            self.options["max_conditions"] = int(random.integers(1, 4))
        self.costs = None
        if costed:
            del self.options["positive_weight"]
            self.costs = random_costs(random, self.labels)
        self.collapse()

    def collapse(self):
        data = dataset_of(self.captures, self.labels, self.classes, self.weights, costs=self.costs)
        self.problem = Problem.from_dataset(data)

    def changed(self):
        """One row has another label."""
        row = int(self.random.integers(len(self.labels)))
        self.labels[row] = (self.labels[row] + 1) % self.classes
        if self.costs is not None:
            self.costs.amounts[:, row] = self.costs.amounts[::-1, row]
            self.costs.right[:, row] = self.costs.right[::-1, row]
        self.collapse()

    def uncharged(self):
        """Mistakes cost nothing in some rows."""
        self.costs.amounts[:, self.random.integers(len(self.labels), size=4)] = 0
        self.collapse()

    def write(self, path, **options):
        return corels.solve(self.problem, "rule-set", proof=str(path), **self.options, **options)

    def check(self, content):
        """What the checker shows."""
        here = self.problem.statement_like(opened(content).header)
        given = columns_of(self.captures), self.labels.tolist(), self.weights.tolist()
        return check_proof(content, Table(*given, self.costs), here)

    def best(self):
        targets = [1] if self.classes == 2 else range(self.classes)
        return sum(best_objective(self.problem, t, self.options) for t in targets)


__all__ = ["Instance", "SmallFalling", "SmallSets", "objective", "optimum", "set_objective"]
