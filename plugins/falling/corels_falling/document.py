"""The document of a falling rule list, as types: `schemas/falling-rule-list.json` is made of them.

Counts are what a list is read from; the probabilities, raw proportions and predictions beside them
are for people, and have to agree with the counts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from corels.errors import InputError
from corels.model.coherence import check_classes, check_total, class_number, read_antecedent
from corels.model.schema import (
    MOST_RULES,
    AntecedentPart,
    CertificatePart,
    Count,
    DataPart,
    Label,
    Price,
    Version,
    validated,
)
from corels.tables import Antecedent

if TYPE_CHECKING:
    from corels_falling.model import FallingRuleList

Share = Annotated[float, Meta(ge=0, le=1)]
DIGITS = 1e-9
WHAT = "the falling-rule-list document"


class FallingRulePart(Struct, forbid_unknown_fields=True):
    """One rule: `if` is null in the else. `probability` is what the list states."""

    condition: AntecedentPart | None = field(name="if")
    then: Label
    probability: Share
    raw: Share
    positives: Count
    negatives: Count


class FallingDocument(Struct, forbid_unknown_fields=True):
    """A falling (`soft` false) or softly falling rule list; the last rule is the else.

    rule_cost, violation_cost: the prices C and C1 that it was learned with, null if not known.
    """

    schema: Literal["corels/falling-rule-list"]
    version: Version
    label: str
    classes: Annotated[list[Label], Meta(min_length=2, max_length=2)]
    positive_weight: Price
    soft: bool
    rules: Annotated[list[FallingRulePart], Meta(min_length=1, max_length=MOST_RULES)]
    rule_cost: Price | None = None
    violation_cost: Price | None = None
    certificate: CertificatePart | UnsetType = UNSET
    data: DataPart | UnsetType = UNSET


def read(document: Mapping[str, Any]) -> tuple[FallingDocument, list[Antecedent | None]]:
    """The document as its type, and what each rule asks. Raises InputError."""
    found = validated(document, FallingDocument, WHAT)
    check_classes(found.classes)
    check_total(sum(rule.positives + rule.negatives for rule in found.rules))
    asked = [None if r.condition is None else read_antecedent(r.condition) for r in found.rules]
    *listed, last = asked
    if last is not None or any(one is None for one in listed):
        raise InputError(f"{WHAT} needs exactly one else, the last rule")
    return found, asked


def check_agreement(model: FallingRuleList, found: FallingDocument) -> None:
    """Raise InputError where what a document states is not what its counts say."""
    raw = model.raw_proportions
    stated = zip(found.rules, model.proportions, raw, model.predictions, strict=True)
    for number, (part, probability, share, prediction) in enumerate(stated, 1):
        if not math.isclose(part.probability, probability, abs_tol=DIGITS):
            raise InputError(
                f"rule {number} states the probability {part.probability}, its counts say "
                f"{float(probability):.6g}"
            )
        if not math.isclose(part.raw, share, abs_tol=DIGITS):
            raise InputError(
                f"rule {number} has the proportion {part.raw}, its counts say {float(share):.6g}"
            )
        if class_number(part.then, model.classes) != prediction:
            raise InputError(
                f"rule {number} predicts {part.then}, its probability says "
                f"{model.classes[prediction]}"
            )
    least = Fraction(1)
    for number, rule in enumerate(model, 1):
        if rule.captured and not model.soft and rule.raw > least:
            raise InputError(
                "the proportions of a falling rule list never rise, but rule "
                f"{number} has {float(rule.raw):.2%} after {float(least):.2%}"
            )
        least = rule.raw if rule.captured else least
