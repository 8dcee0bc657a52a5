"""One round of shards: the rows are dealt to shards, each is searched, and their claims add up.

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
from corels_rule_list.choice import choose_parts
from corels_rule_list.solver import RuleListSolver, backend_of
from numpy.typing import NDArray

from corels import Result
from corels.clock import Clock
from corels.errors import OptionError
from corels.model import Certificate, Stopped
from corels.options import check_all
from corels.problem.problem import exact_regularization, fitting_regularization
from corels.tables import Dataset
from corels_dask import work
from corels_dask.cluster import Tell, cluster_client, folder_of_shards, gathered, silent
from corels_dask.dealing import cheapest, counted_list, described, keep, stored_shards
from corels_dask.files import TableFiles
from corels_dask.work import Found, Packed, Rules, Stored, Task

LISTS_AT_ONCE = 1000  # counted in one visit to the shards


def learn_shards(
    data: Dataset | TableFiles,
    regularization: object = "0.01",
    *,
    scheduler: Any,
    shards: int = 2,
    folder: str | None = None,
    max_rules: int | None = None,
    time_limit: float | None = None,
    proofs: bool = False,
    no_bound: Sequence[str] = (),
    tell: Tell = silent,
) -> Result:
    """The best rule list of all rows, or a list with a proven gap, by searches of parts of them.

    Args:
        data: the rows, as `corels.tables.table_dataset` makes them, or files that the workers read
            (`table_files`), which then have no costs; without constraints.
        regularization: lambda, above 0; a cost where outcomes have costs.
        scheduler: the address of a Dask scheduler, or a `distributed.Client`; "": two workers here.
        shards: how many parts, of about equal size and equal shares of the classes.
        folder: where the shards are kept, on a disk that the workers share; with what was found on
            them, so that the same call goes on where an earlier one ended. A temporary one if None.
        max_rules: of a list; None: any number.
        time_limit: seconds, for the search of each shard and for its good lists.
        proofs: write `shard-00000.proof` and so on to the folder; see docs/how-to/shards.md.
        no_bound: bounds that the search of a shard leaves out, as of `corels.solve`.
        tell: is called with what is done, how many shards have done so, and of how many.

    Raises:
        OptionError: for a wrong option, or where no scheduler answers.
        OutputError: where the folder cannot be written.
        ResourceError: where a shard takes one worker after another with it.
    """
    clock = Clock()
    told = described(data, shards, costed=True)
    outcomes = None if told.costs is None else told.costs.outcomes
    options = {"max_rules": max_rules, "no_bound": tuple(no_bound)}
    refuse_options(regularization, folder, proofs, costed=outcomes is not None, **options)
    with cluster_client(scheduler, tell) as client, folder_of_shards(folder) as kept:
        stored = Stored(kept, told.antecedents, told.classes, outcomes)
        packed = stored_shards(client, data, stored, shards, tell)
        total = sum(sum(one.weights) for one in packed)
        exact = fitting_regularization(
            regularization, total, told.n_antecedents, costed=outcomes is not None
        )
        task = Task(stored, exact, max_rules, time_limit, proofs, tuple(no_bound))
        run = _Round(client, task, total, tell)
        run.search([_key(task, one) for one in packed])
        objective, lower_bound, counted = run.closed()
    proved = [one.certificate for one in run.found]
    certificate = Certificate(
        objective,
        lower_bound,
        Stopped.CERTIFIED if objective == lower_bound else run.stopped(),
        exact,
        solver="rule-list",
        seconds=clock.elapsed,
        expanded=sum(one.expanded for one in proved),
        children=sum(one.children for one in proved),
        peak_memory=max(one.peak_memory for one in proved),
        max_rules=max_rules,
        extra=run.told(),
    )
    rules = [told.antecedents[rule] for rule in run.best]
    model = counted_list(rules, counted, told.classes, told.label_name, outcomes)
    result = Result(model, certificate)
    keep(result, folder)
    return result


def refuse_options(
    regularization: object = "0.01",
    folder: str | None = None,
    proofs: bool = False,
    *,
    costed: bool,
    **options: Any,
) -> None:
    """Raise OptionError for what every shard would refuse. options: of `corels.solve`."""
    if exact_regularization(regularization, costed=costed) == 0:
        raise OptionError("regularization is 0: shards need a price of a rule above 0")
    if proofs and folder is None:
        raise OptionError("proofs need a folder that stays: name one")
    chosen = check_all(RuleListSolver.options, options, "the search of a shard")
    choose_parts(chosen, backend_of(None))


def _key(task: Task, packed: Packed) -> str:
    """What was searched for, in which rows."""
    names = "\0".join(a.name for a in task.stored.antecedents)
    asked = f"{names}\0{task.stored.classes}\0{task.regularization}\0{task.max_rules}"
    if task.stored.outcomes is not None:
        asked += f"\0{task.stored.outcomes}"
    return hashlib.sha256(f"{asked}\0{packed.digest}".encode()).hexdigest()


class _Round:
    """The shards' answers. best: the best list so far of all rows; counted: lists counted."""

    def __init__(self, client: Any, task: Task, total: int, tell: Tell) -> None:
        self._task, self._total = task, total
        self._gathered = partial(gathered, client, folder=task.stored.folder, tell=tell)
        self.found: list[Found] = []
        self.best: Rules = ()
        self.counted = 0
        self.interrupted = False
        self._known: dict[Rules, tuple[Fraction, NDArray[np.int64]]] = {}

    def search(self, keys: Sequence[str]) -> None:
        """Search the shards that an earlier run has not."""
        kept = {number: self._kept(number, key) for number, key in enumerate(keys)}
        asked = [(self._task, number, keys[number]) for number, one in kept.items() if one is None]
        new = self._gathered("shards searched", work.search, asked)
        self.found = [one for one in (*kept.values(), *new) if one is not None]
        self.found.sort(key=lambda one: one.number)

    def _kept(self, number: int, key: str) -> Found | None:
        """What was found in an earlier run; nothing where it had been stopped."""
        try:
            with open(self._task.stored.file(number, "json"), encoding="utf-8") as stream:
                found = Found.of(json.load(stream))
        except (OSError, ValueError, TypeError, KeyError, ArithmeticError):
            return None
        again = not found.certificate.optimal or (
            self._task.proofs and not os.path.exists(self._task.stored.file(number, "proof"))
        )
        return None if found.key != key or again else found

    def closed(self) -> tuple[Fraction, Fraction, NDArray[np.int64]]:
        """(objective, lower bound, counts of the best list), after both statements."""
        self._count([*dict.fromkeys(one.rules for one in self.found), ()])
        least = self._least()
        above = self._known[self.best][0] - self._sum(least)
        certified = [one for one in self.found if one.certificate.optimal]
        share = sum((self._share(one) for one in certified), Fraction(0))
        # Below lambda, no good list of a shard has a rule that captures nothing there.
        if above and share and above / share < self._task.regularization:
            more = above / share
            asked = [(self._task, one, more) for one in certified]
            try:
                answers = self._gathered("shards listed", work.good_lists, asked)
                named = {rules for lists in answers if lists is not None for rules in lists}
                self._count(sorted(named - self._known.keys()))
            except KeyboardInterrupt:  # what the searches have proved stands
                self.interrupted, answers = True, [None] * len(asked)
            for one, lists in zip(certified, answers, strict=True):
                if lists is not None:
                    least[one.number] += more
        objective, counted = self._known[self.best]
        return objective, min(objective, self._sum(least)), counted

    def stopped(self) -> Stopped:
        """Why the gap was not closed."""
        if self.interrupted:
            return Stopped.INTERRUPTED
        limited = any(one.certificate.stopped is Stopped.TIME_LIMIT for one in self.found)
        return Stopped.TIME_LIMIT if limited else Stopped.ENDED

    def told(self) -> dict[str, Any]:
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

    def _count(self, lists: Sequence[Rules]) -> None:
        """Count lists on all rows, and keep the best one; of equal ones the shortest, the first."""
        stored = self._task.stored
        for start in range(0, len(lists), LISTS_AT_ONCE):
            some = lists[start : start + LISTS_AT_ONCE]
            asked = [(stored, one.number, some) for one in self.found]
            parts = self._gathered("shards counted", work.counts, asked)
            for at, rules in enumerate(some):
                table = np.asarray(sum(part[at] for part in parts))
                paid = cheapest(table, len(stored.classes), stored.outcomes)[1]
                worth = self._total * (1 if stored.outcomes is None else stored.outcomes.scale)
                objective = Fraction(paid, worth) + self._task.regularization * len(rules)
                self._known[rules] = objective, table
        self.counted += len(lists)
        self.best = min(self._known, key=lambda r: (self._known[r][0], len(r), r))
