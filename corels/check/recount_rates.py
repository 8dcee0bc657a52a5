"""Rates by group and coverage, counted row by row, against the constraints of a certificate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.check.finding import Finding
from corels.check.rated import RATES, RatedRows
from corels.check.recount import Counts
from corels.errors import InputError
from corels.model.printable import set_apart
from corels.options import unknown, whole


def kept(document: Mapping[str, Any], counts: Counts) -> Iterator[Finding]:
    """A finding for each constraint: whether its rates are what the certificate says, and within
    its bounds; one for all pairs of more than two groups, where all of these hold. Raises
    InputError where the data has no such column."""
    rate_of = cache(_Rates(counts).reached)
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
    rate_of = cache(_Rates(counts).reached)
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
    """What is said of each row, counted as the checkers of proofs count it."""

    def __init__(self, counts: Counts) -> None:
        evidence, self._said = counts.evidence, np.array(counts.said)
        self._there, self._at = evidence.columns, np.arange(len(self._said))
        numbers = {str(name): number for number, name in enumerate(counts.classes)}
        label = np.array([numbers[str(one)] for one in evidence.labels])
        weights = [1] * len(label) if evidence.weights is None else evidence.weights
        if counts.outcomes is None or counts.costs is None:
            kinds = ["class"] * len(numbers)
            right = label == np.arange(len(counts.says))[:, None]
        else:
            kinds, right = list(counts.outcomes.kinds), counts.costs.right > 0
        self._rows = RatedRows(self._at, np.array(weights, np.int64), label, {}, kinds, right)
        self._members = cache(self._members_of)

    def reached(self, rate: str, column: str, group: str) -> Fraction | None:
        """A/B of a group's rows; None where it is a share of nothing that the model decides."""
        among = self._members(column) == group if column else np.full(len(self._at), True)
        if rate == "balanced accuracy":
            own = [among & (self._rows.label == one) for one in range(self._rows.label.max() + 1)]
            recalls = [self._share("accuracy", rows) for rows in own]
            if None not in recalls and len(recalls) == self._rows.kinds.count("class"):
                return sum(filter(None, recalls), Fraction(0)) / len(recalls)
        elif rate in RATES:
            share = self._share(rate, among)
            if share is not None or any(what != "row" for _, what, _ in RATES[rate][1]):
                return share
        else:
            raise InputError(unknown("rate", rate, [*RATES, "balanced accuracy"]))
        raise InputError(f"the data has no row of group {group!r} for the {rate}")

    def _share(self, rate: str, among: NDArray[np.bool_]) -> Fraction | None:
        above, below = (
            sum(times * self._sum(what, truth, among) for times, what, truth in terms)
            for terms in RATES[rate]
        )
        return Fraction(above, below) if below else None

    def _sum(self, what: str, truth: Sequence[bool], among: NDArray[np.bool_]) -> int:
        counted = self._rows.counted(what)[self._said, self._at]
        counted &= among & np.isin(self._rows.positive, truth)
        return int(self._rows.weight[counted].sum())

    def _members_of(self, column: str) -> NDArray[Any]:
        """The group of each row. column: several may be named together, with commas between."""
        columns = [column] if column in self._there else column.split(", ")
        for name in columns:
            if name not in self._there:
                raise InputError(
                    f"the data has no column {name!r}, which the constraints are about"
                )
        cells = [_names(self._there[name]) for name in columns]
        rows = [tuple(str(whole(cell)) for cell in row) for row in zip(*cells, strict=True)]
        plain = [", ".join(row) for row in rows]
        if len(set(plain)) < len(set(rows)):  # else two groups would have one name
            plain = [", ".join(map(repr, row)) for row in rows]
        return np.array(plain, dtype=object)


def _names(column: Any) -> Any:
    """A column whose values are names: where a few cells are no numbers, all of them."""
    written = getattr(column, "written", None)
    return column if written is None else written
