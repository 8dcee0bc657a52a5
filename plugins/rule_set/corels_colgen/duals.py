"""Exact duals: what a linear program solved in floating point proves beyond doubt.

For any mu with 0 <= mu_i <= positive_weights[i] and any lambda >= 0, and every rule set w that
keeps the budget,

    cost(w) >= sum_i mu_i - lambda * budget + sum_k w_k * rc_k,
    rc_k     = loss_k + penalty_k - sum of mu over the positives that k covers + lambda * c_k,

because xi_i + sum_k w_k >= 1 and sum_k c_k w_k <= budget. Nothing is assumed about where mu and
lambda come from. So the duals of HiGHS are rounded to multiples of 1/scale, clipped to their
ranges, and repaired until no clause of the master has rc_k < 0; from there on everything is an
integer, and the bounds below hold whatever the solver's tolerances are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from corels_colgen.columns import Columns
from corels_colgen.instance import Instance, Ints
from corels_colgen.pricing import Query

FINEST = 2**20
LIMIT = 2**60


@dataclass(frozen=True, eq=False)
class Duals:
    """Duals in units of 1/scale: int64[P] and one integer."""

    mu: Ints
    budget_price: int  # lambda
    scale: int
    total: int  # sum of mu - lambda * budget: a lower bound once no clause has rc < 0

    def query(self, instance: Instance, *, cutoff: int = 0, max_conditions: int) -> Query:
        """The pricing query that looks for clauses with rc < cutoff (in units of 1/scale)."""
        condition = self.budget_price + self.scale * instance.condition_penalty
        return Query(
            duals=self.mu,
            clause_cost=self.budget_price + self.scale * instance.clause_penalty,
            condition_cost=condition,
            scale=self.scale,
            cutoff=cutoff,
            max_conditions=max_conditions,
            redundant=condition // self.scale,
        )

    def reduced_costs(self, columns: Columns) -> Ints:
        """int64[K]: the reduced cost of each clause, in units of 1/scale."""
        charged = self.scale * columns.cost + self.budget_price * columns.complexity
        return np.asarray(charged - columns.cover @ self.mu)

    def master_bound(self) -> int:
        """The bound where pricing has proved that no clause has rc < 0: z_MIP >= ceil(z_MLP)."""
        return math.ceil(Fraction(self.total, self.scale))

    def truncated_bound(self, least: int, instance: Instance) -> int:
        """The bound where it is only known that every rc >= least: z + (budget / 2) * least.

        A clause has at least one condition, so its complexity is at least 2 and at most budget / 2
        clauses fit in a rule set.
        """
        most = instance.budget // 2
        return math.ceil(Fraction(self.total + most * min(0, least), self.scale))

    def closing_cutoff(self, below: int) -> int:
        """A rule set of cost < below uses only clauses with rc < this (where no rc < 0)."""
        return (below - 1) * self.scale - self.total + 1


def exact_duals(
    mu: NDArray[np.float64], budget_price: float, instance: Instance, columns: Columns
) -> Duals:
    """Round the duals of the master and make them feasible for all of its clauses."""
    scale = _grid(instance)
    limits = instance.positive_weights
    rounded = np.floor(np.clip(np.nan_to_num(mu), 0.0, limits.astype(np.float64)) * scale)
    exact = np.clip(rounded.astype(np.int64), 0, limits * scale)
    price = max(0, int(np.ceil(np.nan_to_num(budget_price) * scale)))
    if len(columns):
        reduced = Duals(exact, price, scale, 0).reduced_costs(columns)
        # Raising lambda by r raises rc by r * c: enough for the worst clause is enough for all.
        price += max(0, int((-(reduced // columns.complexity)).max()))
    return Duals(exact, price, scale, int(exact.sum()) - price * instance.budget)


def _grid(instance: Instance) -> int:
    """The finest power of two for which no sum can overflow."""
    worst = int(instance.positive_weights.sum()) + int(instance.negative_weights.sum())
    worst += instance.penalty(instance.max_conditions + 2)
    # lambda is at most what makes one clause pay for every positive
    worst += int(instance.positive_weights.sum()) * (instance.max_conditions + 3)
    scale = FINEST
    while scale > 1 and worst * scale > LIMIT:
        scale //= 2
    return scale
