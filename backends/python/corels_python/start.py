"""A good list before the search: a beam, then exchanges of single rules. Both find lists and prove
nothing. The C engine's twin is in backends/c/src/search/start.c.

Both are generators that pause after every count, so that a step stays short.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from corels_python.expand import Counts, Expand
from corels_python.masks import Mask, without


class State(NamedTuple):
    """A prefix of the beam. Costs leave out the unavoidable errors."""

    cost: int  # of its rules
    closed: int  # of the list that ends here
    rules: tuple[int, ...]
    points: Mask  # that it leaves


def start(search: Expand) -> Iterator[None]:
    """The beam, then the polish, where a list may have a rule."""
    if search.rules_left(0):
        yield from beam(search)
        yield from polish(search)


def beam(search: Expand) -> Iterator[None]:
    """Of each length keep the best prefixes, judged by the list that ends there; extend each by
    every antecedent; stop when three lengths in a row bring nothing better."""
    level, idle, length = [State(0, 0, (), search.everything())], 0, 0
    tune = search.tune
    # With as many rules as points, or as antecedents, the rest capture nothing.
    longest = min(int(tune["beam_longest"]), search.instance.n_points, len(search.masks))
    if search.binding_limit is not None:
        longest = min(longest, search.binding_limit)
    while level and idle < tune["beam_idle_levels"] and length < longest:
        before, following = search.best_objective, list[State]()
        search.ahead([state.points for state in level])
        for state in level:
            counted = search.count(state.points)
            following = extend(search, state, counted, following, int(tune["beam_width"]))
            yield
        level, length = following, length + 1
        level = [s._replace(points=without(s.points, search.masks[s.rules[-1]])) for s in level]
        if level:
            search.take(0, level[0].rules, level[0].closed + search.instance.base)
        idle = 0 if search.best_objective < before else idle + 1


def extend(
    search: Expand, state: State, counted: Counts, level: list[State], width: int
) -> list[State]:
    """The best of the next length, of those that are known and the extensions of a prefix. Two of
    equal costs mostly leave the same points: the first is enough."""
    costs = state.cost + search.rule_cost + search.unit * counted.errors
    closed = costs + search.unit * counted.left
    worth = costs < search.best_objective - search.instance.base
    if len(level) == width:
        worth &= closed < level[-1].closed
    first = {(one.closed, one.cost): one for one in level}
    for r in np.flatnonzero(worth).tolist():
        one = State(int(costs[r]), int(closed[r]), (*state.rules, r), state.points)
        first.setdefault((one.closed, one.cost), one)
    return sorted(first.values(), key=lambda one: one.closed)[:width]


def polish(search: Expand) -> Iterator[None]:
    """Try all lists with one other antecedent than the incumbent in one place, or with one more,
    and the best last rule there is; go on from each better list until there is none."""
    work, before, most = Polish(search), None, search.tune["polish_counts"]
    while search.best and search.best_objective != before:
        before = search.best_objective
        if work.counts < most:
            yield from work.sweep(search.best)


class Polish:
    """The list in the making: its rules, their cost, and the points that they leave."""

    def __init__(self, search: Expand) -> None:
        self.search, self.counts = search, 0
        self.most = search.tune["polish_counts"]
        self.rules: list[int] = []
        self.cost = 0

    def sweep(self, rules: Sequence[int]) -> Iterator[None]:
        """All exchanges, place by place."""
        self.rules, self.cost = [], 0
        above = self.search.everything()
        for at in range(len(rules)):
            if self.counts >= self.most:
                return
            errors = self.count(above)
            yield
            yield from self.try_place(above, errors, rules[at:])
            above = self.append(above, rules[at], errors)

    def try_place(
        self, above: Mask, errors: NDArray[np.int64], rules: Sequence[int]
    ) -> Iterator[None]:
        """Every antecedent instead of rules[0], and before it."""
        for r in range(len(errors)):
            if self.counts >= self.most:
                return
            two = 2 * self.search.rule_cost + self.search.unit * int(errors[r])
            if r == rules[0] or self.cost + two >= self.need():
                continue
            if len(rules) > 1:
                yield from self.try_rule(above, errors, r, rules[1:-1])
            yield from self.try_rule(above, errors, r, rules[:-1])

    def try_rule(
        self, above: Mask, errors: NDArray[np.int64], r: int, rest: Sequence[int]
    ) -> Iterator[None]:
        """r, then the rules `rest`, then the best last one."""
        length, cost = len(self.rules), self.cost
        points = self.append(above, r, errors)
        for rule in rest:
            if self.hopeless():
                break
            errors = self.count(points)
            yield
            points = self.append(points, rule, errors)
        if not self.hopeless():
            self.count(points)
            yield
        del self.rules[length:]
        self.cost = cost

    def count(self, points: Mask) -> NDArray[np.int64]:
        """Count a set, offer the best list that ends with one more rule; the errors of each."""
        counted = self.search.count(points)
        self.counts += 1
        errors = counted.errors
        closing = errors + counted.left
        last = int(closing.argmin())
        cost = self.cost + self.search.rule_cost + self.search.unit * int(closing[last])
        self.search.take(0, (*self.rules, last), cost + self.search.instance.base)
        return errors

    def append(self, points: Mask, rule: int, errors: NDArray[np.int64]) -> Mask:
        """The points that one more rule leaves."""
        self.rules.append(rule)
        self.cost += self.search.rule_cost + self.search.unit * int(errors[rule])
        return without(points, self.search.masks[rule])

    def need(self) -> int:
        """What a list must cost less than."""
        return self.search.best_objective - self.search.instance.base

    def hopeless(self) -> bool:
        """Whether no better list has one rule more."""
        return (
            self.search.rules_left(len(self.rules)) == 0
            or self.cost + self.search.rule_cost >= self.need()
        )
