"""The master linear program, kept warm in HiGHS while columns are added.

    min  sum_i (weight_i - once_i) xi_i + sum_k cost_k w_k + B sum of z
    xi_i + sum over clauses k that cover i of w_k >= 1                           (dual mu_i)
    C xi_i + sum over clauses k that cover i of c_k w_k <= C
    sum_k c_k w_k <= C                                                       (dual -lambda)
    low'_r <= sum_i values'_ri xi_i + z_r - z'_r <= high'_r                      (dual m'_r)
    xi, w, z >= 0

xi_i = 1 says that point i is left. w has no upper bound: w <= 1 is implied, and a bound would take
part of the duals. The basis of all xi is feasible without a single pivot; a round of clauses leaves
the basis primal feasible, so the primal simplex goes on from there.

Without constraints, and by the Hamming loss, there is a row of the first kind for each point and
none of the second. Otherwise the first is of points that it saves something to catch, the second,
by errors, of points that it costs something to catch, at no prices of the constraints; without the
others there is less to pay, and the bound as valid. z are artificial columns: at their price B a
rule set may break a constraint. The values of a constraint are divided by the largest one, so
prices are at most B.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels_colgen.columns import Columns
from corels_colgen.duals import Duals, exact_duals
from corels_colgen.instance import Instance
from corels_colgen.running import Running, quiet_highs

PRIMAL_SIMPLEX = 4
ARTIFICIAL = 16.0  # what an artificial column costs at first: the dearest point so many times
DEARER = 16.0  # and as many times as much, whenever that was too little
VIOLATED = 1e-6
BUDGET = -1  # in place of a point, the row of the budget

Floats = NDArray[np.float64]


class Master(Running):
    """The linear program over the columns so far.

    The simplex is not cut into pieces: begun anew from the basis of a piece, it loses what it has
    perturbed, and with pieces of 200 iterations it never ended on 12,000 rows.
    """

    def __init__(self, instance: Instance, columns: Columns) -> None:
        super().__init__(quiet_highs())
        self._instance, self._columns = instance, columns
        self._in_program = 0
        self._net = instance.positive_weights - instance.once
        points = len(self._net)
        # The point of each row but those of the constraints, which are the last of the first ones.
        self._plain = np.append(np.flatnonzero(self._net > 0), BUDGET)
        self._dear = np.flatnonzero((self._net < 0) & (instance.once > 0))  # the second kind
        self._prices = np.zeros(len(self._plain) + len(self._dear) + len(instance.rates))
        self._values = np.zeros(0)
        self._artificial = ARTIFICIAL * max(1, int(np.abs(self._net).max(initial=1)))
        self._fixed = points + 2 * len(instance.rates)  # columns before the clauses
        for name, value in (
            ("presolve", "off"),
            ("threads", 1),
            ("solver", "simplex"),
            ("simplex_strategy", PRIMAL_SIMPLEX),
        ):
            self._highs.setOptionValue(name, value)
        self._build()

    def _build(self) -> None:
        """Rows, xi columns and artificial ones at once, all xi basic."""
        from highspy import HighsBasis, HighsBasisStatus

        self._highs.passModel(self._model())
        basic, lower, upper = (
            getattr(HighsBasisStatus, name) for name in ("kBasic", "kLower", "kUpper")
        )
        points, rates = len(self._net), len(self._instance.rates)
        basis = HighsBasis()
        some = np.zeros(points, dtype=np.bool_)
        some[self._plain[:-1]] = some[self._dear] = True
        of_points = [basic if one else lower for one in some.tolist()]
        basis.col_status = [*of_points, *[lower] * (2 * rates)]
        of_rows = [*[lower] * (len(self._plain) - 1), basic, *[upper] * len(self._dear)]
        basis.row_status = [*of_rows, *[basic] * rates]
        basis.valid = True
        self._highs.setBasis(basis)

    def _model(self) -> Any:
        from highspy import HighsLp, MatrixFormat

        given, points = self._instance, len(self._net)
        rates, first, dear = given.rates, self._plain[:-1], self._dear
        budget, program = float(given.budget), HighsLp()
        rows = len(first) + 1 + len(dear)
        program.num_col_, program.num_row_ = self._fixed, rows + len(rates)
        artificial = np.full(2 * len(rates), self._artificial)
        program.col_cost_ = np.concatenate([self._net.astype(np.float64), artificial])
        program.col_lower_ = np.zeros(self._fixed)
        limited = 1.0 if len(rates) or len(dear) else np.inf
        upper = [np.full(points, limited), np.full(len(artificial), np.inf)]
        program.col_upper_ = np.concatenate(upper)
        values, low, high = scaled_rates(given)
        none = np.full(len(dear), -np.inf)
        program.row_lower_ = np.concatenate([np.ones(len(first)), [-np.inf], none, low])
        limit = budget if given.budgeted else np.inf
        above = [np.full(len(first), np.inf), [limit], np.full(len(dear), budget), high]
        program.row_upper_ = np.concatenate(above)
        at = np.concatenate([first, dear])
        numbers = np.concatenate([np.arange(len(first)), len(first) + 1 + np.arange(len(dear))])
        worth = np.concatenate([np.ones(len(first)), np.full(len(dear), budget)])
        constraint, point = np.nonzero(values)
        z = np.arange(len(artificial))
        columns = np.concatenate([at, point, points + z])
        order = np.argsort(columns, kind="stable")
        matrix = program.a_matrix_
        matrix.format_ = MatrixFormat.kColwise
        counts = np.bincount(columns, minlength=self._fixed)
        matrix.start_ = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
        indices = np.concatenate([numbers, rows + constraint, rows + z // 2])
        matrix.index_ = indices[order].astype(np.int32)
        entries = np.concatenate([worth, values[constraint, point], 1.0 - 2.0 * (z % 2)])
        matrix.value_ = entries[order]
        return program

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
        mu, budget = np.zeros(len(self._net)), len(self._plain) - 1
        mu[self._plain[:-1]] = self._prices[:budget]
        own = len(self._plain) + len(self._dear)
        price = -float(self._prices[budget])
        return exact_duals(mu, price, self._instance, self._columns, self._prices[own:])

    def weights(self) -> Floats:
        """w of each column in the last run that ended: float64[K]."""
        return self._values[self._fixed :][: len(self._columns)]

    def breaks(self) -> bool:
        """Whether the last run that ended breaks a constraint, at the price of doing so."""
        return bool((self._values[len(self._net) : self._fixed] > VIOLATED).any())

    def raise_price(self) -> bool:
        """Of breaking a constraint; False if it is as high as numbers allow."""
        if self._artificial * DEARER >= 2.0**40:
            return False
        self._artificial *= DEARER
        for column in range(len(self._net), self._fixed):
            self._highs.changeColCost(column, self._artificial)
        return True

    def _add_new(self) -> None:
        columns, first = self._columns, self._in_program
        count = len(columns) - first
        if not count:
            return
        cover, sizes = columns.cover[first:], columns.complexity[first:]
        none = np.zeros((count, len(self._instance.rates)), dtype=np.bool_)
        rows = np.concatenate(
            [
                cover[:, self._plain[:-1]],
                np.ones((count, 1), dtype=np.bool_),
                cover[:, self._dear],
                none,
            ],
            axis=1,
        )
        budget = len(self._plain) - 1
        by_size = np.zeros(rows.shape[1], dtype=np.bool_)
        by_size[budget : budget + 1 + len(self._dear)] = True
        starts = np.concatenate([[0], np.cumsum(rows.sum(axis=1))]).astype(np.int32)
        clause, indices = np.nonzero(rows)
        values = np.where(by_size[indices], sizes[clause], 1).astype(np.float64)
        self._highs.addCols(
            count,
            columns.cost[first:].astype(np.float64),
            np.zeros(count),
            np.full(count, np.inf),
            len(indices),
            starts[:-1],
            indices.astype(np.int32),
            values,
        )
        self._in_program = len(columns)


def scaled_rates(instance: Instance) -> tuple[Floats, Floats, Floats]:
    """The constraints as rows of xi: float64[R, P] values, divided by the largest of each, and the
    least and the greatest sum, float64[R]."""
    rates = instance.rates
    largest = np.array(rates.largest, dtype=np.float64)
    whole = [v + int(row.sum()) for v, row in zip(rates.start, rates.values, strict=True)]
    low = np.array([a - b for a, b in zip(whole, rates.high, strict=True)], dtype=np.float64)
    high = np.array([a - b for a, b in zip(whole, rates.low, strict=True)], dtype=np.float64)
    return rates.values / largest[:, None], low / largest, high / largest
