"""How far rates can get, if no model keeps to everything that is demanded of them.

The most that a model reaches of a rate A/B is found by searches whose cost is the rate: with the
best t = A/B that is known, the least of t B - A over all models is below 0 exactly if one has more
(Dinkelbach, Management Science 13, 1967). Rules cost so little there that all of them together cost
less than the least difference. The other constraints are kept.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.clock import Clock
from corels.errors import InfeasibleError
from corels.learning.front import parity_path
from corels.model import Certificate
from corels.problem import Problem
from corels.problem.constraints import Constraint
from corels.run.solve import solve

LOOK = 10.0  # seconds of all searches together


def reachable(problem: Problem, solver: str, options: Mapping[str, Any]) -> list[str]:
    """The ends of a sentence: what can be reached of each demand that cannot be met while the
    others are; if these cannot be kept either, of each alone. solver: a family that takes any
    costs. options: of the solver."""
    search = _Search(problem, solver, options)
    several = len(problem.constraints) > 1
    found = [*search.of_rates(problem.constraints, "with the others kept, " if several else "")]
    found += search.of_differences()
    if several and not found:
        for one in problem.constraints:
            found += search.of_rates((one,), "")
    return found or ["what can be reached is not known"]


@dataclass(frozen=True)
class _Search:
    """Searches for what can be reached, within a time that they share."""

    problem: Problem
    solver: str
    options: Mapping[str, Any]
    clock: Clock = field(default_factory=lambda: Clock(LOOK))

    def of_rates(self, constraints: Sequence[Constraint], kept: str) -> Iterator[str]:
        """What is said of each bound on one rate that no model keeps to, with the others. kept:
        how that is said."""
        for number, one in enumerate(constraints):
            if len(one.rates) > 1:
                continue
            try:
                value, exact = self.furthest(constraints, number)
            except InfeasibleError:  # the others cannot be kept, or not so soon
                continue
            floor = one.least > 0
            if value is None or (value >= one.least if floor else value <= one.most):
                continue
            way, more = ("most", "more") if floor else ("least", "less")
            what = f"{one.rate}{f' of {one.rates[0].group}' if one.column else ''}"
            shown = _rounded(value, up=not floor)
            if exact:
                yield f"{kept}the {way} {what} that any reaches is {shown}"
            else:
                yield f"{kept}whether any has {more} {what} than {shown} is not known"

    def furthest(
        self, constraints: Sequence[Constraint], number: int
    ) -> tuple[Fraction | None, bool]:
        """The most, or the least, of the rate of a constraint that a model reaches which keeps to
        the others; None: of all such models it is a share of nothing. And whether that is proved.
        """
        one = constraints[number]
        (rate,), sign = one.rates, -1 if one.least > 0 else 1
        any_rate = replace(one, least=Fraction(0), most=Fraction(1), strict=False)
        kept = (*constraints[:number], any_rate, *constraints[number + 1 :])
        problem, value = replace(self.problem, constraints=kept), None
        while True:
            t = value if value is not None else Fraction(0 if sign < 0 else 1)
            of = 0 if isinstance(rate.of, int) else t.numerator * rate.of
            amounts = sign * (t.denominator * rate.counted - of)
            found = self._cheapest(problem, amounts)
            reached = found.constraints[number]["value"]
            new = None if reached is None else Fraction(reached)
            better = new is not None and (value is None or sign * new < sign * value)
            value = new if better else value
            if isinstance(rate.of, int) or not better or not found.optimal:
                return value, found.optimal

    def _cheapest(self, problem: Problem, amounts: NDArray[np.int64]) -> Certificate:
        """Of the model that costs least; amounts: int64[O, P], of any sign."""
        priced = problem.priced(amounts - amounts.min(axis=0), 1)
        price = 1 / (Fraction(priced.worth) * (1 + problem.n_antecedents))
        priced = priced.with_regularization(price)
        return solve(priced, self.solver, time_limit=self._left, **self.options).certificate

    @property
    def _left(self) -> float:
        """Seconds for the next search."""
        return max(0.05, self.clock.left() or 0.0)

    def of_differences(self) -> Iterator[str]:
        """Between groups, if the walk over all differences ends."""
        most = [one.most for one in self.problem.constraints if len(one.rates) > 1]
        if not most:
            return
        try:
            front = parity_path(self.problem, self.solver, time_limit=self._left, **self.options)
        except InfeasibleError:  # the other constraints cannot be kept, or not so soon
            return
        if (least := front.points[-1].difference) > max(most):
            known = "" if front.whole else "known "
            yield f"the least {known}difference between groups is {_rounded(least, up=True)}"


def _rounded(value: Fraction, *, up: bool) -> str:
    """In four digits that do not promise more than there is."""
    shown = (math.ceil if up else math.floor)(value * 10_000)
    return f"{shown / 10_000:g}"
