"""What is special to the check of a rule list: majorities, and the price of a rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from corels.model.recount import Counts, Finding, certified, not_refuted


def recounted(document: Mapping[str, Any], counts: Counts) -> Iterator[Finding]:
    """The findings about predictions and certificate."""
    for number, (decider, found) in enumerate(zip(counts.deciders, counts.decided, strict=True)):
        if found[decider.outcome] != max(found.values(), default=0):
            yield Finding(counts.name(number), False, "that is not the majority")
    if "certificate" in document and counts.total:
        yield from _certificate(document["certificate"], counts)


def _certificate(certificate: Mapping[str, Any], counts: Counts) -> Iterator[Finding]:
    penalty, total = Fraction(certificate["exact"]["regularization"]), counts.total

    def cost(decided: Sequence[Counter[int]]) -> Fraction:
        return Fraction(_errors(decided), total) + penalty * (len(decided) - 1)

    errors, length = _errors(counts.decided), len(counts.deciders) - 1
    how = f"{errors}/{total} + {length} x {penalty}"
    yield from certified(certificate, cost(counts.decided), how)
    if tried := list(map(cost, counts.reordered())):
        yield not_refuted(certificate, min(tried), f"{len(tried)} lists of the same antecedents")


def _errors(decided: Sequence[Counter[int]]) -> int:
    return sum(sum(found.values()) - max(found.values(), default=0) for found in decided)
