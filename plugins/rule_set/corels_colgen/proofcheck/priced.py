"""What duals say at the prices of the constraints, in units of 1/scale.

To cover a point saves s = missed - once - (what it adds to each sum, times its price); what prices
make of a point is rounded down, which makes no rule set dearer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError
from corels_colgen.proofcheck.costs import Costs
from corels_colgen.proofcheck.reading import Duals

LIMIT = 1 << 60


@dataclass(frozen=True)
class Priced:
    """mu, saved, nu: int64[P]; nu: what a clause is charged for a point that it costs something to
    cover, for each of its complexity. base: what every rule set costs at least if no clause has a
    reduced cost below 0."""

    scale: int
    price: int
    mu: NDArray[np.int64]
    saved: NDArray[np.int64]
    nu: NDArray[np.int64]
    base: int


def priced(costs: Costs, duals: Duals) -> Priced:
    """Raises InputError if the proof has not as many duals or prices as there are points and
    constraints, or a sum could leave 64 bits."""
    points, sums = len(costs.missed), costs.sums
    prices = duals.prices or (0,) * len(sums.start)
    if duals.scale < 1 or len(duals.mu) != points:
        raise InputError(f"the proof has {len(duals.mu)} duals, for {points} positive points")
    if duals.parts < 1 or len(prices) != len(sums.start):
        raise InputError(f"the proof has {len(prices)} prices, for {len(sums.start)} constraints")
    largest = [int(np.abs(row).max(initial=0)) for row in sums.values]
    if sum(abs(p) * v for p, v in zip(prices, largest, strict=True)) >= 1 << 62:
        raise InputError("the prices of this proof are too large for the checker")
    weight = int(costs.missed.sum()) + int(costs.once.sum())
    added = np.zeros(points, np.int64)
    if any(prices):
        added = np.array(prices) @ sums.values // duals.parts
        weight += -(-sum(map(abs, added.tolist())) // duals.scale)
    most = weight + int(costs.caught.sum()) + costs.clause + costs.condition * (costs.longest + 2)
    sides = [duals.scale * most, duals.price * (costs.longest + 3), sum(duals.mu), duals.short]
    sides.append(duals.price * costs.budget)
    if any(side >= LIMIT for side in sides):
        raise InputError("the duals of this proof are too large for the checker")
    saved = duals.scale * (costs.missed - costs.once) - added
    rows = zip(prices, sums.start, sums.low, sums.high, strict=True)
    allowed = sum(p * (start - (high if p > 0 else low)) for p, start, low, high in rows)
    base = int((duals.scale * costs.missed - np.maximum(saved, 0)).sum()) + sum(duals.mu)
    base += allowed // duals.parts - duals.price * costs.budget
    nu = np.maximum(-saved, 0) // max(1, costs.budget) * costs.by_errors
    return Priced(duals.scale, duals.price, np.array(duals.mu, np.int64), saved, nu, base)
