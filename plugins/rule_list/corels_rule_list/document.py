"""The document of a rule list, as types."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from corels.model.schema import (
    MOST_RULES,
    AntecedentPart,
    CertificatePart,
    Counts,
    DataPart,
    Label,
    Labels,
    Version,
)


class RulePart(Struct, forbid_unknown_fields=True):
    """One rule of a rule list: `if` is null in the default rule. `counts`: by class."""

    condition: AntecedentPart | None = field(name="if")
    then: Label
    counts: Counts


class RuleListDocument(Struct, forbid_unknown_fields=True):
    """A rule list; the last rule is the default rule."""

    schema: Literal["corels/rule-list"]
    version: Version
    label: str
    classes: Labels
    rules: Annotated[list[RulePart], Meta(min_length=1, max_length=MOST_RULES)]
    certificate: CertificatePart | UnsetType = UNSET
    data: DataPart | UnsetType = UNSET
