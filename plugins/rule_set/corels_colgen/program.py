"""Integer programs over a list of clauses, made and solved by HiGHS in a thread of its own.

    min  sum_i net_i xi_i + sum_k cost_k w_k
    xi_i + sum over clauses k that cover i of w_k >= 1       if net_i > 0 or i is touched
    M xi_i + sum over clauses k that cover i of w_k <= M     if i is touched, M = floor(C / 2)
    sum_k c_k w_k <= C
    low_r <= sum_i values_ri xi_i <= high_r
    w in {0, 1}; xi_i in {0, 1} if i is touched, else 0 <= xi_i <= 1

A point is touched if it costs something to catch it, or some rate counts it: without the second
line the program would call it left although a clause catches it, with fractions of xi it would
still do so in part. The bound and the solutions found so far can be read while one runs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corels_colgen.incumbent import merged_points
from corels_colgen.instance import Bools, Instance, Ints
from corels_colgen.running import Running, quiet_highs

TOLERANCE = 1e-6
"""HiGHS calls a bound proven within this; so do we when we round it up to an integer."""


class IntegerProgram(Running):
    """min cost over subsets of the clauses that keep the budget and the constraints.

    cover: bool[K, P]; cost, complexity: int64[K]. start: columns of a known solution. prove: leave
    out the heuristics, which take most of the time if the optimum is known and only the proof
    is missing.
    """

    def __init__(
        self,
        instance: Instance,
        cover: Bools,
        cost: Ints,
        complexity: Ints,
        *,
        start: Sequence[int] = (),
        prove: bool = False,
    ) -> None:
        super().__init__(quiet_highs(), self._make)
        self._given = instance, cover, cost, complexity, start
        self._points, self._count, self._offset = 0, len(cost), 0
        self.none = False  # whether no subset keeps to the constraints, as HiGHS says
        self._solutions: list[NDArray[np.float64]] = []
        self._bound = -math.inf
        self._set_options(prove)
        self._highs.cbMipImprovingSolution.subscribe(self._improved)
        self._highs.cbMipInterrupt.subscribe(self._looked)

    def _make(self) -> None:
        """The model, and the known solution."""
        instance, cover, cost, complexity, start = self._given
        net = instance.positive_weights - instance.once
        counted = instance.touched.astype(np.int64), instance.rates.values
        cover, (net, touched, values) = merged_points(cover, net, *counted)
        self._points = len(net)
        self._offset = int(instance.once.sum())
        del self._given  # the matrix may be large
        own = Merged(cover, net, touched > 0, values)
        self._highs.passModel(integer_program(instance, own, cost, complexity))
        if start:
            self._highs.setSolution(self._solution(cover, start))

    def _set_options(self, prove: bool) -> None:
        options: dict[str, Any] = {
            "threads": 1,
            "mip_abs_gap": 0.999,  # costs are integers: less than one apart is equal
            "mip_rel_gap": 0.0,
            "mip_feasibility_tolerance": TOLERANCE,
        }
        if prove:
            options["mip_heuristic_effort"] = 0.0
            for name in ("feasibility_jump", "rins", "rens", "root_reduced_cost"):
                options[f"mip_heuristic_run_{name}"] = False
        for name, value in options.items():
            self._highs.setOptionValue(name, value)

    def _solution(self, cover: Bools, chosen: Sequence[int]) -> Any:
        from highspy import HighsSolution

        solution = HighsSolution()
        values = np.zeros(self._points + self._count)
        values[: self._points] = ~cover[list(chosen)].any(axis=0)
        values[self._points + np.asarray(chosen, dtype=np.intp)] = 1.0
        solution.col_value = values.tolist()
        return solution

    def _improved(self, event: Any) -> None:
        self._solutions.append(np.array(event.data_out.mip_solution))

    def _looked(self, event: Any) -> None:
        self._bound = max(self._bound, float(event.data_out.mip_dual_bound))
        self.asked(event)

    def _read(self) -> None:
        from highspy import HighsModelStatus

        bound = float(self._highs.getInfo().mip_dual_bound)
        if bound < math.inf:
            self._bound = max(self._bound, bound)
        self.none = self._highs.getModelStatus() == HighsModelStatus.kInfeasible
        values = np.array(self._highs.getSolution().col_value)
        if len(values):
            self._solutions.append(values)

    def bound(self) -> int | None:
        """Proven lower bound of the cost over these clauses, or None."""
        if not math.isfinite(self._bound):
            return None
        bound = self._bound + self._offset
        return math.ceil(bound - TOLERANCE * max(1.0, abs(bound)))

    def take_solutions(self) -> list[list[int]]:
        """The columns of each solution found since the last call."""
        found, self._solutions = self._solutions, []
        return [np.flatnonzero(values[self._points :] > 0.5).tolist() for values in found]


class Merged(NamedTuple):
    """Points: bool[K, P] what covers them, int64[P] what it saves to cover them, bool[P] whether
    they are touched, int64[R, P] their values."""

    cover: Bools
    net: Ints
    touched: Bools
    values: Ints


def integer_program(instance: Instance, own: Merged, cost: Ints, complexity: Ints) -> Any:
    """The program over K clauses, a `highspy.HighsLp`. cost, complexity: int64[K]."""
    from highspy import HighsLp, HighsVarType, MatrixFormat

    points, count = len(own.net), len(cost)
    most, budget = max(1, instance.budget // 2), float(instance.budget)
    first = np.flatnonzero((own.net > 0) | own.touched)
    second = np.flatnonzero(own.touched)
    values, low, high = _whole_rates(instance, own.values)
    budget_row = len(first) + len(second)
    clause, at = np.nonzero(own.cover[:, np.concatenate([first, second])])
    constraint, point = np.nonzero(values)
    each = np.where(np.arange(budget_row) < len(first), 1, most)
    row = [np.arange(budget_row), at, np.full(count, budget_row), budget_row + 1 + constraint]
    column = [np.concatenate([first, second]), points + clause, points + np.arange(count), point]
    entry = [each, np.ones(len(at)), complexity, values[constraint, point]]
    rows = np.concatenate(row)
    order = np.argsort(rows, kind="stable")
    program = HighsLp()
    program.num_col_, program.num_row_ = points + count, budget_row + 1 + len(values)
    program.col_cost_ = np.concatenate([own.net, cost]).astype(np.float64)
    program.col_lower_ = np.zeros(points + count)
    program.col_upper_ = np.ones(points + count)
    none, limit = np.full(len(second), -np.inf), budget if instance.budgeted else np.inf
    program.row_lower_ = np.concatenate([np.ones(len(first)), none, [-np.inf], low])
    above = np.full(len(second), float(most))
    program.row_upper_ = np.concatenate([np.full(len(first), np.inf), above, [limit], high])
    matrix = program.a_matrix_
    matrix.format_ = MatrixFormat.kRowwise
    counts = np.bincount(rows, minlength=program.num_row_)
    matrix.start_ = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    matrix.index_ = np.concatenate(column)[order].astype(np.int32)
    matrix.value_ = np.concatenate(entry)[order].astype(np.float64)
    kinds = np.append(own.touched, np.ones(count, np.bool_))
    whole, part = HighsVarType.kInteger, HighsVarType.kContinuous
    program.integrality_ = [whole if one else part for one in kinds.tolist()]
    return program


def _whole_rates(
    instance: Instance, values: Ints
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """The constraints as rows of xi, in their largest common unit, with limits between two whole
    numbers: a unit may be less than what HiGHS tolerates of a row of rates."""
    rates = instance.rates
    units = [max(1, int(np.gcd.reduce(row, initial=0))) for row in values]
    whole = [v + int(row.sum()) for v, row in zip(rates.start, values, strict=True)]
    rows = list(zip(whole, rates.low, rates.high, units, strict=True))
    low = [math.ceil(Fraction(all_of - above, unit)) - 0.5 for all_of, _, above, unit in rows]
    high = [math.floor(Fraction(all_of - below, unit)) + 0.5 for all_of, below, _, unit in rows]
    scaled = values / np.array(units, dtype=np.float64)[:, None]
    return scaled, np.array(low), np.array(high)
