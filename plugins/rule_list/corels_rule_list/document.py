"""The document of a rule list, as types."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from corels.errors import InputError
from corels.model.schema import (
    MOST_RULES,
    AntecedentPart,
    Count,
    Counts,
    Label,
    Labels,
    ModelDocument,
    Price,
    Word,
)
from corels.problem.costs import Kind, Outcomes

Amount = Annotated[int, Meta(ge=-(2**62), le=2**62)]
Amounts = Annotated[list[Amount], Meta(min_length=1, max_length=MOST_RULES)]


class OutcomesPart(Struct, forbid_unknown_fields=True):
    """What rules may say, the classes first; a cost of 1 is written as `scale`."""

    names: Labels
    kinds: list[Kind]
    scale: Annotated[int, Meta(ge=1, le=2**62)]
    asked: Word = ""
    default_only: bool = False
    resolution: Price = "0"

    def read(self, classes: Sequence[Label]) -> Outcomes:
        """Raises InputError where names, kinds and the classes of the label do not fit."""
        own = [name for name, kind in zip(self.names, self.kinds, strict=False) if kind == "class"]
        if len(self.kinds) != len(self.names) or own not in ([], list(classes)):
            raise InputError("the outcomes of the document do not fit its classes")
        return Outcomes(
            tuple(self.names),
            tuple(self.kinds),
            self.scale,
            self.asked,
            self.default_only,
            Fraction(self.resolution),
        )


class RulePart(Struct, forbid_unknown_fields=True):
    """One rule of a rule list: `if` is null in the default rule. `counts`: by class. `costs`: by
    outcome, where these have costs; `right`: the weight that the outcome is right for."""

    condition: AntecedentPart | None = field(name="if")
    then: Label
    counts: Counts
    costs: Amounts | None = None
    right: Count | None = None


class RuleListDocument(ModelDocument, forbid_unknown_fields=True, kw_only=True):
    """A rule list; the last rule is the default rule."""

    schema: Literal["corels/rule-list"]
    rules: Annotated[list[RulePart], Meta(min_length=1, max_length=MOST_RULES)]
    outcomes: OutcomesPart | UnsetType = UNSET
