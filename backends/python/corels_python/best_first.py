"""Best-first: branch and bound over prefixes, as in Algorithms 1 and 5 of the paper with a queue.

First the loop (`work`, `expand`), then each helper in the order in which the loop uses it. What a
child costs is computed in `expand.py`; counters, events and steps are in `tally.py`. The C engine
has the same functions under the same names (backends/c/src/search/best_first).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from corels.search import Cache, Children, Kind, Progress, Queue, Role, SymmetryMap
from corels.search.calls import kept
from corels.search.search import log10_remaining
from corels_python.expand import Expand, Prefix
from corels_python.ledger import Ledger
from corels_python.masks import NOTHING, Mask, key, listed, members, without
from corels_python.start import start
from corels_python.tally import Tables

NODE_BYTES = 600  # what one queued prefix takes in CPython, measured with tracemalloc


class BestFirst(Expand):
    """The queue holds prefixes; the incumbent is the best list so far."""

    def __init__(self, tables: Tables, queue: Queue, cache: Cache, symmetry: SymmetryMap) -> None:
        super().__init__(tables)
        self.symmetry = symmetry
        self.parts = Ledger(queue, cache, symmetry)
        self.prefixes = {0: self.root()}

    def work(self) -> Iterator[None]:
        """Algorithm 1: expand the most promising prefix until none is left."""
        self.load()
        if self._parts.start == "beam":
            yield from start(self)
        self.begin()
        self.parts.push(np.zeros(1), [0])
        while (node := self.pop()) is not None:
            prefix = self.prefixes[node]
            self.expand(node, prefix)
            cost = self.rule_cost * len(prefix.antecedents) + self.unit * prefix.errors
            self.record(prefix.antecedents, cost, "x")
            self.forget(node)
            yield

    def expand(self, node: int, prefix: Prefix) -> None:
        """Append every viable antecedent; keep the children that may lead to something better."""
        before = self.best_objective
        counted = self.count(prefix.remaining)
        viable = np.flatnonzero(listed(prefix.viable, self.instance.n_antecedents))
        self.improve(node, prefix, counted, viable)
        if self.rules_left(len(prefix.antecedents)) in (0, 1):
            viable = viable[:0]  # a child of the longest prefixes is a list, and was offered
        children = self.children(prefix, counted, viable)
        self.generated += len(children)
        children, rejected = self.prune(node, prefix, children)
        children = self.admit(node, prefix, children)
        self.push(node, prefix._replace(viable=without(prefix.viable, rejected)), children)
        if self.best_objective < before:
            self.collect()

    def pop(self) -> int | None:
        """The next prefix that is not stale: no cheaper one has since captured the same points."""
        while (node := self.parts.pop(self.prefixes)) is not None:
            prefix = self.prefixes[node]
            self.parts.check_path(node, prefix.antecedents)
            if not self.stale(prefix, len(prefix.antecedents), prefix.lower_bound):
                length, lower_bound = len(prefix.antecedents), prefix.lower_bound
                self.count_expanded(length)
                self.emit_fine(Kind.POP, node, length=length, lower_bound=lower_bound)
                return node
            self.emit_fine(Kind.STALE, node)
            self.forget(node)
        return None

    def prune(self, node: int, prefix: Prefix, children: Children) -> tuple[Children, Mask]:
        """Apply the bounds in order; also the antecedents that are rejected for good."""
        rejected = NOTHING
        for part, bound in enumerate(self.bounds):
            if not len(children):
                break
            if part == self.roles.get(Role.ONE_RULE):
                keep = self.close_children(node, prefix, children)
            else:
                keep = kept(bound, children, self.best_objective)
            dropped = children.where(~keep)
            self.count_pruned(node, part, dropped)
            if bound.monotone and Role.REJECTION in self.roles:  # Theorem 12
                rejected |= members(dropped.antecedent)
            children = children.where(keep)
        return children, rejected

    def close_children(self, node: int, prefix: Prefix, children: Children) -> NDArray[np.bool_]:
        """Children with room for one rule more get the best one at once (bound one_rule)."""
        keep = np.ones(len(children), dtype=np.bool_)
        every = np.arange(self.instance.n_antecedents)
        for row, bound in enumerate(children.lower_bound.tolist()):
            if children.rules_left == 1 or bound + 2 * self.rule_cost >= self.best_objective:
                child = self.extend(prefix, children, row)
                self.improve(node, child, self.count(child.remaining), every)
                keep[row] = False
        return keep

    def admit(self, node: int, prefix: Prefix, children: Children) -> Children:
        """Of the prefixes that capture the same, explore the cheapest (Theorem 15)."""
        if not len(children):
            return children
        length, bounds = len(prefix.antecedents) + 1, children.lower_bound.tolist()
        extended = [self.extend(prefix, children, row) for row in range(len(children))]
        admitted = np.ones(len(children), dtype=np.bool_)
        if self.binding_limit is not None:  # first: is there one that is shorter, and no dearer?
            shorter = [
                self.stale(p, length - 1, b + 1) for p, b in zip(extended, bounds, strict=True)
            ]
            admitted = ~np.array(shorter)
        rows = np.flatnonzero(admitted).tolist()
        keys = [self.key(extended[row], length) for row in rows]
        admitted[rows] = self.parts.admit(keys, [bounds[row] for row in rows])
        self.count_merged(node, children.where(~admitted))
        return children.where(admitted)

    def stale(self, prefix: Prefix, length: int, bound: int) -> bool:
        """Whether a cheaper prefix of the same key, with at most so many rules, was admitted.

        If lists may have so many rules at most, a longer prefix takes no other one's place.
        """
        lengths = [length] if self.binding_limit is None else range(length, -1, -1)
        return any(self.parts.stale(self.key(prefix, n), bound) for n in lengths)

    def push(self, node: int, prefix: Prefix, children: Children) -> None:
        """Add the survivors to the cache and to the queue, in the order of the policy."""
        if not len(children):
            return
        children, priorities = self.order(children, self.parts.next_id())
        ids = self.parts.add(node, children)
        for row, child in enumerate(ids):
            self.prefixes[child] = self.extend(prefix, children, row)
        self.emit_pushes(node, children)
        self.parts.push(priorities, ids)

    def collect(self) -> None:
        """Garbage collection: drop queued prefixes that cannot beat the new incumbent."""
        queued = self.parts.ids(self.prefixes)
        useless = [node for node in queued if self.hopeless(self.prefixes[node])]
        self.emit(Kind.COLLECT, count=len(useless))
        self.parts.retain(set(self.prefixes) - set(useless), useless)
        for node in useless:
            self.forget(node)

    def hopeless(self, prefix: Prefix) -> bool:
        """Whether a bound that is switched on would prune the prefix now: then it is garbage."""
        room = self.best_objective - prefix.lower_bound
        return (Role.HIERARCHICAL in self.roles and room <= 0) or (
            Role.LOOKAHEAD in self.roles and room <= self.rule_cost
        )

    def forget(self, node: int) -> None:
        """Drop a prefix, which has left the queue, from the cache."""
        self.prefixes.pop(node, None)
        self.parts.drop(node)

    def key(self, prefix: Prefix, length: int) -> bytes:
        """What the symmetry map compares: the points left, and how many rules a prefix had that
        left them if lists may have so many at most; or the antecedents used."""
        if self.symmetry.key == "remaining":
            return (b"" if self.binding_limit is None else b"%d:" % length) + key(prefix.remaining)
        return np.sort(np.array(prefix.antecedents, dtype="<i4")).tobytes()

    def levels(self) -> tuple[int, ...]:
        lengths = [len(prefix.antecedents) for prefix in self.prefixes.values()]
        return tuple(np.bincount(lengths).tolist()) if lengths else ()

    def progress(self) -> Progress:
        """Counters, the proven lower bound, and the remaining search space (Theorem 7)."""
        open_prefixes = list(self.prefixes.values())  # queued, or in an expansion that failed
        unseen = [p.lower_bound + self.rule_cost for p in open_prefixes]
        queued, cached, merged = self.parts.sizes()
        return self.snapshot(
            unseen,
            memory=NODE_BYTES * (cached + merged),
            queued=queued,
            cached=cached,
            remaining=lambda: self._remaining(open_prefixes),
        )

    def _remaining(self, prefixes: list[Prefix]) -> float:
        return log10_remaining(
            np.array([len(prefix.antecedents) for prefix in prefixes], dtype=np.int64),
            np.array([prefix.lower_bound for prefix in prefixes], dtype=np.int64),
            incumbent=self.best_objective,
            rule_cost=self.rule_cost,
            n_antecedents=self.instance.n_antecedents,
        )
