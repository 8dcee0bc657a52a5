"""The document of a falling rule list, as types.

Counts are what a list is read from; the probabilities, raw proportions and predictions beside them
are for people, and have to agree with the counts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from corels.errors import InputError
from corels.model.coherence import class_number
from corels.model.schema import MOST_RULES, Count, Label, ModelDocument, OutcomesPart, Price
from corels.problem.costs import Outcomes
from corels.tables import Antecedent
from corels_falling.model import FallingRuleList

Share = Annotated[float, Meta(ge=0, le=1)]
DIGITS = 1e-9


class FallingRulePart(Struct, forbid_unknown_fields=True):
    """One rule: `if` is null in the else. `probability` is what the list states."""

    condition: Antecedent | None = field(name="if")
    then: Label
    probability: Share
    raw: Share
    positives: Count
    negatives: Count


class FallingDocument(ModelDocument, forbid_unknown_fields=True, kw_only=True):
    """A falling (`soft` false) or softly falling rule list; the last rule is the else.

    rule_cost, violation_cost: the prices C and C1 that it was learned with, null if not known.
    outcomes, false_positive_cost: if classes have costs, both.
    """

    schema: Literal["corels/falling-rule-list"]
    classes: Annotated[list[Label], Meta(min_length=2, max_length=2)]
    positive_weight: Price
    soft: bool
    rules: Annotated[list[FallingRulePart], Meta(min_length=1, max_length=MOST_RULES)]
    rule_cost: Price | None = None
    violation_cost: Price | None = None
    outcomes: OutcomesPart | None = None
    false_positive_cost: Price | None = None


def outcomes_of(found: FallingDocument) -> tuple[Outcomes | None, Fraction]:
    """The outcomes of a document, None without costs, and what a false positive costs. Raises
    InputError if they do not fit."""
    if found.outcomes is None and found.false_positive_cost is None:
        return None, Fraction(1)
    if found.outcomes is None or found.false_positive_cost is None:
        raise InputError("the falling-rule-list document has outcomes or their cost, but not both")
    outcomes = found.outcomes.read(found.classes)
    false, weight = Fraction(found.false_positive_cost), Fraction(found.positive_weight)
    prices = false * outcomes.scale, false * weight * outcomes.scale
    if outcomes.kinds != ("class", "class") or not false or any(p.denominator > 1 for p in prices):
        raise InputError("the outcomes of the falling-rule-list document do not fit its costs")
    return outcomes, false


def contradictions(model: FallingRuleList, found: FallingDocument) -> Iterator[str]:
    """What a document states and its counts deny, a sentence each."""
    rows = zip(found.rules, model, model.proportions, model.predictions, strict=True)
    least = Fraction(1)
    for number, (part, rule, probability, prediction) in enumerate(rows, 1):
        close = [
            math.isclose(part.probability, probability, abs_tol=DIGITS),
            math.isclose(part.raw, rule.raw, abs_tol=DIGITS),
        ]
        if not all(close) or class_number(part.then, model.classes) != prediction:
            yield (
                f"rule {number} states the probability {part.probability}, raw {part.raw}, and "
                f"predicts {part.then}; its counts say {float(probability):.6g}, "
                f"{float(rule.raw):.6g} and {model.classes[prediction]}"
            )
        if rule.captured and not model.soft and rule.raw > least:
            yield (
                "the proportions of a falling rule list never rise, but rule "
                f"{number} has {float(rule.raw):.2%} after {float(least):.2%}"
            )
        least = rule.raw if rule.captured else least
