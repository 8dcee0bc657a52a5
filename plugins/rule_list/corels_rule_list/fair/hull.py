"""The multipliers with the greatest lower bound, as far as they are worth searching for.

Each search gives a list d, and so the line cost(d) + sum m (g(d) - b) over the multipliers m, above
which no bound can be. The bound is the least of all lines, a concave function. So the next
multipliers to try are those where the least of the lines that are known is greatest; once the
search there finds no lower line, they are the best ones. (With one constraint this walks the hull
of all lists, as `corels path` does over lambda.) Where the lines lead is computed in floats:
any multipliers give a bound, and what a search proves is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from corels_rule_list.fair.prices import MOST_PARTS, Listed, Multipliers, Prices

ROUNDS = 400  # of the ascent over several constraints
GOLDEN = 60  # halvings over one
CLOSE = 1e-3  # of a rule's cost: nearer to the best multipliers is not worth a search
SIMPLER = 0.05  # of a rule's cost: so much of the bound is given for multipliers that are fractions
#                 with small denominators: searches count in fewer digits then

Floats = NDArray[np.float64]
Lines = Callable[[Floats], tuple[float, Floats]]


class Hull:
    """The lines that are known. Multipliers x are shares of the steepest ones, from -1 to 1."""

    def __init__(self, prices: Prices) -> None:
        self._prices = prices
        self._steepest = np.array(prices.steepest, dtype=np.float64)
        self._low, self._high = (np.array(b, dtype=np.float64) for b in (prices.low, prices.high))
        self._unit = prices.problem.unit / (prices.q * prices.d)
        self._lists: list[Listed] = []
        self._rule = prices.problem.rule_cost
        self.close = CLOSE * max(self._rule, prices.problem.unit)

    def add(self, found: Listed) -> None:
        """The line of a list."""
        self._lists.append(found)

    def cheapest(self, prices: Multipliers) -> Listed:
        """The known list that costs least at these multipliers."""
        steps = self._unit * np.array(prices, dtype=np.float64)
        return min(self._lists, key=lambda one: one.cost + float(steps @ np.array(one.sums)))

    def best(self) -> tuple[float, Multipliers]:
        """Where the least of the known lines is greatest, and how great."""
        costs = np.array([found.cost for found in self._lists], dtype=np.float64)
        sums = np.array([found.sums for found in self._lists], dtype=np.float64)

        def at(x: Floats) -> tuple[float, Floats]:
            """The least line at x, in scaled costs, and its slope."""
            slopes = (sums - np.where(x > 0, self._high, self._low)) * self._steepest * self._unit
            heights = costs + slopes @ x
            least = int(heights.argmin())
            return float(heights[least]), slopes[least]

        x = _over_one(at) if len(self._low) == 1 else _over_several(at, len(self._low))
        prices = tuple(np.rint(x * self._steepest).astype(np.int64).tolist())
        steps = np.maximum(self._steepest, 1)  # none if 64 bits hold no price but 0
        height = at(np.array(prices) / steps)[0]
        for simpler in self._simpler(prices):
            reached = at(np.array(simpler) / steps)[0]
            if reached >= height - SIMPLER * self._rule:
                return reached, simpler
        return height, prices

    def _simpler(self, prices: Multipliers) -> Iterator[Multipliers]:
        """The multipliers that are whole in few parts of a cost and near these, fewest parts
        first. Rounded up, since what the values of a rate add to costs is rounded down."""
        known, own = {prices}, self._prices.q * self._prices.d
        for parts in range(1, MOST_PARTS + 1):
            simpler = tuple(-(-round(p * parts / own) * own // parts) for p in prices)
            steep = any(abs(p) > most for p, most in zip(simpler, self._steepest, strict=True))
            if simpler not in known and not steep:
                known.add(simpler)
                yield simpler


def _over_one(at: Lines) -> Floats:
    least, most = -1.0, 1.0
    for _ in range(GOLDEN):  # of a concave function, by its slope
        middle = (least + most) / 2
        slope = at(np.array([middle]))[1][0]
        least, most = (middle, most) if slope > 0 else (least, middle)
    ends = [np.array([x]) for x in (least, most, 0.0)]
    return max(ends, key=lambda x: at(x)[0])


def _over_several(at: Lines, constraints: int) -> Floats:
    x = at_best = np.zeros(constraints)
    best, slope = at(x)
    for turn in range(1, ROUNDS):
        size = float(np.linalg.norm(slope))
        if size == 0:
            break
        x = np.clip(x + slope / size * 0.5 / turn**0.9, -1, 1)
        height, slope = at(x)
        if height > best:
            best, at_best = height, x
    return at_best
