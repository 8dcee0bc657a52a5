"""A policy that learns from the search: a bandit with one arm for each prefix length.

Whether better lists come from short prefixes or from long ones depends on the data and on lambda,
and it is not known before the search. So the policy watches. An *arm* is a length; expanding a
prefix of that length is a *pull*; the pull *hits* if one of the children's own lists is better
than every list that the policy has seen. For each length it keeps two counts, hits and misses,
which fade slowly, so that what was true a thousand pulls ago is forgotten.

When children of a length are queued, the policy draws how good that length may be from the Beta
distribution of its counts (Thompson sampling): a length that hits often draws a high number nearly
always, one that was hardly tried draws a high number sometimes, which is how it gets tried. The
number moves the children forward in the queue, by at most the distance between the first lists and
their least lower bound. Once there is no better list to be found every length draws low numbers,
and the order is that of `objective`, best list first.

Draws come from a generator with the seed of the search: the same seed gives the same search. A
priority is given once, when a child is queued; what is learned later moves no child that waits.

Source: W. R. Thompson, "On the likelihood that one unknown probability exceeds another in view of
the evidence of two samples", Biometrika 25 (1933).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from corels import Children, Policy

KEPT = 0.999  # what a pull leaves of the counts of its length


class Bandit(Policy):
    """Hits and misses of each prefix length, learned while the search runs."""

    name = "bandit"
    summary = "best list first; lengths at which better lists came up are taken earlier"

    def __init__(self) -> None:
        self.start(0)

    def start(self, seed: int) -> None:
        """Forget everything; draws are those of `seed`."""
        self._random = np.random.default_rng(seed)
        self._counts: dict[int, list[float]] = {}  # length -> [hits, misses]
        self._best: int | None = None  # objective of the best list so far
        self._width = 0  # from the least lower bound of the first table to its best list

    def priority(self, children: Children) -> NDArray[np.float64]:
        if not len(children):
            return np.zeros(0)
        length = int(children.length[0])
        self._learn(length - 1, int(children.objective.min()), int(children.lower_bound.min()))
        hits, misses = self._counts.get(length, (0.0, 0.0))
        promise = self._random.beta(1 + hits, 1 + misses)
        found: NDArray[np.float64] = children.objective - promise * self._width
        return found

    def _learn(self, length: int, objective: int, lower_bound: int) -> None:
        """A prefix of this length was expanded; the best of its children's lists costs so much."""
        if self._best is None:
            self._best, self._width = objective, max(objective - lower_bound, 0)
            return
        hit = objective < self._best
        self._best = min(self._best, objective)
        hits, misses = self._counts.get(length, (0.0, 0.0))
        self._counts[length] = [KEPT * hits + hit, KEPT * misses + (not hit)]
