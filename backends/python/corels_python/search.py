"""Branch and bound over prefixes, as in Algorithms 1 and 5 of the paper.

First the loop (`step`, `expand`), then each helper in the order in which the loop uses it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from corels.children import Children
from corels.events import Kind
from corels.interfaces import Cache, Queue, Search, Status, SymmetryMap
from corels.parts import kept, priorities
from corels_python import tally
from corels_python.masks import Mask, key, without


class Prefix(NamedTuple):
    """What a queued prefix knows. Costs are scaled integers."""

    remaining: Mask  # points that it does not capture
    viable: Mask  # antecedents that may still follow (bit j = antecedent j)
    antecedents: tuple[int, ...]
    errors: int  # avoidable errors of its rules
    minority: int  # unavoidable errors among the captured points
    captured: int  # weight captured
    lower_bound: int


class PythonSearch(tally.Tally, Search):
    """The queue holds prefixes; the incumbent is the best list so far."""

    def __init__(self, tables: tally.Tables, queue: Queue, cache: Cache, symmetry: SymmetryMap):
        super().__init__(tables, queue, cache, symmetry)
        root = self.root()
        self.prefixes = {0: root}
        self.queue.push(np.zeros(1), [0])
        self.best, self.best_objective = (), self.list_cost(root.remaining, 0, 0)
        self.emit(Kind.START, objective=self.best_objective, count=self.instance.n_antecedents)

    def step(self, budget: int) -> Status:
        """Algorithm 1: expand the most promising prefix until none is left."""
        for _ in range(budget):
            node = self.pop()
            if node is None:
                return self.done()
            self.expand(node, self.prefixes.pop(node))
        return Status.RUNNING

    def expand(self, node: int, prefix: Prefix) -> None:
        """Append every viable antecedent; keep the children that may lead to something better."""
        children = self.children(prefix)
        children, rejected = self.prune(node, children, "support")
        improved = self.improve(node, prefix, children)
        children, _ = self.prune(node, children, "objective")
        children = self.admit(node, prefix, children)
        self.push(node, prefix, children, rejected)
        if improved:
            self.collect()
        self.cache.drop(node)

    def pop(self) -> int | None:
        """The next prefix, unless a cheaper one that captures the same has come since."""
        while len(self.queue):
            node = self.queue.pop()
            prefix = self.prefixes[node]
            if not self.symmetry.stale(self.map_key(prefix), prefix.lower_bound):
                self.expanded += 1
                self.emit_fine(
                    Kind.POP, node, length=len(prefix.antecedents), lower_bound=prefix.lower_bound
                )
                return node
            self.emit_fine(Kind.STALE, node)
            self.forget(node)
        return None

    def children(self, prefix: Prefix) -> Children:
        """The table of children: what the new rule captures, what it costs, what is left."""
        rows = [
            self.child(prefix, j)
            for j in range(self.instance.n_antecedents)
            if prefix.viable.bit_test(j)
        ]
        self.generated += len(rows)
        return self.table(rows)

    def child(self, prefix: Prefix, antecedent: int) -> tuple[int, ...]:
        """One row, in the order of corels.children.COLUMNS; bounds are incremental (Sec. 3.4)."""
        new = prefix.remaining & self.masks[antecedent]
        regrets = [regret.of(new) for regret in self.regrets]
        errors, length = min(regrets), len(prefix.antecedents) + 1
        support = self.captured.of(new)
        correct = support - self.minority.of(new) - errors
        left = without(prefix.remaining, new)
        default_errors = min(regret.of(left) for regret in self.regrets)
        lower_bound = self.price(
            length, prefix.errors + errors, prefix.minority + self.minority.of(new)
        )
        objective = self.list_cost(left, length, prefix.errors + errors)
        return (
            antecedent,
            regrets.index(errors),
            length,
            0,
            support,
            correct,
            prefix.captured + support,
            errors,
            self.worst.of(new),
            default_errors,
            lower_bound,
            objective,
        )

    def price(self, length: int, errors: int, minority: int) -> int:
        """Lower bound of a prefix (Theorem 1); with equivalent points (Theorem 20) every list
        pays for all unavoidable errors, without them only for those it has met."""
        unavoidable = self.instance.base if self.equivalent_points else self.unit * minority
        return self.rule_cost * length + self.unit * errors + unavoidable

    def list_cost(self, left: Mask, length: int, errors: int) -> int:
        """Objective of the list that ends here with a default rule."""
        default_errors = min(regret.of(left) for regret in self.regrets)
        return self.rule_cost * length + self.unit * (errors + default_errors) + self.instance.base

    def prune(self, node: int, children: Children, stage: str) -> tuple[Children, Mask]:
        """Apply the bounds of one stage in order; also the antecedents rejected for good."""
        rejected = tally.NOTHING
        for part, bound in enumerate(self.bounds):
            if bound.stage == stage and len(children):
                keep = kept(bound, children, self.best_objective)
                dropped = children.where(~keep)
                self.count_pruned(node, part, dropped)
                if bound.monotone and self.rejection:  # Theorem 12
                    rejected |= tally.bits(dropped.antecedent)
                children = children.where(keep)
        return children, rejected

    def improve(self, node: int, prefix: Prefix, children: Children) -> bool:
        """Take the best child as incumbent if it is better; the first of equals."""
        if not len(children) or children.objective.min() >= self.best_objective:
            return False
        row = int(children.objective.argmin())
        self.best_objective = int(children.objective[row])
        self.best = (*prefix.antecedents, int(children.antecedent[row]))
        self.emit(
            Kind.INCUMBENT,
            node,
            antecedent=self.best[-1],
            length=len(self.best),
            objective=self.best_objective,
        )
        return True

    def admit(self, node: int, prefix: Prefix, children: Children) -> Children:
        """Of the prefixes that capture the same, explore the cheapest (Theorem 15)."""
        keys = [self.child_key(prefix, int(j)) for j in children.antecedent]
        admitted = self.symmetry.admit(keys, children.lower_bound.tolist())
        self.count_merged(node, children.where(~admitted))
        return children.where(admitted)

    def push(self, node: int, prefix: Prefix, children: Children, rejected: Mask) -> None:
        """Add the survivors to the cache and to the queue, in the order of the policy."""
        if not len(children):
            return
        order = priorities(self.policy, self.with_serials(children))
        ids = self.cache.add(node, children.antecedent.tolist(), children.lower_bound.tolist())
        viable = without(prefix.viable, rejected)
        for row, child in enumerate(ids):
            self.prefixes[child] = self.extend(prefix, viable, children, row)
            self.emit_push(child, node, children, row)
        self.queue.push(order, ids)

    def extend(self, prefix: Prefix, viable: Mask, children: Children, row: int) -> Prefix:
        """The prefix that a row of the table stands for."""
        j = int(children.antecedent[row])
        new = prefix.remaining & self.masks[j]
        return Prefix(
            without(prefix.remaining, new),
            viable.bit_clear(j),
            (*prefix.antecedents, j),
            prefix.errors + int(children.errors[row]),
            prefix.minority + self.minority.of(new),
            int(children.captured[row]),
            int(children.lower_bound[row]),
        )

    def collect(self) -> None:
        """Garbage collection: drop queued prefixes that cannot beat the new incumbent."""
        useless = [node for node in self.queue.ids() if self.hopeless(self.prefixes[node])]
        self.emit(Kind.COLLECT, count=len(useless))
        self.queue.retain(set(self.prefixes) - set(useless))
        for node in useless:
            self.forget(node)

    def map_key(self, prefix: Prefix) -> bytes:
        """What the symmetry map compares: the points left, or the antecedents used."""
        if self.symmetry.key == "remaining":
            return key(prefix.remaining)
        return np.sort(np.array(prefix.antecedents, dtype="<i4")).tobytes()

    def pruned(self) -> Mapping[str, int]:
        """Children that each bound removed."""
        return dict(self.pruned_by)

    def describe(self) -> dict[str, Any]:
        """The parts, for the certificate."""
        return {"backend": "python", "kernel": "gmpy2", **self.part_names()}
