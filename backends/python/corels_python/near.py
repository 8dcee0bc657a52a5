"""All good lists, to be read beside docs/internals/near.md: the paths of a graph of sets of points.

A state is the set of points that a prefix leaves, the required antecedents still to be used, and
how many rules may follow; -1: any number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import chain, islice
from typing import Any

import numpy as np

from corels.search.good_lists import (
    Level,
    NearEngine,
    NearGraph,
    NearInstance,
    NearProgress,
    Wanted,
)
from corels_python.masks import mask, members, planes, weight, without, words

State = tuple[Any, frozenset[int], int]


class PythonNear(NearEngine):
    """Keeps every state that a prefix within the budget reaches; nothing else is pruned."""

    def __init__(self, instance: NearInstance, wanted: Wanted) -> None:
        self.instance = instance
        self._unit, self._rule_cost, self._wanted = instance.unit, instance.rule_cost, wanted
        self._points = members((instance.point >= 0).nonzero()[0])
        self._masks = [mask(row) for row in instance.masks]
        self._words = instance.masks.shape[1]
        self._planes = [planes(row) for row in instance.regrets]
        self._every = list(range(len(self._planes)))
        may = np.tile(np.array(self._every) < instance.for_rules, (len(self._masks), 1))
        if instance.may_say is not None:
            may &= instance.may_say
        self._says = [np.flatnonzero(row).tolist() for row in may]  # by antecedent

    def _cost(self, points: Any, says: list[int]) -> int:
        """What a cell costs, predicted as well as possible by one of these classes."""
        return self._unit * min(weight(points, self._planes[of]) for of in says)

    def _rules(self, state: State) -> Iterator[tuple[int, int, State]]:
        """(antecedent, cost, state behind it) of every rule that captures something."""
        points, pending, left = state
        for r, captured in enumerate(self._masks if left else ()):
            if r not in self._wanted.avoid and points & captured:
                cost = self._rule_cost + self._cost(points & captured, self._says[r])
                yield r, cost, (without(points, captured), pending - {r}, max(-1, left - 1))

    def begin(self, budget: int) -> None:
        """From the largest set down: which states there are, and how cheaply each is reached."""
        self._budget, self._before = budget, 0
        most = self._wanted.max_rules
        pending = frozenset(self._wanted.must_use)
        self._root: State = (self._points, pending, -1 if most is None else most)
        for wanted in self._wanted.begins_with:
            _, cost, self._root = next(r for r in self._rules(self._root) if r[0] == wanted)
            self._before += cost
        self._order, self._tables = list[State](), dict[State, Counter[tuple[int, int]]]()
        self._cheapest, waiting = {self._root: self._before}, [(0, 0, self._root)]
        while waiting:
            state = heappop(waiting)[2]
            self._order.append(state)
            for _, cost, behind in self._rules(state):
                reached = self._cheapest[state] + cost
                if reached <= self._budget and behind not in self._cheapest:
                    heappush(waiting, (-behind[0].bit_count(), len(self._cheapest), behind))
                if reached <= min(self._budget, self._cheapest.get(behind, reached)):
                    self._cheapest[behind] = reached

    def step(self, sets: int) -> bool:
        """From the smallest set up: (cost, rules) -> how many completions."""
        for state in reversed(self._order):
            points, pending, _ = state
            table = Counter({} if pending else {(self._cost(points, self._every), 0): 1})
            for _, cost, behind in self._rules(state):
                for (rest, rules), number in self._tables.get(behind, Counter()).items():
                    table[cost + rest, rules + 1] += number
            left = self._budget - self._cheapest[state]
            self._tables[state] = Counter({e: n for e, n in table.items() if e[0] <= left})
        return True

    def levels(self) -> list[Level]:
        """The root's table, sorted, with running totals."""
        upto, found, before = 0, list[Level](), len(self._wanted.begins_with)
        for (cost, rules), number in sorted(self._tables[self._root].items()):
            upto += number
            found.append(Level(self._before + cost, before + rules, upto))
        return found

    def _completions(self, state: State, cost: int, rules: int) -> Iterator[tuple[int, ...]]:
        if not rules:
            yield ()
        for r, price, behind in self._rules(state) if rules else ():
            if (cost - price, rules - 1) in self._tables.get(behind, ()):
                for rest in self._completions(behind, cost - price, rules - 1):
                    yield (r, *rest)

    def lists(self, start: int, count: int) -> list[tuple[int, ...]]:
        """Level by level."""
        levels = sorted(self._tables[self._root])
        found = chain.from_iterable(self._completions(self._root, *level) for level in levels)
        return [(*self._wanted.begins_with, *rest) for rest in islice(found, start, start + count)]

    def graph(self) -> NearGraph:
        """The states from which some completion is within the budget."""
        alive = [state for state in self._order if self._tables[state] or state == self._root]
        number = {state: at for at, state in enumerate(alive)}
        begins, rules, left = [0], list[int](), list[int]()
        for state in alive:
            followed = [(r, number[b]) for r, _, b in self._rules(state) if b in number]
            rules += [r for r, _ in followed]
            left += [behind for _, behind in followed]
            begins.append(len(rules))
        return NearGraph(
            np.stack([words(state[0], self._words) for state in alive]),
            np.array(begins),
            np.array(rules, dtype=np.int32),
            np.array(left, dtype=np.int32),
        )

    def progress(self) -> NearProgress:
        return NearProgress(len(self._cheapest), len(self._order), len(self._tables), 0, 0)

    def close(self) -> None: ...
