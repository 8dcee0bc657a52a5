"""What a proof gives as data: blocks and cells of points, with their weights and prices.

The data is checked (weights and prices add up to no more than there is), and the tables that bound
what a set costs are filled here. Why they bound it: docs/internals/blocks.md and prices.md.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from corels.proofcheck.reading import Block, Cell
from corels.proofcheck.table import Table

LANES = 8  # a block's table: the errors that 0 .. 7 rules leave
MOST_TABLES = 1 << 27  # numbers in all tables of blocks
MOST_STATES = 1 << 12  # of a cell
MOST_WEIGHT = 1 << 56  # of a point in a cell: sums of sixty-four do not overflow


class FalseDataError(Exception):
    """What the proof gives as data, such as a partition, is not what it must be."""


class Blocks:
    """One partition: for each subset of a block the least errors that 0 .. 7 rules leave of it."""

    def __init__(self, table: Table, partition: list[Block]) -> None:
        self.unit, self.rule_cost = table.unit, table.rule_cost
        self.tables: list[NDArray[np.int32]] = []
        self.places = np.zeros(
            (table.captures.shape[1], len(partition)), np.float32
        )  # point's bit in block
        left = table.regrets.copy()
        if sum(1 << len(block) for block in partition) * LANES > MOST_TABLES:
            raise FalseDataError("a partition's tables would be too large")
        for number, block in enumerate(partition):
            items = np.array(block, dtype=np.int64).reshape(len(block), 1 + len(left))
            if items[:, 0].max(initial=-1) >= len(table.kept):
                raise FalseDataError("a block has a point that is not there")
            places, regrets = table.kept[items[:, 0]], items[:, 1:]
            if places.min(initial=0) < 0 or regrets.max(initial=0) >= 1 << 31:
                raise FalseDataError(
                    "a block has a point that costs nothing, or a weight too large"
                )
            for regret, weights in zip(left, regrets.T, strict=True):
                np.subtract.at(regret, places, weights)
            if left.min(initial=0) < 0:
                raise FalseDataError("the weights in the blocks are more than a point's regret")
            np.add.at(self.places[:, number], places, 1 << np.arange(len(places)))
            self.tables.append(_filled(table.captures[:, places], regrets))

    def least(self, sets: NDArray[np.bool_]) -> NDArray[np.int64]:
        """int64[n]: k = 1 .. 7 rules and the errors that they leave in all blocks, or 8 rules."""
        errors = np.zeros((len(sets), LANES), dtype=np.int64)
        subsets = (sets.astype(np.float32) @ self.places).astype(np.int64)
        for number, filled in enumerate(self.tables):
            errors += filled[subsets[:, number]]
        costs = self.unit * errors[:, 1:] + self.rule_cost * np.arange(1, LANES)
        return np.asarray(np.minimum(costs.min(axis=1), LANES * self.rule_cost))


def _filled(captures: NDArray[np.bool_], regrets: NDArray[np.int64]) -> NDArray[np.int32]:
    """int32[2^items, 8] of one block: 0 rules, then with each further rule the best first one."""
    subsets = np.arange(1 << captures.shape[1])
    bits = (subsets[:, None] >> np.arange(captures.shape[1])) & 1
    alone = (bits @ regrets).min(axis=1).astype(np.int32)
    traces = np.unique(captures @ (1 << np.arange(captures.shape[1])))
    traces = traces[traces > 0]
    lanes = np.tile(alone[:, None], LANES)
    for k in range(1, LANES):
        best = alone.copy()
        before = np.ascontiguousarray(lanes[:, k - 1])
        for trace in traces.tolist():
            np.minimum(best, alone[subsets & trace] + before[subsets & ~trace], out=best)
        lanes[:, k] = best
    return lanes


class Prices:
    """Cells whose weights add up to no more than the points', and whose prices of each rule to no
    more than it costs: the best lists of all cells, each in its own, cost no more than f."""

    def __init__(self, table: Table, shift: int, cells: list[Cell]) -> None:
        self.shift, self.cells = shift, [_OneCell(table, *cell) for cell in cells]
        most = max(int(table.unit * table.regrets.sum(axis=1).max(initial=0)), table.rule_cost)
        if not -62 <= shift <= 62 or self._scaled(most) >= 1 << 30:
            raise FalseDataError("the unit of the prices is too small")
        budget, left = self._scaled(table.rule_cost), table.unit * table.regrets
        prices = np.zeros((len(table.captures), len(left)), dtype=np.int64)
        left = left << shift if shift >= 0 else left >> -shift
        for cell in self.cells:
            for regret, weights in zip(left, cell.weights, strict=True):
                np.subtract.at(regret, cell.places, weights)
            prices += cell.prices
            if left.min(initial=0) < 0 or prices.max(initial=0) > budget:
                raise FalseDataError("the cells' weights or prices add up to more than there is")

    def _scaled(self, cost: int) -> int:
        return cost << self.shift if self.shift >= 0 else cost >> -self.shift

    def least(self, sets: NDArray[np.bool_]) -> NDArray[np.int64]:
        """int64[n]: what whatever follows costs at least, to stop at once included."""
        total = np.zeros(len(sets), dtype=np.int64)
        for cell in self.cells:
            total += cell.values(sets)
        return -(-total >> self.shift) if self.shift >= 0 else total << -self.shift


class _OneCell:
    """Its points, their weights [C, n], and prices [M, C]: those of rules that cut it in two."""

    def __init__(self, table: Table, items: Block, cuts: Block) -> None:
        rows = np.array(items, dtype=np.int64).reshape(len(items), 1 + len(table.regrets))
        if (
            rows[:, 0].max(initial=-1) >= len(table.kept)
            or table.kept[rows[:, 0]].min(initial=0) < 0
        ):
            raise FalseDataError("a cell has a point that costs nothing, or is not there")
        if rows.max(initial=0) >= MOST_WEIGHT:
            raise FalseDataError("a point of a cell has too large a weight")
        self.places, self.weights = table.kept[rows[:, 0]], rows[:, 1:].T
        self.bits = np.uint64(1) << np.arange(len(items), dtype=np.uint64)
        traces = (table.captures[:, self.places] * self.bits).sum(axis=1, dtype=np.uint64).tolist()
        self.all = int(self.bits.sum(dtype=np.uint64))
        self.cuts = {trace: [0] * len(table.regrets) for trace in traces if 0 < trace < self.all}
        for antecedent, *price in cuts:
            if antecedent >= len(traces) or traces[antecedent] not in self.cuts:
                raise FalseDataError("a cell has a price for what does not cut it")
            self.cuts[traces[antecedent]] = price
        free = [0] * len(table.regrets)
        self.prices = np.array([self.cuts.get(trace, free) for trace in traces], dtype=np.int64)
        self.known: dict[int, int] = {0: 0}

    def values(self, sets: NDArray[np.bool_]) -> NDArray[np.int64]:
        states = (sets[:, self.places] * self.bits).sum(axis=1, dtype=np.uint64)
        found, where = np.unique(states, return_inverse=True)
        values = [self._value(state) for state in found.tolist()]
        return np.array(values, dtype=np.int64)[where.reshape(-1)]

    def _value(self, state: int) -> int:
        """What the best list costs on these points of the cell."""
        if state not in self.known:
            if len(self.known) > MOST_STATES:
                raise FalseDataError("a cell has too many states")
            best = min(self._alone(state))
            for trace, price in self.cuts.items():
                if state & trace:
                    wrong, rest = self._alone(state & trace), self._value(state & ~trace)
                    best = min(best, *(p + w + rest for p, w in zip(price, wrong, strict=True)))
            self.known[state] = best
        return self.known[state]

    def _alone(self, state: int) -> list[int]:
        """What predicting each class costs on these points."""
        held = [bool(state >> i & 1) for i in range(len(self.places))]
        return [int(row[held].sum()) for row in self.weights]
