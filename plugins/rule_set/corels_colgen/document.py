"""The document of a rule set, as types: `schemas/rule-set.json` is made of them."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from corels.model.schema import MOST_RULES, AntecedentPart, Big, Count, Counts, Label, ModelDocument


class ClausePart(Struct, forbid_unknown_fields=True):
    """Conditions joined by "and" (DNF) or "or" (CNF). `counts`: what satisfies it, by class."""

    conditions: Annotated[list[AntecedentPart], Meta(min_length=1, max_length=1000)]
    counts: Counts


class SetPart(Struct, forbid_unknown_fields=True):
    """The clauses of one class. `counts`: what this set decides, by class.

    `hamming` is `missed` (weight that should be caught and is not) and, for each clause, the weight
    that it catches wrongly; of a CNF, the same of the negated data.
    """

    then: Label
    clauses: Annotated[list[ClausePart], Meta(max_length=MOST_RULES)]
    counts: Counts
    hamming: Big
    missed: Count | None = None


class RuleSetDocument(ModelDocument, forbid_unknown_fields=True, kw_only=True):
    """A rule set: one set of clauses for a class, or one for each; `default` gets the rest."""

    schema: Literal["corels/rule-set"]
    form: Literal["dnf", "cnf"]
    sets: Annotated[list[SetPart], Meta(max_length=MOST_RULES)]
    default: Label
    default_counts: Counts
    complexity: Count
    errors: Count
