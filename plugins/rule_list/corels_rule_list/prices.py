"""The price bound: what the cheapest lists of small cells of points cost together.

Cut the points into cells Q_1, Q_2, .. and split the cost of a rule among the cells that its
antecedent r cuts: prices p[i, r] that add up to no more than the cost of a rule. In a cell alone,
the cheapest list for what is left of it, T, costs

    F_i(T) = min( unit * errors(T), min over r of p[i, r] + unit * errors(T and r) + F_i(T \\ r) ).

Whatever list is best for a set S, each of its rules pays in all cells together at most what a rule
costs, and each point errs in one cell only. So the list costs no less than the sum of what it costs
in the cells, and that is no less than F(S) = sum over i of F_i(S and Q_i). A child whose own cost
and F(S \\ r) together reach the incumbent need not be explored.

This is the plain form, for problems of some hundred points: cells of six points that few
antecedents tell apart, and equal prices in all cells that an antecedent cuts. The engine in C looks
for good prices, has one for each predicted class, and shares of points in several cells; it is in
`backends/c/src/prices`, and the proof in docs/internals/prices.md.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from corels.problem.captures import unpack
from corels.search import Children, Expansion
from corels_rule_list.set_bounds import CostBound

SIZE = 6  # points of a cell


class Cell:
    """A few points, what the antecedents capture of them, and what each costs here.

    traces: the sets that antecedents capture of the cell, bit i = its point i, with their prices.
    """

    def __init__(self, regrets: NDArray[np.int64], traces: dict[int, int], unit: int) -> None:
        self._regrets = [[unit * int(x) for x in row] for row in regrets]
        self._traces = traces
        self.least = cache(self._least)  # F_i

    def _errors(self, subset: int) -> int:
        return min(sum(x for i, x in enumerate(row) if subset >> i & 1) for row in self._regrets)

    def _least(self, subset: int) -> int:
        lists = [
            price + self._errors(subset & trace) + self.least(subset & ~trace)
            for trace, price in self._traces.items()
            if subset & trace
        ]
        return min([self._errors(subset), *lists])


class Cells:
    """F as a function of a set of points, for one instance."""

    def __init__(self, expansion: Expansion, rule_cost: int, unit: int) -> None:
        self.masks = expansion.masks
        captured = unpack(expansion.masks, expansion.regrets.shape[1])
        self.groups = list(_groups(captured, expansion.regrets))
        cuts = sum(
            (_cuts(captured[:, group]) for group in self.groups), np.zeros(len(captured), int)
        )
        self._cells = []
        for group in self.groups:
            traces: dict[int, int] = {}
            for r in np.flatnonzero(_cuts(captured[:, group])):
                trace = sum(1 << i for i in np.flatnonzero(captured[r, group]).tolist())
                price = rule_cost // int(cuts[r])  # over all cells no more than rule_cost
                traces[trace] = min(price, traces.get(trace, price))
            self._cells.append(Cell(expansion.regrets[:, group], traces, unit))

    def least(self, left: NDArray[np.bool_]) -> int:
        """F of the points that are left: every completion costs at least this."""
        return sum(
            cell.least(sum(1 << i for i in np.flatnonzero(left[group]).tolist()))
            for cell, group in zip(self._cells, self.groups, strict=True)
        )


def _groups(captured: NDArray[np.bool_], regrets: NDArray[np.int64]) -> list[NDArray[np.intp]]:
    """All points in groups: the heaviest one left, and those that differ least from it, in turn of
    the class that the group's best class has wrong, and of any."""
    left = np.argsort(-regrets.max(axis=0), kind="stable")
    groups = []
    while len(left):
        group, left = left[:1], left[1:]
        while len(left) and len(group) < SIZE:
            best = regrets[:, group].sum(axis=1).argmin()
            distance = (captured[:, left] != captured[:, group[:1]]).sum(axis=0)
            agrees = regrets[best, left] == 0
            at = int(np.lexsort((distance, agrees))[0])
            group, left = np.append(group, left[at]), np.delete(left, at)
        groups.append(group)
    return groups


def _cuts(part: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Whether an antecedent captures some points of a cell and not all. Where it captures all, it
    does what the default does, and needs no price."""
    return np.asarray(part.any(axis=1) & ~part.all(axis=1), dtype=np.int64)


class Prices(CostBound):
    """The bound, from cells that are cut once for each instance."""

    name = "prices"
    summary = "drops a child if the cheapest lists of small cells of points cost too much together"
    theorem = "docs/internals/prices.md#prices"
    story = (
        "the cheapest lists of small cells of points already cost too much together",
        "The prices of a rule in all cells add up to no more than a rule costs, so every list "
        "costs at least what the cells' own cheapest lists do",
    )

    def __init__(self) -> None:
        self._cells: Cells | None = None

    def costs(self, children: Children, expansion: Expansion) -> NDArray[np.int64]:
        """By F of what each child leaves."""
        if self._cells is None or not np.array_equal(self._cells.masks, expansion.masks):
            self._cells = Cells(expansion, children.rule_cost, children.unit)
        behind = expansion.remaining & ~expansion.masks[children.antecedent]
        left = unpack(behind, expansion.regrets.shape[1])
        least = [self._cells.least(row) for row in left]
        return np.asarray(children.lower_bound + np.array(least, dtype=np.int64))
