"""What stands around the search loop: tables of the instance, counters, events, snapshots.

Nothing here decides anything; the search itself is in `search.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.model import Model
from corels.model.rulelist import RuleList, rule_list
from corels.problem import Instance, Problem
from corels.search import EVENT, Cache, Children, Kind, Parts, Progress, Queue, Status, SymmetryMap
from corels.search.remaining import log10_remaining
from corels_python.children import Costs, Prefix

NODE_BYTES = 600  # what one queued prefix takes in CPython, measured with tracemalloc


@dataclass(frozen=True)
class Tables:
    """A problem, its instance and the chosen parts."""

    problem: Problem
    instance: Instance
    parts: Parts


class Tally(Costs):
    """The state that is not the search: masks and weights, counters, and the event buffer."""

    prefixes: dict[int, Prefix]
    best: tuple[int, ...]
    best_objective: int
    known: RuleList | None = None

    def __init__(self, tables: Tables, queue: Queue, cache: Cache, symmetry: SymmetryMap) -> None:
        self.problem, self._parts = tables.problem, tables.parts
        self.queue, self.cache, self.symmetry = queue, cache, symmetry
        self.policy, self.bounds = tables.parts.policy, tables.parts.bounds
        self.rejection = "rejection" in tables.parts.bound_names
        self.load(tables.instance, tables.parts)
        self.expanded = self.generated = self.merged = self.peak = 0
        self.pruned_by: Counter[str] = Counter({bound.name: 0 for bound in self.bounds})
        self._records: list[tuple[int, ...]] = []

    def hopeless(self, prefix: Prefix) -> bool:
        """Whether a bound that is switched on would prune the prefix now (Sec. 5.3)."""
        names = self._parts.bound_names
        return ("hierarchical" in names and prefix.lower_bound >= self.best_objective) or (
            "lookahead" in names and prefix.lower_bound + self.rule_cost >= self.best_objective
        )

    def forget(self, node: int) -> None:
        """Drop a queued prefix from the cache."""
        self.prefixes.pop(node, None)
        self.cache.drop(node)

    def done(self) -> Status:
        """The queue is empty: the incumbent is optimal."""
        self.emit(Kind.DONE, objective=self.best_objective, lower_bound=self.best_objective)
        return Status.DONE

    def offer(self, model: Model) -> bool:
        """A warm start: only lists cheaper than the known one are looked for."""
        if not isinstance(model, RuleList):
            return False
        cost = model.cost(self.problem)
        if cost >= self.best_objective:
            return False
        self.known, self.best_objective = model, cost
        return True

    # Events and counters.

    def emit(
        self,
        kind: Kind,
        node: int = 0,
        *,
        part: int = 0,
        antecedent: int = -1,
        length: int = 0,
        count: int = 0,
        lower_bound: int = 0,
        objective: int = 0,
    ) -> None:
        """Append one record (see corels.search.events)."""
        self._records.append(
            (int(kind), part, antecedent, length, node, count, lower_bound, objective)
        )

    def emit_fine(self, kind: Kind, node: int, **fields: int) -> None:
        """A record that only a fine trace wants."""
        if self._parts.fine_events:
            self.emit(kind, node, **fields)

    def count_popped(self, node: int, prefix: Prefix) -> None:
        """A prefix is about to be expanded."""
        self.expanded += 1
        length, lower_bound = len(prefix.antecedents), prefix.lower_bound
        self.emit_fine(Kind.POP, node, length=length, lower_bound=lower_bound)

    def count_improved(self, node: int) -> None:
        """There is a better list."""
        self.emit(
            Kind.INCUMBENT,
            node,
            antecedent=self.best[-1],
            length=len(self.best),
            objective=self.best_objective,
        )

    def count_pruned(self, node: int, part: int, dropped: Children) -> None:
        """Children that a bound removed."""
        self.pruned_by[self.bounds[part].name] += len(dropped)
        self._emit_rows(Kind.PRUNE, node, part, dropped)

    def count_merged(self, node: int, dropped: Children) -> None:
        """Children that the symmetry map did not admit."""
        self.merged += len(dropped)
        self._emit_rows(Kind.MERGE, node, 0, dropped)

    def _emit_rows(self, kind: Kind, node: int, part: int, rows: Children) -> None:
        if self._parts.fine_events:
            for row in range(len(rows)):
                self.emit(
                    kind,
                    node,
                    part=part,
                    antecedent=int(rows.antecedent[row]),
                    length=int(rows.length[row]),
                    lower_bound=int(rows.lower_bound[row]),
                )

    def emit_push(self, child: int, parent: int, children: Children, row: int) -> None:
        """One prefix enters the queue."""
        self.emit_fine(
            Kind.PUSH,
            child,
            count=parent,
            antecedent=int(children.antecedent[row]),
            length=int(children.length[row]),
            lower_bound=int(children.lower_bound[row]),
            objective=int(children.objective[row]),
        )

    def events(self) -> NDArray[Any]:
        """The records since the last call."""
        records, self._records = self._records, []
        return np.array(records, dtype=EVENT)

    def progress(self) -> Progress:
        """Counters, the proven lower bound, and the remaining search space (Theorem 7)."""
        open_prefixes = list(self.prefixes.values())  # queued, or in an expansion that failed
        unseen = [p.lower_bound + self.rule_cost for p in open_prefixes]
        memory = NODE_BYTES * (len(self.cache) + len(self.symmetry))
        self.peak = max(self.peak, memory)
        return Progress(
            expanded=self.expanded,
            children=self.generated,
            queued=len(self.queue),
            cached=len(self.cache),
            merged=self.merged,
            objective=self.best_objective,
            lower_bound=min([*unseen, self.best_objective]),
            memory=memory,
            peak_memory=self.peak,
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

    def model(self) -> RuleList:
        """The incumbent: the known list that the search was offered, until there is a better."""
        if self.known is not None and not self.best:
            return self.known
        return rule_list(self.problem, [int(self.instance.origin[j]) for j in self.best])

    def origin(self) -> NDArray[np.int32]:
        """Antecedents of the instance -> of the problem."""
        return self.instance.origin

    def pruned(self) -> Mapping[str, int]:
        """Children that each bound removed."""
        return dict(self.pruned_by)

    def describe(self) -> Mapping[str, str]:
        """The parts, for the certificate."""
        return {
            "backend": "python",
            "kernel": "gmpy2",
            "search": self._parts.search,
            "policy": self.policy.name,
            "map": self._parts.map,
            "bounds": " ".join(bound.name for bound in self.bounds),
            "start": self._parts.start,
            "seed": str(self._parts.seed),
        }
