"""The document of a `ListedModel`, as types."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, defstruct, field

from corels.model.outcomes import Amounts, OutcomesPart
from corels.model.schema import MOST_RULES, AntecedentPart, Count, Counts, Label, ModelDocument

Chance = Annotated[str, Meta(pattern=r"^[0-9]+(/0*[1-9][0-9]*)?$", max_length=400)]


class ClausePart(Struct, forbid_unknown_fields=True):
    """Conditions joined by "and" or "or". `counts`: what satisfies it, by class."""

    conditions: Annotated[list[AntecedentPart], Meta(min_length=1, max_length=1000)]
    join: Literal["and", "or"]
    counts: Counts


class DeciderPart(Struct, forbid_unknown_fields=True):
    """What decides some rows: how many of its clauses have to hold; "" for a rule.

    `counts`: what it decides, by class. `stated`: the probability of the second class. `costs`: by
    outcome, where these have costs; `right`: the weight that the outcome is right for. `points`:
    what each clause is worth; `threshold`: how many are needed.
    """

    then: Label
    counts: Counts
    clauses: Annotated[list[ClausePart], Meta(max_length=MOST_RULES)]
    quantity: Literal["", "any", "all", "points"]
    stated: Chance | None
    costs: Amounts | None = None
    right: Count | None = None
    points: list[Count] = field(default_factory=list)
    threshold: Count = 0


class ListedDocument(ModelDocument, forbid_unknown_fields=True, kw_only=True):
    """A model as its deciders, in order: the first that holds decides, the last always holds."""

    deciders: Annotated[list[DeciderPart], Meta(min_length=1, max_length=MOST_RULES)]
    outcomes: OutcomesPart | None = None


@cache
def document_type(schema: str, version: int) -> type[Any]:
    """`ListedDocument` of one family: `schema` is its own, `version` at most the one of today."""
    words = schema.rpartition("/")[2].replace("-", " ").title().replace(" ", "")
    versions = tuple(range(1, version + 1))
    own: list[Any] = [("schema", Literal[schema]), ("version", Literal[versions])]
    return defstruct(
        f"{words}Document",
        own,
        bases=(ListedDocument,),
        namespace={"__doc__": ListedDocument.__doc__},
        module=__name__,
        forbid_unknown_fields=True,
        kw_only=True,
    )
