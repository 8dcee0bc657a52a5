"""Explanations that people ask for: why this list, and why this prediction.

why(problem, model)          what each rule buys, or why there is none
explain_row(model, table)    which rule decides a row, and why none before it did
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from corels.antecedents import Antecedent, Condition, as_columns
from corels.antecedents.column import Column
from corels.errors import InputError
from corels.model.rule import Rule
from corels.model.rulelist import RuleList, rule_list
from corels.problem import Problem
from corels_rule_list.path.path import regularization_path


def best_single_rule(problem: Problem) -> RuleList:
    """The list of exactly one rule with the fewest errors; the first of equals."""
    inside, totals = problem.class_supports, problem.weights.sum(axis=1)
    right = inside.max(axis=0) + (totals[:, None] - inside).max(axis=0)
    return rule_list(problem, [int(right.argmax())])


@dataclass(frozen=True)
class Gain:
    """What one rule buys: the errors that the list would make more without it."""

    rule: Rule
    saves: int
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
            yield f"At {shown} a rule costs as much as {self._cost()} errors. What each rule saves:"
            for gain in self.gains:
                yield (
                    f"  {gain.rule.antecedent}: without it the list makes {gain.saves} errors more "
                    f"({decimal(gain.share)} of the training weight)"
                )
            return
        if self.single_pays_below == 0:
            yield f"The list is constant: no single rule saves an error, whatever lambda ({shown})."
        elif self.single_pays_below > self.regularization:
            yield f"The list has no rules, although one would pay at {shown}: it is not optimal."
        else:
            rule = self.single.rules[0]
            saved = self.model.errors - self.single.errors
            yield (
                f"{shown} is larger than what any rule gains: the best one-rule list would need "
                f"lambda < {both(self.single_pays_below)}."
            )
            yield (
                f"  if {rule.antecedent} then {self.model.label_name} = "
                f"{self.model.classes[rule.prediction]} saves {saved} of "
                f"{self.model.errors} errors; a rule costs as much as {self._cost()}."
            )
        below = self.rules_pay_below
        if below is not None and below != self.single_pays_below:
            yield f"Several rules together pay for lambda < {both(below)}: certified."
        elif below is not None and below:
            yield "Several rules together do not pay at a larger lambda either: certified."

    def _cost(self) -> str:
        return decimal(self.regularization * self.model.total)


def why(problem: Problem, model: RuleList, *, exact: bool = False, **options: Any) -> Why:
    """Why a problem has this list: what each rule buys, or what a first rule would need.

    Args:
        problem: the one that the list was learned from.
        exact: for a list without rules, also find by certified searches below which lambda any
            list of rules pays; `options` are those of the solver.
    """
    single = best_single_rule(problem)
    errors = rule_list(problem, []).errors
    below = Fraction(errors - single.errors, problem.total)
    found = None
    if exact and not model.rules and below:
        path = regularization_path(problem, below, **options)
        found = path.segments[0].low if path.certified else None
    return Why(problem.regularization, model, _gains(problem, model), single, below, found)


def _gains(problem: Problem, model: RuleList) -> tuple[Gain, ...]:
    """Errors of the list without each of its rules, the rest relearned by majority."""
    index = {antecedent: j for j, antecedent in enumerate(problem.antecedents)}
    antecedents = [rule.antecedent for rule in model.rules]
    missing = [a for a in antecedents if a is None or a not in index]
    if missing:
        raise InputError(f"the list was not learned from this data: it asks {missing[0]}")
    numbers = [index[a] for a in antecedents if a is not None]
    gains = []
    for place, rule in enumerate(model.rules):
        without = rule_list(problem, [*numbers[:place], *numbers[place + 1 :]])
        saves = without.errors - model.errors
        gains.append(Gain(rule, saves, Fraction(saves, problem.total)))
    return tuple(gains)


@dataclass(frozen=True)
class Asked:
    """One condition of a rule for one row: the row's value and whether the condition holds."""

    condition: Condition
    value: Any
    holds: bool


@dataclass(frozen=True)
class RowExplanation:
    """Which rule decides a row.

    Attributes:
        row: its number, from 0.
        captured_by: number of the rule, from 0; `len(model)` is the default rule.
        asked: for each rule up to that one, its conditions and the row's values.
    """

    model: RuleList
    row: int
    captured_by: int
    asked: tuple[tuple[Asked, ...], ...]

    @property
    def rule(self) -> Rule:
        """The rule that decides."""
        return list(self.model)[self.captured_by]

    @property
    def prediction(self) -> Any:
        """The predicted class."""
        return self.model.classes[self.rule.prediction]

    @property
    def frequencies(self) -> dict[Any, float]:
        """Share of each class among the training rows that this rule captured."""
        return dict(zip(self.model.classes, self.rule.frequencies, strict=True))

    def to_text(self) -> str:
        """Each rule that was tested, and the one that holds."""
        return "\n".join(self._lines())

    def __str__(self) -> str:
        return self.to_text()

    def _lines(self) -> Iterator[str]:
        yield f"row {self.row + 1}: {self.model.label_name} = {self.prediction}"
        for number, asked in enumerate(self.asked):
            hit = number == self.captured_by
            words = f"  rule {number + 1} {'holds' if hit else 'does not hold'}"
            if len(asked) == 1:
                yield f"{words}: {asked[0].condition} ({_observed(asked[0])})"
                continue
            yield f"{words}: {self.model.rules[number].antecedent}"
            for one in asked:
                if hit or not one.holds:
                    yield f"    {one.condition}: {'yes' if one.holds else 'no'} ({_observed(one)})"
        if self.captured_by == len(self.model):
            yield "  no rule holds: the default rule decides" if self.asked else "  always"
        rule = self.rule
        if rule.captured:
            shares = ", ".join(f"{label}: {share:.1%}" for label, share in self.frequencies.items())
            yield f"  of {rule.captured} such training rows: {shares}"

    def to_document(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "row": self.row + 1,
            "prediction": self.prediction,
            "rule": self.captured_by + 1,
            "default": self.captured_by == len(self.model),
            "captured": self.rule.captured,
            "frequencies": {str(label): share for label, share in self.frequencies.items()},
            "tested": [
                [
                    {"condition": str(one.condition), "value": one.value, "holds": one.holds}
                    for one in asked
                ]
                for asked in self.asked
            ],
        }


def explain_row(model: RuleList, table: Any, row: int = 0) -> RowExplanation:
    """Which rule decides a row of a table, and which conditions kept it from earlier rules.

    Args:
        table: a pandas or polars frame, or a mapping of columns.
        row: its number, from 0.

    Raises:
        InputError: if there is no such row, or a column is missing.
    """
    columns = as_columns(table)
    rows = len(next(iter(columns.values()), ()))
    if not 0 <= row < rows:
        raise InputError(f"there is no row {row + 1}: the data has {rows} rows")
    only = {name: column.take(np.array([row])) for name, column in columns.items()}
    captured_by = int(model.capturing(only)[0])
    tested = model.rules[: captured_by + 1]
    asked = tuple(_asked(rule.antecedent, only) for rule in tested if rule.antecedent)
    return RowExplanation(model, row, captured_by, asked)


def _asked(antecedent: Antecedent, only: dict[str, Column]) -> tuple[Asked, ...]:
    return tuple(
        Asked(
            condition,
            _value(only[condition.column]),
            bool(condition.holds(only[condition.column])[0]),
        )
        for condition in antecedent.conditions
    )


def _value(column: Column) -> Any:
    """The one value of a column; None where it is missing."""
    if column.missing[0]:
        return None
    value = column.values[0].item()
    return value if column.categories is None else column.categories[value]


def _observed(one: Asked) -> str:
    return "it is missing" if one.value is None else f"it is {one.value}"


def decimal(number: Fraction) -> str:
    """Six significant digits."""
    return f"{float(number):.6g}"


def both(number: Fraction) -> str:
    """As a decimal and exactly."""
    return f"{decimal(number)} ({number})"
