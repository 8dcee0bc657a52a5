"""The document of a rule list, as types."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from corels.model.schema import (
    MOST_RULES,
    Amounts,
    Count,
    Counts,
    Label,
    ModelDocument,
    OutcomesPart,
)
from corels.tables import Antecedent


class RulePart(Struct, forbid_unknown_fields=True):
    """One rule of a rule list: `if` is null in the default rule. `counts`: by class. `costs`: by
    outcome, if these have costs; `right`: the weight that the outcome is right for."""

    condition: Antecedent | None = field(name="if")
    then: Label
    counts: Counts
    costs: Amounts | None = None
    right: Count | None = None


class RuleListDocument(ModelDocument, forbid_unknown_fields=True, kw_only=True):
    """A rule list; the last rule is the default rule."""

    schema: Literal["corels/rule-list"]
    rules: Annotated[list[RulePart], Meta(min_length=1, max_length=MOST_RULES)]
    outcomes: OutcomesPart | None = None
