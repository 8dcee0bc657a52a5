"""Rates by group and coverage, counted row by row, against the constraints of a certificate."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from typing import Any

from corels.check.finding import Finding
from corels.check.recount import Counts
from corels.errors import InputError
from corels.model.printable import set_apart
from corels.options import whole

# Rate -> what its A counts and its B, how often, and among which rows, by whether they are of the
# positive class. "row": the row itself.
ALL = (True, False)
Terms = Sequence[tuple[int, str, tuple[bool, ...]]]
RATES: Mapping[str, tuple[Terms, Terms]] = {
    "recall": ([(1, "called", (True,))], [(1, "row", (True,))]),
    "false positive rate": ([(1, "called", (False,))], [(1, "row", (False,))]),
    "positive rate": ([(1, "called", ALL)], [(1, "row", ALL)]),
    "accuracy": ([(1, "right", ALL)], [(1, "row", ALL)]),
    "coverage": ([(1, "decided", ALL)], [(1, "row", ALL)]),
    "precision": ([(1, "called", (True,))], [(1, "called", ALL)]),
    "negative predictive value": ([(1, "denied", (False,))], [(1, "denied", ALL)]),
    "f1": ([(2, "called", (True,))], [(1, "called", ALL), (1, "row", (True,))]),
}


def kept(document: Mapping[str, Any], counts: Counts) -> Iterator[Finding]:
    """A finding for each constraint: whether its rates are what the certificate says, and within
    its bounds; one for all pairs of more than two groups, where all of these hold. Raises
    InputError where the data has no such column."""
    rate_of = cache(partial(_rate, counts, cache(partial(_members, counts))))
    alike: dict[Any, tuple[list[Finding], dict[str, Any]]] = {}
    for one in document.get("certificate", {}).get("constraints", ()):
        found = [rate_of(one["rate"], one["column"], group) for group in one["groups"]]
        key = one["rate"], one["column"], one["least"], one["most"]
        pairs, rates = alike.setdefault(key, ([], {}))
        pairs.append(_finding(one, found))
        rates.update(zip(one["groups"], found, strict=True))
    for (rate, column, _, most), (pairs, rates) in alike.items():
        if len(pairs) == 1 or len(rates) < 3 or not all(finding.holds for finding in pairs):
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
    rate_of = cache(partial(_rate, counts, cache(partial(_members, counts))))
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


def _members(counts: Counts, column: str) -> list[str]:
    """The group of each row. column: several may be named together, with commas between."""
    there = counts.evidence.columns
    columns = [column] if column in there else column.split(", ")
    for name in columns:
        if name not in there:
            raise InputError(f"the data has no column {name!r}, which the constraints are about")
    cells = [_names(there[name]) for name in columns]
    rows = [tuple(str(whole(cell)) for cell in row) for row in zip(*cells, strict=True)]
    plain = [", ".join(row) for row in rows]
    if len(set(plain)) == len(set(rows)):
        return plain
    return [", ".join(map(repr, row)) for row in rows]  # else two groups would have one name


def _names(column: Any) -> Any:
    """A column whose values are names: where a few cells are no numbers, all of them."""
    written = getattr(column, "written", None)
    return column if written is None else written


def _rate(
    counts: Counts, members_of: Callable[[str], list[str]], rate: str, column: str, group: str
) -> Fraction | None:
    """The share of a group's rows that count; None where it is a share of nothing that the model
    decides."""
    labels = counts.evidence.labels
    members = members_of(column) if column else [group] * len(labels)
    rows = [row for row, member in enumerate(members) if member == group]
    if rate == "balanced accuracy":
        recalls = [_share(counts, rate, rows, str(one)) for one in counts.classes]
        found = [one for one in recalls if one is not None]
        if len(found) == len(recalls):
            return sum(found, Fraction(0)) / len(found)
    elif rate in RATES:
        share = _share(counts, rate, rows)
        if share is not None or any(what != "row" for _, what, _ in RATES[rate][1]):
            return share
    else:
        raise InputError(f"the certificate speaks of the rate {rate!r}, which nobody knows")
    raise InputError(f"the data has no row of group {group!r} for the {rate}")


def _share(
    counts: Counts, rate: str, rows: Sequence[int], only: str | None = None
) -> Fraction | None:
    """A/B over some rows; only: of one class, what is right."""
    evidence, positive, sums = counts.evidence, str(counts.classes[-1]), [0, 0]
    parts = RATES["accuracy" if only is not None else rate]
    for row in rows:
        label = str(evidence.labels[row])
        if only not in (None, label):
            continue
        weight = 1 if evidence.weights is None else int(evidence.weights[row])
        truly = label == positive
        for part, terms in enumerate(parts):
            for times, what, truth in terms:
                if truly in truth:
                    sums[part] += times * weight * _holds(what, counts, row, truly=truly)
    return Fraction(*sums) if sums[1] else None


def _holds(what: str, counts: Counts, row: int, *, truly: bool) -> bool:
    """Whether what the model says of a row counts."""
    outcome = counts.said[row]
    kind = "class" if counts.outcomes is None else counts.outcomes.kinds[outcome]
    if what in ("row", "right"):
        return what == "row" or _right(counts, outcome, row)
    if what == "decided":
        return kind == "class"
    called = kind == "class" and outcome == len(counts.classes) - 1
    if kind == "defer":  # of two classes
        called = _right(counts, outcome, row) is truly
    return called if what == "called" else kind in ("class", "defer") and not called


def _right(counts: Counts, outcome: int, row: int) -> bool:
    if counts.costs is not None:
        return bool(counts.costs.right[outcome, row])
    truth = str(counts.evidence.labels[row])
    return outcome < len(counts.classes) and str(counts.classes[outcome]) == truth
