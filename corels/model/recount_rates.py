"""Rates by group and coverage, counted row by row, against the constraints of a certificate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from corels.errors import InputError
from corels.model.recount import Counts, Evidence, Finding

TRUE_OF = {  # rate -> the rows that it is a share of, by whether they are of the positive class
    "positive rate": (True, False),
    "true positive rate": (True,),
    "false positive rate": (False,),
    "accuracy": (True, False),
    "coverage": (True, False),
}


def kept(document: Mapping[str, Any], counts: Counts) -> Iterator[Finding]:
    """A finding for each constraint: whether its rates are what the certificate says, and within
    its bounds. Raises InputError where the data has no such column."""
    for one in document.get("certificate", {}).get("constraints", ()):
        groups = " and ".join(one["groups"]) if one["column"] else ""
        found = [_rate(one, group, counts) for group in one["groups"]]
        value = found[0] - found[1] if len(found) > 1 else found[0]
        least, most = Fraction(one["least"]), Fraction(one["most"])
        same = [str(rate) for rate in found] == one["rates"] and str(value) == one["value"]
        detail = f"{' and '.join(map(str, found))}, value {value}, allowed {least} to {most}"
        if not same:
            detail += f"; the certificate says {' and '.join(one['rates'])}, value {one['value']}"
        what = f"{one['rate']} of {one['column']} {groups}" if groups else one["rate"]
        yield Finding(what, same and least <= value <= most, detail)


def _rate(one: Mapping[str, Any], group: str, counts: Counts) -> Fraction:
    """The share of a group's rows that count."""
    evidence, column = counts.evidence, one["column"]
    if column and column not in evidence.columns:
        raise InputError(f"the data has no column {column!r}, which the constraints are about")
    members = evidence.columns[column] if column else [group] * len(evidence.labels)
    positive, held, whole = str(counts.classes[-1]), 0, 0
    for row, (member, label) in enumerate(zip(members, evidence.labels, strict=True)):
        truly = str(label) == positive
        if _named(member) != group or truly not in TRUE_OF[one["rate"]]:
            continue
        weight = 1 if evidence.weights is None else int(evidence.weights[row])
        whole += weight
        held += weight * _holds(one["rate"], counts, row, truly=truly)
    if not whole:
        raise InputError(f"the data has no row of group {group!r} for the {one['rate']}")
    return Fraction(held, whole)


def _named(member: Any) -> str:
    return str(int(member)) if isinstance(member, float) and member.is_integer() else str(member)


def _holds(rate: str, counts: Counts, row: int, *, truly: bool) -> bool:
    """Whether what the model says of a row counts."""
    outcome = counts.said_of(row)
    kind = "class" if counts.outcomes is None else counts.outcomes.kinds[outcome]
    right = _right(counts.evidence, outcome, row, truth=str(counts.evidence.labels[row]), of=counts)
    if rate == "coverage":
        return kind == "class"
    if rate == "accuracy":
        return right
    if kind == "defer":  # of two classes
        return right is truly
    return kind == "class" and outcome == len(counts.classes) - 1


def _right(evidence: Evidence, outcome: int, row: int, *, truth: str, of: Counts) -> bool:
    if evidence.costs is not None:
        return bool(evidence.costs.right[outcome, row])
    return outcome < len(of.classes) and str(of.classes[outcome]) == truth
