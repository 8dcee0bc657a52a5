"""The count service: one search here, while the rows stay on workers that count for it.

The search is the best-first search of the backend `python`, step for step: its events, its list and
its certificate's counts are those of one machine. A set of points has no bits here; its name is the
set of antecedents that have captured nothing of it yet, so the operations of the search on sets are
operations on names. Before the search counts a set, all sets are asked for that the queue will soon
give out; what has been counted and is never asked for changes nothing.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from operator import getitem
from typing import Any

import numpy as np
from corels_python.best_first import BestFirst
from corels_python.containers import HeapQueue, PermutationMap, TreeCache
from corels_python.expand import Counts, Prefix
from corels_python.masks import Mask, full, listed, members
from corels_python.tally import Tables
from corels_rule_list.choice import choose_parts
from corels_rule_list.presets import PRESETS
from corels_rule_list.solver import RuleListSolver, backend_of
from numpy.typing import NDArray

from corels import Result, RuleList
from corels.clock import Clock
from corels.errors import CorelsError, OptionError
from corels.model.documents import data_entry
from corels.model.weighing import Weighing
from corels.plugins import registry
from corels.problem import Counted, Instance, PlainRules, Problem
from corels.problem.captures import Captures
from corels.problem.regularization import fitting_regularization
from corels.run.sinks import Chosen
from corels.run.solve import solve
from corels.search import BEST_FIRST, SETS, Expansion, Parts, Role, Search
from corels.search.calls import keeps_points
from corels.tables import Dataset
from corels_dask import counting
from corels_dask.cluster import Tell, cluster_client, folder_of_shards, gathered, silent
from corels_dask.dealing import counted_list, described, keep, stored_shards
from corels_dask.files import TableFiles
from corels_dask.work import Stored

FIRST_BATCH, MOST_AT_ONCE = 16, 1024  # sets that are counted in one round
PATIENCE = 10  # seconds that a search which is to end waits for workers: there may be none
QUICK, SLOW = 0.25, 1.0  # seconds of a round: more sets in the next one, or fewer
ASKED: Mapping[str, Any] = {
    "backend": "python",
    "search": BEST_FIRST,
    "policy": "bfs",
    "map": "permutation",
    "start": "beam",
}
"""What `corels.solve` has to be asked for the same search on one machine, with the bounds of
`left_out` left out."""


def learn_counts(
    data: Dataset | TableFiles,
    regularization: object = "0.01",
    *,
    scheduler: Any,
    shards: int = 2,
    folder: str | None = None,
    max_rules: int | None = None,
    time_limit: float | None = None,
    no_bound: Sequence[str] = (),
    sinks: Sequence[Chosen] = (),
    tell: Tell = silent,
) -> Result:
    """The best rule list of all rows, by one search here that has workers count.

    data, scheduler, folder, tell: as of `learn_shards`. regularization, max_rules, time_limit,
    no_bound, sinks: as of `corels.solve`. shards: parts of the rows, and of the points that are
    counted. Raises OptionError for a wrong option, where no scheduler answers, or where it is lost;
    in its `result` is then what was found, if anything was. Raises OutputError where the folder
    cannot be written. Raises ResourceError where a task takes one worker after another with it.
    """
    sample = described(data, shards, costed=False)
    with cluster_client(scheduler, tell) as client, folder_of_shards(folder) as kept:
        stored = Stored(kept, sample.antecedents, sample.classes)
        packed = stored_shards(client, data, stored, shards, tell)
        rows = FarRows(client, stored, shards, tell)
        total = sum(rows.weights)
        exact = fitting_regularization(regularization, total, sample.n_antecedents)
        problem = rows.problem(sample, sum(one.rows for one in packed), exact)
        options = {**ASKED, "max_rules": max_rules, "time_limit": time_limit}
        without = (*no_bound, *left_out())
        try:
            result = solve(problem, CountService(rows), sinks=sinks, no_bound=without, **options)
        except CorelsError as failed:
            if (best := getattr(failed, "result", None)) is not None:
                keep(best, folder)
            raise
    model = result.model.read_by(sample.known)
    if sample.weighted:
        model = model.weighed_by(Weighing(sample.weight_unit))
    result = replace(result, model=model, data=data_entry(model, sample))
    keep(result, folder)
    return result


def left_out() -> tuple[str, ...]:
    """The default bounds that compare sets of rows, which are far, or that count them one by one: a
    round each."""
    bounds = [registry().get("bound", name) for name in PRESETS["fast"].bounds[BEST_FIRST]]
    return tuple(b.name for b in bounds if SETS in b.reads or b.role is Role.ONE_RULE)


class FarRows:
    """Rows on workers, in buckets. bytes: of counts and of names of sets, to and fro."""

    def __init__(self, client: Any, stored: Stored, shards: int, tell: Tell) -> None:
        self._client, self.bytes, self.rounds = client, 0, 0
        self._gathered = partial(gathered, client, folder=stored.folder)
        count, numbers = len(stored.antecedents), range(shards)
        parts = [client.submit(counting.split, stored, n, shards, pure=False) for n in numbers]
        pieces = [[client.submit(getitem, part, b, pure=False) for part in parts] for b in numbers]
        self._buckets = [
            client.submit(counting.bucket_of, count, piece, pure=False) for piece in pieces
        ]
        self._ready: list[Any] = []
        asked = [(bucket,) for bucket in self._buckets]
        self._told = self._gathered("rows brought together", counting.told, asked, tell=tell)
        self.weights = np.sum([one.weights for one in self._told], axis=0).tolist()
        # The antecedents that differ, and of these those that differ where regrets are.
        self._kept = _first(list(zip(*(one.digests for one in self._told), strict=True)))
        whole = [(list(dict.fromkeys(self._kept)), *self._buckets)]
        (self._hash,) = self._gathered("rows hashed", counting.hash_of, whole, tell=tell)

    def problem(self, data: Dataset, count: int, regularization: Fraction) -> Totals:
        """What is to be learned from so many rows, described as in `data`."""
        kept, names = self._kept, data.antecedents
        return Totals(
            captures=Captures.empty(len(set(kept)), 1),
            weights=np.array(self.weights, dtype=np.int64)[:, None],
            regularization=regularization,
            antecedents=tuple(names[j] for j in dict.fromkeys(kept)),
            classes=data.classes,
            label_name=data.label_name,
            name=data.name,
            merged=tuple((names[j].name, names[k].name) for j, k in enumerate(kept) if j != k),
            rows=count,
            known=data.known,
            weighed=data.weighed,
            of_rows=self._hash,
        )

    def instance(self, problem: Problem, parts: Parts) -> FarInstance:
        """What the search has to know of the points; the workers lay them out."""
        captured = keeps_points(parts)
        of_problem = list(dict.fromkeys(self._kept))
        by_bucket = [one.digests if captured else one.told_apart for one in self._told]
        names = [tuple(one[j] for one in by_bucket) for j in of_problem]
        origin = [j for j in dict.fromkeys(_first(names)) if any(names[j])]
        antecedents = np.array([of_problem[j] for j in origin], dtype=np.int32)
        self._ready = [
            self._client.submit(counting.ready, bucket, antecedents, captured, pure=False)
            for bucket in self._buckets
        ]
        regrets = np.sum([one.regrets for one in self._told], axis=0)
        none = np.zeros(1, dtype=np.int32)
        return FarInstance(
            captures=Captures.empty(len(origin), 1),
            regrets=regrets.astype(np.int32)[:, None],
            captured=none,
            minority=none,
            counts_captured=captured,
            unit=problem.unit,
            rule_cost=problem.rule_cost,
            base=problem.unit * sum(one.unavoidable for one in self._told),
            total=problem.total,
            origin=np.array(origin, dtype=np.int32),
            points=none,
            for_rules=problem.outcomes.for_rules,
            points_there=sum(one.points if captured else one.apart for one in self._told),
        )

    def counts(self, sets: Sequence[tuple[int, ...]], tell: Tell) -> NDArray[np.int64]:
        """int64[len(sets), K, m + 1], as of `counting.counts`."""
        asked = [(part, sets) for part in self._ready]
        found = self._gathered("sets counted", counting.counts, asked, tell=tell)
        self.rounds += 1
        self.bytes += sum(one.nbytes for one in found) + 4 * len(found) * sum(map(len, sets))
        return np.asarray(sum(one.astype(np.int64) for one in found))

    def cells(self, rules: Sequence[int]) -> NDArray[np.int64]:
        """int64[rules + 1, C], as of `counting.cells`, for antecedents of the problem."""
        names = list(dict.fromkeys(self._kept))
        asked = [(bucket, [names[r] for r in rules]) for bucket in self._buckets]
        return np.asarray(sum(self._gathered("", counting.cells, asked)))


def _first(names: Sequence[Any]) -> list[int]:
    """For each name the place of the first one that is equal."""
    place: dict[Any, int] = {}
    return [place.setdefault(name, at) for at, name in enumerate(names)]


@dataclass(frozen=True, eq=False)
class Totals(Problem):
    """A problem whose rows are elsewhere: one point, which no antecedent captures, has them all.
    of_rows: their hash."""

    of_rows: str = ""

    @property
    def data_hash(self) -> str:
        return self.of_rows

    def count(self, rules: PlainRules) -> Counted:
        raise OptionError("a search with rows on workers takes no incumbent")


@dataclass(frozen=True, eq=False)
class FarInstance(Instance):
    """An instance whose points are elsewhere: one point has the sums of their regrets."""

    points_there: int = 0

    @property
    def n_points(self) -> int:
        """P, there."""
        return self.points_there


class CountService(RuleListSolver):
    """Rule lists, with rows on workers."""

    def __init__(self, rows: FarRows) -> None:
        self._rows = rows

    def search(
        self,
        problem: Problem,
        options: Mapping[str, Any],
        *,
        fine_events: bool = False,
        memory_limit: int | None = None,
    ) -> Search:
        """The best-first search. Raises OptionError for bounds that need the points themselves."""
        backend = backend_of(options["backend"])
        parts = choose_parts(options, backend, fine_events=fine_events, memory_limit=memory_limit)
        for bound in parts.bounds:
            if SETS in bound.reads:
                raise OptionError(f"bound {bound.name!r} compares sets of rows, which are far")
        if (refusal := backend.refuses(parts, problem)) is not None:
            raise OptionError(refusal)
        parts.policy.start(parts.seed)
        return FarSearch(Tables(problem, self._rows.instance(problem, parts), parts), self._rows)


class SoonQueue(HeapQueue):
    """The heap, which also tells what comes next."""

    def next(self, count: int) -> list[int]:
        """So many nodes that come first, in this order; they stay queued."""
        first = [heapq.heappop(self._heap) for _ in range(min(count, len(self._heap)))]
        for entry in first:
            heapq.heappush(self._heap, entry)
        return [node for _, node in first]


class FarSearch(BestFirst):
    """Best-first search over names of sets."""

    def __init__(self, tables: Tables, rows: FarRows) -> None:
        self._rows, self._known = rows, dict[Mask, NDArray[np.int64]]()
        self._batch = FIRST_BATCH
        self._queued = SoonQueue()
        self._cells: tuple[tuple[int, ...], NDArray[np.int64]] | None = None
        super().__init__(tables, self._queued, TreeCache(), PermutationMap())

    def load(self) -> None:
        """An antecedent captures its own bit of a name."""
        self.masks = [members(np.array([j])) for j in range(self.instance.n_antecedents)]

    def everything(self) -> Mask:
        return full(self.instance.n_antecedents)

    def count(self, points: Mask) -> Counts:
        self.counted += 1
        if points not in self._known:
            self.ahead([points])
        found = self._known.pop(points)
        classes, (counts, totals) = self.instance.n_classes, (found[:, :-1], found[:, -1])
        none, more = np.zeros_like(counts[0]), list(counts[classes:])
        worst = more.pop(0) if classes > 2 else counts[:classes].sum(axis=0)
        support, minority = more or (none, none)
        of = self.instance.for_rules, self.instance.may_say
        return Counts(counts[:classes], totals[:classes], worst, support, minority, *of)

    def ahead(self, sets: Sequence[Mask]) -> None:
        """Have all of them counted that are not known."""
        new = [one for one in dict.fromkeys(sets) if one not in self._known]
        if len(self._known) > 8 * MOST_AT_ONCE:  # what was asked for too early
            self._known.clear()
        clock = Clock()

        def waiting(what: str, done: int, of: int) -> None:
            if self._interrupted and clock.elapsed > PATIENCE:
                raise KeyboardInterrupt

        if new:
            every = self.everything()
            captured = [listed(every ^ one, len(self.masks)) for one in new]
            asked = [tuple(np.flatnonzero(one).tolist()) for one in captured]
            self._known |= dict(zip(new, self._rows.counts(asked, waiting), strict=True))
        if clock.elapsed > SLOW:
            self._batch = max(FIRST_BATCH, self._batch // 2)
        elif clock.elapsed < QUICK and len(new) >= self._batch:
            self._batch = min(MOST_AT_ONCE, 2 * self._batch)

    def pop(self) -> int | None:
        """The next prefix; it and what the queue has behind it is counted first."""
        node = super().pop()
        if node is not None and self.prefixes[node].remaining not in self._known:
            soon = [self.prefixes[one] for one in self._queued.next(self._batch - 1)]
            wanted = [one.remaining for one in soon if not self.hopeless(one)]
            self.ahead([self.prefixes[node].remaining, *wanted])
        return node

    def take(self, node: int, antecedents: tuple[int, ...], objective: int) -> None:
        """Count a better list before it becomes the incumbent: later nobody might be there."""
        if objective < self.best_objective:
            self._cells = antecedents, self._rows.cells(self._of_problem(antecedents))
        super().take(node, antecedents, objective)

    def _of_problem(self, antecedents: Sequence[int]) -> list[int]:
        return [int(self.instance.origin[j]) for j in antecedents]

    def model(self) -> RuleList:
        """The incumbent, as it was counted."""
        rules: tuple[int, ...] = ()
        cells = self.problem.weights.T
        if self._cells is not None and self._cells[0] == self.best:
            rules, cells = self._cells
        problem = self.problem
        asked = [problem.antecedents[j] for j in self._of_problem(rules)]
        return counted_list(asked, cells, problem.classes, problem.label_name)

    def extra(self) -> Mapping[str, int]:
        """With the rounds to the workers, and the bytes to and fro."""
        return {**super().extra(), "rounds": self._rows.rounds, "bytes": self._rows.bytes}

    def _expansion(self, prefix: Prefix, counted: Counts) -> Expansion:
        """The counts alone."""
        none = np.zeros((0, 0), dtype=np.int64)
        cost = self.list_cost(len(prefix.antecedents), prefix.errors)
        no_words = none.astype(np.uint64)
        return Expansion(no_words, no_words, counted.regrets, counted.totals, none, none, cost)

    def describe(self) -> Mapping[str, str]:
        return self._parts.describe("python", kernel="gmpy2 on workers")
