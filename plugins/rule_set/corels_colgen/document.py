"""The document of a rule set, as types: `schemas/rule-set.json` is made of them."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from corels.errors import InputError
from corels.model.schema import (
    MOST_RULES,
    Amounts,
    Big,
    Count,
    Counts,
    Label,
    ModelDocument,
    OutcomesPart,
)
from corels.problem.costs import Outcomes
from corels.tables import Antecedent


class ClausePart(Struct, forbid_unknown_fields=True):
    """Conditions joined by "and" (DNF) or "or" (CNF). `counts`: what satisfies it, by class."""

    conditions: Annotated[list[Antecedent], Meta(min_length=1, max_length=1000)]
    counts: Counts


class SetPart(Struct, forbid_unknown_fields=True):
    """The clauses of one class. `counts`: what this set decides, by class.

    `hamming` is `missed` (weight that should be caught and is not) and, for each clause, the weight
    that it catches wrongly; of a CNF, the same of the negated data. If classes have costs: what
    each of them `costs` for what is decided; `paid` and `paid_missed` are `hamming` and `missed` in
    what they cost.
    """

    then: Label
    clauses: Annotated[list[ClausePart], Meta(max_length=MOST_RULES)]
    counts: Counts
    hamming: Big
    missed: Count | None = None
    costs: Amounts | None = None
    paid: Big | None = None
    paid_missed: Big | None = None


class RuleSetDocument(ModelDocument, forbid_unknown_fields=True, kw_only=True):
    """A rule set: one set of clauses for a class, or one for each; `default` gets the rest."""

    schema: Literal["corels/rule-set"]
    form: Literal["dnf", "cnf"]
    sets: Annotated[list[SetPart], Meta(max_length=MOST_RULES)]
    default: Label
    default_counts: Counts
    complexity: Count
    errors: Count
    outcomes: OutcomesPart | None = None
    default_costs: Amounts | None = None


def outcomes_of(found: RuleSetDocument) -> Outcomes | None:
    """The outcomes of a document, two classes; None without costs. Raises InputError."""
    if found.outcomes is None:
        return None
    outcomes = found.outcomes.read(found.classes)
    if outcomes.kinds != ("class", "class"):
        raise InputError("the outcomes of the rule-set document are not two classes")
    return outcomes
