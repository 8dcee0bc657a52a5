"""How much a search has left: work, told from the share of its tree that is done, and prefixes.

The root weighs 1. A prefix that is expanded passes its weight on to its children, the more to a
child the further its lower bound is below the incumbent; a prefix without children is done, and its
weight with it. So the share that is done rises from 0 to 1, and the work so far over this share
tells the whole (Kilby, Slaney, Thiebaux and Walsh, "Estimating search tree size", 2006).

The first prefixes turn out to take more than they weigh, so a power of the share is used. And where
the queue is long, most of what it holds is expanded once and has no children: then its length tells
what is left. How good this is: docs/studies/time-left.md.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

POWER = 0.6  # of the share that is done
LONG_QUEUE = 0.03  # queued prefixes, of those expanded: here both ways count alike


def passed_on(rooms: NDArray[np.int64] | NDArray[np.float64]) -> NDArray[np.float64]:
    """float64[n]: the part of a prefix's weight that each of its children gets; they add up to 1.

    rooms: [n], how far the lower bound of each child is below the incumbent.
    """
    weights = np.maximum(rooms, 0).astype(np.float64) ** 2
    total = float(weights.sum())
    return weights / total if total > 0 else np.full(len(rooms), 1 / max(1, len(rooms)))


def work_left(done: float, work: float, *, expanded: int, queued: int = 0) -> float:
    """In the unit of `work`, which is what the search took so far; inf where nothing can be told.

    done: the share of the tree that is done, 0 to 1. expanded: prefixes so far. queued: prefixes
    that wait in a queue; 0 where the search goes depth first.
    """
    if done <= 0 or expanded <= 0:
        return math.inf
    by_share = max(0.0, expanded * (done**-POWER - 1))
    trust = queued / (queued + LONG_QUEUE * expanded)
    left: float = float(queued) ** trust * by_share ** (1 - trust)
    return work * left / expanded


def log10_remaining(
    lengths: NDArray[np.int64],
    lower_bounds: NDArray[np.int64],
    *,
    incumbent: int,
    rule_cost: int,
    n_antecedents: int,
) -> float:
    """log10 of the remaining search space (Theorem 7); -inf where nothing is queued.

    A queued prefix of length L with lower bound b can only be extended by f more rules, f =
    min(floor((R - b) / lambda), M - L), where R is the incumbent and M the number of antecedents.
    It stands for sum over k = 0..f of (M - L)! / (M - L - k)! prefixes.

    lengths, lower_bounds: of each queued prefix, scaled costs. Proposition 9 is the same sum with
    the lower bounds replaced by `rule_cost * length`.
    """
    if len(lengths) == 0:
        return -math.inf
    free = n_antecedents - lengths
    extensions = free
    if rule_cost > 0:
        extensions = np.minimum(free, np.maximum(incumbent - lower_bounds, 0) // rule_cost)
    least_free, least = int(free.min()), int(extensions.min())
    width = int(extensions.max()) - least + 1  # few distinct pairs: counting them is linear
    counts = np.bincount((free - least_free) * width + (extensions - least))
    terms = [
        math.log(counts[pair]) + _log_arrangements(pair // width + least_free, pair % width + least)
        for pair in np.flatnonzero(counts).tolist()
    ]
    return _log_sum(terms) / math.log(10)


@lru_cache(maxsize=4096)  # the same few pairs come back at every look at a search
def _log_arrangements(m: int, f: int) -> float:
    """log of sum over k = 0..f of m! / (m - k)!."""
    return _log_sum([math.lgamma(m + 1) - math.lgamma(m - k + 1) for k in range(f + 1)])


def _log_sum(terms: list[float]) -> float:
    largest = max(terms)
    return largest + math.log(sum(math.exp(term - largest) for term in terms))
