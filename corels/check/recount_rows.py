"""How many rows there are, what they weigh, and how many each decider decides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from corels.check.finding import Finding
from corels.check.recount import Counts, Evidence


def size(document: Mapping[str, Any], evidence: Evidence, counts: Counts) -> Finding:
    """Rows and weight, here and in every place of the document that states them."""
    learned = sum(sum(decider.counts) for decider in counts.deciders)
    rows = len(evidence.labels)
    weight = rows if evidence.weights is None else sum(map(int, evidence.weights))
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
    told = wrong or [f"{said['the model']} in the model"]
    return Finding("rows", not wrong, ", ".join([here, *told]))


def rows_apart(document: Mapping[str, Any], counts: Counts) -> Iterator[Finding]:
    """Whether each decider decides the rows that a model with weights states."""
    weighed = document.get("weighed") or {}
    if (stated := weighed.get("rows")) is None:
        return
    evidence = replace(counts.evidence, weights=None, costs=None)
    found = [
        [of[number] for number in range(len(counts.classes))]
        for of in Counts(counts.deciders, counts.classes, evidence).decided
    ]
    wrong = [
        f"{counts.name(number)}: {of} here"
        for number, of in enumerate(found)
        if stated[number : number + 1] != [of]
    ]
    holds = stated == found
    detail = "; ".join(wrong) or f"{sum(map(sum, found))}, those of each class by each rule"
    yield Finding("rows behind the weights", holds, detail)
