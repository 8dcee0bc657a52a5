"""What a proof gives as data: cells of points with shares of their weights, and what they show.

The shares are checked, that they add up to no more than there is, and the tables that bound what a
set costs are filled here. Why they bound it: docs/internals/blocks.md and prices.md.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from corels.proofcheck.reading import Cell
from corels.proofcheck.table import Table
from corels.proofcheck.watch import Watch

LANES = 8  # of a block's table: the errors that 0 .. 7 rules leave
BITS = 16  # of a state: of a cell's points, or of its cuts where its points are more
MOST = 1 << 56  # of a point or a rule: sums of sixty-four do not overflow
MOST_TABLES = 1 << 27  # numbers in all tables of a record

Whole = NDArray[np.int64]


class FalseDataError(Exception):
    """What the proof gives as data, such as a partition, is not what it must be."""


class Cells:
    """The cells of a record. Without a shift they are blocks: rules cost nothing in a block, but
    are counted; with one, rules have prices, and costs are in units of which 2^-shift make one."""

    def __init__(self, table: Table, cells: list[Cell], shift: int | None, watch: Watch) -> None:
        self.unit, self.rule_cost, self.shift = table.unit, table.rule_cost, shift
        regrets = table.regrets * (1 if shift is None else table.unit)
        self.left, self.rules = self._scaled(regrets), self._scaled(np.array(table.rule_cost))
        self.paid = np.zeros((len(table.captures), len(regrets)), dtype=np.int64)
        self.room = MOST_TABLES
        each = watch.over("cells of tables", cells)
        self.cells = [self._filled(table, *cell) for cell in each if cell[0]]

    def _scaled(self, costs: Whole) -> Whole:
        shift = self.shift or 0
        if not -62 <= shift <= 62 or costs.max(initial=0) > MOST >> max(shift, 0):
            raise FalseDataError("the unit of the prices is too small")
        return np.asarray(costs << shift if shift >= 0 else costs >> -shift)

    def _filled(self, table: Table, items: list[list[int]], cuts: list[list[int]]) -> _Filled:
        rows = np.array(items, dtype=np.int64)
        if rows[:, 0].max() >= len(table.kept) or (table.kept[rows[:, 0]] < 0).any():
            raise FalseDataError("a cell has a point that costs nothing, or is not there")
        places, weights = table.kept[rows[:, 0]], rows[:, 1:]
        for place, weight in zip(places, weights, strict=True):
            self.left[:, place] -= weight
            if (self.left[:, place] < 0).any():
                raise FalseDataError("the cells' weights add up to more than a point's regret")
        traces, made = np.unique(table.captures[:, places], axis=0, return_inverse=True)
        prices, made = np.zeros((len(traces), weights.shape[1]), np.int64), made.reshape(-1)
        for antecedent, *price in cuts:
            if antecedent >= len(made) or len(set(traces[made[antecedent]])) < 2:
                raise FalseDataError("a cell has a price for what does not cut it")
            prices[made[antecedent]] = price
        self.paid += prices[made]
        if max(prices.max(initial=0), self.paid.max(initial=0)) > self.rules:
            raise FalseDataError("the cells' prices add up to more than a rule costs")
        some = traces.any(axis=1)
        self.room -= LANES << min(BITS, len(places))
        if self.room < 0:
            raise FalseDataError("the tables would be too large")
        return _Filled(places, weights, traces[some], None if self.shift is None else prices[some])

    def least(self, sets: NDArray[np.bool_]) -> Whole:
        """int64[n]: what whatever follows costs at least, where it does not stop at once."""
        total = np.zeros((len(sets), 1 if self.shift is not None else LANES), dtype=np.int64)
        for cell in self.cells:
            total += cell.table[cell.states(sets)]
        if self.shift is not None:
            return -(-total[:, 0] >> self.shift) if self.shift >= 0 else total[:, 0] << -self.shift
        costs = self.unit * total[:, 1:] + self.rule_cost * np.arange(1, LANES)
        return np.asarray(np.minimum(costs.min(axis=1), LANES * self.rule_cost))


class _Filled:
    """One cell. A state has a bit a point that is left, or, where the points are many, a bit a cut
    of which points are left. table: int64[states, 8 or 1], errors by rules, or the cheapest list.
    """

    def __init__(
        self, places: Whole, weights: Whole, traces: NDArray[np.bool_], prices: Whole | None
    ) -> None:
        by_points = len(places) <= BITS
        self.places, self.parts = places, np.eye(len(places), dtype=bool) if by_points else traces
        if len(self.parts) > BITS:
            raise FalseDataError("a cell has too many states")
        self.bits = 1 << np.arange(len(self.parts))
        states = np.arange(1 << len(self.parts))
        gone = (states[:, None] & self.bits) == 0
        errors = ((gone @ self.parts) == 0) @ weights  # an item is left that is in no part gone
        alone, moves = errors.min(axis=1), []
        for number, trace in enumerate(traces):
            rest = states & ~(trace @ self.bits if by_points else self.bits[number])
            cost = errors - errors[rest] + (0 if prices is None else prices[number])
            moves.append((cost.min(axis=1), rest))
        lanes = [alone]
        while len(lanes) < LANES or prices is not None:
            best = alone.copy()
            for cost, rest in moves:
                np.minimum(best, cost + lanes[-1][rest], out=best)
            if prices is not None and (best == lanes[-1]).all():
                lanes = [best]
                break
            lanes.append(best)
        self.table = np.stack(lanes, axis=1)

    def states(self, sets: NDArray[np.bool_]) -> Whole:
        held = sets[:, self.places].astype(np.float32)  # exact: sums are below 2^16
        if len(self.places) > BITS:
            held = np.asarray(held @ self.parts.T > 0, np.float32)
        return np.asarray((held @ self.bits.astype(np.float32)).astype(np.int64))
