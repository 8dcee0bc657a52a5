"""What is special to the check of a rule list: the cheapest outcomes, and the price of a rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from corels.check.finding import Finding
from corels.check.recount import (
    Counts,
    comparable,
    not_refuted,
    sides_allow,
    with_pieces,
    wrong_costs,
)

if TYPE_CHECKING:
    from corels.model.decider import Decider


def recounted(document: Mapping[str, Any], counts: Counts) -> Iterator[Finding]:
    """The findings about predictions, costs and certificate. Rules say what costs least of what the
    directions of columns leave them.

    Under constraints a rule may say what costs more, and a list of the same antecedents be cheaper.
    """
    certificate = document.get("certificate", {})
    free = not certificate.get("constraints")
    statement = certificate.get("statement", {})
    may = {one: says(one, statement, counts) for one in counts.deciders}
    for one, given in zip(counts.deciders, statement.get("first", ()), strict=False):
        if given["then"] is not None:
            may[one] = [one.outcome]  # that it says so is looked at for all families
    if counts.outcomes is None:
        for number, (decider, found) in enumerate(
            zip(counts.deciders, counts.decided, strict=True)
        ):
            if free and found[decider.outcome] != max(found[one] for one in may[decider]):
                yield Finding(counts.name(number), False, "that is not the majority")
    else:
        yield from wrong_costs(counts, may if free else {})
        if not comparable(counts):
            return
    if "certificate" in document and counts.total:
        yield from _certificate(certificate, counts, may if free else {})


def says(decider: Decider, statement: Mapping[str, Any], counts: Counts) -> list[int]:
    """The outcomes that a decider may say; the last one, which has no clauses, any."""
    outcomes = counts.outcomes
    found = sides_allow(decider, statement.get("directions", ()), counts)
    last = len(found) if outcomes is None or not decider.clauses else outcomes.for_rules
    return [outcome for outcome, may in enumerate(found.tolist()[:last]) if may] or [
        decider.outcome
    ]


def _certificate(
    certificate: Mapping[str, Any], counts: Counts, may: Mapping[Decider, list[int]]
) -> Iterator[Finding]:
    """may: what each decider may say; nothing under constraints."""
    penalty, outcomes = Fraction(certificate["exact"]["regularization"]), counts.outcomes
    worth: int | Fraction = counts.total
    paid = None
    if counts.costs is not None:
        worth, paid = worth * counts.costs.outcomes.scale, counts.paid

    def costs(of: Sequence[int]) -> Sequence[int]:
        """Of each outcome; without costs, the errors of each class."""
        return [sum(of) - one for one in of] if outcomes is None else of

    def cost(deciders: Sequence[Decider], decided: Sequence[Sequence[int]]) -> Fraction:
        paid = sum(
            min(costs(of)[outcome] for outcome in may[one])
            for one, of in zip(deciders, decided, strict=True)
        )
        return Fraction(paid, worth) + penalty * (len(deciders) - 1)

    yield from with_pieces(certificate, counts)
    begun = len(certificate.get("statement", {}).get("first", ()))
    first = list(counts.deciders[:begun])
    lists = (one for one in counts.reordered(paid) if list(one[0][:begun]) == first)
    if may and (tried := [cost(*one) for one in lists]):
        yield not_refuted(certificate, min(tried), f"{len(tried)} lists of the same antecedents")
