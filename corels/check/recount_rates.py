"""Rates by group and coverage, counted row by row, against the constraints of a certificate."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from operator import add
from typing import Any

from corels.check.finding import Finding
from corels.check.recount import Counts
from corels.errors import InputError
from corels.model.printable import set_apart
from corels.options import whole

TRUE_OF = {  # rate -> the rows that it is a share of, by whether they are of the positive class
    "positive rate": (True, False),
    "true positive rate": (True,),
    "false positive rate": (False,),
    "accuracy": (True, False),
    "coverage": (True, False),
}


def kept(document: Mapping[str, Any], counts: Counts) -> Iterator[Finding]:
    """A finding for each constraint: whether its rates are what the certificate says, and within
    its bounds; one for all pairs of more than two groups, where all of these hold. Raises
    InputError where the data has no such column."""
    named = (document.get("data", {}).get("reading") or {}).get("group")
    rate_of = cache(partial(_rate, counts, cache(partial(_members, counts, named))))
    alike: dict[Any, tuple[list[Finding], dict[str, Fraction]]] = {}
    for one in document.get("certificate", {}).get("constraints", ()):
        found = [rate_of(one["rate"], one["column"], group) for group in one["groups"]]
        key = one["rate"], one["column"], one["least"], one["most"]
        pairs, rates = alike.setdefault(key, ([], {}))
        pairs.append(_finding(one, found))
        rates.update(zip(one["groups"], found, strict=True))
    for (rate, column, _, most), (pairs, rates) in alike.items():
        if len(pairs) == 1 or not all(finding.holds for finding in pairs):
            yield from pairs
            continue
        ends = max(rates, key=rates.__getitem__), min(rates, key=rates.__getitem__)
        shown = ", ".join(f"{set_apart(group)}: {rates[group]}" for group in ends)
        value = rates[ends[0]] - rates[ends[1]]
        detail = f"greatest and least: {shown}, value {value}, allowed at most {most}"
        yield Finding(f"{rate} of {column}, each two of {len(rates)} groups", True, detail)


def counted_again(document: Mapping[str, Any], counts: Counts) -> Iterator[str]:
    """A sentence for each constraint of a model: what it reaches on other rows. Raises InputError
    where the data has no such column, or no row of a group."""
    named = (document.get("data", {}).get("reading") or {}).get("group")
    rate_of = cache(partial(_rate, counts, cache(partial(_members, counts, named))))
    for one in document["certificate"]["constraints"]:
        rates = [rate_of(one["rate"], one["column"], group) for group in one["groups"]]
        value = rates[0] - rates[1] if len(rates) > 1 else rates[0]
        least, most = Fraction(one["least"]), Fraction(one["most"])
        of = f" of {one['column']}" if one["column"] else ""
        pair = " less ".join(map(set_apart, one["groups"])) if one["column"] else ""
        word = "kept" if least <= value <= most else "NOT kept"
        yield (
            f"Constraint {one['rate']}{of}{f', {pair}' if pair else ''}: {float(value):.4g} here, "
            f"{float(Fraction(one['value'])):.4g} in training, allowed {float(least):.4g} to "
            f"{float(most):.4g}: {word}."
        )


def _finding(one: Mapping[str, Any], found: Sequence[Fraction]) -> Finding:
    """Of a constraint, with the rates as they were counted."""
    names = one["groups"] if one["column"] else []
    said = [f"{set_apart(group)}: " for group in names] or [""]
    value = found[0] - found[1] if len(found) > 1 else found[0]
    least, most = Fraction(one["least"]), Fraction(one["most"])
    same = [str(rate) for rate in found] == one["rates"] and str(value) == one["value"]
    counted, stated = (", ".join(map(add, said, map(str, r))) for r in (found, one["rates"]))
    detail = f"{counted}, value {value}, allowed {least} to {most}"
    if not same:
        detail += f"; the certificate says {stated}, value {one['value']}"
    what = f"{one['rate']} of {one['column']}" if names else one["rate"]
    return Finding(what, same and least <= value <= most, detail)


def _members(counts: Counts, named: Any, column: str) -> list[str]:
    """The group of each row. named: the columns of the groups, as the data was read with them;
    `column` is what they are called together."""
    columns = [column]
    if isinstance(named, list) and ", ".join(map(str, named)) == column:
        columns = list(map(str, named))
    for name in columns:
        if name not in counts.evidence.columns:
            raise InputError(f"the data has no column {name!r}, which the constraints are about")
    cells = [counts.evidence.columns[name] for name in columns]
    rows = [tuple(str(whole(cell)) for cell in row) for row in zip(*cells, strict=True)]
    plain = [", ".join(row) for row in rows]
    if len(set(plain)) == len(set(rows)):
        return plain
    return [", ".join(map(repr, row)) for row in rows]  # else two groups would have one name


def _rate(
    counts: Counts, members_of: Callable[[str], list[str]], rate: str, column: str, group: str
) -> Fraction:
    """The share of a group's rows that count."""
    evidence = counts.evidence
    members = members_of(column) if column else [group] * len(evidence.labels)
    positive, held, among = str(counts.classes[-1]), 0, 0
    for row, (member, label) in enumerate(zip(members, evidence.labels, strict=True)):
        truly = str(label) == positive
        if member != group or truly not in TRUE_OF[rate]:
            continue
        weight = 1 if evidence.weights is None else int(evidence.weights[row])
        among += weight
        held += weight * _holds(rate, counts, row, truly=truly)
    if not among:
        raise InputError(f"the data has no row of group {group!r} for the {rate}")
    return Fraction(held, among)


def _holds(rate: str, counts: Counts, row: int, *, truly: bool) -> bool:
    """Whether what the model says of a row counts."""
    outcome = counts.said[row]
    kind = "class" if counts.outcomes is None else counts.outcomes.kinds[outcome]
    if rate == "coverage":
        return kind == "class"
    if rate == "accuracy":
        return _right(counts, outcome, row)
    if kind == "defer":  # of two classes
        return _right(counts, outcome, row) is truly
    return kind == "class" and outcome == len(counts.classes) - 1


def _right(counts: Counts, outcome: int, row: int) -> bool:
    if counts.costs is not None:
        return bool(counts.costs.right[outcome, row])
    truth = str(counts.evidence.labels[row])
    return outcome < len(counts.classes) and str(counts.classes[outcome]) == truth
