"""The remaining search space of a best-first search, as the paper counts it (Theorem 7)."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray


def log10_remaining(
    lengths: NDArray[np.int64],
    lower_bounds: NDArray[np.int64],
    *,
    incumbent: int,
    rule_cost: int,
    n_antecedents: int,
) -> float:
    """log10 of the remaining search space (Theorem 7); -inf if nothing is queued.

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
