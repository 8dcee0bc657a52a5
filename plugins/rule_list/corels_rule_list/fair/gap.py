"""The gap between what searches at prices prove and the best list known, closed by graphs.

Every better list that keeps to the constraints costs, at the prices, less than the best one known:
it is in the graph of all such lists, as `corels near` grows it, and labels find the best one there
(`labels.py`). The graphs grow in steps: if a limit ends the last one, what the complete ones
have proved stands.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from corels.model.certificate_text import STAGE
from corels.run.limits import Steps
from corels.search import Backend, Kind, Parts
from corels.search.good_lists import NearEngine, Wanted, near_instance
from corels_rule_list.fair.labels import Labels
from corels_rule_list.fair.prices import Multipliers, Prices
from corels_rule_list.fair.standing import Standing

PARTS = (16, 8, 4, 2, 1)  # of the gap, for the graphs on the way


def grown(
    engine: NearEngine, prices: Prices, at: Multipliers, upto: int, at_once: Callable[[int], int]
) -> Iterator[None]:
    """The graph of the lists that may cost so much, if they keep to the constraints; in pieces.

    engine: of the problem that the prices make. at_once: how much of a step's budget it may take.
    """
    objective = prices.problem.objective(upto) + prices.allowed(at)
    engine.begin(math.floor(prices.free(at).scaled(objective)) - engine.instance.base)
    steps = Steps()
    while not steps.take(lambda budget: engine.step(at_once(budget))):
        yield


class Gap:
    """Graphs of the lists within more and more of the gap. questions: the parts of the search that
    good lists ask. sets: of the graphs that ended. stages: of the tables of each bound."""

    def __init__(
        self,
        prices: Prices,
        standing: Standing,
        backend: Backend,
        questions: Parts,
        max_rules: int | None,
    ) -> None:
        self._prices, self._standing = prices, standing
        self._backend, self._questions, self._max_rules = backend, questions, max_rules
        self._engine: NearEngine | None = None
        self._labels: Labels | None = None
        self.sets = self._processed = self._taken = 0
        self.stages = Counter[str]()  # the most of any graph

    def work(
        self, multipliers: Sequence[Multipliers], at_once: Callable[[int], int]
    ) -> Iterator[None]:
        """Until the gap is closed, or a graph of all of it has been searched.

        multipliers: those with the greatest lower bound first. at_once: how much of a step's budget
        the engine may take.
        """
        instance = near_instance(self._prices.free(multipliers[0]))
        wanted = Wanted(begins_with=self._prices.problem.first, max_rules=self._max_rules)
        engine = self._engine = self._backend.near(instance, wanted, self._questions)
        standing = self._standing
        first, begun = standing.lower, False
        try:
            for part in PARTS:
                upto = first + math.ceil(Fraction(standing.upper - first, part))
                if standing.closed or (upto < standing.lower and part > 1):
                    continue
                if begun:
                    self._leave()
                begun = True
                yield from grown(engine, self._prices, multipliers[0], upto, at_once)
                yield
                yield from self._search(engine, multipliers, upto)
        finally:
            self._leave()
            engine.close()
            self._engine = None

    def _search(
        self, engine: NearEngine, multipliers: Sequence[Multipliers], upto: int
    ) -> Iterator[None]:
        """The best list of the graph."""
        graph, standing = engine.graph(), self._standing
        self.sets += len(graph.sets)
        of = self._prices, engine.instance, graph, multipliers, standing.best
        labels = self._labels = Labels(*of, self._prices.begun())
        yield from labels.grow()
        for _ in labels.search():
            standing.keep(labels.best)
            standing.prove_at_least(min(labels.lower, upto))
            yield
        standing.keep(labels.best)
        self._taken += labels.labels
        self._labels = None
        standing.prove_at_least(upto + 1)
        bounds = {"lower_bound": standing.lower, "objective": standing.upper}
        standing.say(Kind.GRAPH, node=len(graph.sets), count=labels.labels, **bounds)

    def _leave(self) -> None:
        """Keep what the engine counted of a graph, which it forgets with the next one."""
        assert self._engine is not None
        now = self._engine.progress()
        self._processed += now.processed
        self.stages |= Counter({f"{name}{STAGE}": stage for name, stage in now.stages.items()})

    @property
    def processed(self) -> int:
        """Sets of all graphs: each is expanded as a prefix is, all antecedents are tried on it."""
        now = 0 if self._engine is None else self._engine.progress().processed
        return self._processed + now

    @property
    def labels(self) -> int:
        """Of all graphs."""
        return self._taken + (0 if self._labels is None else self._labels.labels)

    @property
    def memory(self) -> int:
        """Bytes, of the graph and its labels."""
        graph = 0 if self._engine is None else self._engine.progress().memory
        return graph + (0 if self._labels is None else self._labels.memory)
