"""Small random tables, their true costs by brute force, and proofs of them."""

import copy
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain
from types import SimpleNamespace
from typing import Any

import numpy as np
from corels_leaf_bound.proofcheck import Leaves
from corels_rule_list.proof.format import RuleListProofs, end
from corels_rule_list.proofcheck.checking import check_proof
from corels_rule_list.proofcheck.reading import read_proof

from corels import Problem, solve
from corels.check.points import Table
from corels.problem.costs import Costs, Outcomes
from corels.proof.records import claim, found_list, header_line, record
from corels.tables.column import as_column
from corels.testing.problems import dataset_of

LAMBDAS = ("1/100", "1/30", "1/12", "1/7", "0.003", "0")

UNLIMITED = SimpleNamespace(max_rules=None, limits=dict, scale=lambda: None)  # a search


def read_with_checkers(content):
    """A proof as its format reads it: with what checks records of bounds."""
    proof = read_proof(content)
    proof.checkers["leaves"] = Leaves
    return proof


class Small:
    """One random table: M antecedents, N rows, C classes, weights of rows or None."""

    def __init__(self, seed, *, antecedents=5, rows=24, classes=2, weighted=False, lam=None):
        random = np.random.default_rng(seed)
        shares = random.uniform(0.1, 0.9, size=(antecedents, 1))
        self.captures = random.random((antecedents, rows)) < shares
        noise = random.integers(0, classes, size=rows)
        clean = self.captures[: max(1, antecedents // 2)].sum(axis=0) % classes
        self.labels = np.where(random.random(rows) < 0.3, noise, clean)
        self.labels[:classes] = range(classes)
        self.weights = random.integers(0, 6, size=rows) if weighted else None
        if weighted:
            self.weights[:classes] = 1
        self.classes = classes
        self._collapse(lam or random.choice(LAMBDAS))

    def _collapse(self, lam):
        names = [f"a{j}" for j in range(len(self.captures))]
        self.columns = {n: as_column(n, row) for n, row in zip(names, self.captures, strict=True)}
        self.problem = Problem.from_dataset(self.data(), lam)
        self.header = RuleListProofs().header(self.problem, UNLIMITED)
        self._f = {}
        # bool[m, N]: the problem's antecedents, on the rows; and the point of each row.
        self.masks = self.captures[[int(a.name[1:]) for a in self.problem.antecedents]]
        patterns = [row.tobytes() for row in self.masks.T]
        order = {pattern: i for i, pattern in enumerate(sorted({*patterns}, reverse=True))}
        self.points = np.array([order[pattern] for pattern in patterns])
        amounts = np.ones(len(self.labels), int) if self.weights is None else self.weights
        counts = np.zeros((len(self.problem.classes), len(order)), int)
        np.add.at(counts, (self.labels, self.points), amounts)
        # int[C, N]: what a point errs more than it must, at the first of its rows.
        self.regrets = np.zeros((len(counts), len(patterns)), int)
        first = [patterns.index(pattern) for pattern in order]
        self.regrets[:, first] = counts.max(axis=0) - counts

    def data(self):
        return dataset_of(self.captures, self.labels, self.classes, self.weights)

    def changed(self, random, *, drop):
        """The same table but for one row: another label, or gone."""
        other = copy.copy(self)
        row = int(random.integers(len(self.labels)))
        other.labels = self.labels.copy()
        other.labels[row] = (other.labels[row] + 1) % self.classes
        if drop:
            other.captures = np.delete(self.captures, row, axis=1)
            other.labels = np.delete(self.labels, row)
            other.weights = None if self.weights is None else np.delete(self.weights, row)
        other._collapse(self.problem.regularization)
        return other

    def cell(self, rows):
        """Errors of one cell, all rows of some points, beyond what these cost anyway."""
        return int(self.regrets[:, rows].sum(axis=1).min())

    def left(self, rules):
        rows = np.ones(len(self.labels), bool)
        for r in rules:
            rows &= ~self.masks[r]
        return rows

    def f(self, rows, left=-1):
        """The least cost of what may follow, of at most `left` rules (< 0: of any number), by brute
        force."""
        key = rows.tobytes(), left
        if key not in self._f:
            unit, rule = self.problem.unit, self.problem.rule_cost
            best = unit * self.cell(rows)
            for mask in self.masks:
                if left and (rows & mask).any():
                    cost = rule + unit * self.cell(rows & mask)
                    best = min(best, cost + self.f(rows & ~mask, left - 1))
            self._f[key] = best
        return self._f[key]

    def labelled(self):
        return [int(label) for label in self.labels]

    @property
    def rows(self):
        """The raw table."""
        weights = None if self.weights is None else self.weights.tolist()
        return Table(self.columns, self.labelled(), weights)

    def check(self, content, checker, threads=1, costs=None):
        rows = replace(self.rows, costs=costs)
        return check_proof(read_with_checkers(content), rows, checker, threads)

    def proof(self, *records, lists=()):
        return header_line(self.header) + b"".join(records)

    def optimal_list(self):
        """Antecedents of an optimal list."""
        rules, rows = [], self.left(())
        unit, rule = self.problem.unit, self.problem.rule_cost
        while self.f(rows) < unit * self.cell(rows):
            for r, mask in enumerate(self.masks):
                behind = rows & ~mask
                cost = rule + unit * self.cell(rows & mask) + self.f(behind)
                if (rows & mask).any() and cost == self.f(rows):
                    rules.append(r)
                    rows = behind
                    break
        return rules

    def conclusion(self, bound):
        rules = self.optimal_list()
        cost = self.f(self.left(()))
        return found_list(rules, cost) + claim((), bound) + end(bound)

    def search(self, path, **options):
        return solve(self.problem, proof=str(path), **options)


def objective(small, cost):
    return Fraction(cost + small.problem.base, small.problem.scale)


class Priced:
    """A small random table with costs by row and outcome, or without, and its proof."""

    def __init__(self, seed, path, *, costed=True, **options):
        rng = np.random.default_rng([7, seed])
        classes = 2 + seed % 2
        self.small = Small(seed, antecedents=5, rows=24, classes=classes, weighted=seed % 3 == 0)
        self.costs = random_costs(self.small, seed, rng) if costed else None
        self.problem = self.problem_with(self.costs)
        self.path = path / f"{seed}.proof"
        self.result = solve(self.problem, proof=str(self.path), **options)
        self.content = self.path.read_bytes()

    def data_with(self, costs):
        """The same rows with these costs."""
        return replace(self.small.data(), costs=costs)

    def problem_with(self, costs):
        return Problem.from_dataset(self.data_with(costs), self.small.problem.regularization)

    def changed(self, rng):
        """The same table but for one row: another label, another cost, or gone."""
        found = copy.copy(self)
        if self.costs is not None:
            found.costs = other_costs(rng, self.costs)
        else:
            found.small = self.small.changed(rng, drop=bool(rng.integers(2)))
        return found

    def check(self, content, checker, costs=None):
        return self.small.check(content, checker, costs=costs or self.costs)

    def price(self, rules, regularization, costs):
        """The objective of a list, row by row."""
        small = self.small
        kinds, scale, only = ["class"] * small.classes, 1, False
        amounts = small.labels != np.arange(small.classes)[:, None]
        if costs is not None:
            of = costs.outcomes
            kinds, scale, only, amounts = of.kinds, of.scale, of.default_only, costs.amounts
        weights = 1 if small.weights is None else small.weights
        weights = np.broadcast_to(weights, small.labels.shape)
        free, paid = np.ones(len(weights), bool), 0
        for rule in [*rules, None]:
            rows = free if rule is None else free & small.captures[rule]
            free = free & ~rows
            said = [c for c, k in enumerate(kinds) if rule is None or k == "class" or not only]
            paid += int((amounts[said] * weights)[:, rows].sum(axis=1).min())
        return Fraction(paid, scale * int(weights.sum())) + len(rules) * Fraction(regularization)

    def with_header(self, change):
        line, _, records = self.content.partition(b"\n")
        header = json.loads(line)
        change(header)
        return json.dumps(header).encode() + b"\n" + records


def random_costs(small, seed, rng):
    """Of all classes, and of abstaining and deferring: anywhere, or by the default rule alone."""
    classes = small.classes
    kinds = (*["class"] * classes, *("abstain", "defer")[: seed % 3])
    only = len(kinds) > classes and seed % 2 == 0
    scale = int(rng.choice([1, 4, 10]))
    outcomes = Outcomes(tuple(map(str, range(len(kinds)))), kinds, scale, default_only=only)
    amounts = rng.integers(0, 9, size=(len(kinds), classes))[:, small.labels]
    amounts = amounts + rng.integers(0, 3, size=amounts.shape) * (seed % 4 == 0)
    return Costs(outcomes, amounts, np.zeros_like(amounts))


def other_costs(rng, costs):
    """One outcome of one row costs more or less."""
    amounts = costs.amounts.copy()
    place = tuple(int(rng.integers(size)) for size in amounts.shape)
    amounts[place] += 1 if amounts[place] == 0 or rng.random() < 0.5 else -1
    return replace(costs, amounts=amounts)


def prices(shift: int, cells: Iterable[tuple[Any, Any]]) -> bytes:
    """Cells: points with their weights, and cuts, an antecedent and its price; for each class."""
    listed = list(cells)
    rows = ((len(part), *chain.from_iterable(part)) for cell in listed for part in cell)
    return record("p", shift + 64, len(listed), *chain.from_iterable(rows))


def fact(bound: str, numbers: Sequence[int]) -> bytes:
    """What the tables of a bound are made from."""
    return record("d", len(bound), *bound.encode(), len(numbers), *numbers)
