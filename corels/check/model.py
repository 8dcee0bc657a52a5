"""An independent check of a model and its certificate, for every family.

What a check proves: the counts, the predictions and the objective are right, and the numbers of the
document fit together. It does not search, so it cannot prove that no model is better; but a family
may try every model made of the same antecedents to refute the lower bound.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from corels.check.finding import Finding
from corels.check.points import Table
from corels.check.recount import Counts, label
from corels.check.recount_extra import beside, rows_apart, size
from corels.check.recount_rates import kept
from corels.check.recount_sides import begun_so, on_their_sides
from corels.check.watch import UNWATCHED, Watch
from corels.errors import InputError
from corels.model.naming import misnamed
from corels.model.schema import CertificatePart, document_of, validated
from corels.model.validity import contradictions, keeps

if TYPE_CHECKING:
    from corels.model.model import Model
    from corels.search import Solver


def check_model(
    document: Mapping[str, Any], table: Table, family: Solver, watch: Watch = UNWATCHED
) -> list[Finding]:
    """Recount a model on its data and compare with its certificate.

    family: the solver of whose models the document is one. watch: learns how far the work is.
    Raises InputError if the model cannot be checked on this data at all.
    """
    if "certificate" in document:
        validated(document["certificate"], CertificatePart, "the certificate")
    try:
        return list(_findings(document, table, family, watch))
    except (LookupError, TypeError, AttributeError, ValueError, ZeroDivisionError) as error:
        from corels.plugins import at_fault

        if isinstance(error, InputError) or at_fault(error) is not None:
            raise
        what = f"{type(error).__name__}: {error}"
        raise InputError(f"the model document is incomplete or malformed ({what})") from None


def _findings(
    document: Mapping[str, Any], table: Table, family: Solver, watch: Watch
) -> Iterator[Finding]:
    of = family.model_type()
    model = of.read(document_of(document, of))
    counts = Counts(model.deciders(), model.classes, table, model.outcomes, watch)
    counts.pieces = model.pieces
    counts.stated_unit = Fraction(document.get("weighed", {}).get("unit", 1))
    yield size(document, counts)
    yield from rows_apart(document, counts)
    yield from label(document, table)
    yield from (Finding("name", False, one) for one in misnamed(model.antecedents))
    special = list(family.recount(document, counts))
    for finding in counts.findings():
        more = [one for one in special if one.what == finding.what]
        detail = "; ".join(one.detail for one in [finding, *more])
        yield Finding(finding.what, all(one.holds for one in [finding, *more]), detail)
        special = [one for one in special if one.what != finding.what]
    yield from special
    if "certificate" in document:
        yield _fitting(document["certificate"])
    yield from beside(document, counts)
    yield from kept(document, counts)
    certificate = document.get("certificate", {})
    statement = certificate.get("statement", {})
    yield from on_their_sides(statement, counts)
    yield from begun_so(statement, counts)
    yield from _within_limits(certificate, model)
    if (paid := certificate.get("piece", model.piece)) != model.piece:
        yield Finding("piece", False, f"{paid!r}; models of this family pay for {model.piece!r}")


def _fitting(certificate: Mapping[str, Any]) -> Finding:
    """Whether a certificate agrees with itself."""
    wrong = "; ".join(contradictions(certificate))
    exact = certificate["exact"]
    gap = Fraction(exact["objective"]) - Fraction(exact["lower_bound"])
    detail = wrong or f"it agrees with itself, with a gap of {gap}"
    return Finding("certificate", not wrong, detail, settles=() if gap else ("stopped",))


def _within_limits(certificate: Mapping[str, Any], model: Model) -> Iterator[Finding]:
    """Whether a model is one of those among which it is certified."""
    for name, limit in certificate.get("limits", {}).items():
        if (found := model.within(name)) is not None:
            detail = f"{name} {limit}: the model has {found}"
            yield Finding("limits", keeps(name, found, int(limit)), detail)
