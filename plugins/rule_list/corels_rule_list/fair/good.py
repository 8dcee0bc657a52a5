"""All good lists that keep to the constraints, for `corels near`.

Such a list says anything in its cells. At the best multipliers of the search, its antecedents are a
path of the graph of good lists (docs/internals/constraints.md). Labels walk these paths with all
that rules may say, and leave a prefix if its bounds show that nothing behind it keeps to the
constraints within the tolerance. The lists are kept one by one; sums over them go through them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from corels.clock import Clock
from corels.problem import Problem
from corels.run.limits import STEP_SECONDS
from corels.search import Backend, Parts, Status
from corels.search.good_lists import (
    Antecedents,
    Level,
    NearEngine,
    NearGraph,
    NearLimitError,
    NearProgress,
    Wanted,
    near_instance,
)
from corels_rule_list.fair.gap import grown
from corels_rule_list.fair.labels import Labels
from corels_rule_list.fair.prices import Listed, Multipliers, Prices

LIST_BYTES = 500  # of a list that is kept, roughly


@dataclass(eq=False)
class ConstrainedNear(NearEngine):
    """The lists within a budget, sorted. multipliers: those that labels are bounded with, the best
    first."""

    problem: Problem
    backend: Backend
    wanted: Wanted
    parts: Parts
    multipliers: Sequence[Multipliers]
    memory: int

    def __post_init__(self) -> None:
        self.instance, self._prices = near_instance(self.problem), Prices(self.problem)
        points = near_instance(self._prices.free(self.multipliers[0]))
        of_graph = replace(self.wanted, must_use=())
        self._engine = self.backend.near(points, of_graph, self.parts, self.memory)
        self._labels: Labels | None = None  # of the graph in work

    def begin(self, budget: int) -> None:
        self._lists, self._peak = list[Listed](), 0
        self._labels = None
        self._work = self._all_work(budget + self.instance.base) if budget >= 0 else iter(())

    def _all_work(self, most: int) -> Iterator[None]:
        """The graph, the bounds of its sets, then the lists."""
        engine, prices = self._engine, self._prices
        yield from grown(engine, prices, self.multipliers[0], most, lambda budget: budget)
        of = prices, engine.instance, engine.graph(), self.multipliers, None
        labels = self._labels = Labels(*of, prices.begun())
        yield from labels.grow()
        for found in labels.within(most):
            if found is None:
                yield
            elif self._counts(found.antecedents):
                self._lists.append(found)
        self._lists.sort(key=lambda f: (f.cost, len(f.antecedents), f.antecedents, f.said))

    def _counts(self, rules: Antecedents) -> bool:
        """Whether a list is one of those that are wanted."""
        wanted = self.wanted
        few = wanted.max_rules is None or len(rules) <= wanted.max_rules
        uses = set(wanted.must_use) <= set(rules)
        return few and uses and not set(wanted.avoid) & set(rules)

    def step(self, sets: int) -> bool:
        clock = Clock(STEP_SECONDS)
        for _ in range(sets):
            if next(self._work, Status.DONE) is Status.DONE:
                return True
            if clock.expired():
                break
            if self.memory and self.progress().memory > self.memory:
                raise NearLimitError("the lists need more memory than they may")
        return False

    def progress(self) -> NearProgress:
        now = self._engine.progress()
        labels = 0 if self._labels is None else self._labels.memory
        memory = now.memory + labels + LIST_BYTES * len(self._lists)
        self._peak = max(self._peak, memory, now.peak_memory)
        return replace(now, memory=memory, peak_memory=self._peak, lists=len(self._lists))

    def levels(self) -> list[Level]:
        found: dict[tuple[int, int], int] = {}
        for upto, one in enumerate(self._lists, 1):
            found[one.cost - self.instance.base, len(one.antecedents)] = upto
        return [Level(cost, rules, upto) for (cost, rules), upto in found.items()]

    def lists(self, start: int, count: int) -> list[Antecedents]:
        return [one.antecedents for one in self._lists[start : start + count]]

    def said(self, number: int) -> tuple[int, ...]:
        return self._lists[number].said

    def graph(self) -> NearGraph:
        """That of the priced problem, which has more lists."""
        return self._engine.graph()

    def close(self) -> None:
        self._engine.close()
