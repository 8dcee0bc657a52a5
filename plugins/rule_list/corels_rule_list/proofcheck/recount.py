"""What is special to the check of a rule list: the cheapest outcomes, and the price of a rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from corels.check.finding import Finding
from corels.check.recount import Counts, certified, not_refuted
from corels.check.recount_costs import comparable, wrong_costs


def recounted(document: Mapping[str, Any], counts: Counts) -> Iterator[Finding]:
    """The findings about predictions, costs and certificate.

    Under constraints a rule may say what costs more, and a list of the same antecedents be cheaper.
    """
    free = not document.get("certificate", {}).get("constraints")
    if counts.outcomes is None:
        for number, (decider, found) in enumerate(
            zip(counts.deciders, counts.decided, strict=True)
        ):
            if free and found[decider.outcome] != max(found.values(), default=0):
                yield Finding(counts.name(number), False, "that is not the majority")
    else:
        yield from wrong_costs(counts, cheapest=free)
        if not comparable(counts):
            return
    if "certificate" in document and counts.total:
        yield from _certificate(document["certificate"], counts, free=free)


def _certificate(
    certificate: Mapping[str, Any], counts: Counts, *, free: bool
) -> Iterator[Finding]:
    penalty, worth = Fraction(certificate["exact"]["regularization"]), counts.total
    cells = None
    if counts.costs is not None:
        worth, cells = worth * counts.costs.outcomes.scale, counts.paid

    outcomes = counts.outcomes
    said, may = range(len(counts.says)), None if outcomes is None else outcomes.for_rules

    def costs(of: Counter[int]) -> list[int]:
        """Of each outcome; without costs, the errors of each class."""
        return [of.total() - of[one] if outcomes is None else of[one] for one in said]

    def cost(decided: Sequence[Counter[int]]) -> Fraction:
        *rules, rest = map(costs, decided)
        paid = sum(min(one[:may]) for one in rules) + min(rest)
        return Fraction(paid, worth) + penalty * len(rules)

    found = counts.decided_by(counts.deciders, cells)
    own = sum(costs(of)[one.outcome] for of, one in zip(found, counts.deciders, strict=True))
    length = len(found) - 1
    how = f"{own}/{worth} + {length} x {penalty}"
    yield from certified(certificate, Fraction(own, worth) + penalty * length, how)
    if free and (tried := list(map(cost, counts.reordered(cells)))):
        yield not_refuted(certificate, min(tried), f"{len(tried)} lists of the same antecedents")
