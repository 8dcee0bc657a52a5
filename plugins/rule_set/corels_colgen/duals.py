"""Exact duals: what a linear program solved in floating point proves beyond doubt.

At the prices m_r of the constraints on rates, to catch point i saves

    s_i = positive_weights[i] - once[i] - sum_r m_r values[r, i].

For any m, any mu with 0 <= mu_i <= max(0, s_i) and any lambda >= 0, every rule set w that keeps the
budget and the constraints costs at least L + sum_k w_k rc_k, with b_r = high_r if m_r > 0, else
low_r, and

    L    = sum_i (positive_weights[i] - max(0, s_i) + mu_i) + sum_r m_r (start_r - b_r)
           - lambda * budget,
    rc_k = loss_k + penalty_k + lambda c_k - sum over the positives that k covers of mu_i
           + c_k sum over them of nu_i,          0 <= nu_i <= max(0, -s_i) / budget

(docs/internals/column-generation.md). nu is 0 by the Hamming loss. Nothing is assumed about where
the duals come from. So those of HiGHS are rounded to multiples of 1/scale, clipped to their ranges,
and repaired until no clause of the master has rc_k < 0; from there on everything is an integer, and
the bounds below hold whatever the solver's tolerances are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from corels_colgen.columns import Columns
from corels_colgen.instance import Instance, Ints
from corels_colgen.pricing import Query
from corels_colgen.rates import Rates

FINEST = 2**20
LIMIT = 2**60


class Prices(NamedTuple):
    """Of the R constraints: what a sum of 1 costs, times the scale of the duals, is numerators[r] /
    denominator. So many parts that `values @ numerators` stays below 2^62."""

    numerators: tuple[int, ...] = ()
    denominator: int = 1

    def added(self, rates: Rates) -> Ints:
        """int64[P]: scale * sum_r m_r values[r, i], rounded down."""
        if not any(self.numerators):
            return np.zeros(rates.values.shape[1], dtype=np.int64)
        return np.asarray(np.array(self.numerators) @ rates.values // self.denominator)

    def allowance(self, rates: Rates) -> int:
        """scale * sum_r m_r (start_r - b_r), rounded down."""
        rows = zip(self.numerators, rates.start, rates.low, rates.high, strict=True)
        return sum(p * (v - (high if p > 0 else low)) for p, v, low, high in rows) // (
            self.denominator
        )


@dataclass(frozen=True, eq=False)
class Duals:
    """Duals in units of 1/scale: int64[P] and one integer. saved: int64[P], what it saves to catch
    a point at these prices; charged: int64[P], nu."""

    mu: Ints
    budget_price: int  # lambda
    scale: int
    total: int  # L: a lower bound once no clause has rc < 0
    prices: Prices
    saved: Ints
    charged: Ints

    @classmethod
    def of(
        cls, instance: Instance, mu: Ints, price: int = 0, scale: int = 1, at: Prices | None = None
    ) -> Duals:
        """mu is clipped to what its points save; at: prices of the constraints, if not 0."""
        prices = Prices((0,) * len(instance.rates)) if at is None else at
        saved = scale * (instance.positive_weights - instance.once) - prices.added(instance.rates)
        most = np.maximum(saved, 0)
        mu = np.clip(mu, 0, most)
        total = int((scale * instance.positive_weights - most + mu).sum())
        total += prices.allowance(instance.rates) - price * instance.budget
        charged = np.maximum(-saved, 0) // max(1, instance.budget) * instance.by_errors
        return cls(mu, price, scale, total, prices, saved, charged)

    def query(self, instance: Instance, *, cutoff: int = 0, max_conditions: int) -> Query:
        """The pricing query that looks for clauses with rc < cutoff (in units of 1/scale)."""
        condition = self.budget_price + self.scale * instance.condition_penalty
        by_size = int(instance.by_errors)  # each negative costs nu for each clause and condition
        scale = self.scale * (1 - by_size)
        return Query(
            duals=self.mu,
            clause_cost=self.budget_price + self.scale * instance.clause_penalty,
            condition_cost=condition,
            scale=by_size or scale,
            scale_by_size=by_size,
            cutoff=cutoff,
            max_conditions=max_conditions,
            redundant=condition // (by_size * (max_conditions + 1) or scale),
        )

    def reduced_costs(self, columns: Columns) -> Ints:
        """int64[K]: the reduced cost of each clause, in units of 1/scale."""
        charged = self.scale * columns.cost + self.budget_price * columns.complexity
        if self.charged.any():
            charged = charged + columns.complexity * (columns.cover @ self.charged)
        return np.asarray(charged - columns.cover @ self.mu)

    def master_bound(self) -> int:
        """The bound if pricing has proved that no clause has rc < 0: z_MIP >= ceil(z_MLP)."""
        return math.ceil(Fraction(self.total, self.scale))

    def truncated_bound(self, least: int, instance: Instance) -> int:
        """The bound if it is only known that every rc >= least: z + (budget / 2) * least.

        A clause has at least one condition, so its complexity is at least 2 and at most budget / 2
        clauses fit in a rule set.
        """
        most = instance.budget // 2
        return math.ceil(Fraction(self.total + most * min(0, least), self.scale))

    def closing_cutoff(self, below: int) -> int:
        """A rule set of cost < below uses only clauses with rc < this (if no rc < 0)."""
        return (below - 1) * self.scale - self.total + 1


def exact_duals(
    mu: NDArray[np.float64],
    budget_price: float,
    instance: Instance,
    columns: Columns,
    prices: NDArray[np.float64] | None = None,
) -> Duals:
    """Round the duals of the master and make them feasible for all of its clauses.

    prices: float64[R], of constraints whose values are divided by the largest one.
    """
    prices = np.zeros(len(instance.rates)) if prices is None else np.nan_to_num(prices)
    shares = np.abs(instance.rates.values).T / np.array(instance.rates.largest, dtype=np.float64)
    scale = _grid(instance, math.ceil(float((shares @ np.abs(prices)).sum())))
    at = _whole_prices(prices, scale, instance)
    rounded = np.floor(np.clip(np.nan_to_num(mu), 0.0, LIMIT / scale) * scale)
    found = Duals.of(instance, rounded.astype(np.int64), 0, scale, at)
    price = max(0, int(np.ceil(np.nan_to_num(budget_price) * scale)))
    if len(columns):
        reduced = replace(found, budget_price=price).reduced_costs(columns)
        # Raising lambda by r raises rc by r * c: enough for the worst clause is enough for all.
        price += max(0, int((-(reduced // columns.complexity)).max()))
    return Duals.of(instance, found.mu, price, scale, at)


def _whole_prices(prices: NDArray[np.float64], scale: int, instance: Instance) -> Prices:
    """In as many parts as 62 bits hold, rounded."""
    largest = instance.rates.largest
    sizes = [Fraction(float(p)) * scale / v for p, v in zip(prices, largest, strict=True)]
    most = sum(abs(size) * v for size, v in zip(sizes, largest, strict=True))
    room = LIMIT - sum(largest)
    denominator = 1
    while denominator < LIMIT and 2 * denominator * most < room:
        denominator *= 2
    return Prices(tuple(round(size * denominator) for size in sizes), denominator)


def _grid(instance: Instance, priced: int) -> int:
    """The finest power of two for which no sum can overflow. priced: what the constraints add."""
    saved = int((instance.positive_weights + instance.once).sum()) + priced
    worst = saved + int(instance.negative_weights.sum())
    worst += instance.penalty(instance.max_conditions + 2)
    # lambda is at most what makes one clause pay for every positive
    worst += saved * (instance.max_conditions + 3)
    scale = FINEST
    while scale > 1 and worst * scale > LIMIT:
        scale //= 2
    return scale
