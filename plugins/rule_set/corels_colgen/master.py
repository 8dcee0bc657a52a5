"""The master linear program, kept warm in HiGHS while columns are added.

    min  sum_i weight_i xi_i + sum_k cost_k w_k
    xi_i + sum over clauses k that cover i of w_k >= 1      for each positive point i   (dual mu_i)
    sum_k c_k w_k <= budget                                                      (dual -lambda)
    xi, w >= 0

w has no upper bound: w <= 1 is implied, and a bound would take part of the duals. The basis of all
xi is feasible without a single pivot; a round of clauses leaves the basis primal feasible, so the
primal simplex goes on from there.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels_colgen.columns import Columns
from corels_colgen.duals import Duals, exact_duals
from corels_colgen.instance import Bools, Instance, Ints
from corels_colgen.running import Running, quiet_highs

PRIMAL_SIMPLEX = 4


class Master(Running):
    """The linear program over the columns so far.

    The simplex is not cut into pieces: begun anew from the basis of a piece, it loses what it has
    perturbed, and with pieces of 200 iterations it never ended on 12,000 rows.
    """

    def __init__(self, instance: Instance, columns: Columns) -> None:
        super().__init__(quiet_highs())
        self._instance, self._columns = instance, columns
        self._in_program = 0
        self._prices = np.zeros(len(instance.positive_weights) + 1)
        self._values = np.zeros(0)
        for name, value in (
            ("presolve", "off"),
            ("threads", 1),
            ("solver", "simplex"),
            ("simplex_strategy", PRIMAL_SIMPLEX),
        ):
            self._highs.setOptionValue(name, value)
        self._build()

    def _build(self) -> None:
        """Rows and xi columns at once, all xi basic."""
        from highspy import HighsBasis, HighsBasisStatus

        weights = self._instance.positive_weights
        points, none = len(weights), np.zeros(0, dtype=np.int64)
        cover = np.zeros((0, points), dtype=np.bool_)
        self._highs.passModel(linear_program(self._instance, weights, cover, none, none))
        basis = HighsBasis()
        basis.col_status = [HighsBasisStatus.kBasic] * points
        basis.row_status = [HighsBasisStatus.kLower] * points + [HighsBasisStatus.kBasic]
        basis.valid = True
        self._highs.setBasis(basis)

    def start(self) -> None:
        """Add the new columns and go on with the simplex.

        Raises RuntimeError after `cancel`, whose thread may still read the program.
        """
        self.may_start()
        self._add_new()
        super().start()

    def _read(self) -> None:
        if self._stop:
            return  # what the run before it found stays
        solution = self._highs.getSolution()
        self._values = np.array(solution.col_value)
        if len(solution.row_dual):
            self._prices = np.array(solution.row_dual)

    def duals(self) -> Duals:
        """The duals of the last run that ended, exact."""
        prices = self._prices
        return exact_duals(prices[:-1], -float(prices[-1]), self._instance, self._columns)

    def weights(self) -> NDArray[np.float64]:
        """w of each column in the last run that ended: float64[K]."""
        return self._values[len(self._instance.positive_weights) :][: len(self._columns)]

    def _add_new(self) -> None:
        columns, first = self._columns, self._in_program
        count = len(columns) - first
        if not count:
            return
        starts, indices, values = sparse_columns(columns.cover[first:], columns.complexity[first:])
        self._highs.addCols(
            count,
            columns.cost[first:].astype(np.float64),
            np.zeros(count),
            np.full(count, np.inf),
            len(indices),
            starts[:-1],
            indices,
            values,
        )
        self._in_program = len(columns)


def linear_program(
    instance: Instance, weights: Ints, cover: Bools, cost: Ints, complexity: Ints
) -> Any:
    """The program over K clauses, a `highspy.HighsLp`: the xi of P points, then w without limits.

    weights: int64[P], of the points; cover: bool[K, P]; cost, complexity: int64[K].
    """
    from highspy import HighsLp, MatrixFormat

    points, count = len(weights), len(cost)
    starts, indices, values = sparse_columns(cover, complexity)
    program = HighsLp()
    program.num_col_, program.num_row_ = points + count, points + 1
    program.col_cost_ = np.concatenate([weights, cost]).astype(np.float64)
    program.col_lower_ = np.zeros(points + count)
    program.col_upper_ = np.full(points + count, np.inf)
    program.row_lower_ = np.append(np.ones(points), -np.inf)
    limit = float(instance.budget) if instance.budgeted else np.inf
    program.row_upper_ = np.append(np.full(points, np.inf), limit)
    matrix = program.a_matrix_
    matrix.format_ = MatrixFormat.kColwise
    matrix.start_ = np.concatenate([np.arange(points), points + starts]).astype(np.int32)
    matrix.index_ = np.concatenate([np.arange(points), indices]).astype(np.int32)
    matrix.value_ = np.concatenate([np.ones(points), values])
    return program


def sparse_columns(
    cover: Bools, complexity: Ints
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
    """Clauses as sparse columns: starts (one more than columns), row indices, values.

    Coverage in the rows of the points, and complexity in the last row.
    """
    count, points = cover.shape
    full = np.append(cover, np.ones((count, 1), dtype=np.bool_), axis=1)
    lengths = full.sum(axis=1)
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    indices = np.nonzero(full)[1].astype(np.int32)
    values = np.ones(len(indices))
    values[starts[1:] - 1] = complexity
    assert not count or indices[starts[1] - 1] == points
    return starts, indices, values
