"""Why a problem has this list: what each rule buys, or why there is none.

`explain_row`, which explains a prediction of any model, stays importable from here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from corels.errors import InputError, OptionError
from corels.export.explaining import explain_row
from corels.model import Model
from corels.problem import Problem, check_problem
from corels_rule_list.model import Rule, RuleList
from corels_rule_list.path.path import regularization_path

__all__ = ["Gain", "Why", "best_single_rule", "explain_row", "why"]


def best_single_rule(problem: Problem) -> RuleList:
    """The list of exactly one rule that costs least; the first of equals."""
    amounts = problem.amounts
    inside = np.stack([problem.captures.supports(of) for of in amounts])
    behind = amounts.sum(axis=1)[:, None] - inside
    rule = inside[: problem.outcomes.for_rules].min(axis=0)
    return RuleList.of(problem, [int((rule + behind.min(axis=0)).argmin())])


@dataclass(frozen=True)
class Gain:
    """What one rule buys: the errors that the list would make more without it, or what it would
    cost more."""

    rule: Rule
    saves: int  # in the unit of `RuleList.paid`
    share: Fraction  # of the training weight: the rule pays while lambda is below


@dataclass(frozen=True)
class Why:
    """Why a problem has this list.

    Attributes:
        regularization: lambda.
        gains: for each rule of the list what it buys, in order.
        single: the best list of one rule.
        single_pays_below: the lambda below which that list beats the one without rules.
        rules_pay_below: the lambda below which some list does, if that was asked for: exact,
            certified by searches.
    """

    regularization: Fraction
    model: RuleList
    gains: tuple[Gain, ...]
    single: RuleList
    single_pays_below: Fraction
    rules_pay_below: Fraction | None

    @property
    def unsettled(self) -> bool:
        """Whether several rules might pay where one does not, and no search has settled it."""
        return not self.gains and self.rules_pay_below is None and self.single_pays_below > 0

    def to_text(self) -> str:
        """A few sentences."""
        return "\n".join(self._sentences())

    def __str__(self) -> str:
        return self.to_text()

    def _sentences(self) -> Iterator[str]:
        shown = f"lambda {decimal(self.regularization)}"
        if self.gains:
            of = "" if self.model.outcomes else " errors"
            yield f"At {shown} a rule costs as much as {self._cost()}{of}. What each rule saves:"
            for gain in self.gains:
                more = (
                    f"makes {gain.saves} errors more ({decimal(gain.share)} of the training weight)"
                )
                if self.model.outcomes:
                    more = f"costs {self._shown(gain.saves)} more ({decimal(gain.share)} a row)"
                yield f"  {gain.rule.antecedent}: without it the list {more}"
            return
        if self.single_pays_below == 0:
            what = "anything" if self.model.outcomes else "an error"
            yield f"The list is constant: no single rule saves {what}, whatever lambda ({shown})."
        elif self.single_pays_below > self.regularization:
            yield (
                f"The list has no rules, although one would pay at {shown}: a list with a rule is "
                "better."
            )
        else:
            rule = self.single.rules[0]
            saved, paid = map(self._shown, (self.model.paid - self.single.paid, self.model.paid))
            of = " in costs" if self.model.outcomes else " errors"
            yield (
                f"{shown} is larger than what any rule gains: the best one-rule list would need "
                f"lambda < {both(self.single_pays_below)}."
            )
            yield (
                f"  if {rule.antecedent} then {self.model.label_name} = "
                f"{self.model.says[rule.prediction]} saves {saved} of {paid}{of}; a rule costs as "
                f"much as {self._cost()}."
            )
        below = self.rules_pay_below
        if below is not None and below != self.single_pays_below:
            yield f"Several rules together pay for lambda < {both(below)}: certified."
        elif below is not None and below:
            yield "Several rules together do not pay at a larger lambda either: certified."

    def _shown(self, paid: int) -> str:
        """Errors, or what outcomes cost."""
        scale = 1 if self.model.outcomes is None else self.model.outcomes.scale
        return f"{paid / scale:.6g}" if scale > 1 else str(paid)

    def _cost(self) -> str:
        return decimal(self.regularization * self.model.total)


def why(problem: Problem, model: Model, *, exact: bool = False, **options: Any) -> Why:
    """Why a problem has this list: what each rule buys, or what a first rule would need.

    Args:
        problem: the one that the list was learned from.
        exact: for a list without rules, also find by certified searches below which lambda any
            list of rules pays; `options` are those of the solver.
    """
    check_problem(problem, "why")
    if not isinstance(model, RuleList):
        raise OptionError(f"expected a rule list, not a {getattr(model, 'family', type(model))}")
    single = best_single_rule(problem)
    below = Fraction(RuleList.of(problem, []).paid - single.paid, problem.worth)
    found = None
    if exact and not model.rules and below:
        path = regularization_path(problem, below, **options)
        found = path.segments[0].low if path.certified else None
    return Why(problem.regularization, model, _gains(problem, model), single, below, found)


def _gains(problem: Problem, model: RuleList) -> tuple[Gain, ...]:
    """What the list without each of its rules errs or costs more, the rest relearned."""
    index = {antecedent: j for j, antecedent in enumerate(problem.antecedents)}
    antecedents = [rule.antecedent for rule in model.rules]
    missing = [a for a in antecedents if a is None or a not in index]
    if missing:
        raise InputError(f"the list was not learned from this data: it asks {missing[0]}")
    numbers = [index[a] for a in antecedents if a is not None]
    gains = []
    for place, rule in enumerate(model.rules):
        without = RuleList.of(problem, [*numbers[:place], *numbers[place + 1 :]])
        saves = without.paid - model.paid
        gains.append(Gain(rule, saves, Fraction(saves, problem.worth)))
    return tuple(gains)


def decimal(number: Fraction) -> str:
    """Six significant digits."""
    return f"{float(number):.6g}"


def both(number: Fraction) -> str:
    """As a decimal and exactly."""
    return f"{decimal(number)} ({number})"
