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
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels import Result, Rule, RuleList
from corels.clock import Clock
from corels.errors import InputError, OptionError, OutputError, ResourceError
from corels.model import Certificate, Stopped
from corels.model.documents import to_json
from corels.problem.problem import fitting_regularization
from corels.run.output import save
from corels.tables import Dataset
from corels_dask import work
from corels_dask.work import Found, Rules, Task

MODEL = "model.json"  # of the folder: the list and its certificate
LISTS_AT_ONCE = 1000  # counted in one visit to the shards
Tell = Callable[[str, int, int], None]


def learn_shards(
    data: Dataset,
    regularization: object = "0.01",
    *,
    scheduler: Any,
    shards: int = 2,
    folder: str | None = None,
    max_rules: int | None = None,
    time_limit: float | None = None,
    proofs: bool = False,
    no_bound: Sequence[str] = (),
    tell: Tell = lambda what, done, of: None,
) -> Result:
    """The best rule list of all rows, or a list with a proven gap, by searches of parts of them.

    Args:
        data: the rows, as `corels.data.table_dataset` makes them; without costs or constraints.
        regularization: lambda, above 0.
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
    _refuse(data, shards, folder, proofs)
    total = data.n_rows if data.weights is None else int(data.weights.sum())
    exact = fitting_regularization(regularization, total, data.n_antecedents)
    if exact == 0:
        raise OptionError("regularization is 0: shards need a price of a rule above 0")
    with _client(scheduler) as client, tempfile.TemporaryDirectory(prefix="corels-") as own:
        task = Task(
            folder or own,
            data.antecedents,
            data.classes,
            exact,
            max_rules,
            time_limit,
            proofs,
            tuple(no_bound),
        )
        keys = _written(data, task, shards)
        run = _Round(client, task, total, tell)
        run.search(keys)
        objective, lower_bound, counted = run.closed()
    certificate = Certificate(
        objective,
        lower_bound,
        Stopped.CERTIFIED if objective == lower_bound else run.stopped(),
        exact,
        solver="rule-list",
        seconds=clock.elapsed,
        max_rules=max_rules,
        extra=run.told(),
    )
    result = Result(_model(data, run.best, counted), certificate)
    if folder is not None:
        told = {**result.model.to_document(), "certificate": certificate.to_document()}
        save(os.path.join(folder, MODEL), to_json(told) + "\n")
    return result


def _refuse(data: Dataset, shards: int, folder: str | None, proofs: bool) -> None:
    if data.costs is not None or data.demands is not None:
        raise OptionError("shards count every mistake as one: leave out costs and constraints")
    if not 1 <= shards <= data.n_rows:
        raise OptionError(f"shards is {shards}: expected 1 to {data.n_rows}, the rows")
    if proofs and folder is None:
        raise OptionError("proofs need a folder that stays: name one")
    if data.weights is not None and not data.weights.all():
        raise InputError("shards need rows that weigh something: leave out those of weight 0")


@contextmanager
def _client(scheduler: Any) -> Iterator[Any]:
    """A client of this address, closed again; a client as it is."""
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise OptionError("shards need dask.distributed: pip install 'corels[cluster]'") from None
    if not isinstance(scheduler, str):
        yield scheduler
        return
    make: Any = Client
    local: Any = LocalCluster
    if not scheduler:
        with (
            local(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
            make(cluster) as client,
        ):
            yield client
        return
    try:
        client = make(scheduler.removeprefix("dask:"), timeout=10)
    except (OSError, TimeoutError, ValueError) as error:
        raise OptionError(f"scheduler is {scheduler!r}: nobody answers there ({error})") from None
    with client:
        yield client


def dealt(labels: NDArray[np.int64], shards: int) -> Iterator[NDArray[np.intp]]:
    """The rows of each shard: dealt in turn, class by class, so that shards are alike however the
    rows are sorted."""
    given = np.empty(len(labels), dtype=np.int64)
    given[np.argsort(labels, kind="stable")] = np.arange(len(labels)) % shards
    return (np.flatnonzero(given == number) for number in range(shards))


def part_of(data: Dataset, rows: NDArray[np.intp]) -> Dataset:
    """These rows."""
    weights = None if data.weights is None else data.weights[rows]
    captures = data.captures.columns(rows)
    return Dataset(data.antecedents, captures, data.labels[rows], data.classes, weights=weights)


def _written(data: Dataset, task: Task, shards: int) -> list[str]:
    """Write the shards; the key of each, which says what was searched."""
    names = "\0".join(a.name for a in data.antecedents)
    asked = f"{names}\0{data.classes}\0{task.regularization}\0{task.max_rules}"
    keys = []
    for number, rows in enumerate(dealt(data.labels, shards)):
        part = part_of(data, rows)
        arrays: dict[str, NDArray[Any]] = {
            "words": part.captures.words,
            "labels": part.labels.astype(np.int8),
        }
        if part.weights is not None:
            arrays["weights"] = part.weights
        digest = hashlib.sha256(asked.encode())
        for array in arrays.values():
            digest.update(array.tobytes())
        keys.append(digest.hexdigest())
        try:
            os.makedirs(task.folder, exist_ok=True)
            np.savez(task.file(number, "npz"), **arrays)  # type: ignore[arg-type]
        except OSError as error:
            raise OutputError(
                f"{task.folder}: the shards cannot be written ({error.strerror})"
            ) from error
    return keys


class _Round:
    """The shards' answers. best: the best list so far of all rows; counted: lists counted."""

    def __init__(self, client: Any, task: Task, total: int, tell: Tell) -> None:
        self._client, self._task, self._total, self._tell = client, task, total, tell
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
            with open(self._task.file(number, "json"), encoding="utf-8") as stream:
                found = Found.of(json.load(stream))
        except (OSError, ValueError, TypeError, KeyError, ArithmeticError):
            return None
        again = not found.optimal or (
            self._task.proofs and not os.path.exists(self._task.file(number, "proof"))
        )
        return None if found.key != key or again else found

    def closed(self) -> tuple[Fraction, Fraction, NDArray[np.int64]]:
        """(objective, lower bound, counts of the best list), after both statements."""
        self._count([*dict.fromkeys(one.rules for one in self.found), ()])
        least = self._least()
        above = self._known[self.best][0] - self._sum(least)
        certified = [one for one in self.found if one.optimal]
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
        limited = any(one.stopped == Stopped.TIME_LIMIT for one in self.found)
        return Stopped.TIME_LIMIT if limited else Stopped.ENDED

    def told(self) -> dict[str, Any]:
        """For the certificate. proved: the bounds of the searches alone, which proofs can state."""
        return {
            "shards": len(self.found),
            "shards_certified": sum(one.optimal for one in self.found),
            "lists_counted": self.counted,
            "proved": str(self._sum(self._least())),
        }

    def _least(self) -> dict[int, Fraction]:
        return {one.number: one.lower_bound for one in self.found}

    def _share(self, one: Found) -> Fraction:
        return Fraction(one.weight, self._total)

    def _sum(self, bounds: dict[int, Fraction]) -> Fraction:
        return sum((self._share(one) * bounds[one.number] for one in self.found), Fraction(0))

    def _count(self, lists: Sequence[Rules]) -> None:
        """Count lists on all rows, and keep the best one; of equal ones the shortest, the first."""
        for start in range(0, len(lists), LISTS_AT_ONCE):
            some = lists[start : start + LISTS_AT_ONCE]
            asked = [(self._task, one.number, some) for one in self.found]
            parts = self._gathered("shards counted", work.counts, asked)
            for at, rules in enumerate(some):
                table = np.asarray(sum(part[at] for part in parts))
                errors = int((table.sum(axis=1) - table.max(axis=1)).sum())
                objective = Fraction(errors, self._total) + self._task.regularization * len(rules)
                self._known[rules] = objective, table
        self.counted += len(lists)
        self.best = min(self._known, key=lambda r: (self._known[r][0], len(r), r))

    def _gathered(self, what: str, do: Callable[..., Any], asked: Sequence[Any]) -> list[Any]:
        """The answers in order; Dask gives what a lost worker had to others."""
        import distributed
        from distributed import KilledWorker

        as_completed: Any = distributed.as_completed
        futures = [self._client.submit(do, *one, pure=False) for one in asked]
        self._tell(what, 0, len(futures))
        try:
            for done, _ in enumerate(as_completed(futures), 1):
                self._tell(what, done, len(futures))
            answers: list[Any] = self._client.gather(futures)
        except KilledWorker as error:
            raise ResourceError(
                f"{what}: a shard has ended several workers, perhaps for want of memory: expected "
                "more shards, or workers with more memory"
            ) from error
        except OSError as error:
            raise OutputError(f"{self._task.folder}: a worker cannot use it ({error})") from error
        finally:
            self._client.cancel(futures)
        return answers


def _model(data: Dataset, rules: Rules, counted: NDArray[np.int64]) -> RuleList:
    """The list with its counts of all rows; of equal classes the first."""
    asked = [*(data.antecedents[rule] for rule in rules), None]
    made = [
        Rule(antecedent, int(row.argmax()), tuple(row.tolist()))
        for antecedent, row in zip(asked, counted, strict=True)
    ]
    return RuleList(tuple(made[:-1]), made[-1], data.classes, data.label_name)
