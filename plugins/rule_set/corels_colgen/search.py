"""One search for the best rule set: generate columns, find a good rule set, close the gap.

The search is a generator: each `yield` hands control back, so that limits, Ctrl-C and progress are
looked after outside. What it knows at any moment is kept in `Incumbent` (the best rule set, its
cost counted from the data) and in `lower_bound` with `bound_from`, the argument that proved it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from corels.clock import Clock
from corels.errors import OptionError
from corels.problem.captures import unpack
from corels_colgen.closing import Candidates, candidates, closing_query
from corels_colgen.columns import Columns
from corels_colgen.duals import Duals
from corels_colgen.exhaustive import LARGEST_BUDGET, MOST_LOOKS, Exhaustive, looks
from corels_colgen.first import first_clauses, first_duals
from corels_colgen.incumbent import Incumbent, LocalSearch
from corels_colgen.instance import Clause, Instance, complexity
from corels_colgen.master import Master
from corels_colgen.pricing import Pricer, Query, Status
from corels_colgen.program import IntegerProgram
from corels_colgen.sampling import SampledPricing

Pause = Iterator[bool]
"""A piece of work: yields False where it may go on if the budget allows, True to hand back now."""

COLUMNS_A_ROUND = 100
SMALL_SIZES = 5
PRICED_AT_ONCE = 200  # clauses expanded between two looks at the clock
GLANCE = 5_000  # clauses expanded for a bound on the way
POLL_SECONDS = 0.02
MOST_ENUMERATED = 400_000  # clauses, before the needless ones are dropped
FIRST_PROGRAM = 8_000  # clauses in a closing program, at first ...
LARGEST_PROGRAM = 100_000  # ... and at last
RESTRICTED_SECONDS = 5.0  # for the integer program over the columns of the master

EXHAUSTED = "enumeration of all rule sets"


@dataclass
class CoverSearch:
    """The search for one class against the rest. Drive it by `step`; read the rest at any time.

    start: clauses to begin with, from a search on the same data. pricing_limit: clauses expanded in
    one pricing search. sampled: sampled pricing comes before exact pricing.
    """

    instance: Instance
    start: Sequence[Clause] = ()
    pricing_limit: int | None = None
    sampled: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        given = self.instance
        self.columns = Columns(given)
        self.columns.add(c for c in self.start if len(c) <= given.max_conditions)
        self.incumbent = Incumbent(given)
        self.lower_bound = 0
        self.bound_from = "costs are not negative"
        self.pricing_seconds = self.integer_seconds = 0.0
        self.phase = "columns"
        self.rounds = 0
        self.finished = False
        self.master = Master(given, self.columns)
        self._pricer = Pricer(given.positives, given.negatives, given.negative_weights)
        self._sampling = SampledPricing(given, self.seed)
        self._program: IntegerProgram | None = None
        self._duals: Duals | None = None
        self.evidence: tuple[Duals, int] | None = None  # the best of duals, and the least rc
        self._left = 0
        self._work = self._run()

    @property
    def proved(self) -> bool:
        return self.lower_bound == self.incumbent.cost

    @property
    def nodes(self) -> int:
        """Clauses expanded by pricing and enumeration."""
        return int(self._pricer.stats().nodes) + self._sampling.nodes

    @property
    def children(self) -> int:
        """Extensions that they have looked at."""
        return int(self._pricer.stats().children)

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
        """A rule set that is known. Raises OptionError where it breaks the limits."""
        given, size = self.instance, complexity(list(clauses))
        if given.budgeted and size > given.budget:
            raise OptionError(f"the model has complexity {size}: expected at most {given.budget}")
        if (longest := max(map(len, clauses), default=0)) > given.max_conditions:
            raise OptionError(
                f"a clause of the model has {longest} conditions: expected at most "
                f"{given.max_conditions}"
            )
        self.columns.add(clauses)
        self.incumbent.offer(clauses)

    def close(self) -> None:
        """End what runs in a thread: the linear program, or an integer program.

        No `step` may follow; `polishing` may.
        """
        self.master.cancel()
        if self._program is not None:
            self._program.cancel()
            self._program = None

    def _run(self) -> Pause:
        yield from self._begin()
        if not self.proved:
            yield from self._generate()
        if not self.proved:
            self.phase = "local search"
            yield from self._search_locally(rounds=60)
        if not self.proved and self._duals is not None:
            yield from self._close_gap()

    def _begin(self) -> Pause:
        """A rule set and a bound at once: the first linear programs may take seconds."""
        duals = first_duals(self.instance)
        self.evidence = duals, 0
        self._raise_bound(duals.master_bound(), "equal points of both classes")
        for clauses in first_clauses(self.instance, self._pricer):
            self._offer(clauses)
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
                yield from self._search_locally(rounds=3)
            if self.proved:
                return
            found = yield from self._price(duals)
            if not found:
                return
            self.columns.add(found)
            yield True

    def _price(self, duals: Duals) -> Generator[bool, None, list[Clause]]:
        """Clauses of negative reduced cost; none where there are none or the limit was reached."""
        if self.sampled:
            clock = Clock()
            found = self._sampling.find(duals, COLUMNS_A_ROUND)
            self.pricing_seconds += clock.elapsed
            yield True
            if found:
                return found
        longest = self.instance.max_conditions
        for size, limit in self._sizes():
            query = duals.query(self.instance, max_conditions=size)
            yield from self._search_clauses(query, limit)
            stats = self._pricer.stats()
            if size == longest:
                self._learn_bound(duals, stats.lower_bound)
            if stats.found:
                return [clause for _, clause in self._pricer.clauses()]
        return []

    def _sizes(self) -> list[tuple[int, int | None]]:
        """Sizes in turn, each with its limit of nodes; now and then a look at all sizes at once,
        for a bound on the way."""
        longest, limit = self.instance.max_conditions, self.pricing_limit
        sizes = [(size, limit) for size in range(1, min(SMALL_SIZES, longest - 1) + 1)]
        if self.rounds >= 4 and self.rounds & (self.rounds - 1) == 0:
            sizes.insert(0, (longest, GLANCE if limit is None else min(limit, GLANCE)))
        return [*sizes, (longest, limit)]

    def _search_clauses(
        self, query: Query, limit: int | None = None
    ) -> Generator[bool, None, Status]:
        """DONE, FULL, or MORE where so many clauses were expanded (None: no limit)."""
        first = self._pricer.stats().nodes
        status = self._counted(lambda: self._pricer.start(query))
        while status is not Status.FULL:
            nodes = max(1, min(self._left, PRICED_AT_ONCE))
            if limit is not None:
                nodes = min(nodes, first + limit - self._pricer.stats().nodes)
                if nodes <= 0:
                    return Status.MORE
            status = self._counted(lambda: self._pricer.step(nodes))  # noqa: B023 - called now
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
            self._duals = duals
            self._raise_bound(duals.master_bound(), "master solved, pricing complete")
        else:
            self._raise_bound(bound, "master and least reduced cost")

    def _raise_bound(self, bound: int, source: str) -> None:
        bound = min(bound, self.incumbent.cost)
        if bound > self.lower_bound:
            self.lower_bound, self.bound_from = bound, source

    # A good rule set ------------------------------------------------------------------------

    def _search_locally(self, rounds: int) -> Pause:
        if not len(self.columns):
            return
        weights = np.zeros(len(self.columns))
        known_weights = self.master.weights()
        weights[: len(known_weights)] = known_weights
        search = LocalSearch(self.instance, self.columns, weights, self.seed)
        support = [int(k) for k in np.argsort(-weights, kind="stable") if weights[k] > 1e-6]
        clauses = self.columns.clauses
        for start in (support, self.columns.numbers(self.incumbent.clauses)):
            if not self.proved:
                # It goes on once the cost is proved: a less complex rule set may cost as little.
                for better in search.run(start, rounds):
                    if better is not None:
                        self._offer([clauses[k] for k in better])
                    yield False

    def _offer(self, clauses: list[Clause]) -> None:
        self.incumbent.offer(clauses)
        if self.lower_bound > self.incumbent.cost:
            raise AssertionError("a rule set is cheaper than a proven bound")

    def polishing(self, clauses: Sequence[Clause], seconds: float) -> Pause:
        """Look for a better rule set among further clauses, of searches on the same data.

        The local search goes on to its end. `seconds` are for the integer program after it; 0:
        there is none. Like the search, this hands back again and again, and whoever drives it may
        leave off: what was found so far is kept. It may come after `close`: what it starts in a
        thread, it ends itself.
        """
        self.columns.add(c for c in clauses if len(c) <= self.instance.max_conditions)
        try:
            yield from self._search_locally(rounds=60)
            if seconds > 0 and not self.proved:
                yield from self._restricted(seconds)
        finally:
            self.close()

    # Closing the gap ------------------------------------------------------------------------

    def _close_gap(self) -> Pause:
        """Raise the bound until it meets the incumbent.

        Asked for a cost u, the closing program over the clauses that rule sets below u could use
        finds one of them or proves u. u = the incumbent's cost settles everything; where that
        needs too many clauses, smaller u raise the bound step by step, and after that the
        program may be larger. Costs of many digits are above the program's tolerance: what is left
        of the gap then needs few clauses, whose sets are looked at, or the search ends.
        """
        small = self.instance.budgeted and self.instance.budget <= LARGEST_BUDGET
        most, restricted, short = MOST_ENUMERATED if small else FIRST_PROGRAM, False, False
        while not self.proved:
            below, found = yield from self._candidates(most, halve=restricted)
            few = short and found is not None and looks(found, self.instance) <= MOST_LOOKS
            if found is not None and (small or few):
                yield from self._look_at_all(found, below)
            elif found is not None and not short:
                yield from self._settle(found, below)
                short = self.lower_bound < min(below, self.incumbent.cost)
            elif found is not None:
                return
            elif not restricted:
                restricted = True
                yield from self._restricted(RESTRICTED_SECONDS)
            elif most < LARGEST_PROGRAM:
                most *= 4
            else:
                return

    def _candidates(
        self, most: int, *, halve: bool
    ) -> Generator[bool, None, tuple[int, Candidates | None]]:
        """The largest cost u for which at most so many clauses matter, and these clauses."""
        assert self._duals is not None
        above = self.incumbent.cost - self.lower_bound
        while above > 0:
            self.phase = "enumeration"
            below = self.lower_bound + above
            query = closing_query(self._duals, self.instance, below, MOST_ENUMERATED)
            if (yield from self._search_clauses(query)) is Status.DONE:
                found = yield from candidates(self._pricer, self.instance)
                if len(found) <= most:
                    return below, found
            above = above // 2 if halve else 0
        return 0, None

    def _look_at_all(self, found: Candidates, below: int) -> Pause:
        """The best rule set of a small budget over the candidates."""
        self.phase = "closing by exhaustion"
        clock = Clock()
        everything = Exhaustive(found, self.instance)
        for _ in everything.run():
            self.integer_seconds += clock.elapsed
            yield True
            clock.restart()
        self._offer([found.clause(row) for row in everything.best])
        self._raise_bound(below, EXHAUSTED)

    def _settle(self, found: Candidates, below: int) -> Pause:
        """Solve the integer program over the candidates: a better rule set, or a proof."""
        self.phase = "closing program"
        program = IntegerProgram(
            self.instance,
            unpack(found.cover, self.instance.positives.shape[1]),
            found.cost,
            found.complexity,
            prove=True,
        )
        for pause in self._solve(program, float("inf"), found.clause):
            bound = program.bound()
            if bound is not None:
                self._raise_bound(min(bound, below), "enumeration and integer program")
            yield pause

    def _restricted(self, seconds: float) -> Pause:
        """The integer program over the columns of the master, for a while."""
        self.phase = "restricted program"
        clauses = self.columns.clauses
        program = IntegerProgram(
            self.instance,
            self.columns.cover,
            self.columns.cost,
            self.columns.complexity,
            start=self.columns.numbers(self.incumbent.clauses),
        )
        yield from self._solve(program, seconds, clauses.__getitem__)

    def _solve(
        self, program: IntegerProgram, seconds: float, name: Callable[[int], Clause]
    ) -> Pause:
        """Run it for so long, and offer what it finds. name: the clause of a column."""
        self._program, before, over = program, self.integer_seconds, False
        program.start()
        while not over:
            over = program.wait(POLL_SECONDS) or program.seconds >= seconds
            if over:
                program.cancel()
                self._program = None
            self.integer_seconds = before + program.seconds
            for chosen in program.take_solutions():
                self._offer([name(k) for k in chosen])
            yield True
