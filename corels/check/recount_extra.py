"""What the rows settle of a document beside its objective."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from corels.check.finding import Finding, exact_of
from corels.check.recount import Counts
from corels.check.recount_costs import comparable


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
