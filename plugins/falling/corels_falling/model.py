"""Falling rule lists: if ... then probability, else if ..., with probabilities that only fall."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from corels.errors import InputError
from corels.model import Certificate, Decider, Model
from corels.model.coherence import antecedent_document, check_model
from corels.problem import ClassLabel, Problem
from corels.problem.counting import captured_in_order
from corels.tables import Antecedent
from corels_falling.setting import Setting

if TYPE_CHECKING:
    from corels.problem.costs import Outcomes
    from corels_falling.document import FallingDocument

# In the certificate of a softly falling list, beside the objective.
OWN = "objective_of_predictions"


@dataclass(frozen=True, slots=True)
class FallingRule:
    """One rule, or the else (`antecedent` None): training weight captured, by class."""

    antecedent: Antecedent | None
    positives: int
    negatives: int

    @property
    def captured(self) -> int:
        """Training weight that this rule captures."""
        return self.positives + self.negatives

    @property
    def raw(self) -> Fraction:
        """Share of positives among the captured (0 if nothing is captured)."""
        return Fraction(self.positives, self.captured) if self.captured else Fraction(0)


@dataclass(frozen=True)
class FallingRuleList(Model):
    """A falling, or softly falling, rule list; `rules` without the else, which is `default`.

    The probability that a rule states is the least raw proportion up to it; for a falling list
    the two are the same. A row is called positive if the stated probability is strictly above
    1 / (1 + positive_weight). rule_cost, violation_cost: the prices that it was learned with, as
    fractions; None if they are not known. outcomes: its classes, if these have costs: a false
    positive false_positive_cost, a false negative positive_weight times as much.
    """

    schema: ClassVar[str] = "corels/falling-rule-list"
    version: ClassVar[int] = 1

    rules: tuple[FallingRule, ...]
    default: FallingRule
    classes: tuple[ClassLabel, ...]
    label_name: str = "label"
    positive_weight: Fraction = Fraction(1)
    soft: bool = False
    rule_cost: Fraction | None = None
    violation_cost: Fraction | None = None
    outcomes: Outcomes | None = None
    false_positive_cost: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        """Raises InputError for what is no falling list."""
        ends = [isinstance(rule, FallingRule) and rule.antecedent is None for rule in self]
        if ends != [False] * len(self.rules) + [True]:
            raise InputError("a falling rule list needs exactly one else, the last rule")
        if len(self.classes) != 2 or self.positive_weight <= 0:
            raise InputError(
                f"a falling rule list has {len(self.classes)} classes and the positive_weight "
                f"{self.positive_weight}: expected 2, and a number above 0"
            )
        check_model(self.deciders(), self.classes, self.outcomes)

    @property
    def family(self) -> str:
        """A softly falling list is not a falling one: a proof about the one says so."""
        return "softly falling rule list" if self.soft else "falling rule list"

    def objective_text(self, certificate: Certificate) -> str:
        """As the paper defines it: the raw proportion of a rule decides how its rows are called."""
        positive, weight = f"{self.label_name} = {self.classes[1]}", float(self.positive_weight)
        wrong, missed = float(self.false_positive_cost), weight * float(self.false_positive_cost)
        costs = (
            ""
            if wrong == missed == 1
            else (f", if a missed {self.classes[1]} costs {missed:g} and a false alarm {wrong:g}")
        )
        more = (
            "" if self.rule_cost is None else f", and {float(self.rule_cost):g} more for each rule"
        )
        rises = ""
        if self.soft and self.violation_cost is not None:
            rises = (
                f"; {float(self.violation_cost):g} times what a share rises from rule to rule, too"
            )
        return (
            f"It calls the rows of a rule {positive} if more than {float(self.threshold):.1%} of "
            f"them are. A {self.family} costs the share of rows that are called wrongly"
            f"{costs}{more}{rises}."
        )

    def __iter__(self) -> Iterator[FallingRule]:
        """All rules in order, the else last."""
        return iter((*self.rules, self.default))

    @property
    def threshold(self) -> Fraction:
        """1 / (1 + w): positive strictly above it, negative at it and below."""
        return 1 / (1 + self.positive_weight)

    @property
    def raw_proportions(self) -> tuple[Fraction, ...]:
        """Share of positives that each rule captures, the else last."""
        return tuple(rule.raw for rule in self)

    @cached_property
    def proportions(self) -> tuple[Fraction, ...]:
        """The probabilities that the list states: they never rise."""
        stated, least = list[Fraction](), None
        for rule in self:  # one that captured nothing states what was stated before it
            if rule.captured:
                least = rule.raw if least is None else min(least, rule.raw)
            stated.append(least or Fraction(0))
        return tuple(stated)

    @cached_property
    def predictions(self) -> tuple[int, ...]:
        """Index into `classes` for each rule, the else last."""
        return tuple(int(proportion > self.threshold) for proportion in self.proportions)

    def blocks(self) -> list[tuple[int, int]]:
        """(positives, negatives) of each rule, the else last."""
        return [(rule.positives, rule.negatives) for rule in self]

    def deciders(self) -> tuple[Decider, ...]:
        """The rules in order with the probabilities that they state, the else last."""
        rows, costed = zip(self, self.predictions, self.proportions, strict=True), self.outcomes
        found = []
        for rule, then, stated in rows:
            counts = rule.negatives, rule.positives
            costs = self._costs(rule) if costed else ()
            right = counts[then] if costed else None
            found.append(Decider.rule(rule.antecedent, then, counts, stated, costs, right))
        return tuple(found)

    def _costs(self, rule: FallingRule) -> tuple[int, ...]:
        """What each class costs for what a rule captures, in the scale of the outcomes."""
        assert self.outcomes is not None
        false = self.false_positive_cost * self.outcomes.scale
        missed = false * self.positive_weight
        return int(missed * rule.positives), int(false * rule.negatives)

    def aside(self, decider: Decider) -> str:
        """Of a softly falling list the raw proportion, which what is stated may be below."""
        raw = Fraction(decider.counts[1], decider.captured or 1)
        return f"raw {float(raw):6.2%}" if self.soft else ""

    def to_document(self) -> dict[str, Any]:
        """JSON-ready; counts are what is read back, proportions are for people."""
        stated = self.proportions
        return {
            **self.head(),
            "positive_weight": str(self.positive_weight),
            **self._costs_document(),
            "soft": self.soft,
            "rule_cost": None if self.rule_cost is None else str(self.rule_cost),
            "violation_cost": None if self.violation_cost is None else str(self.violation_cost),
            "rules": [
                {
                    "if": antecedent_document(rule.antecedent) if rule.antecedent else None,
                    "then": self.classes[prediction],
                    "probability": float(proportion),
                    "raw": float(rule.raw),
                    "positives": rule.positives,
                    "negatives": rule.negatives,
                }
                for rule, proportion, prediction in zip(self, stated, self.predictions, strict=True)
            ],
        }

    def _costs_document(self) -> dict[str, Any]:
        if self.outcomes is None:
            return {}
        about = {"outcomes": self.outcomes.to_document()}
        return {**about, "false_positive_cost": str(self.false_positive_cost)}

    @classmethod
    def document_type(cls) -> type[FallingDocument]:
        from corels_falling.document import FallingDocument

        return FallingDocument

    @classmethod
    def read(cls, found: FallingDocument) -> FallingRuleList:
        from corels_falling.document import outcomes_of

        *rules, default = (
            FallingRule(part.condition, part.positives, part.negatives) for part in found.rules
        )
        return cls(
            tuple(rules),
            default,
            tuple(found.classes),
            found.label,
            Fraction(found.positive_weight),
            found.soft,
            None if found.rule_cost is None else Fraction(found.rule_cost),
            None if found.violation_cost is None else Fraction(found.violation_cost),
            *outcomes_of(found),
        )

    def contradictions(self, found: FallingDocument) -> Iterator[str]:
        from corels_falling.document import contradictions

        return contradictions(self, found)

    @property
    def setting(self) -> Setting | None:
        """What was minimised; None if the prices are not known."""
        if self.rule_cost is None or (self.soft and self.violation_cost is None):
            return None
        total = self.training_weight
        prices = self.positive_weight, self.rule_cost, self.violation_cost
        return Setting(*prices, total, self.false_positive_cost)

    def counted_objective(self, certificate: Certificate) -> Fraction | None:
        setting = self.setting
        if setting is None or not self.training_weight:
            return None
        own = certificate.extra.get(OWN)
        if own is not None and own != str(self.predicted_objective()):
            raise InputError(
                f"the certificate says that the list's own predictions cost {own}, its counts say "
                f"{self.predicted_objective()}"
            )
        return setting.objective(self.blocks())

    def predicted_objective(self) -> Fraction | None:
        """The same with what the list predicts in the place of what its raw proportions say.

        A softly falling list is scored rule by rule: a rule counts as positive if its raw
        proportion is above the threshold. It predicts by the least proportion so far, which may be
        below. For a falling list the two are one. None if the prices are not known.
        """
        setting = self.setting
        if setting is None or not self.training_weight:
            return None
        return setting.objective(self.blocks(), self.predictions)

    def remarks(self) -> tuple[str, ...]:
        """Whether a softly falling list predicts otherwise than it was scored."""
        own, setting = self.predicted_objective(), self.setting
        if own is None or setting is None or own == setting.objective(self.blocks()):
            return ()
        scored = float(setting.objective(self.blocks()))
        return (
            f"this list is scored by its raw proportions ({scored:.6g}), but it predicts by the "
            f"least proportion so far: its own predictions cost {float(own):.6g}; a larger "
            "violation_cost brings the two together, solver 'falling' makes them one",
        )


def falling_rule_list(
    problem: Problem, antecedents: Sequence[int], setting: Setting
) -> FallingRuleList:
    """The list with these antecedents (indices into the problem) in this order."""
    *rules, default = (
        FallingRule(antecedent, cell.counts[1], cell.counts[0])
        for antecedent, cell in captured_in_order(problem, antecedents)
    )
    return FallingRuleList(
        tuple(rules),
        default,
        problem.classes,
        problem.label_name,
        setting.positive_weight,
        setting.soft,
        setting.rule_cost,
        setting.violation_cost,
        outcomes_for(setting, problem.costs and problem.costs.outcomes),
        setting.false_positive_cost,
    ).learned_from(problem)


def outcomes_for(setting: Setting, given: Outcomes | None) -> Outcomes | None:
    """The outcomes of a problem, in a scale in which what one row costs is whole."""
    if given is None:
        return None
    prices = setting.false_positive_cost, setting.missed_cost
    return replace(given, scale=math.lcm(*(price.denominator for price in prices)))
