"""An independent check of a model and its certificate, for every family.

What a check proves: the counts, the predictions and the objective are right, and the numbers of the
document fit together. It does not search, so it cannot prove that no model is better; but a family
may try every model made of the same antecedents to refute the lower bound. Below are the findings
about entries beside the objective, and about rates of groups.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from corels.check.finding import Finding, exact_of
from corels.check.points import Table
from corels.check.rated import RATES, parts_of, rated_rows
from corels.check.recount import Counts, begun_so, comparable, label, on_their_sides
from corels.check.verdict import UNWATCHED, Watch
from corels.errors import InputError
from corels.model.coherence import contradictions, keeps, misnamed
from corels.model.printable import set_apart
from corels.model.schema import CertificatePart, document_of, validated
from corels.options import unknown
from corels.problem.rates import alike

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


def beside(document: Mapping[str, Any], counts: Counts) -> Iterator[Finding]:
    """A finding for each entry of `extra` that is counted here, and for each of `extra` and of
    `limits` that the model states, too."""
    certificate = document.get("certificate", {})
    stated = {**certificate.get("extra", {}), **certificate.get("limits", {})}
    shares = _shares(counts)
    for name, value in stated.items():
        found: Any
        if name in shares:
            found = float(shares[name])
            holds = type(value) is float and math.isclose(value, found, rel_tol=0, abs_tol=1e-12)
        elif name in document:
            found, holds = document[name], _alike(value, document[name])
        elif name.startswith("objective_without_"):
            yield from _without(name, value, certificate)
            continue
        elif name == "costs_rounded_to" and counts.costs is not None:
            found = counts.costs.outcomes.resolution
            holds = _alike(value, found)
        else:
            continue
        detail = f"{found}" if holds else f"{found}; the certificate says {value}"
        yield Finding(name, holds, detail, settles=(f"extra.{name}",))


def _without(name: str, value: Any, certificate: Mapping[str, Any]) -> Iterator[Finding]:
    """A finding if the optimum among more models is stated to be above the objective of one of
    them; a smaller number stays claimed, as no row settles it."""
    objective = Fraction(certificate["exact"]["objective"])
    found = exact_of(value)
    if found is None or found > objective + Fraction(1, 1_000_000):  # it is rounded
        detail = f"the certificate says {value}, and this model costs {float(objective):.6f}"
        yield Finding(name, False, detail, settles=(f"extra.{name}",))


def _shares(counts: Counts) -> Mapping[str, Fraction]:
    """Of the weight of all rows: where the model says a class (coverage), where it hands over and
    abstains; and of that where it says something of a row, where that is right (accuracy)."""
    outcomes = counts.outcomes
    if outcomes is None or counts.costs is None or not comparable(counts) or not counts.total:
        return {}
    weight, right = Counter[str](), 0
    rights = counts.decided_by(counts.deciders, counts.right)
    for decider, decided, of in zip(counts.deciders, counts.decided, rights, strict=True):
        kind = outcomes.kinds[decider.outcome]
        weight[kind] += sum(decided)
        right += of[decider.outcome] if kind in ("class", "defer") else 0
    names = {"coverage": "class", "abstained": "abstain", "deferred": "defer"}
    found = {name: Fraction(weight[kind], counts.total) for name, kind in names.items()}
    if judged := weight["class"] + weight["defer"]:
        found["accuracy"] = Fraction(right, judged)
    return found


def _alike(one: Any, other: Any) -> bool:
    """Whether two entries are the same number, or the same text."""
    numbers = exact_of(one), exact_of(other)
    return str(one) == str(other) if None in numbers else numbers[0] == numbers[1]


def size(document: Mapping[str, Any], counts: Counts) -> Finding:
    """Rows and weight, here and in every place of the document that states them."""
    learned = sum(sum(decider.counts) for decider in counts.deciders)
    rows, weight = len(counts.table.labels), counts.total
    data = document.get("data", {})
    stated = {"the model": learned, "the data entry": data.get("weight", weight)}
    said = {where: counts.stated_amount(number) for where, number in stated.items()}
    wrong = [f"{said[where]} in {where}" for where, number in stated.items() if number != weight]
    if data.get("rows", rows) != rows:
        wrong.append(f"{data['rows']} rows in the data entry, {rows} rows here")
    here = f"{counts.amount(weight)} here"
    if document.get("weighed"):
        here = f"{rows} rows, which weigh {here}"
    used = len(counts.antecedents)
    if used > data.get("antecedents", used):
        wrong.append(f"{data['antecedents']} antecedents in the data entry, {used} in use")
    if data.get("points", 0) > rows:
        wrong.append(f"{data['points']} distinct points in the data entry")
    there = wrong or [f"{said['the model']} in the model"]
    return Finding("rows", not wrong, ", ".join([here, *there]))


def rows_apart(document: Mapping[str, Any], counts: Counts) -> Iterator[Finding]:
    """Whether each decider decides the rows that a model with weights states."""
    weighed = document.get("weighed") or {}
    if (stated := weighed.get("rows")) is None:
        return
    table = replace(counts.table, weights=None, costs=None)
    found = Counts(counts.deciders, counts.classes, table).decided
    wrong = [
        f"{counts.name(number)}: {of} here"
        for number, of in enumerate(found)
        if stated[number : number + 1] != [of]
    ]
    holds = stated == found
    detail = "; ".join(wrong) or f"{sum(map(sum, found))}, those of each class by each rule"
    yield Finding("rows behind the weights", holds, detail)


def kept(document: Mapping[str, Any], counts: Counts) -> Iterator[Finding]:
    """A finding for each constraint: whether its rates are what the certificate says, and within
    its bounds; one for all pairs of more than two groups, if all of these hold. Raises
    InputError if the data has no such column."""
    constraints = document.get("certificate", {}).get("constraints")
    if not constraints:
        return
    rate_of = cache(_Rates(document, counts).reached)
    for (rate, column, _, most, differ), ones in alike(constraints).items():
        groups = [group for one in ones for group in one["groups"]]
        rates: dict[str, Any] = {group: rate_of(rate, column, group) for group in groups}
        pairs = [_finding(one, [rates[group] for group in one["groups"]]) for one in ones]
        if not differ or len(rates) < 3 or not all(finding.holds for finding in pairs):
            yield from pairs
            continue
        ends = max(rates, key=rates.__getitem__), min(rates, key=rates.__getitem__)
        shown = ", ".join(f"{set_apart(group)}: {rates[group]}" for group in ends)
        value = rates[ends[0]] - rates[ends[1]]
        detail = f"greatest and least: {shown}, value {value}, allowed at most {most}"
        yield Finding(f"{rate} of {column}, each two of {len(rates)} groups", True, detail)


def counted_again(document: Mapping[str, Any], counts: Counts) -> Iterator[str]:
    """A sentence for each constraint of a model: what it reaches on other rows. Raises InputError
    if the data has no such column, or no row of a group."""
    rate_of = cache(_Rates(document, counts).reached)
    for one in document["certificate"]["constraints"]:
        value = _value([rate_of(one["rate"], one["column"], group) for group in one["groups"]])
        least, most = Fraction(one["least"]), Fraction(one["most"])
        of = f" of {one['column']}" if one["column"] else ""
        pair = ", " + " less ".join(map(set_apart, one["groups"])) if one["column"] else ""
        kept = value is None or least <= value <= most
        before = None if one["value"] is None else Fraction(one["value"])
        yield (
            f"Constraint {one['rate']}{of}{pair}: {_short(value)} here, {_short(before)} in "
            f"training, allowed {_short(least)} to {_short(most)}: {'' if kept else 'NOT '}kept."
        )


def _short(value: Fraction | None) -> str:
    return "a share of nothing" if value is None else f"{float(value):.4g}"


def _value(found: Sequence[Fraction | None]) -> Fraction | None:
    """A rate, or one less others; None: a share of nothing."""
    first, *second = found
    return None if first is None else first - sum(rate or 0 for rate in second)


def _finding(one: Mapping[str, Any], found: Sequence[Fraction | None]) -> Finding:
    """Of a constraint, with the rates as they were counted; None: a share of nothing."""
    names = one["groups"] if one["column"] else []
    said = [f"{set_apart(group)}: " for group in names] or [""]
    value = _value(found)
    least, most = Fraction(one["least"]), Fraction(one["most"])
    own = [None if rate is None else str(rate) for rate in (*found, value)]
    same = own == [*one["rates"], one["value"]]
    counted, stated = (
        ", ".join(a + (b or "of no rows") for a, b in zip(said, rates, strict=True))
        for rates in (own[:-1], one["rates"])
    )
    detail = f"{counted}, value {own[-1] or 'none'}, allowed {least} to {most}"
    if not same:
        detail += f"; the certificate says {stated}, value {one['value']}"
    what = f"{one['rate']} of {one['column']}" if names else one["rate"]
    return Finding(what, same and (value is None or least <= value <= most), detail)


class _Rates:
    """Rates of a model's decisions, counted as the checkers of proofs count them: the rows that get
    one outcome are a point."""

    def __init__(self, document: Mapping[str, Any], counts: Counts) -> None:
        costs = None if counts.outcomes is None else counts.costs
        header = {"classes": counts.classes, **document["certificate"]}
        self._rows = rated_rows(header, replace(counts.table, costs=costs), counts.said)
        self._says = len(counts.says)

    def reached(self, rate: str, column: str, group: str) -> Fraction | None:
        """A/B of a group's rows; None if it is a share of nothing that the model decides."""
        if rate not in (*RATES, "balanced accuracy"):
            raise InputError(unknown("rate", rate, [*RATES, "balanced accuracy"]))
        above, below = parts_of({"rate": rate, "column": column}, group, self._rows, self._says)
        of = below if isinstance(below, int) else int(below.trace())
        if isinstance(below, int) and not of:
            raise InputError(f"the data has no row of group {group!r} for the {rate}")
        return Fraction(int(above.trace()), of) if of else None
