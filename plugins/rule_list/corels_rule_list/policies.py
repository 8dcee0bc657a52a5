"""The built-in policies. Each is one function over the table of children (see corels.search)."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from corels.search import Children, Policy

Priorities = NDArray[np.float64]


class BreadthFirst(Policy):
    name = "bfs"
    summary = "shortest prefixes first"

    def priority(self, children: Children) -> Priorities:
        return children.length.astype(np.float64)


class DepthFirst(Policy):
    name = "dfs"
    summary = "longest prefixes first"

    def priority(self, children: Children) -> Priorities:
        return -children.length.astype(np.float64)


class LowerBound(Policy):
    name = "lower_bound"
    summary = "least lower bound first"

    def priority(self, children: Children) -> Priorities:
        return children.lower_bound.astype(np.float64)


class Objective(Policy):
    name = "objective"
    summary = "best list so far first"

    def priority(self, children: Children) -> Priorities:
        return children.objective.astype(np.float64)


class Curiosity(Policy):
    name = "curiosity"
    summary = "lower bound / captured fraction: cheap prefixes that already explain much"
    reads = frozenset({"captured"})

    def priority(self, children: Children) -> Priorities:
        captured = np.maximum(children.captured, 1).astype(np.float64)
        return children.lower_bound.astype(np.float64) / (captured / np.float64(children.total))


class Stochastic(Policy):
    """A random order that repeats for the same seed: SplitMix64 of seed and serial number."""

    name = "stochastic"
    summary = "a seeded random order"
    _seed: ClassVar[int] = 0

    def start(self, seed: int) -> None:
        self._seed = seed  # type: ignore[misc]

    def priority(self, children: Children) -> Priorities:
        with np.errstate(over="ignore"):
            x = children.serial.astype(np.uint64) + np.uint64(self._seed)
            x = (x + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
            x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            x = x ^ (x >> np.uint64(31))
        return (x >> np.uint64(11)).astype(np.float64) * 2.0**-53


POLICIES: tuple[type[Policy], ...] = (
    BreadthFirst,
    DepthFirst,
    LowerBound,
    Objective,
    Curiosity,
    Stochastic,
)
