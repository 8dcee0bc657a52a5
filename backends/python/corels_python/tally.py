"""What stands around both searches: the incumbent, counters, events, steps, snapshots.

Nothing here decides anything; the searches are in `best_first.py` and `depth_first.py`.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels import RuleList
from corels.problem import Instance, PlainRules, Problem
from corels.proof.records import claim, limit, list_record
from corels.search import EVENT, Children, Kind, Parts, Progress, ProofLog, Role, SetSearch, Status
from corels.search.calls import foreign, refuse_unknown, roles
from corels_python.tuning import TUNING

STEP_SECONDS = 0.1  # a step comes back after so long, however large its budget
MANY_EVENTS = 1 << 16  # a step comes back when so many records wait


@dataclass(frozen=True)
class Tables:
    """A problem, its instance and the chosen parts."""

    problem: Problem
    instance: Instance
    parts: Parts


class Tally(SetSearch):
    """The state that is not the walk: the incumbent, counters, the event buffer, and what is
    proved (docs/internals/proof.md), which goes to the log if a proof is written."""

    best: tuple[int, ...] = ()
    known: RuleList | None = None
    expanded = generated = merged = counted = 0
    inserted = longest = 0  # nodes ever listed; rules of the longest prefix expanded
    proven = 0  # the lower bound so far: it never falls
    memory = peak = 0  # bytes, as estimated
    _logged = -1  # the cost of the list that the log knows

    def __init__(self, tables: Tables) -> None:
        self.problem, self.instance, self._parts = tables.problem, tables.instance, tables.parts
        self.unit, self.rule_cost = self.instance.unit, self.instance.rule_cost
        self.policy, self.bounds = self._parts.policy, self._parts.bounds
        self.roles = roles(self._parts)  # where the bounds stand that the search itself applies
        self.tune = {row.name: self._parts.tune.get(row.name, row.default) for row in TUNING}
        self.equivalent_points = Role.EQUIVALENT_POINTS in self.roles
        self.reads_sets = self._parts.reads_sets
        self.pruned_by: Counter[str] = Counter({bound.name: 0 for bound in self.bounds})
        self._records: list[tuple[int, ...]] = []
        self._work, self._error = self.work(), None
        self._interrupted = False
        default = int(self.instance.regrets.sum(axis=1, dtype=np.int64).min())
        self.best_objective = self.unit * default + self.instance.base
        self.max_rules = self._parts.max_rules
        # Of the rules behind the first ones; None if it cannot bind.
        first = len(self.problem.first)
        self.binding_limit = None if self.max_rules is None else self.max_rules - first
        self.forget_needless_limit()
        self.emit(Kind.START, objective=self.best_objective, count=self.instance.n_antecedents)

    def forget_needless_limit(self) -> None:
        """A limit of rules that cannot bind is none: a list below the incumbent is worth no more
        rules, and no list needs an antecedent twice. Called at first, and when the walk begins."""
        longest = self.instance.n_antecedents
        if self.rule_cost > 0:
            cost = self.best_objective - self.instance.base
            longest = min(longest, max(0, (cost - 1) // self.rule_cost))
        if self.binding_limit is not None and self.binding_limit >= longest:
            self.binding_limit = None

    def rules_left(self, length: int) -> int:
        """How many rules may follow a prefix of this length at most; -1: any number."""
        return -1 if self.binding_limit is None else self.binding_limit - length

    @abstractmethod
    def work(self) -> Iterator[None]:
        """The whole search, in small pieces: at most one expansion before each `yield`."""

    def step(self, budget: int) -> Status:
        """Pieces of work: until the budget is spent, a tenth of a second is over, the incumbent has
        improved, many events wait, or the search is interrupted."""
        if self._error is not None:
            raise self._error
        until, before = time.monotonic() + STEP_SECONDS, self.best_objective
        for _ in range(budget):
            if self._interrupted or time.monotonic() > until:
                break
            try:
                next(self._work)
            except StopIteration:
                return self._done()
            except BaseException as error:
                self._error = error  # a search that has failed has proved nothing
                raise
            if self.best_objective < before or len(self._records) > MANY_EVENTS:
                break
        self._interrupted = False
        self.tell_list()
        return Status.RUNNING

    def interrupt(self) -> None:
        self._interrupted = True

    def _done(self) -> Status:
        """Nothing is left to be explored: the incumbent is optimal."""
        self.proven = self.best_objective
        self.emit(Kind.DONE, objective=self.best_objective, lower_bound=self.best_objective)
        self._work = iter(())
        return Status.DONE

    def take(self, node: int, antecedents: tuple[int, ...], objective: int) -> None:
        """A list that may be the new incumbent."""
        if objective < self.best_objective:
            self.best, self.best_objective = antecedents, objective  # Ctrl-C keeps them one
            self.emit(
                Kind.INCUMBENT,
                node,
                antecedent=antecedents[-1],
                length=len(antecedents),
                objective=objective,
            )

    def offer(self, rules: PlainRules) -> bool:
        """A warm start: only lists cheaper than the known one are looked for."""
        known, cost = RuleList.offered(self.problem, rules, self.max_rules)
        if cost >= self.best_objective:
            return False
        self.known, self.best_objective = known, cost
        return True

    def snapshot(self, unseen: Sequence[int], *, memory: int, **more: Any) -> Progress:
        """Counters, and the proven lower bound: what was proved once stays proved.

        unseen: what lists cost at least that may still be found. memory: bytes held now. more: the
        fields of `Progress` that only the walk knows.
        """
        least = min([self.best_objective, *unseen])
        self.proven = min(max(self.proven, least), self.best_objective)
        self.peak = max(self.peak, memory)
        return Progress(
            expanded=self.expanded,
            children=self.generated,
            merged=self.merged,
            objective=self.best_objective,
            lower_bound=self.proven,
            memory=memory,
            peak_memory=self.peak,
            extra=self.extra(),
            **more,
        )

    # What is proved.

    def start_log(self, log: ProofLog) -> None:
        """From now on; not with bounds that the checkers do not know."""
        refuse_unknown(self._parts, tables=False)
        self.log = log

    def begin(self) -> None:
        """The walk begins: now it is known whether lists are limited."""
        self.forget_needless_limit()
        if self.log is not None and self.binding_limit is not None:
            self.log.proved(limit(self.binding_limit))

    def tell_list(self) -> None:
        """The best list, if it is a better one than the log knows."""
        if self.log is not None and self.best_objective != self._logged:
            self._logged = self.best_objective
            self.log.found(list_record(self.problem, self.model()))

    def record(self, antecedents: Iterable[int], value: int, kind: str = "c") -> None:
        """Behind rules with these antecedents whatever follows costs at least so much; kind "x":
        the prefix costs so much, and what follows the rest of the bound."""
        if self.log is not None and (value > 0 or kind == "x"):
            rules = [int(self.instance.origin[r]) for r in antecedents]
            self.log.proved(claim(rules, max(0, value), kind))

    # Events and counters.

    def count_expanded(self, length: int) -> None:
        """A prefix of so many rules is expanded."""
        self.expanded += 1
        self.longest = max(self.longest, length)

    def extra(self) -> Mapping[str, int]:
        """Further figures of a snapshot."""
        return {"counts": self.counted, "inserted": self.inserted, "longest": self.longest}

    def emit(self, kind: Kind, node: int = 0, **fields: int) -> None:
        """Append one record; fields that are not given are 0, and the antecedent -1."""
        none = {**dict.fromkeys(EVENT.names, 0), "antecedent": -1}
        self._records.append(tuple({**none, "kind": int(kind), "node": node, **fields}.values()))

    def emit_fine(self, kind: Kind, node: int, **fields: int) -> None:
        """A record that only a fine trace wants."""
        if self._parts.fine_events:
            self.emit(kind, node, **fields)

    def count_pruned(self, node: int, part: int, dropped: Children) -> None:
        """Children that a bound removed."""
        self.pruned_by[self.bounds[part].name] += len(dropped)
        self._emit_rows(Kind.PRUNE, dropped, node=node, part=part)

    def count_merged(self, node: int, dropped: Children) -> None:
        """Children that the symmetry map did not admit."""
        self.merged += len(dropped)
        self._emit_rows(Kind.MERGE, dropped, node=node)

    def emit_pushes(self, parent: int, children: Children) -> None:
        """The children that are left to be explored, by rising number."""
        self.inserted += len(children)
        columns = {"node": children.serial, "objective": children.objective}
        self._emit_rows(Kind.PUSH, children, count=parent, **columns)

    def _emit_rows(self, kind: Kind, rows: Children, **fields: Any) -> None:
        """A record for each of some children. fields: numbers, or an array with one for each."""
        if self._parts.fine_events:
            records = np.zeros(len(rows), dtype=EVENT)
            records["kind"] = kind
            for name in ("antecedent", "length", "lower_bound"):
                records[name] = getattr(rows, name)
            for name, value in fields.items():
                records[name] = value
            self._records += records.tolist()

    def events(self) -> NDArray[Any]:
        records, self._records = self._records, []
        return np.array(records, dtype=EVENT)

    def model(self) -> RuleList:
        if self.known is not None and not self.best:
            return self.known
        behind = [int(self.instance.origin[j]) for j in self.best]
        return RuleList.of(self.problem, [*self.problem.first, *behind])

    def origin(self) -> NDArray[np.int32]:
        return self.instance.origin

    def pruned(self) -> Mapping[str, int]:
        return dict(self.pruned_by)

    def foreign(self) -> tuple[str, ...]:
        return foreign(self._parts)

    def describe(self) -> Mapping[str, str]:
        return self._parts.describe("python", kernel="gmpy2")
