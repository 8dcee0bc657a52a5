"""The instance: what column generation needs of a problem, as integers.

A clause S is a set of features; it is satisfied by a point that has all of them. With K_i the
clauses of a rule set that point i satisfies, the cost of a rule set is

    sum over positives i with K_i empty of      positive_weights[i]
  + sum over positives i with K_i not empty of  once[i]
  + sum over negatives i of                     negative_weights[i] * |K_i|
  + sum over its clauses S of                   clause_penalty + condition_penalty * |S|,

and its complexity, the sum of 1 + |S|, may not exceed `budget`. The cost is an integer; the
objective that a person reads is cost * unit. By the Hamming loss a wrongly caught point is a
negative; by errors it counts once, and there are no negatives.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from corels.errors import OptionError, OverflowRefusedError
from corels.problem import Problem
from corels.problem.captures import unpack
from corels.tables.positive import refuse_unsaid_of
from corels_colgen.rates import Rates, rates_of
from corels_colgen.solver import limits_of

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

Clause = tuple[int, ...]
"""Feature numbers in rising order."""

Number = TypeVar("Number", int, Ints)

MAX_TOTAL = 2**52
"""Sum of all costs: leaves ten bits below for the grid on which duals are rounded, and is exact as
a float in the linear program."""


@dataclass(frozen=True, eq=False)
class Instance:
    """Features over P positive and N negative points: bool[M, P], bool[M, N], int64 weights >= 0.

    A point of the problem may be both. The positives are those for which it counts whether they are
    caught at all: they cost something if they are left (positive_weights) or caught (once), or some
    rate counts them. points: intp[P], their numbers in the problem. touched: bool[P], those that a
    clause may not catch, or leave, for nothing: all but those that only cost something if left.
    budget: an upper limit of the complexity that some optimal rule set keeps. If the user gave
    none (`budgeted` False) it follows from the penalties: see docs/internals.
    """

    positives: Bools
    negatives: Bools
    positive_weights: Ints
    negative_weights: Ints
    once: Ints
    touched: Bools
    points: NDArray[np.intp]
    rates: Rates
    clause_penalty: int
    condition_penalty: int
    budget: int
    budgeted: bool
    max_conditions: int
    unit: Fraction

    @property
    def n_features(self) -> int:
        return len(self.positives)

    @property
    def empty_cost(self) -> int:
        """Cost of the rule set without clauses."""
        return int(self.positive_weights.sum())

    @property
    def dearest(self) -> int:
        """What no rule set within the budget costs more than."""
        loss = int((self.positive_weights + self.once).sum())
        each = int(self.negative_weights.sum()) + self.clause_penalty
        return loss + self.budget // 2 * each + self.budget * self.condition_penalty

    @property
    def by_errors(self) -> bool:
        """Whether some point costs something once it is caught."""
        return bool(self.once.any())

    def penalty(self, conditions: Number) -> Number:
        """What a clause of so many conditions costs besides its loss, or each of several."""
        return self.clause_penalty + self.condition_penalty * conditions

    def clause_loss(self, clause: Clause) -> int:
        """Weight of the negatives that satisfy a clause."""
        return int(self.negative_weights[self.negatives[list(clause)].all(axis=0)].sum())

    def caught(self, clauses: Sequence[Clause]) -> Bools:
        """bool[P]: the positives that some of these clauses catches."""
        covered = np.zeros(self.positives.shape[1], dtype=np.bool_)
        for clause in clauses:
            covered |= self.positives[list(clause)].all(axis=0)
        return covered

    def cost(self, clauses: Sequence[Clause]) -> int:
        """Cost of a rule set, counted from the data alone."""
        covered = self.caught(clauses)
        each = sum(self.clause_loss(clause) + self.penalty(len(clause)) for clause in clauses)
        left = int(self.positive_weights[~covered].sum())
        return each + left + int(self.once[covered].sum())


def complexity(clauses: list[Clause]) -> int:
    """1 a clause and 1 a condition."""
    return sum(1 + len(clause) for clause in clauses)


def make_instance(
    problem: Problem, options: Mapping[str, Any], target: int, *, constrained: bool = True
) -> Instance:
    """The instance of learning class `target` against the rest.

    A CNF is learned as a DNF of the negated data: features and labels change sides. constrained:
    with the problem's constraints, if it has any. Raises OptionError, OverflowRefusedError.
    """
    features, total = unpack(problem.masks, problem.n_points), problem.total
    features = ~features if options["form"] == "cnf" else features
    (missed, caught), penalties, unit = _whole_costs(problem, options, target)
    rates = rates_of(problem if constrained else replace(problem, constraints=()), options["form"])
    errors = options["loss"] == "errors"
    touched = (rates.values != 0).any(axis=0) | (errors & (caught > 0))
    kept = np.flatnonzero((missed > 0) | touched)
    rejected = (caught > 0) & (not errors)
    budgeted = "max_complexity" in limits_of(options)
    if not (budgeted or rates.keeps(np.zeros(problem.n_points, np.bool_))):
        raise OptionError(
            "without a rule, the constraints are not kept to, so penalties alone imply no budget: "
            "give ⟨complexity⟩, the greatest complexity of the rule set"
        )
    budget, longest = _limits(options, len(features), *penalties, int(missed.sum()))
    return Instance(
        positives=np.ascontiguousarray(features[:, kept]),
        negatives=np.ascontiguousarray(features[:, rejected]),
        positive_weights=missed[kept],
        negative_weights=caught[rejected],
        once=caught[kept] * errors,
        touched=touched[kept],
        points=kept,
        rates=rates.at(kept),
        clause_penalty=penalties[0],
        condition_penalty=penalties[1],
        budget=budget,
        budgeted=budgeted,
        max_conditions=longest,
        unit=unit / total,
    )


def _whole_costs(
    problem: Problem, options: Mapping[str, Any], target: int
) -> tuple[tuple[Ints, Ints], tuple[int, int], Fraction]:
    """What it costs at each point to miss it, and to catch it wrongly; the price of a clause and of
    a condition: all on the coarsest common grid of integers, and its unit. Raises OptionError."""
    pairs, total = _mistakes(problem, options["positive_weight"], target), problem.total
    prices = [options[name] * total for name in ("penalty_clause", "penalty_condition")]
    if options["form"] == "cnf":
        pairs = pairs[::-1]
    scale = math.lcm(*(one.denominator for one in (*(factor for _, factor in pairs), *prices)))
    missed, caught = (_scaled(costs, factor * scale) for costs, factor in pairs)
    clause, condition = (int(price * scale) for price in prices)
    common = int(np.gcd.reduce(np.concatenate([missed, caught])))
    divisor = math.gcd(common, clause, condition) or 1
    both, penalties = (
        (missed // divisor, caught // divisor),
        (clause // divisor, condition // divisor),
    )
    return both, penalties, Fraction(divisor, scale)


Mistakes = tuple["Ints", Fraction]  # int64[P], and what 1 of it costs


def _mistakes(problem: Problem, weight: Fraction, target: int) -> tuple[Mistakes, Mistakes]:
    """What it costs at each point not to say `target`, and to say it. Raises OptionError."""
    if problem.costs is None:
        if weight != 1 and len(problem.classes) == 2:
            refuse_unsaid_of(f"positive_weight {weight}", problem)
        wanted = problem.weights[target]
        return (wanted, weight), (problem.weights.sum(axis=0) - wanted, Fraction(1))
    problem.costs.refuse_beside("positive_weight", weight)
    unit = Fraction(1, problem.costs.outcomes.scale)
    other, own = problem.costs.amounts[[1 - target, target]]
    return (other, unit), (own, unit)


def _scaled(weights: Ints, factor: Fraction) -> Ints:
    assert factor.denominator == 1
    if int(weights.sum()) * int(factor) > MAX_TOTAL:
        raise OverflowRefusedError(
            f"the costs add up to {int(weights.sum()) * int(factor)}, more than 2^52: use weights "
            "and penalties with smaller numerators and denominators"
        )
    return weights * int(factor)


def _limits(
    options: Mapping[str, Any], features: int, clause: int, condition: int, worst: int
) -> tuple[int, int]:
    """The budget, given or implied, and the most conditions of a clause."""
    budget = limits_of(options).get("max_complexity")
    longest = features if options["max_conditions"] is None else options["max_conditions"]
    longest = max(1, min(longest, features))
    if budget is not None:
        return budget, max(1, min(longest, budget - 1))
    # A rule set that is no worse than the empty one pays at most `worst` in penalties. Complexity
    # per penalty, (1 + s) / (clause + condition * s), is largest at s = 1 or at s = longest.
    rate = max(Fraction(1 + s, clause + condition * s) for s in (1, longest))
    budget = math.floor(worst * rate)
    return budget, max(1, min(longest, budget - 1)) if options["loss"] == "errors" else longest
