"""An independent check of a model and its certificate, for every family.

What a check proves: the counts, the predictions and the objective are right, and the numbers of the
document fit together. It does not search, so it cannot prove that no model is better; but a family
may try every model made of the same antecedents to refute the lower bound.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from corels.errors import InputError
<<<<<<< HEAD
from corels.model.recount import (
    Cells,
    Evidence,
    Finding,
    captured,
    certified,
    conditions_text,
    count_patterns,
    label,
    misnamed,
    not_refuted,
    short_enough,
    size,
)
from corels.model.schema import CertificatePart, validated
=======
from corels.model.recount import Counts, Evidence, Finding, label, misnamed, size
from corels.model.schema import CertificatePart, document_of, validated
>>>>>>> main

if TYPE_CHECKING:
    from corels.model.model import Model


class Family(Protocol):
    """What a check asks of a `corels.Solver`."""

    def model_type(self) -> type[Model]: ...

    def recount(self, document: Mapping[str, Any], counts: Counts) -> Iterable[Finding]: ...


def check_model(document: Mapping[str, Any], evidence: Evidence, family: Family) -> list[Finding]:
    """Recount a model on its data and compare with its certificate.

    family: the solver of whose models the document is one.
    Raises InputError where the model cannot be checked on this data at all.
    """
    if "certificate" in document:
        validated(document["certificate"], CertificatePart, "the certificate")
    try:
        return list(_findings(document, evidence, family))
    except (
        KeyError,
        TypeError,
        IndexError,
        AttributeError,
        ValueError,
        ZeroDivisionError,
    ) as error:
        if isinstance(error, InputError):
            raise
        what = f"{type(error).__name__}: {error}"
        raise InputError(f"the model document is incomplete or malformed ({what})") from None


def _findings(document: Mapping[str, Any], evidence: Evidence, family: Family) -> Iterator[Finding]:
    of = family.model_type()
    model = of.read(document_of(document, of))
    counts = Counts(model.deciders(), model.classes, evidence)
    yield size(document, evidence, counts)
    yield from label(document, evidence)
<<<<<<< HEAD
    if all("name" in one for one in asked):
        yield from misnamed(asked)
    for number, (rule, counts) in enumerate(zip(rules, counted, strict=True)):
        yield _rule(classes, rule, number, counts)
    if "certificate" in document and total:
        yield from _certificate(document["certificate"], cells, counted, len(rules) - 1)


def _rule(
    classes: Sequence[Any], rule: Mapping[str, Any], number: int, counts: Counter[int]
) -> Finding:
    name = "default rule"
    if rule["if"]:
        name = f"rule {number + 1}: {conditions_text(rule['if']['conditions'])}"
    found = [counts[index] for index in range(len(classes))]
    stated = list(rule["counts"])
    majority = len(found) > 0 and found[classes.index(rule["then"])] == max(found)
    parts = ", ".join(f"{n} of {label}" for n, label in zip(found, classes, strict=True))
    detail = f"captures {parts}, predicts {rule['then']}"
    if found != stated:
        detail += f"; the model says {', '.join(map(str, stated))}"
    if not majority:
        detail += "; that is not the majority"
    return Finding(name, found == stated and majority, detail)


def _errors(counted: Sequence[Counter[int]]) -> int:
    return sum(sum(counts.values()) - max(counts.values(), default=0) for counts in counted)


def _certificate(
    certificate: Mapping[str, Any], cells: Cells, counted: Sequence[Counter[int]], length: int
) -> Iterator[Finding]:
    total, errors = sum(sum(counts.values()) for counts in counted), _errors(counted)
    penalty = Fraction(certificate["exact"]["regularization"])
    found = Fraction(errors, total) + penalty * length
    yield from certified(certificate, found, f"{errors}/{total} + {length} x {penalty}")
    yield from short_enough(certificate, length)
    if length <= MOST_PERMUTED:
        tried, best = _best_reordering(cells, penalty, total, length)
        lower = Fraction(certificate["exact"]["lower_bound"])
        yield not_refuted(lower, best, f"{tried} lists of the same antecedents")


def _best_reordering(
    cells: Cells, penalty: Fraction, total: int, length: int
) -> tuple[int, Fraction]:
    tried, best = 0, Fraction(2 + length)
    for number in range(length + 1):
        for order in permutations(range(length), number):
            errors = _errors(captured(cells, order))
            tried, best = tried + 1, min(best, Fraction(errors, total) + penalty * number)
    return tried, best
=======
    yield from misnamed(counts.asked)
    special = list(family.recount(document, counts))
    for finding in counts.findings():
        more = [one for one in special if one.what == finding.what]
        detail = "; ".join(one.detail for one in [finding, *more])
        yield Finding(finding.what, all(one.holds for one in [finding, *more]), detail)
        special = [one for one in special if one.what != finding.what]
    yield from special
>>>>>>> main
