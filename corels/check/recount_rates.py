"""Rates by group and coverage, counted row by row, against the constraints of a certificate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

from corels.check.finding import Finding
from corels.check.rated import RATES, parts_of, rated_rows
from corels.check.recount import Counts
from corels.errors import InputError
from corels.model.printable import set_apart
from corels.options import unknown
from corels.problem.rates import alike


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
