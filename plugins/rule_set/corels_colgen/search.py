"""One search for the best rule set: generate columns, find a good rule set, close the gap.

The search is a generator: each `yield` hands control back, so that limits, Ctrl-C and progress are
looked after outside. What it knows at any moment is kept in `Incumbent` (the best rule set, its
cost counted from the data) and in `lower_bound` with `bound_from`, the argument that proved it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corels.clock import Clock
from corels.errors import OptionError
from corels_colgen.columns import Columns, Incumbent
from corels_colgen.duals import Duals
from corels_colgen.first import WIDTH, dear_points, first_duals, next_clause
from corels_colgen.gap import close_gap
from corels_colgen.instance import Clause, Instance, complexity
from corels_colgen.local_search import LocalSearch
from corels_colgen.master import Master
from corels_colgen.pricing import Pricer, Query, Status
from corels_colgen.sampling import WIDTH as SAMPLE_WIDTH
from corels_colgen.sampling import SampledPricing

Pause = Iterator[bool]
"""A piece of work: yields False if it may go on if the budget allows, True to hand back now."""

COLUMNS_A_ROUND = 100
SMALL_SIZES = 5
PRICED_AT_ONCE = 200  # clauses expanded between two looks at the clock
GLANCE = 5_000  # clauses expanded for a bound on the way
POLL_SECONDS = 0.02

SOLVED = "master solved, pricing complete"
SOLVED_AT_PRICES = "master with prices of constraints, pricing complete"


@dataclass
class CoverSearch:
    """The search for one class against the rest. Drive it by `step`; read the rest at any time.

    start: clauses to begin with, from a search on the same data. pricing_limit: clauses expanded in
    one pricing search. sampled: sampled pricing comes before exact pricing. least: what is proved
    already. looks: cells of the table that are looked at to close the gap.
    """

    instance: Instance
    start: Sequence[Clause] = ()
    pricing_limit: int | None = None
    sampled: bool = False
    seed: int = 0
    least: int = 0
    looks: float = math.inf

    def __post_init__(self) -> None:
        given = self.instance
        self.columns = Columns(given)
        self.columns.add(c for c in self.start if len(c) <= given.max_conditions)
        self.incumbent = Incumbent(given)
        self.lower_bound, self.bound_from = 0, "costs are not negative"
        self.raise_bound(self.least, "an earlier search")
        self.pricing_seconds = self.looking_seconds = 0.0
        self.phase = "columns"
        self.rounds = 0
        self.finished = False
        self.master = Master(given, self.columns)
        self.pricer = Pricer(given.positives, *dear_points(given))
        self._charged = np.zeros(0)  # of the pricer's duals, by errors
        self._earlier = self._earlier_children = 0  # what other pricers have expanded
        self._sampling = SampledPricing(given, self.seed)
        self.duals: Duals | None = None  # the best of those for which pricing is complete
        self.evidence: tuple[Duals, int] | None = None  # the best of duals, and the least rc
        self._left = 0
        self._work = self._run()

    @property
    def proved(self) -> bool:
        return self.lower_bound == self.incumbent.cost

    @property
    def nodes(self) -> int:
        """Clauses expanded by pricing and enumeration."""
        return int(self.pricer.stats().nodes) + self._earlier

    @property
    def children(self) -> int:
        """Extensions that they have looked at."""
        return int(self.pricer.stats().children) + self._earlier_children

    @property
    def memory(self) -> int:
        """Bytes of the data and the columns (what HiGHS holds is not counted)."""
        given, columns = self.instance, self.columns
        points = given.positives.nbytes + given.negatives.nbytes
        return points + points // 8 + columns.cover.nbytes * 2

    def step(self, budget: int) -> bool:
        """Expand up to `budget` clauses, or do one piece of other work; True at the end.

        However many are allowed, it hands back when a moment has passed.
        """
        self._left = budget
        clock = Clock(POLL_SECONDS)
        while not self.finished:
            pause = next(self._work, None)
            if pause is None:
                self.finished = True
            elif pause or self._left <= 0 or clock.expired():
                break
        return self.finished

    def begin_with(self, clauses: Sequence[Clause]) -> None:
        """A rule set that is known. Raises OptionError if it breaks the limits."""
        given, size = self.instance, complexity(list(clauses))
        if given.budgeted and size > given.budget:
            raise OptionError(f"the model has complexity {size}: expected at most {given.budget}")
        if (longest := max(map(len, clauses), default=0)) > given.max_conditions:
            raise OptionError(
                f"a clause of the model has {longest} conditions: expected at most "
                f"{given.max_conditions}"
            )
        self.columns.add(clauses)
        if not self.incumbent.offer(clauses):
            raise OptionError("the model does not keep to the constraints of this problem")

    def close(self) -> None:
        """End what runs in a thread: the linear program. No `step` may follow."""
        self.master.cancel()

    def _run(self) -> Pause:
        yield from self._begin()
        if not self.proved:
            yield from self._generate()
        if not self.proved:
            self.phase = "local search"
            yield from self.search_locally(rounds=60)
        if not self.proved and self.duals is not None:
            yield from close_gap(self)

    def _begin(self) -> Pause:
        """A rule set and a bound at once: the first linear programs may take seconds."""
        if self.evidence is None:
            duals = first_duals(self.instance)
            self.evidence = duals, 0
            self.raise_bound(duals.master_bound(), "equal points of both classes")
        chosen: list[Clause] = []
        while (query := next_clause(self.instance, chosen)) is not None:
            yield from self.search_clauses(query, width=WIDTH)
            found = self.pricer.clauses()
            if not found:  # none costs less than the positives that it would add
                return
            chosen.append(found[0][1])
            self.offer(chosen)
            yield True

    # Column generation ----------------------------------------------------------------------

    def _generate(self) -> Pause:
        """Solve the master, price, add what is found, until nothing is."""
        while True:
            self.master.start()
            while not self.master.wait(POLL_SECONDS):
                yield True
            self.rounds += 1
            duals = self.master.duals()
            if self.rounds & (self.rounds - 1) == 0:
                yield from self.search_locally(rounds=3)
            if self.proved:
                return
            found = yield from self._price(duals)
            self.columns.add(found)
            if not (found or self._break_dearer()):
                return
            yield True

    def _break_dearer(self) -> bool:
        """Whether the master breaks a constraint, and from now on for a higher price."""
        return not self.proved and self.master.breaks() and self.master.raise_price()

    def _price(self, duals: Duals) -> Generator[bool, None, list[Clause]]:
        """Clauses of negative reduced cost; none if there are none or the limit was reached."""
        if self.sampled and (sample := self._sampling.begin(duals)) is not None:
            found = yield from self._price_sample(duals, *sample)
            if found:
                return found
        longest = self.instance.max_conditions
        self._price_at(duals)
        for size, limit in self._sizes():
            query = duals.query(self.instance, max_conditions=size)
            yield from self.search_clauses(query, limit)
            stats = self.pricer.stats()
            if size == longest:
                self._learn_bound(duals, stats.lower_bound)
            if stats.found:
                return [clause for _, clause in self.pricer.clauses()]
        return []

    def _price_sample(
        self, duals: Duals, pricer: Pricer, query: Query, features: NDArray[np.intp]
    ) -> Generator[bool, None, list[Clause]]:
        """Those that a beam search of a sample finds."""
        whole, self.pricer = self.pricer, pricer
        try:
            yield from self.search_clauses(query, width=SAMPLE_WIDTH)
            clauses = [tuple(sorted(features[list(c)].tolist())) for _, c in pricer.clauses()]
        finally:
            self._leave_pricer(whole)
        yield True
        return self._sampling.kept(clauses, duals, COLUMNS_A_ROUND)

    def _leave_pricer(self, other: Pricer) -> None:
        """Go on with another one."""
        stats, self.pricer = self.pricer.stats(), other
        self._earlier += int(stats.nodes)
        self._earlier_children += int(stats.children)

    def _price_at(self, duals: Duals) -> None:
        """By errors, what a clause catches wrongly is charged as the duals say."""
        given = self.instance
        if not given.by_errors or np.array_equal(duals.charged, self._charged):
            return
        self._charged, dear = duals.charged, duals.charged > 0
        negatives = np.ascontiguousarray(given.positives[:, dear])
        self._leave_pricer(Pricer(given.positives, negatives, duals.charged[dear]))

    def _sizes(self) -> list[tuple[int, int | None]]:
        """Sizes in turn, each with its limit of nodes; now and then a look at all sizes at once,
        for a bound on the way."""
        longest, limit = self.instance.max_conditions, self.pricing_limit
        sizes = [(size, limit) for size in range(1, min(SMALL_SIZES, longest - 1) + 1)]
        if self.rounds >= 4 and self.rounds & (self.rounds - 1) == 0:
            sizes.insert(0, (longest, GLANCE if limit is None else min(limit, GLANCE)))
        return [*sizes, (longest, limit)]

    def enumerate(self, query: Query) -> Generator[bool, None, Status]:
        """All clauses of a query at the best duals."""
        assert self.duals is not None
        self._price_at(self.duals)
        return (yield from self.search_clauses(query))

    def search_clauses(
        self, query: Query, limit: int | None = None, width: int = 0
    ) -> Generator[bool, None, Status]:
        """DONE, FULL, or MORE if so many clauses were expanded (None: no limit). width: of a
        beam search in place of the exact one."""
        if self._left <= 0:  # the root takes one
            yield False
        first, beam = self.pricer.stats().nodes, width > 0
        status = self._counted(lambda: self.pricer.start(query))
        if beam and status is not Status.FULL:
            status = self.pricer.beam(width)
        while status is not Status.FULL:
            if self._left <= 0:
                yield False
            nodes = max(1, min(self._left, PRICED_AT_ONCE))
            if limit is not None:
                nodes = min(nodes, first + limit - self.pricer.stats().nodes)
                if nodes <= 0:
                    return Status.MORE
            status = self._counted(lambda: self.pricer.step(nodes))  # noqa: B023 - called now
            if status is Status.DONE:
                break
            yield False
        return status

    def _counted(self, call: Callable[[], Status]) -> Status:
        """Run a piece of pricing and book its nodes and its time."""
        clock, before = Clock(), self.nodes
        status = call()
        self._left -= self.nodes - before
        self.pricing_seconds += clock.elapsed
        return status

    def _learn_bound(self, duals: Duals, least: int) -> None:
        """A bound from a search over all clauses: none below `least`."""
        bound = duals.truncated_bound(least, self.instance)
        if bound > self.lower_bound or (least >= 0 and bound == self.lower_bound):
            self.evidence = duals, max(0, -least)
        if least >= 0:
            if self.duals is None or bound >= self.duals.master_bound():
                self.duals = duals
            priced = any(duals.prices.numerators)
            self.raise_bound(bound, SOLVED_AT_PRICES if priced else SOLVED)
        else:
            self.raise_bound(bound, "master and least reduced cost")

    def raise_bound(self, bound: int, source: str) -> None:
        """No rule set that keeps to the constraints costs less, but the incumbent."""
        bound = min(bound, self.incumbent.cost)
        if bound > self.lower_bound:
            self.lower_bound, self.bound_from = bound, source

    # A good rule set ------------------------------------------------------------------------

    def search_locally(self, rounds: int) -> Pause:
        if not len(self.columns):
            return
        weights = np.zeros(len(self.columns))
        known_weights = self.master.weights()
        weights[: len(known_weights)] = known_weights
        saved = self._saved()
        search = LocalSearch(self.instance, self.columns, weights, saved, self.seed)
        support = [int(k) for k in np.argsort(-weights, kind="stable") if weights[k] > 1e-6]
        clauses = self.columns.clauses
        for start in (support, self.columns.numbers(self.incumbent.clauses)):
            if not self.proved:
                # It goes on once the cost is proved: a less complex rule set may cost as little.
                for better in search.run(start, rounds):
                    if better is not None:
                        self.offer([clauses[k] for k in better])
                    yield False

    def _saved(self) -> NDArray[np.float64]:
        """What it saves to catch each point, at the prices that the master has now."""
        duals = self.master.duals() if self.rounds and len(self.instance.rates) else None
        if duals is None:
            return (self.instance.positive_weights - self.instance.once).astype(np.float64)
        return np.asarray(duals.saved / duals.scale)

    def offer(self, clauses: Sequence[Clause]) -> None:
        """Take a rule set if it is better than the incumbent."""
        self.incumbent.offer(clauses)
        if self.lower_bound > self.incumbent.cost:
            raise AssertionError("a rule set is cheaper than a proven bound")
