"""Why a problem has this list: what each rule buys, or why there is none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from corels.errors import InputError, OptionError
from corels.model import Model
from corels.model.weighing import unit_of
from corels.problem import Problem, check_problem
from corels_rule_list.fair.prices import Prices
from corels_rule_list.model import Rule, RuleList
from corels_rule_list.path.path import best_with


def best_single_rule(problem: Problem, prices: Prices | None = None) -> RuleList | None:
    """The list of exactly one rule, behind the first rules, that costs least; the first of equals.
    None if none keeps to the constraints."""
    amounts, begun = problem.amounts * problem.behind_first, problem.first
    if problem.constraints:
        prices = prices or Prices(problem)
        lists = [one for j in range(problem.n_antecedents) if (one := prices.cheapest([*begun, j]))]
        best = min(lists, key=lambda one: one.cost, default=None)
        return None if best is None else RuleList.of(problem, best.antecedents, best.said)
    inside = np.stack([problem.captures.supports(of) for of in amounts])
    behind = amounts.sum(axis=1)[:, None] - inside
    may = np.array([problem.says([j]) for j in range(problem.n_antecedents)]).T
    rule = np.where(may, inside, np.iinfo(np.int64).max // 2).min(axis=0)
    return RuleList.of(problem, [*begun, int((rule + behind.min(axis=0)).argmin())])


@dataclass(frozen=True)
class Gain:
    """What one rule buys: the errors that the list would make more without it, or what it would
    cost more. None: without it, no list of the other rules keeps to the constraints."""

    rule: Rule
    saves: int | None  # in the unit of `RuleList.paid`
    share: Fraction | None  # of the training weight: the rule pays while lambda is below


@dataclass(frozen=True)
class Why:
    """Why a problem has this list.

    Attributes:
        regularization: lambda.
        gains: for each rule of the list what it buys, in order.
        single: the best list of one rule; None if none keeps to the constraints.
        single_pays_below: the lambda below which that list beats the one without rules.
        constrained: all these lists keep to the problem's constraints.
    """

    regularization: Fraction
    model: RuleList
    gains: tuple[Gain, ...]
    single: RuleList | None
    single_pays_below: Fraction
    constrained: bool = False

    def to_text(self) -> str:
        """A sentence a line, as `corels why` prints them."""
        return "\n".join(self._sentences())

    def __str__(self) -> str:
        return self.to_text()

    def _sentences(self) -> Iterator[str]:
        shown = f"lambda {decimal(self.regularization)}"
        kept = " that keeps to the constraints" if self.constrained else ""
        if self.gains:
            of = "" if self.model.outcomes else f" {self._errors}"
            others = ", where the others may say whatever keeps to the constraints"
            yield (
                f"At {shown} a rule costs as much as {self._cost()}{of}. What each rule saves"
                f"{others if self.constrained else ''}:"
            )
            for gain in self.gains:
                yield f"  {gain.rule.antecedent}: {self._without(gain)}"
            return
        if self.single_pays_below == 0:
            what = "anything" if self.model.outcomes else "an error"
            none = "no list of one rule" if kept else "no single rule"
            yield f"The list is constant: {none}{kept} saves {what}, whatever lambda is."
        elif self.single_pays_below > self.regularization:
            yield (
                f"The list has no rules, although one would pay at {shown}: a list with a rule"
                f"{kept} is better."
            )
        else:
            assert self.single is not None
            rule = self.single.rules[-1]
            saved, paid = map(self._shown, (self.model.paid - self.single.paid, self.model.paid))
            of = " in costs" if self.model.outcomes else f" {self._errors}"
            yield (
                f"{shown} is larger than what any rule gains: the best one-rule list{kept} would "
                f"need lambda < {decimal(self.single_pays_below)} ({self.single_pays_below})."
            )
            yield (
                f"  if {rule.antecedent} then {self.model.label_name} = "
                f"{self.model.says[rule.prediction]} saves {saved} of {paid}{of}; a rule costs as "
                f"much as {self._cost()}."
            )

    def _without(self, gain: Gain) -> str:
        """What becomes of the list without a rule."""
        if gain.saves is None or gain.share is None:
            return "without it no list of the other rules keeps to the constraints"
        if self.model.outcomes:
            more = f"costs {self._shown(gain.saves)} more"
        else:
            saves = self._shown(gain.saves)
            more = f"makes {saves} {self._errors if saves != '1' else self._error} more"
        return f"without it the list {more}; the rule pays while lambda < {decimal(gain.share)}"

    def _shown(self, paid: int) -> str:
        """Errors, or what outcomes cost."""
        scale = 1 if self.model.outcomes is None else self.model.outcomes.scale
        found = paid * unit_of(self.model) / scale
        return str(found) if found.denominator == 1 else f"{float(found):.6g}"

    def _cost(self) -> str:
        return decimal(self.regularization * self.model.total * unit_of(self.model))

    @property
    def _errors(self) -> str:
        return "errors" if self.model.weighing is None else "errors by weight"

    @property
    def _error(self) -> str:
        return "error" if self.model.weighing is None else "error by weight"


def why(problem: Problem, model: Model) -> Why:
    """Why a problem has this list: what each rule buys, or what a first rule would need.

    Under constraints all lists that are compared keep to them: what is left says the cheapest that
    does.
    problem: the one that the list was learned from.
    """
    check_problem(problem, "why")
    if not isinstance(model, RuleList):
        raise OptionError(f"expected a rule list, not a {getattr(model, 'family', type(model))}")
    prices = Prices(problem) if problem.constraints else None
    single = best_single_rule(problem, prices)
    constant = best_with(problem, problem.first, prices)
    below = Fraction(0)
    if single is not None and constant is not None:
        below = max(below, Fraction(constant.paid - single.paid, problem.worth))
    gains, constrained = _gains(problem, model, prices), prices is not None
    return Why(problem.regularization, model, gains, single, below, constrained)


def _gains(problem: Problem, model: RuleList, prices: Prices | None) -> tuple[Gain, ...]:
    """What the list without each of its rules errs or costs more, the rest relearned."""
    numbers, gains = model.numbers(problem), []
    if -1 in numbers:
        missing = model.rules[numbers.index(-1)].antecedent
        raise InputError(f"the list was not learned from this data: it asks {missing}")
    for place, rule in list(enumerate(model.rules))[len(problem.first) :]:
        without = best_with(problem, [*numbers[:place], *numbers[place + 1 :]], prices)
        saves = None if without is None else without.paid - model.paid
        gains.append(Gain(rule, saves, None if saves is None else Fraction(saves, problem.worth)))
    return tuple(gains)


def decimal(number: Fraction) -> str:
    """Six significant digits."""
    return f"{float(number):.6g}"
