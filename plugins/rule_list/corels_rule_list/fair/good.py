"""All good lists that keep to the constraints, for `corels near`.

Such a list says anything in its cells. At the best multipliers of the search, its antecedents are a
path of the graph of good lists (docs/internals/constraints.md). Labels walk these paths with all
that rules may say, and leave a prefix if its bounds show that nothing behind it keeps to the
constraints within the tolerance. The lists are kept one by one; sums over them go through them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from corels.clock import Clock
from corels.errors import OptionError
from corels.problem import Problem
from corels.run.limits import STEP_SECONDS, Steps
from corels.search import Backend, Parts
from corels.search.good_lists import (
    Antecedents,
    Level,
    NearEngine,
    NearGraph,
    NearLimitError,
    NearProgress,
    OneByOne,
    Shares,
    Wanted,
    near_instance,
)
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
        own, self._prices = near_instance(self.problem), Prices(self.problem)
        self._priced = self._prices.free(self.multipliers[0])
        self._instance, self._base = near_instance(self._priced), own.base
        first = self.problem.first
        of_graph = Wanted(first, avoid=self.wanted.avoid, max_rules=self.wanted.max_rules)
        self._engine = self.backend.near(self._instance, of_graph, self.parts, self.memory)
        self._one_by_one = OneByOne(own)
        self._labels: Labels | None = None  # of the graph in work

    def begin(self, budget: int) -> None:
        self._lists, self._peak = list[Listed](), 0
        self._labels = None
        self._work = self._all_work(budget + self._base) if budget >= 0 else iter(())

    def _all_work(self, most: int) -> Iterator[int]:
        """The graph, the bounds of its sets, then the lists; yields how much is done."""
        prices = self.multipliers[0]
        objective = self.problem.objective(most) + self._prices.allowed(prices)
        budget = math.floor(self._priced.scaled(objective)) - self._instance.base
        if budget < 0:
            return
        self._engine.begin(budget)
        steps = Steps()
        while not steps.take(self._engine.step):
            yield 1
        graph = self._engine.graph()
        of = self._prices, self._instance, graph, self.multipliers, None
        labels = Labels(*of, self._prices.begun())
        self._labels = labels
        for _ in labels.grow():
            yield 1
        for found in labels.within(most):
            if found is None:
                yield 1
            elif self._counts(found.antecedents):
                self._lists.append(found)
        self._lists.sort(key=lambda f: (f.cost, len(f.antecedents), f.antecedents, f.said))

    def _counts(self, rules: Antecedents) -> bool:
        """Whether a list is one of those that are wanted."""
        wanted = self.wanted
        begins = rules[: len(wanted.begins_with)] == wanted.begins_with
        few = wanted.max_rules is None or len(rules) <= wanted.max_rules
        uses = set(wanted.must_use) <= set(rules)
        return begins and few and uses and not set(wanted.avoid) & set(rules)

    def step(self, sets: int) -> bool:
        clock, left = Clock(STEP_SECONDS), sets
        while left > 0 and not clock.expired():
            done = next(self._work, None)
            if done is None:
                return True
            left -= done
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
            found[one.cost - self._base, len(one.antecedents)] = upto
        return [Level(cost, rules, upto) for (cost, rules), upto in found.items()]

    def lists(self, start: int, count: int) -> list[Antecedents]:
        return [one.antecedents for one in self._lists[start : start + count]]

    def said(self, number: int) -> tuple[int, ...]:
        return self._lists[number].said

    def graph(self) -> NearGraph:
        """That of the priced problem, which has more lists."""
        return self._engine.graph()

    def shares(self) -> Shares:
        return self._one_by_one.shares((one.antecedents, one.said) for one in self._lists)

    def range(self, scores: NDArray[np.int32]) -> tuple[int, int, Antecedents, Antecedents]:
        """Raises OptionError: antecedents alone do not say which list it is."""
        raise OptionError("lists that keep to constraints have no quick range: go through them")

    def close(self) -> None:
        self._engine.close()
