"""What a prefix knows, what its children cost, and what the symmetry map compares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from corels.problem import Instance
from corels.search import Cache, Parts, SymmetryMap
from corels.search.children import COLUMNS, Children, Expansion, read_only
from corels_python.masks import Mask, Weights, full, key, mask, without, words


class Prefix(NamedTuple):
    """A prefix that may be expanded. Costs are scaled integers."""

    remaining: Mask  # points that it does not capture
    viable: Mask  # antecedents that may still follow (bit j = antecedent j)
    antecedents: tuple[int, ...]
    errors: int  # avoidable errors of its rules
    minority: int  # unavoidable errors among the captured points
    captured: int  # weight captured
    lower_bound: int


class Costs:
    """The instance as masks and weights, and the arithmetic on them."""

    instance: Instance
    cache: Cache
    symmetry: SymmetryMap

    def load(self, instance: Instance, parts: Parts) -> None:
        """Turn arrays into integers."""
        self.instance = instance
        self.equivalent_points = "equivalent_points" in parts.bound_names
        self.reads_sets = parts.reads_sets
        self.unit, self.rule_cost = instance.unit, instance.rule_cost
        self.masks = [mask(row) for row in instance.masks]
        self.regrets = [Weights(row) for row in instance.regrets.tolist()]
        self.worst = Weights(instance.regrets.max(axis=0, initial=0).tolist())
        self.captured = Weights(instance.captured.tolist())
        self.minority = Weights(instance.minority.tolist())

    def root(self) -> Prefix:
        """The empty prefix."""
        everything, antecedents = full(self.instance.n_points), full(self.instance.n_antecedents)
        return Prefix(everything, antecedents, (), 0, 0, 0, self.price(0, 0, 0))

    def children(self, prefix: Prefix) -> Children:
        """The table of children: what the new rule captures, what it costs, what is left."""
        every = range(self.instance.n_antecedents)
        table = self.table([self.child(prefix, j) for j in every if prefix.viable.bit_test(j)])
        return replace(table, expansion=self.expansion(prefix)) if self.reads_sets else table

    def child(self, prefix: Prefix, antecedent: int) -> tuple[int, ...]:
        """One row, in the order of corels.search.COLUMNS; bounds are incremental (Sec. 3.4)."""
        new = prefix.remaining & self.masks[antecedent]
        left = without(prefix.remaining, new)
        length = len(prefix.antecedents) + 1
        regrets = [regret.of(new) for regret in self.regrets]
        errors, minority, support = min(regrets), self.minority.of(new), self.captured.of(new)
        return (
            antecedent,
            regrets.index(errors),  # of equal classes the first
            length,
            0,  # the serial number comes with the cache
            support,
            support - minority - errors if self.instance.counts_captured else 0,
            prefix.captured + support,
            errors,
            self.worst.of(new),
            self.default_errors(left),
            self.price(length, prefix.errors + errors, prefix.minority + minority),
            self.list_cost(left, length, prefix.errors + errors),
        )

    def price(self, length: int, errors: int, minority: int) -> int:
        """Lower bound of a prefix (Theorem 1).

        With equivalent points (Theorem 20) every list pays for all unavoidable errors, without
        them only for those among the points that it has captured.
        """
        unavoidable = self.instance.base if self.equivalent_points else self.unit * minority
        return self.rule_cost * length + self.unit * errors + unavoidable

    def list_cost(self, left: Mask, length: int, errors: int) -> int:
        """Objective of the list that ends here with a default rule."""
        total_errors = errors + self.default_errors(left)
        return self.rule_cost * length + self.unit * total_errors + self.instance.base

    def default_errors(self, left: Mask) -> int:
        """Avoidable errors of the default rule."""
        return min(regret.of(left) for regret in self.regrets)

    def extend(self, prefix: Prefix, antecedent: int, lower_bound: int = 0) -> Prefix:
        """The prefix with one more rule."""
        new = prefix.remaining & self.masks[antecedent]
        return Prefix(
            remaining=without(prefix.remaining, new),
            viable=prefix.viable.bit_clear(antecedent),
            antecedents=(*prefix.antecedents, antecedent),
            errors=prefix.errors + min(regret.of(new) for regret in self.regrets),
            minority=prefix.minority + self.minority.of(new),
            captured=prefix.captured + self.captured.of(new),
            lower_bound=lower_bound,
        )

    def best_last_rule(self, prefix: Prefix) -> tuple[tuple[int, ...], int]:
        """The best list with one rule behind a prefix, and its cost; of equals the first."""
        length, costs = len(prefix.antecedents) + 1, []
        for mask_of_rule in self.masks:
            new = prefix.remaining & mask_of_rule
            errors = prefix.errors + min(regret.of(new) for regret in self.regrets)
            costs.append(self.list_cost(without(prefix.remaining, new), length, errors))
        best = min(costs)
        return (*prefix.antecedents, costs.index(best)), best

    def expansion(self, prefix: Prefix) -> Expansion:
        """What bounds that read sets are given."""
        captured = [prefix.remaining & m for m in self.masks]
        counts = [[regret.of(points) for points in captured] for regret in self.regrets]
        return Expansion(
            masks=self.instance.masks,
            remaining=words(prefix.remaining, self.instance.masks.shape[1]),
            counts=np.array(counts, dtype=np.int64),
            totals=np.array([r.of(prefix.remaining) for r in self.regrets], dtype=np.int64),
            worst=self.instance.regrets.max(axis=0).astype(np.int64),
            cost=self.rule_cost * len(prefix.antecedents)
            + self.unit * prefix.errors
            + self.instance.base,
        )

    def key(self, prefix: Prefix) -> bytes:
        """What the symmetry map compares: the points left, or the antecedents used."""
        if self.symmetry.key == "remaining":
            return key(prefix.remaining)
        return np.sort(np.array(prefix.antecedents, dtype="<i4")).tobytes()

    def table(self, rows: Sequence[tuple[int, ...]]) -> Children:
        """Rows in the order of COLUMNS as a table."""
        cells = np.array(rows, dtype=np.int64).reshape(len(rows), len(COLUMNS))
        columns = {
            name: read_only(cells[:, at].astype(kind)) for at, (name, kind) in enumerate(COLUMNS)
        }
        return Children(
            **columns,
            unit=self.unit,
            rule_cost=self.rule_cost,
            total=self.instance.total,
            n_antecedents=self.instance.n_antecedents,
        )

    def with_serials(self, children: Children) -> Children:
        """The table with the numbers that the cache is about to give."""
        first = self.cache.next_id
        serial = read_only(first + np.arange(len(children), dtype=np.int64))
        return replace(children, serial=serial)
