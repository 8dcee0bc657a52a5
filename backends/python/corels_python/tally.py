"""What stands around the search loop: tables of the instance, counters, events, snapshots.

Nothing here decides anything; the search itself is in `search.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from gmpy2 import mpz
from numpy.typing import NDArray

from corels.children import COLUMNS, Children
from corels.events import EVENT, Kind
from corels.frontier import log10_remaining
from corels.instance import Instance
from corels.interfaces import Cache, Parts, Progress, Queue, Status, SymmetryMap
from corels.problem import Problem
from corels.rulelist import RuleList, rule_list
from corels_python.masks import Mask, Weights, full, key, mask, without

if TYPE_CHECKING:
    from corels_python.search import Prefix

NOTHING = mpz(0)
NODE_BYTES = 600  # what one queued prefix takes in CPython, measured with tracemalloc


def bits(indices: NDArray[Any]) -> Mask:
    """The set with these members."""
    found = NOTHING
    for index in indices.tolist():
        found = found.bit_set(index)
    return found


@dataclass(frozen=True)
class Tables:
    """A problem, its instance and the chosen parts."""

    problem: Problem
    instance: Instance
    parts: Parts


class Tally:
    """The state that is not the search: masks and weights, counters, and the event buffer."""

    prefixes: dict[int, Prefix]
    best: tuple[int, ...]
    best_objective: int

    def __init__(self, tables: Tables, queue: Queue, cache: Cache, symmetry: SymmetryMap) -> None:
        self.problem, self.instance = tables.problem, tables.instance
        self.queue, self.cache, self.symmetry = queue, cache, symmetry
        self._parts = tables.parts
        self.policy, self.bounds = tables.parts.policy, tables.parts.bounds
        self.equivalent_points = "equivalent_points" in tables.parts.bound_names
        self.rejection = "rejection" in tables.parts.bound_names
        self.unit, self.rule_cost = self.instance.unit, self.instance.rule_cost
        self.masks = [mask(row) for row in self.instance.masks]
        self.regrets = [Weights(row) for row in self.instance.regrets.tolist()]
        self.worst = Weights(self.instance.regrets.max(axis=0).tolist())
        self.captured = Weights(self.instance.captured.tolist())
        self.minority = Weights(self.instance.minority.tolist())
        self.expanded = self.generated = self.merged = self.peak = 0
        self.pruned_by: Counter[str] = Counter({bound.name: 0 for bound in self.bounds})
        self._records: list[tuple[int, ...]] = []

    def root(self) -> Prefix:
        """The empty prefix."""
        from corels_python.search import Prefix

        everything, m = full(self.instance.n_points), self.instance.n_antecedents
        bound = self.instance.base if self.equivalent_points else 0
        return Prefix(everything, full(m), (), 0, 0, 0, bound)

    def table(self, rows: Sequence[tuple[int, ...]]) -> Children:
        """Rows in the order of COLUMNS as a table."""
        cells = np.array(rows, dtype=np.int64).reshape(len(rows), len(COLUMNS))
        columns = {name: cells[:, at].astype(kind) for at, (name, kind) in enumerate(COLUMNS)}
        return Children(
            **columns,
            unit=self.unit,
            rule_cost=self.rule_cost,
            total=self.instance.total,
            n_antecedents=self.instance.n_antecedents,
        )

    def with_serials(self, children: Children) -> Children:
        """The table with the numbers that the cache is about to give."""
        from dataclasses import replace

        first = self.cache.next_id
        return replace(children, serial=first + np.arange(len(children), dtype=np.int64))

    def child_key(self, prefix: Prefix, antecedent: int) -> bytes:
        """The symmetry map's key of a child that is not built yet."""
        if self.symmetry.key == "remaining":
            return key(without(prefix.remaining, self.masks[antecedent]))
        return np.sort(np.array([*prefix.antecedents, antecedent], dtype="<i4")).tobytes()

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
        """Append one record (see corels.events)."""
        self._records.append(
            (int(kind), part, antecedent, length, node, count, lower_bound, objective)
        )

    def emit_fine(self, kind: Kind, node: int, **fields: int) -> None:
        """A record that only a fine trace wants."""
        if self._parts.fine_events:
            self.emit(kind, node, **fields)

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
        queued = [self.prefixes[node] for node in self.queue.ids()]
        lengths = np.array([len(prefix.antecedents) for prefix in queued], dtype=np.int64)
        bounds = np.array([prefix.lower_bound for prefix in queued], dtype=np.int64)
        memory = NODE_BYTES * (len(self.cache) + len(self.symmetry))
        self.peak = max(self.peak, memory)
        floor = int(bounds.min()) + self.rule_cost if len(bounds) else self.best_objective
        return Progress(
            expanded=self.expanded,
            children=self.generated,
            queued=len(queued),
            cached=len(self.cache),
            merged=self.merged,
            objective=self.best_objective,
            lower_bound=min(floor, self.best_objective),
            memory=memory,
            peak_memory=self.peak,
            log10_remaining=log10_remaining(
                lengths,
                bounds,
                incumbent=self.best_objective,
                rule_cost=self.rule_cost,
                n_antecedents=self.instance.n_antecedents,
            ),
        )

    def model(self) -> RuleList:
        """The incumbent."""
        return rule_list(self.problem, [int(self.instance.origin[j]) for j in self.best])

    def origin(self) -> NDArray[np.int32]:
        """Antecedents of the instance -> of the problem."""
        return self.instance.origin

    def part_names(self) -> dict[str, str]:
        """Policy, map and bounds."""
        return {
            "policy": self.policy.name,
            "map": self._parts.map,
            "bounds": " ".join(bound.name for bound in self.bounds),
            "start": self._parts.start,
            "seed": str(self._parts.seed),
        }
