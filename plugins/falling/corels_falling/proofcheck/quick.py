"""The children of many prefixes at once: which of them surely cost enough.

Counts are products of matrices of whole numbers below 2^24 or 2^53, which are exact. Costs are
doubles, and a comparison has to hold by a margin of 2^-40 of the largest cost, far more than the
few operations can round away (some 2^-50). So what is found here holds; what is not found is looked
at again in exact numbers (bounds.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels_falling.proofcheck.bounds import GRID
from corels_falling.proofcheck.costs import Cost, Costs, State

Numbers = NDArray[Any]


@dataclass(frozen=True)
class _ChildRests:
    """What children leave, one entry each: P, Q, the same within the groups, and m."""

    positives: Numbers
    negatives: Numbers
    groups: list[tuple[Numbers, Numbers]]
    least: Numbers

    def take(self, at: Any) -> _ChildRests:
        groups = [(p[at], q[at]) for p, q in self.groups]
        return _ChildRests(self.positives[at], self.negatives[at], groups, self.least[at])


class Quick:
    """open(): the children of which it is not sure that they cost `total` or more."""

    def __init__(self, costs: Costs, total: Cost) -> None:
        self.costs, self.total = costs, total
        self.margin = 2.0**-40 * (float(costs.most) + abs(float(total)))
        self.real = np.float32 if costs.rows < 1 << 24 else np.float64
        negatives, positives = costs.points.counts
        held = [np.ones(len(positives), np.bool_), *costs.grouped()]
        self.weights = np.array([row * group for group in held for row in (positives, negatives)])
        captures = costs.points.captures
        stacked = [(captures * weight).T for weight in self.weights]
        self.each = np.concatenate(stacked, axis=1).astype(self.real)  # points x (8 antecedents)
        self.all = self.weights.T.astype(self.real)
        self.threshold = costs.negative / (costs.negative + costs.positive)

    def sets(self, states: Sequence[State]) -> Numbers:
        points = self.costs.points.captures.shape[1]
        octets = b"".join(state.left.to_bytes((points + 7) // 8, "little") for state in states)
        packed = np.frombuffer(octets, np.uint8).reshape(len(states), -1)
        return np.unpackbits(packed, axis=1, count=points, bitorder="little").astype(self.real)

    def open(self, states: Sequence[State]) -> Numbers:
        """bool[n, M]."""
        costs, sets = self.costs, self.sets(states)
        shape = (len(states), len(self.weights), costs.antecedents)
        taken = (sets @ self.each).astype(np.int64).reshape(shape).transpose(1, 0, 2)
        left = (sets @ self.all).astype(np.int64).T[:, :, None] - taken
        p, q = taken[0], taken[1]
        usable = (p + q > 0) & (left[0] + left[1] > 0)
        least = np.array([[float(state.least)] for state in states])
        share, rest = _share(p, q), _share(left[0], left[1])
        if costs.violation is None:
            usable &= ~self._breaks_order(states, p, q, left)
            lower, rises = share, 0.0
        else:
            lower = np.minimum(share, least)
            rises = costs.violation * np.maximum(0, share - least)
        paid = costs.rule + self._block(p, q) + rises
        need = np.array([[float(self.total - state.paid)] for state in states]) + self.margin
        closed = paid + self._block(left[0], left[1])
        if costs.violation is not None:
            closed = closed + costs.violation * np.maximum(0, rest - lower)
        groups = [(left[i], left[i + 1]) for i in (2, 4, 6)]
        behind = _ChildRests(left[0], left[1], groups, lower)
        longest = np.array([[state.length + 1 == costs.max_length] for state in states])
        done = longest | (left[0] == 0) | (left[1] == 0)
        at = np.nonzero(usable & (closed >= need) & ~done)
        done[at] = self._reach(behind.take(at), (need - paid - costs.rule)[at])
        return np.asarray(usable & ~((closed >= need) & done))

    def _block(self, p: Numbers, q: Numbers) -> Numbers:
        return np.asarray(
            np.minimum(float(self.costs.positive) * p, float(self.costs.negative) * q)
        )

    def _breaks_order(self, states: Sequence[State], p: Numbers, q: Numbers, left: Numbers) -> Any:
        """Falling lists: not above the threshold, above the rule before, or below what is left.
        Counts are below 2^30, so that the products are exact."""
        part = np.array([[state.least.numerator] for state in states])
        whole = np.array([[state.least.denominator] for state in states])
        above = p * whole > part * (p + q)
        below = left[0] * (p + q) > p * (left[0] + left[1])
        if max(self.costs.positive, self.costs.negative) * self.costs.rows < 1 << 62:
            useless = self.costs.positive * p <= self.costs.negative * q
        else:
            useless = np.zeros_like(above)
        return above | below | useless

    def _reach(self, left: _ChildRests, need: Numbers) -> Numbers:
        """bool[k]: does whatever follows cost `need`?"""
        if not len(need):
            return np.zeros(0, np.bool_)
        if self.costs.violation is None:
            return np.asarray(self._rows(left, left.least) >= need)
        found = self._solved(left) >= need
        at = np.flatnonzero(~found)
        found[at] = self._cells(left.take(at), need[at])
        return np.asarray(found)

    def _classes(self, left: _ChildRests) -> Numbers:
        costs, (together, worth) = self.costs, left.groups[0]
        return np.asarray(
            float(costs.negative) * worth + float(costs.positive) * (left.positives - together)
        )

    def _rows(self, left: _ChildRests, highest: Numbers) -> Numbers:
        """As RestCosts.rows."""
        costs = self.costs
        with np.errstate(divide="ignore"):
            ratio = costs.negative * (1 / highest - 1)
        with np.errstate(invalid="ignore"):
            best = np.maximum(ratio * left.positives, self._classes(left))
        zero = float(costs.positive) * left.positives
        for edge, (positives, negatives) in zip(costs.edges[1:], left.groups[1:], strict=True):
            with np.errstate(divide="ignore", invalid="ignore"):
                mixed = (costs.positive - ratio) * costs.negative * negatives
                mixed += (edge - costs.positive) * ratio * positives
                mixed = mixed / (edge - ratio) + costs.positive * (left.positives - positives)
            best = np.maximum(best, np.where(ratio < costs.positive, mixed, 0))
        return np.where(ratio >= costs.positive, zero, best)

    def _solved(self, left: _ChildRests) -> Numbers:
        """As RestCosts._closed_form: the least over all proportions, prefix and classes."""
        violation, m = float(self.costs.violation or 0), left.least
        low = np.maximum(m, _share(left.positives, left.negatives))
        classes, worth = self._classes(left), float(self.costs.negative) * left.positives
        none = violation * (low - m) + float(self.costs.positive) * left.positives
        start = np.maximum(low, self.threshold)
        with np.errstate(divide="ignore", invalid="ignore"):
            crossing = np.maximum(start, worth / (classes + worth))
            at = np.sqrt(worth / violation) if violation else np.ones_like(worth)
        at = np.clip(at, start, crossing)
        some = violation * (at - m) + np.maximum(classes, worth * (1 / at - 1))
        return np.where(low <= self.threshold, np.minimum(none, some), some)

    def _cells(self, left: _ChildRests, need: Numbers) -> Numbers:
        """As RestCosts._cells, all pairs at once."""
        violation, m = float(self.costs.violation or 0), left.least
        share = _share(left.positives, left.negatives)
        low = np.maximum(m, share)
        found = (share > m) | (self._rows(left, m) >= need)
        at = np.flatnonzero(found)
        first, last = np.floor(low[at] * GRID), np.full(len(at), float(GRID))
        while len(at):
            keep = found[at] & (first < last)
            at, first, last = at[keep], first[keep], last[keep]
            some = left.take(at)
            penalty = violation * (np.maximum(low[at], first / GRID) - m[at])
            below = penalty + self._rows(some, last / GRID) < need[at]
            found[at[below & (last - first <= 1)]] = False
            at, first, last = at[below], first[below], last[below]
            middle = np.floor((first + last) / 2)
            at = np.concatenate((at, at))
            first, last = np.concatenate((first, middle)), np.concatenate((middle, last))
        return found


def _share(p: Numbers, q: Numbers) -> Numbers:
    """p / (p + q), 0 where there is nothing."""
    return np.asarray(p / np.maximum(1, p + q))
