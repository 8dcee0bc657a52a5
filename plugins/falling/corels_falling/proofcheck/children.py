"""What every antecedent captures of the points that prefixes leave, of many prefixes at once.

The counts are products of matrices of whole numbers whose sums stay below 2^24 or 2^53, which
floating point holds exactly; all that follows is done in whole numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels_falling.proofcheck.costs import Costs, Counts, State

Numbers = NDArray[Any]


class Children:
    """Of states: the antecedents that may come next, with the counts of what they capture."""

    def __init__(self, costs: Costs) -> None:
        self.costs = costs
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

    def of(self, states: Sequence[State]) -> list[list[tuple[int, Counts]]]:
        """Those that capture something and not all; in falling lists, those that fall."""
        costs = self.costs
        shape = (len(states), 4, costs.antecedents)
        taken = (self.sets(states) @ self.each).astype(np.int64).reshape(shape)
        p, q = taken[:, 0], taken[:, 1]
        left = [[[state.counts.positives], [state.counts.negatives]] for state in states]
        rest_p, rest_q = np.array(left).transpose(1, 0, 2) - (p, q)
        usable = (p + q > 0) & (rest_p + rest_q > 0)
        if costs.violation is None:  # counts are below 2^30 and costs below 2^61
            part = np.array([[state.least.numerator] for state in states])
            whole = np.array([[state.least.denominator] for state in states])
            usable &= p * whole <= part * (p + q)
            usable &= rest_p * (p + q) <= p * (rest_p + rest_q)
            usable &= costs.positive * p > costs.negative * q
        found = []
        for row, may in zip(taken, usable, strict=True):
            at = np.flatnonzero(may)
            counts = row[:, at].T.tolist()
            found.append(
                [(r, costs.counts_of(*n)) for r, n in zip(at.tolist(), counts, strict=True)]
            )
        return found
