"""Branch and bound over prefixes, as in Algorithms 1 and 5 of the paper.

First the loop (`step`, `expand`), then each helper in the order in which the loop uses it. What a
child costs is computed in `children.py`; counters and events are in `tally.py`. The C engine has
the same functions under the same names (backends/c/src/search).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from corels.search import Cache, Children, Kind, Queue, Search, Status, SymmetryMap
from corels.search.calls import kept, priorities
from corels_python.children import Prefix
from corels_python.masks import NOTHING, Mask, members, without
from corels_python.tally import Tables, Tally


class PythonSearch(Tally, Search):
    """The queue holds prefixes; the incumbent is the best list so far."""

    def __init__(self, tables: Tables, queue: Queue, cache: Cache, symmetry: SymmetryMap):
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
            self.expand(node, self.prefixes[node])
            self.forget(node)
        return Status.RUNNING

    def expand(self, node: int, prefix: Prefix) -> None:
        """Append every viable antecedent; keep the children that may lead to something better."""
        children = self.children(prefix)
        self.generated += len(children)
        before = self.best_objective
        children, rejected = self.prune(node, prefix, children, "support")
        self.improve(node, prefix, children)
        children, _ = self.prune(node, prefix, children, "objective")
        children = self.admit(node, prefix, children)
        self.push(node, prefix, children, rejected)
        if self.best_objective < before:
            self.collect()

    def pop(self) -> int | None:
        """The next prefix, unless a cheaper one that captures the same has come since."""
        while len(self.queue):
            node = self.queue.pop()
            prefix = self.prefixes[node]
            if not self.symmetry.stale(self.key(prefix), prefix.lower_bound):
                self.count_popped(node, prefix)
                return node
            self.emit_fine(Kind.STALE, node)
            self.forget(node)
        return None

    def prune(
        self, node: int, prefix: Prefix, children: Children, stage: str
    ) -> tuple[Children, Mask]:
        """Apply the bounds of one stage in order; also the antecedents rejected for good."""
        rejected = NOTHING
        for part, bound in enumerate(self.bounds):
            if bound.monotone == (stage == "support") and len(children):
                if bound.name == "one_rule":
                    keep = self.close_children(node, prefix, children)
                else:
                    keep = kept(bound, children, self.best_objective)
                dropped = children.where(~keep)
                self.count_pruned(node, part, dropped)
                if bound.monotone and self.rejection:  # Theorem 12
                    rejected |= members(dropped.antecedent)
                children = children.where(keep)
        return children, rejected

    def improve(self, node: int, prefix: Prefix, children: Children) -> None:
        """Take the best child as incumbent if it is better; the first of equals."""
        if len(children):
            row = int(children.objective.argmin())
            best = (*prefix.antecedents, int(children.antecedent[row]))
            self.take(node, best, int(children.objective[row]))

    def take(self, node: int, antecedents: tuple[int, ...], objective: int) -> None:
        """A list that may be the new incumbent."""
        if objective < self.best_objective:
            self.best, self.best_objective = antecedents, objective  # Ctrl-C keeps them one
            self.count_improved(node)

    def close_children(self, node: int, prefix: Prefix, children: Children) -> NDArray[np.bool_]:
        """Children with room for one rule more get the best one at once (bound one_rule)."""
        keep = np.ones(len(children), dtype=np.bool_)
        for row, bound in enumerate(children.lower_bound.tolist()):
            if bound + 2 * self.rule_cost >= self.best_objective:
                child = self.extend(prefix, int(children.antecedent[row]))
                self.take(node, *self.best_last_rule(child))
                keep[row] = False
        return keep

    def admit(self, node: int, prefix: Prefix, children: Children) -> Children:
        """Of the prefixes that capture the same, explore the cheapest (Theorem 15)."""
        keys = [self.key(self.extend(prefix, int(j))) for j in children.antecedent]
        admitted = self.symmetry.admit(keys, children.lower_bound.tolist())
        self.count_merged(node, children.where(~admitted))
        return children.where(admitted)

    def push(self, node: int, prefix: Prefix, children: Children, rejected: Mask) -> None:
        """Add the survivors to the cache and to the queue, in the order of the policy."""
        if not len(children):
            return
        order = priorities(self.policy, self.with_serials(children))
        bounds = children.lower_bound.tolist()
        ids = self.cache.add(node, children.antecedent.tolist(), bounds)
        parent = prefix._replace(viable=without(prefix.viable, rejected))
        for row, child in enumerate(ids):
            antecedent = int(children.antecedent[row])
            self.prefixes[child] = self.extend(parent, antecedent, bounds[row])
            self.emit_push(child, node, children, row)
        self.queue.push(order, ids)

    def collect(self) -> None:
        """Garbage collection: drop queued prefixes that cannot beat the new incumbent."""
        useless = [node for node in self.queue.ids() if self.hopeless(self.prefixes[node])]
        self.emit(Kind.COLLECT, count=len(useless))
        self.queue.retain(set(self.prefixes) - set(useless))
        for node in useless:
            self.forget(node)
