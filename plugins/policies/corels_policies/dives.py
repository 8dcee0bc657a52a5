"""A policy that mixes best-first with dives.

`objective`, best list first, stays among prefixes whose lists look good now. `dive`, longest first,
finishes one part of the search before it begins another: the queue stays small, and a set of points
that is reached again is met when its cheapest prefix is known. Which of the two needs fewer
expansions depends on the data, sometimes by a factor of two, and cannot be seen beforehand.

So this policy takes turns: BLOCK expansions of one kind, then BLOCK of the other. In a dive all
children get a priority below zero, the longer the lower, and are therefore taken before anything
that was queued by its objective, which is never negative. When the block is over, what the dive has
left in the queue is still taken first, but its children are queued by their objective: the dive
runs out, and best-first goes on where the best list is.

In `depth-first` a policy orders the children of one set, which are equally long: there both kinds
are the same order, best list first.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from corels import Children, Policy
from corels_policies.fixed import Dive

BLOCK = 1024
"""Expansions of one kind. Of 64, 256 and 1024 tried on four tables, 1024 needed the fewest."""


class Dives(Policy):
    """In turns longest prefixes first and best list first."""

    name = "dives"
    summary = "alternates between longest prefixes first and best list first, 1024 expansions each"

    def __init__(self) -> None:
        self._dive = Dive()
        self.start(0)

    def start(self, seed: int) -> None:
        """Forget everything. The seed is not used: nothing here is random."""
        self._expansions = 0

    def priority(self, children: Children) -> NDArray[np.float64]:
        diving = self._expansions // BLOCK % 2 == 0
        self._expansions += 1
        if diving:
            return self._dive.priority(children)
        return children.objective.astype(np.float64)
