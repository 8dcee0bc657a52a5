"""A good list before the search: a beam, which finds lists and proves nothing. The C engine's twin
is in backends/c/src/search/start.c. It pauses after every count, so that a step stays short."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from corels_python.expand import Counts, Expand
from corels_python.masks import Mask, without


class State(NamedTuple):
    """A prefix of the beam. Costs leave out the unavoidable errors."""

    cost: int  # of its rules
    closed: int  # of the list that ends here
    rules: tuple[int, ...]
    points: Mask  # that it leaves


def start(search: Expand) -> Iterator[None]:
    """The beam, if a list may have a rule."""
    if search.rules_left(0):
        yield from beam(search)


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
