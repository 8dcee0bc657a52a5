"""The search for the best rule list that keeps to the constraints of its problem.

First the hull (`hull.py`): searches without constraints, at prices, for the greatest lower bound.
Then the gap (`gap.py`): graphs of the lists that cost too little at those prices.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

from numpy.typing import NDArray

from corels.clock import Clock
from corels.errors import InfeasibleError, OptionError
from corels.model import Model
from corels.model.certificate_text import STAGE
from corels.problem import PlainRules, Problem
from corels.problem.constraints import constraints_text
from corels.proof.format import ProofFormat
from corels.run.limits import STEP_SECONDS, Steps
from corels.search import Backend, Kind, Parts, Progress, ProofLog, Search, Status, event_records
from corels.search.calls import refuse_unknown
from corels_rule_list.fair.exchange import Exchanges
from corels_rule_list.fair.gap import Gap
from corels_rule_list.fair.hull import Hull
from corels_rule_list.fair.prices import Listed, Multipliers, Prices
from corels_rule_list.fair.proof import AtPrices, PricedProof
from corels_rule_list.fair.standing import Known, Standing
from corels_rule_list.model import RuleList

MOST_SEARCHES = 12  # for the multipliers of one constraint
PATIENCE = 1 << 20  # evaluations at first, until other multipliers are tried
FREELY = 4  # times as many without prices: it is good to know what constraints cost
WEIGHED = 6  # multipliers that a label's bound is taken from


@dataclass(eq=False)
class ConstrainedSearch(Search):
    """Certifies the best list among those that keep to the constraints.

    make: a search for the best list of a problem without constraints, with these parts. known: by
    earlier searches for the same lists; what this one finds is added. questions: the parts of the
    search that good lists ask.
    """

    problem: Problem
    make: Callable[[Problem], Search]
    backend: Backend
    parts: Parts
    questions: Parts
    known: Known | None = None

    def __post_init__(self) -> None:
        problem, self._known = self.problem, self.known or Known()
        refuse_vain(problem)
        self._prices = Prices(problem)
        self._hull = Hull(self._prices)
        self.max_rules = self.parts.max_rules
        self._standing = Standing(self._prices, self._known.lower)
        self._free: Listed | None = None  # the best without constraints, once it is certified
        self._inner: AtPrices | None = None  # those that were searched at last, if it goes on
        self._proof: PricedProof | None = None
        of = self.backend, self.questions, self.max_rules
        self._gap = Gap(self._prices, self._standing, *of)
        self._spent, self._searches = Progress(), 0
        self._parts: Mapping[str, str] = {}
        self._pruned, self._stages = Counter[str](), dict[str, int]()
        self._bounds = dict[Multipliers, Fraction]()
        most = problem.n_antecedents if self.max_rules is None else self.max_rules
        self._exchanges = Exchanges(self._prices, most)
        self._finished = set[Multipliers]()  # of the multipliers with a bound, if no more comes
        self._budget = 1
        self._work = self._all_work()
        for begun, outcome in product(self._prices.begun(), range(len(problem.outcomes))):
            self._standing.know(self._prices.listed(problem.first, (*begun.said, outcome)))
        self._standing.events.clear()
        of_start = {"objective": self._standing.upper, "count": problem.n_antecedents}
        self._standing.say(Kind.START, **of_start)
        for found in self._known.lists.values():
            self._hull.add(found)
            self._standing.know(found)

    def limits(self) -> Mapping[str, int | str]:
        return {} if self.max_rules is None else {"max_rules": self.max_rules}

    def offer(self, rules: PlainRules) -> bool:
        """Raises OptionError for a list that does not keep to the constraints."""
        model, _ = RuleList.offered(self.problem, rules, self.max_rules)
        known = self._prices.listed(model.numbers(self.problem), model.said)
        if not self._prices.keeps(known):
            raise OptionError(
                "the list does not keep to the constraints of this problem "
                f"({constraints_text(self.problem.constraints)})"
            )
        return self._standing.know(known)

    def start_log(self, log: ProofLog) -> None:
        """Keep what proves the bound of the best multipliers; `proof` has it in the end."""
        refuse_unknown(self.parts, tables=self.backend.builds_tables)
        self.log, self._proof = log, PricedProof(self._prices)

    def proof(self, own: ProofFormat) -> bytes:
        """The file of what is proved by searches at prices until now."""
        assert self._proof is not None
        if self._inner is not None:
            self._proof.end(*self._inner)
        return self._proof.content(own, self)

    def step(self, budget: int) -> Status:
        """Go on for a moment, or until so many prefixes are expanded."""
        clock, last = Clock(STEP_SECONDS), self._expanded() + budget
        while not clock.expired() and (left := last - self._expanded()) > 0:
            self._budget = left
            if next(self._work, Status.DONE) is Status.DONE:
                best = self._standing.upper
                self._standing.say(Kind.DONE, objective=best, lower_bound=best)
                return Status.DONE
        return Status.RUNNING

    def interrupt(self) -> None:
        if self._inner is not None:
            self._inner.search.interrupt()

    def events(self) -> NDArray[Any]:
        """Prices and what they gave, better lists, and graphs."""
        said, self._standing.events = self._standing.events, []
        return event_records(*said)

    def _all_work(self) -> Iterator[None]:
        try:
            yield from self._climb()
        finally:
            self._leave_search()
        while not self._standing.closed:
            self._refuse_impossible(self._standing.lower)
            yield from self._gap.work(self.multipliers(), lambda n: min(n, self._budget))
        self._known.lower = self._standing.upper

    def _refuse_impossible(self, bound: Fraction | int) -> None:
        """Raise InfeasibleError if a lower bound exceeds what any list costs."""
        if self._standing.best is None and bound > self._standing.most:
            raise InfeasibleError(why_none(self.problem, self.max_rules))

    # --- the hull -------------------------------------------------------------------------------

    def _climb(self) -> Iterator[None]:
        """The multipliers with the greatest lower bound, nearly.

        A search that takes long pauses for other multipliers: it may be easy elsewhere, and there
        may be better lists to know. It goes on where these lead back to it at once; one paused
        search is kept, and others are begun anew. Before others, exchanges look for them.
        """
        prices: Multipliers = (0,) * len(self._prices.low)
        patience, tried, most = PATIENCE, 0, MOST_SEARCHES * len(prices)
        while True:
            yield from self._search_at(prices, patience if any(prices) else FREELY * patience)
            tried += 1
            best = max(self._bounds.values())
            if self._standing.closed:
                return
            self._refuse_impossible(best)
            height, prices = self._hull.best()
            if prices in self._finished or height - float(best) < self._hull.close:
                return
            if tried >= most and self._finished:
                return
            if tried >= most or prices in self._bounds:
                yield from self._look_for_better(prices)
                patience, tried = 4 * patience, 0

    def _look_for_better(self, prices: Multipliers) -> Iterator[None]:
        """What searches without constraints find mostly does not keep to them. Exchanges begin with
        the list that is cheapest at the multipliers, and with the best one that is known to keep
        to the constraints."""
        for start in (self._hull.cheapest(prices), self._standing.best):
            for better in self._exchanges.of(start, prices):
                if better is not None:
                    self._hull.add(better)
                    self._standing.know(better)
                yield

    def _search_at(self, prices: Multipliers, patience: int) -> Iterator[None]:
        """The best list at these prices, and the bound that it proves; after so many evaluations in
        all, the search pauses."""
        if prices in self._known.minima:
            objective, found = self._known.minima[prices]
            self._prove(prices, objective)
            self._free = self._free if any(prices) else found
            self._finished.add(prices)
            return
        goes_on = self._inner is not None and self._inner.prices == prices
        self._searches += not goes_on
        for number, price in enumerate(self._prices.of_differences(prices)):
            self._standing.say(
                Kind.PRICE, node=self._searches, part=number, count=round(price * 10**6)
            )
        if not goes_on:
            yield from self._begin_search(prices)
        assert self._inner is not None
        _, problem, search = self._inner
        done, steps, known, now = Status.RUNNING, Steps(), -1, search.progress()
        try:
            while done is Status.RUNNING and search.progress().children < patience:
                done = steps.take(self._of(search, patience))
                now = search.progress()
                self._prove(prices, problem.objective(now.lower_bound))
                if now.objective != known:
                    known = now.objective
                    self._learn(search)
                yield
            if done is Status.DONE:
                best = self._listed(search)
                self._known.minima[prices] = problem.objective(now.lower_bound), best
                self._free = self._free if any(prices) else best
        finally:
            self._standing.say(
                Kind.PRICED,
                node=self._searches,
                length=int(done is not Status.RUNNING),
                count=search.progress().children,
                lower_bound=math.ceil(self._bounds.get(prices, Fraction(0))),
                objective=self._standing.upper,
            )
        if done is not Status.RUNNING:
            self._finished.add(prices)
            self._leave_search()

    def _begin_search(self, prices: Multipliers) -> Iterator[None]:
        """A search at these prices, in the place of the one that is paused."""
        self._leave_search()
        problem = self._prices.free(prices)
        search = self.make(problem)
        try:
            while (ready := search.prepare(STEP_SECONDS)) is None:
                yield
        except BaseException:
            search.close()
            raise
        self._inner = AtPrices(prices, problem, ready)
        if self._proof is not None:
            self._proof.begin(ready)

    def _leave_search(self) -> None:
        """The search at prices ends, whether it is done or not."""
        if self._inner is None:
            return
        if self._proof is not None:
            self._proof.end(*self._inner)
        search = self._inner.search
        now = search.progress()
        self._spent = self._added(now)
        self._parts = search.describe()
        self._pruned += Counter(search.pruned())
        self._stages = self._stages_with(now.extra)
        self._inner = None
        search.close()

    def _of(self, search: Search, patience: int) -> Callable[[int], Status]:
        """A step of a search at prices. However long its steps are, it is left at the same
        expansion."""
        left = patience - search.progress().children
        most = min(self._budget, max(1, left // max(1, self.problem.n_antecedents)))
        return lambda budget: search.step(min(budget, most))

    def _prove(self, prices: Multipliers, objective: Fraction) -> None:
        """At these prices no list has a smaller objective."""
        bound = self.problem.scaled(objective - self._prices.allowed(prices))
        self._bounds[prices] = max(bound, self._bounds.get(prices, bound))
        self._standing.prove_at_least(math.ceil(bound))

    def _listed(self, search: Search) -> Listed:
        model = search.model()
        assert isinstance(model, RuleList)
        return self._prices.listed(model.numbers(self.problem), model.said)

    def _learn(self, search: Search) -> None:
        """Whatever lists of the same antecedents say: their lines, and the best that fits."""
        found, known = self._listed(search), self._known.lists
        if (found.antecedents, found.said) not in known:
            for one in self._prices.relabelled(found.antecedents) or [found]:
                known[one.antecedents, one.said] = one
                self._hull.add(one)
                self._standing.know(one)

    def _added(self, now: Progress) -> Progress:
        spent = self._spent
        return Progress(
            expanded=spent.expanded + now.expanded,
            children=spent.children + now.children,
            merged=spent.merged + now.merged,
            peak_memory=max(spent.peak_memory, now.peak_memory),
        )

    def _stages_with(self, extra: Mapping[str, Any]) -> dict[str, int]:
        """The stages of the tables of each bound, the most of any search and graph, with those that
        `extra` names: 0 if a bound took no part."""
        found = {name: int(n) for name, n in extra.items() if name.endswith(STAGE)}
        most = Counter(self._stages) | Counter(found) | self._gap.stages
        return dict.fromkeys((*self._stages, *found), 0) | most

    def multipliers(self) -> list[Multipliers]:
        """Those with the greatest lower bound, first; of 0 before the first search."""
        ranked = sorted(self._bounds, key=lambda known: -self._bounds[known])
        return ranked[:WEIGHED] or [(0,) * len(self._prices.low)]

    def _expanded(self) -> int:
        """Prefixes, by the searches at prices, and sets of the graphs: each set is expanded as a
        prefix is, all antecedents are tried on it."""
        return self._spent.expanded + self._now().expanded + self._gap.processed

    def _now(self) -> Progress:
        """Of the search at prices that goes on."""
        return Progress() if self._inner is None else self._inner.search.progress()

    # --- what it says ---------------------------------------------------------------------------

    def progress(self) -> Progress:
        """The searches at prices together, then the graph and its labels."""
        now = self._now()
        known, memory = self._added(now), now.memory + self._gap.memory
        if self._proof is not None:
            memory += self._proof.size
        extra: dict[str, int | str] = {"searches_at_prices": self._searches}
        if self._gap.sets:
            extra |= {"sets_of_the_graph": self._gap.sets, "labels": self._gap.labels}
        if self._free is not None:
            free = self.problem.objective(self._free.cost)
            extra["objective_without_constraints"] = f"{float(free):.6f}"
        return replace(
            known,
            expanded=self._expanded(),
            queued=now.queued,
            cached=now.cached,
            building=now.building,
            objective=self._standing.upper,
            lower_bound=min(self._standing.lower, self._standing.upper),
            memory=memory,
            peak_memory=max(known.peak_memory, memory),
            extra={**extra, **self._stages_with(now.extra)},
        )

    def model(self) -> Model:
        """The best list; raises InfeasibleError if none is known."""
        if self._standing.best is None:
            raise InfeasibleError(
                "no rule list that keeps to the constraints was found before the search ended"
            )
        return RuleList.of(self.problem, self._standing.best.antecedents, self._standing.best.said)

    def constraints(self) -> tuple[Mapping[str, Any], ...]:
        assert self._standing.best is not None
        return self._prices.reached(self._standing.best)

    def pruned(self) -> Mapping[str, int]:
        """By the searches at prices together."""
        now = {} if self._inner is None else self._inner.search.pruned()
        return self._pruned + Counter(now)

    def describe(self) -> Mapping[str, str]:
        """The parts of the searches at prices."""
        return self._parts if self._inner is None else self._inner.search.describe()

    def close(self) -> None:
        self._work.close()  # type: ignore[attr-defined]


def refuse_vain(problem: Problem) -> None:
    """Raise OptionError for a first rule that captures nothing: no graph of lists begins so."""
    left = problem.weights.any(axis=0)
    for number in problem.first:
        if not (left & problem.captures[number]).any():
            raise OptionError(
                f"the first rule 'if {problem.antecedents[number]}' captures no row that others "
                "leave: leave it out, where constraints are to be kept or good lists to be counted"
            )
        left = left & ~problem.captures[number]


def why_none(problem: Problem, max_rules: int | None) -> str:
    """That no list keeps to the constraints, and what these are."""
    rules = "one rule" if max_rules == 1 else f"{max_rules} rules"
    few = "" if max_rules is None else f" with at most {rules}"
    asked = constraints_text(problem.constraints)
    return f"no rule list of these antecedents{few} keeps to {asked}"
