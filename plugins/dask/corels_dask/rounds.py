"""One round of shards: what is asked of each, and what their answers say of all rows.

With the same lambda, R(d) is the mean of R_s(d) over the shards s, weighted by w_s, their parts of
the rows. docs/internals/shards.md proves the two statements that this module uses:

1. No list costs less than the sum of w_s times the lower bound of shard s.
2. With thresholds theta_s that add up (weighted) to R(d*), a better list than d* costs less than
   theta_s on some shard. So if each shard names its lists up to theta_s, one pass over all rows
   that counts the named lists finds the optimum.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels import Rule, RuleList
from corels.clock import Clock
from corels.model import Stopped
from corels.problem.costs import UNJUDGED
from corels_dask import work
from corels_dask.cluster import Tell, gathered
from corels_dask.work import Found, Packed, Rules, Task

LISTS_AT_ONCE = 1000  # counted in one visit to the shards


class Round:
    """The shards' answers.

    best: the best list so far of all rows; counted: lists counted. interrupted: by Ctrl-C; late:
    the time was up before all named lists were counted.
    """

    def __init__(self, client: Any, task: Task, total: int, tell: Tell) -> None:
        self._task, self._total = task, total
        self._gathered = partial(gathered, client, folder=task.stored.folder, tell=tell)
        self.found: list[Found] = []
        self.best: Rules = ()
        self.counted = 0
        self.interrupted = self.late = False
        self._known: dict[Rules, tuple[Fraction, NDArray[np.int64]]] = {}

    def search(self, packed: Sequence[Packed]) -> None:
        """Search the shards that an earlier run has not."""
        keys = [_key(self._task, one) for one in packed]
        kept = {number: self._kept(number, key) for number, key in enumerate(keys)}
        asked = [(self._task, number, keys[number]) for number, one in kept.items() if one is None]
        new = self._gathered("shards searched", work.search, asked)
        self.found = [one for one in (*kept.values(), *new) if one is not None]
        self.found.sort(key=lambda one: one.number)

    def _kept(self, number: int, key: str) -> Found | None:
        """What was found in an earlier run; nothing if it had been stopped."""
        try:
            with open(self._task.found(number), encoding="utf-8") as stream:
                found = Found.of(json.load(stream))
        except (OSError, ValueError, TypeError, KeyError, ArithmeticError):
            return None
        again = not found.certificate.optimal or (
            self._task.proofs and not os.path.exists(self._task.stored.file(number, "proof"))
        )
        return None if found.key != key or again else found

    def closed(self) -> tuple[Fraction, Fraction]:
        """(objective, lower bound) of the best list, after both statements."""
        self._count([*dict.fromkeys(one.rules for one in self.found), ()])
        least = self._raised(self._known[self.best][0] - self._sum(self._least()))
        objective = self._known[self.best][0]
        return objective, min(objective, self._sum(least))

    def _raised(self, above: Fraction) -> dict[int, Fraction]:
        """What each shard's lists cost at least but for those counted, after the second statement.

        above: by how much the best list is known to cost more than the shards' bounds together.
        """
        least = self._least()
        certified = [one for one in self.found if one.certificate.optimal]
        share = sum((self._share(one) for one in certified), Fraction(0))
        more = above / share if share else Fraction(0)
        if not 0 < more < self._task.regularization:
            return least  # below lambda, no good list has a rule that captures nothing there
        asked = [(self._task, one, more) for one in certified]
        try:
            answers = self._gathered("shards listed", work.good_lists, asked)
            named = {rules for lists in answers if lists is not None for rules in lists}
            self.late = not self._count(sorted(named), Clock(self._task.time_limit))
        except KeyboardInterrupt:  # what the searches have proved stands
            self.interrupted = True
        if self.interrupted or self.late:
            return least
        raised = [
            one.number for one, lists in zip(certified, answers, strict=True) if lists is not None
        ]
        return least | {number: least[number] + more for number in raised}

    def model(self) -> RuleList:
        """The best list."""
        about, outcomes = self._task.stored.about, self._task.stored.outcomes
        counted, made = self._known[self.best][1], []
        classes, said = len(about.classes), self._cheapest(self.best, counted)[0]
        rules = [*(about.antecedents[rule] for rule in self.best), None]
        for antecedent, outcome, row in zip(rules, said.tolist(), counted, strict=True):
            counts = tuple(row[:classes].tolist())
            if outcomes is None:
                made.append(Rule(antecedent, outcome, counts))
                continue
            costs, right = row[classes:].reshape(2, -1).tolist()
            judged = outcomes.kinds[outcome] not in UNJUDGED
            own = tuple(costs), right[outcome] if judged else None
            made.append(Rule(antecedent, outcome, counts, *own))
        return RuleList(tuple(made[:-1]), made[-1], about.classes, about.label_name, outcomes)

    def _cheapest(self, rules: Rules, counted: NDArray[np.int64]) -> tuple[NDArray[np.intp], int]:
        """What each rule of a list says, of equals the first, and what the list pays. counted: as
        of `work.counts`."""
        about, outcomes = self._task.stored.about, self._task.stored.outcomes
        classes = len(about.classes)
        if outcomes is None:
            costs, of_rules = counted.sum(axis=1, keepdims=True) - counted, classes
        else:
            costs = counted[:, classes : classes + len(outcomes)]
            of_rules = outcomes.for_rules
        may = np.ones((len(rules), of_rules), np.bool_)
        if self._task.stored.may_say is not None:
            may = self._task.stored.may_say[list(rules), :of_rules]
        allowed = np.where(may, costs[:-1, :of_rules], np.iinfo(np.int64).max)
        said = np.append(allowed.argmin(axis=1), costs[-1].argmin())
        return said, int(costs[np.arange(len(costs)), said].sum())

    def stopped(self) -> Stopped:
        """Why the gap was not closed."""
        if self.interrupted:
            return Stopped.INTERRUPTED
        limited = self.late or any(
            one.certificate.stopped is Stopped.TIME_LIMIT for one in self.found
        )
        return Stopped.TIME_LIMIT if limited else Stopped.ENDED

    def extra(self) -> dict[str, Any]:
        """For the certificate. proved: the bounds of the searches alone, which proofs can state."""
        return {
            "shards": len(self.found),
            "shards_certified": sum(one.certificate.optimal for one in self.found),
            "lists_counted": self.counted,
            "proved": str(self._sum(self._least())),
        }

    def _least(self) -> dict[int, Fraction]:
        return {one.number: one.certificate.lower_bound for one in self.found}

    def _share(self, one: Found) -> Fraction:
        return Fraction(one.weight, self._total)

    def _sum(self, bounds: dict[int, Fraction]) -> Fraction:
        return sum((self._share(one) * bounds[one.number] for one in self.found), Fraction(0))

    def _count(self, lists: Sequence[Rules], clock: Clock | None = None) -> bool:
        """Count lists on all rows, and keep the best one; of equal ones the shortest, the first.

        Returns whether all were counted before the time was up.
        """
        stored, lists = self._task.stored, [one for one in lists if one not in self._known]
        for start in range(0, len(lists), LISTS_AT_ONCE):
            if clock is not None and clock.expired():
                break
            some = lists[start : start + LISTS_AT_ONCE]
            asked = [(stored, one.number, some) for one in self.found]
            parts = self._gathered("shards counted", work.counts, asked)
            for at, rules in enumerate(some):
                table = np.asarray(sum(part[at] for part in parts))
                paid = self._cheapest(rules, table)[1]
                worth = self._total * (1 if stored.outcomes is None else stored.outcomes.scale)
                objective = Fraction(paid, worth) + self._task.regularization * len(rules)
                self._known[rules] = objective, table
            self.counted += len(some)
        self.best = min(self._known, key=lambda r: (self._known[r][0], len(r), r))
        return all(one in self._known for one in lists)


def _key(task: Task, packed: Packed) -> str:
    """What was searched for, in which rows."""
    about = task.stored.about
    names = "\0".join(a.name for a in about.antecedents)
    asked = f"{names}\0{about.classes}\0{task.regularization}\0{task.max_rules}"
    for one in (task.stored.outcomes, about.directions):
        asked += "" if one in (None, ()) else f"\0{one}"
    return hashlib.sha256(f"{asked}\0{packed.digest}".encode()).hexdigest()
