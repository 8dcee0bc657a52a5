"""What every antecedent captures of the points that prefixes leave, of many prefixes at once.

The counts are products of matrices of whole numbers whose sums stay below 2^24 or 2^53, which
floating point holds exactly; all that follows is done in whole numbers. What is found here holds;
what is not found is looked at again, one by one (bounds.py).
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels_falling.proofcheck.costs import Cost, Costs, Counts, State

Numbers = NDArray[Any]


class Children:
    """Of states: the antecedents that may come next, with the counts of what they capture."""

    def __init__(self, costs: Costs, total: Cost) -> None:
        self.costs, self.total = costs, total
        self.real = np.float32 if costs.rows < 1 << 24 else np.float64
        negatives, positives = costs.points.counts
        together = costs.grouped()[0]
        weights = (positives, negatives, positives * together, negatives * together)
        stacked = [(costs.points.captures * weight).T for weight in weights]
        self.each = np.concatenate(stacked, axis=1).astype(self.real)  # points x (4 antecedents)

    def sets(self, states: Sequence[State]) -> Numbers:
        points = self.costs.points.captures.shape[1]
        octets = b"".join(state.left.to_bytes((points + 7) // 8, "little") for state in states)
        packed = np.frombuffer(octets, np.uint8).reshape(len(states), -1)
        return np.unpackbits(packed, axis=1, count=points, bitorder="little").astype(self.real)

    def open(self, states: Sequence[State]) -> list[list[tuple[int, Counts]]]:
        """Those that are to be looked at: they capture something and not all; in falling lists they
        fall, and in softly falling ones a look at all of them has not shown that they cost enough.
        """
        shape = (len(states), 4, self.costs.antecedents)
        taken = (self.sets(states) @ self.each).astype(np.int64).reshape(shape)
        found = []
        for state, counts in zip(states, taken, strict=True):
            some, rest = counts[0] + counts[1], sum(state.counts[:2])
            at = np.flatnonzero((some > 0) & (some < rest))
            look = self._falling if self.costs.violation is None else self._doubtful
            at = at[look(state, self.costs.counts_of(*counts[:, at]))]
            rows = zip(at.tolist(), counts[:, at].T.tolist(), strict=True)
            found.append([(r, self.costs.counts_of(*numbers)) for r, numbers in rows])
        return found

    def _falling(self, state: State, captured: Counts) -> Numbers:
        """bool[k]: above the threshold, not above the rule before, and not below what is left.
        Counts are below 2^30 and costs below 2^61."""
        p, q, least = captured.positives, captured.negatives, state.least
        rest_p, rest_q = state.counts.positives - p, state.counts.negatives - q
        falls = p * least.denominator <= least.numerator * (p + q)
        falls &= rest_p * (p + q) <= p * (rest_p + rest_q)
        return falls & (self.costs.positive * p > self.costs.negative * q)

    def _doubtful(self, state: State, captured: Counts) -> Numbers:
        """bool[k]: of softly falling lists, those that are not seen to cost enough by their closed
        form (`RestCosts`), with every penalty rounded down to a whole number."""
        costs, violation = self.costs, self.costs.violation
        assert violation is not None
        p, q, classes = (numbers.astype(object) for numbers in captured)  # of any size
        left = Counts(*map(operator.sub, state.counts, (p, q, classes)))
        share = violation * p // (p + q)
        before = math.ceil(violation * state.least)
        least = np.minimum(before, share + 1)
        rise = np.maximum(
            0, violation * left.positives // (left.positives + left.negatives) - least
        )
        block = np.minimum(costs.positive * p, costs.negative * q)
        paid = math.floor(state.paid) + costs.rule + block + np.maximum(0, share - before)
        need = math.ceil(self.total) - paid
        missed, caught = costs.positive * left.positives, costs.negative * left.negatives
        enough = np.minimum(missed, caught) + rise >= need  # the list that ends here
        if state.length + 1 != costs.max_length:
            need, worth = need - costs.rule, costs.negative * left.positives
            start = np.maximum(rise, math.floor(violation * costs.threshold) - least)
            root = need + worth + least
            some = (left.classes + start >= need) | (root**2 <= 4 * worth * violation)
            enough &= some & ((missed > caught) | (missed + rise >= need))
        return ~enough.astype(np.bool_)
