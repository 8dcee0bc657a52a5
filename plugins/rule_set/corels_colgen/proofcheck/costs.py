"""One class against the rest, as whole numbers: what a clause and a rule set cost.

A clause is a set of antecedents, all of which have to hold. Positive points are those for which it
counts whether they are covered. A rule set costs the weight of the positive points that it leaves,
for each clause the weight of the negative points that it covers (by errors, in place of this, once
what the positive points cost that it covers), and penalties for clauses and conditions; its
complexity is one for each clause and each condition. A CNF is the DNF of the negated antecedents,
the classes exchanged.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.check.points import Points, Table, in_units, price, stated_costs, well_formed, whole
from corels.check.rated import rated_rows, refuse_strange, sums_of
from corels.errors import InputError
from corels_colgen.proofcheck.reading import Clause, Duals

DEFAULT_BUDGET = 15
MOST = 1 << 52
LIMIT = 1 << 60


@dataclass(frozen=True)
class Sums:
    """Constraints: values: int64[R, P], what a point adds to each sum if it is covered; the rest R
    whole numbers each: the sum without any, and the least and the greatest that are allowed."""

    values: NDArray[np.int64]
    start: tuple[int, ...] = ()
    low: tuple[int, ...] = ()
    high: tuple[int, ...] = ()

    def kept(self, covered: NDArray[np.bool_]) -> bool:
        """Whether a rule set that covers these points keeps to all of them."""
        found = self.values[:, covered].sum(axis=1).tolist()
        rows = zip(self.low, self.start, found, self.high, strict=True)
        return all(low <= start + one <= high for low, start, one, high in rows)


Demanded = tuple[Any, int, int]
"""A constraint: int[2, points], what each class adds at each point; the least and greatest sum."""


@dataclass(frozen=True)
class Costs:
    """positives, negatives: bool[M, P] and bool[M, Q], which antecedents hold; missed, caught:
    int64, what a point costs that is left, or covered each time; once: int64[P], or covered at all.
    touched: bool[P], the positive points that it may cost something to cover, or that some
    constraint counts. A cost of 1 here is `unit` as an objective.

    budget: the most complexity; some rule set of the least cost keeps it. longest: the most
    conditions of a clause, 1 or more: a bound may be of more rule sets than the header allows.
    """

    positives: NDArray[np.bool_]
    negatives: NDArray[np.bool_]
    missed: NDArray[np.int64]
    caught: NDArray[np.int64]
    once: NDArray[np.int64]
    touched: NDArray[np.bool_]
    sums: Sums
    clause: int
    condition: int
    budget: int
    longest: int
    unit: Fraction

    @property
    def by_errors(self) -> bool:
        """Whether some point costs something once it is covered."""
        return bool(self.once.any())

    def covered(self, clauses: Sequence[Clause]) -> NDArray[np.bool_]:
        """bool[P]."""
        none = np.zeros(len(self.missed), np.bool_)
        return np.any([none, *(self.positives[list(c)].all(axis=0) for c in clauses)], axis=0)

    def cost(self, clauses: Sequence[Clause]) -> int:
        """What a rule set costs, counted."""
        covered, total = self.covered(clauses), 0
        for clause in clauses:
            total += int(self.caught[self.negatives[list(clause)].all(axis=0)].sum())
            total += self.clause + self.condition * len(clause)
        return total + int(self.missed[~covered].sum()) + int(self.once[covered].sum())


def amounts_of(header: Mapping[str, Any], points: Points, table: Table) -> NDArray[np.int64] | None:
    """int64[2, P]: what each class costs at each point, in the scale of the header's outcomes; None
    if it has none.

    Raises InputError if the data's costs are not of the header's outcomes.
    """
    if "outcomes" not in header:
        return None
    with well_formed():
        names, scale = list(header["outcomes"]["names"]), _scale(header)
        if names != list(header["classes"]) or len(names) != 2:
            raise ValueError("costs of other outcomes than two classes")
    amounts, costs = stated_costs(names, points, table)
    return in_units(amounts, costs.outcomes.scale, scale)


def _scale(header: Mapping[str, Any]) -> Fraction:
    """What a cost of 1 is: a whole number, or a fraction in text."""
    return price({"scale": str(header["outcomes"]["scale"])}, "scale")


def _mistakes(
    header: Mapping[str, Any], points: Points, target: int, amounts: NDArray[np.int64] | None
) -> tuple[tuple[NDArray[np.int64], Fraction], tuple[NDArray[np.int64], Fraction]]:
    """What it costs at each point not to say the class, and to say it: whole numbers, and what 1 of
    them costs."""
    weight = price(header, "positive_weight")
    if amounts is None:
        wanted = points.counts[target]
        return (wanted, weight), (points.counts.sum(axis=0) - wanted, Fraction(1))
    if weight != 1:
        raise InputError(f"the proof's header has positive_weight {weight}, and costs")
    unit = 1 / _scale(header)
    return (amounts[1 - target], unit), (amounts[target], unit)


def demanded_of(
    header: Mapping[str, Any], points: Points, table: Table
) -> tuple[list[Demanded], NDArray[np.int64] | None]:
    """The constraints of the header, and its `amounts_of`. Raises InputError if the data is not
    what it is about."""
    amounts = amounts_of(header, points, table)
    if not header.get("constraints"):
        return [], amounts
    rows = rated_rows(header, table, points.of_row)
    refuse_strange(header, rows)
    with well_formed():
        size = points.captures.shape[1]
        return [sums_of(one, rows, size) for one in header["constraints"]], amounts


def _sums(demanded: Sequence[Demanded], form: str) -> Sums:
    """Of all points. Raises InputError if they are too large."""
    caught, rest = (1, 0) if form == "dnf" else (0, 1)
    if any(2 * int(np.abs(values).sum()) >= 1 << 63 for values, _, _ in demanded):
        raise InputError("the constraints of this proof are too large for the checker")
    found = np.array([values[caught] - values[rest] for values, _, _ in demanded], np.int64)
    start = tuple(int(values[rest].sum()) for values, _, _ in demanded)
    low, high = (tuple(int(one[end]) for one in demanded) for end in (1, 2))
    return Sums(found, start, low, high)


def costs_of(
    header: Mapping[str, Any],
    points: Points,
    target: int,
    amounts: NDArray[np.int64] | None = None,
    demanded: Sequence[Demanded] = (),
) -> Costs:
    """demanded, amounts: as `demanded_of` gives them. Raises InputError if the header cannot be,
    or the numbers are too large."""
    form, total, loss = header.get("form"), points.total, header.get("loss")
    if form not in ("dnf", "cnf"):
        raise InputError(f"the proof's header has form {form!r}")
    if loss not in ("hamming", "errors") or (
        len(points.counts) > 2 and (demanded or loss[0] == "e")
    ):
        raise InputError(f"the proof's header has loss {loss!r} or constraints, and other classes")
    captures = ~points.captures if form == "cnf" else points.captures
    missed, caught, charges, unit = _whole(header, points, target, amounts)
    budget, longest = _limits(header, len(captures), charges, int(missed.sum()))
    sums = _sums(demanded, form) if demanded else Sums(np.zeros((0, len(missed)), np.int64))
    errors = loss == "errors"
    if not (budgeted(header) or sums.kept(np.zeros(len(missed), np.bool_))):
        raise InputError("the proof has no budget, and constraints that the empty set breaks")
    touched = (sums.values != 0).any(axis=0) | (errors & (caught > 0))
    own, each = (missed > 0) | touched, (caught > 0) & (not errors)
    return Costs(
        captures[:, own],
        captures[:, each],
        missed[own],
        caught[each],
        caught[own] * errors,
        touched[own],
        replace(sums, values=sums.values[:, own]),
        charges[0],
        charges[1],
        budget,
        longest,
        unit / total,
    )


def _whole(
    header: Mapping[str, Any], points: Points, target: int, amounts: NDArray[np.int64] | None
) -> tuple[NDArray[np.int64], NDArray[np.int64], list[int], Fraction]:
    """What it costs at each point to miss it, and to catch it wrongly, and the prices of a clause
    and of a condition, in whole numbers; and the unit of these. Raises InputError."""
    total, pairs = points.total, _mistakes(header, points, target, amounts)
    prices = [price(header, name) * total for name in ("penalty_clause", "penalty_condition")]
    if header["form"] == "cnf":
        pairs = pairs[1], pairs[0]
    factors = [factor for _, factor in pairs]
    scale = math.lcm(*(value.denominator for value in (*factors, *prices)))
    if any(max(total, int(row.sum())) * factor * scale > MOST for row, factor in pairs):
        raise InputError("the costs of this proof are too large for the checker")
    missed, caught = (row * int(factor * scale) for row, factor in pairs)
    charges = [int(one * scale) for one in prices]
    divisor = math.gcd(int(np.gcd.reduce(np.concatenate((missed, caught)))), *charges) or 1
    charges = [charge // divisor for charge in charges]
    return missed // divisor, caught // divisor, charges, Fraction(divisor, scale)


def budgeted(header: Mapping[str, Any]) -> bool:
    """Whether a limit of complexity was set, or is the default if nothing else limits sets."""
    free = not (price(header, "penalty_clause") or price(header, "penalty_condition"))
    return header.get("complexity") is not None or free


def stated_limits(header: Mapping[str, Any]) -> dict[str, int | None]:
    """The limits that a proof's rule sets keep, as a certificate states them: the budget, also that
    which holds if nothing else limits sets, and the conditions of a clause. None: no limit."""
    implied = DEFAULT_BUDGET if budgeted(header) else None
    return {
        "max_complexity": implied if header.get("complexity") is None else header["complexity"],
        "max_conditions_a_clause": header.get("max_conditions"),
    }


def keeps_limits(header: Mapping[str, Any], clauses: Sequence[Clause]) -> bool:
    """Whether a rule set keeps the limits that the header states, whole numbers (`costs_of`). The
    bounds may be of more rule sets: of those with a condition if none is allowed."""
    sizes = [len(clause) for clause in clauses]
    found = {
        "max_complexity": sum(sizes) + len(sizes),
        "max_conditions_a_clause": max(sizes, default=0),
    }
    limits = stated_limits(header)
    return 0 not in sizes and all(
        limit is None or found[name] <= limit for name, limit in limits.items()
    )


def _limits(
    header: Mapping[str, Any], features: int, charges: Sequence[int], empty: int
) -> tuple[int, int]:
    """The budget, given or implied, and the most conditions of a clause."""
    stated = header.get("max_conditions")
    longest = features if stated is None else whole(header, "max_conditions")
    longest = max(1, min(longest, features))
    if budgeted(header):
        given = header.get("complexity")
        budget = DEFAULT_BUDGET if given is None else whole(header, "complexity")
        return budget, max(1, min(longest, budget - 1))
    clause, condition = charges
    # A rule set no worse than the empty one pays at most `empty` in penalties, and complexity per
    # penalty is largest at one condition or at the most.
    rate = max(Fraction(1 + size, clause + condition * size) for size in (1, longest))
    budget = math.floor(empty * rate)
    return budget, max(1, min(longest, budget - 1)) if header["loss"] == "errors" else longest


# What duals say at the prices of the constraints, in units of 1/scale. To cover a point saves
# s = missed - once - (what it adds to each sum, times its price); what prices make of a point is
# rounded down, which makes no rule set dearer.


@dataclass(frozen=True)
class Priced:
    """mu, saved, nu: int64[P]; nu: what a clause is charged for a point that it costs something to
    cover, for each of its complexity. base: what every rule set costs at least if no clause has a
    reduced cost below 0."""

    scale: int
    price: int
    mu: NDArray[np.int64]
    saved: NDArray[np.int64]
    nu: NDArray[np.int64]
    base: int


def priced(costs: Costs, duals: Duals) -> Priced:
    """Raises InputError if the proof has not as many duals or prices as there are points and
    constraints, or a sum could leave 64 bits."""
    points, sums = len(costs.missed), costs.sums
    prices = duals.prices or (0,) * len(sums.start)
    if duals.scale < 1 or len(duals.mu) != points:
        raise InputError(f"the proof has {len(duals.mu)} duals, for {points} positive points")
    if duals.parts < 1 or len(prices) != len(sums.start):
        raise InputError(f"the proof has {len(prices)} prices, for {len(sums.start)} constraints")
    largest = [int(np.abs(row).max(initial=0)) for row in sums.values]
    if sum(abs(p) * v for p, v in zip(prices, largest, strict=True)) >= 1 << 62:
        raise InputError("the prices of this proof are too large for the checker")
    weight = int(costs.missed.sum()) + int(costs.once.sum())
    added = np.zeros(points, np.int64)
    if any(prices):
        added = np.array(prices) @ sums.values // duals.parts
        weight += -(-sum(map(abs, added.tolist())) // duals.scale)
    most = weight + int(costs.caught.sum()) + costs.clause + costs.condition * (costs.longest + 2)
    sides = [duals.scale * most, duals.price * (costs.longest + 3), sum(duals.mu), duals.short]
    sides.append(duals.price * costs.budget)
    if any(side >= LIMIT for side in sides):
        raise InputError("the duals of this proof are too large for the checker")
    saved = duals.scale * (costs.missed - costs.once) - added
    rows = zip(prices, sums.start, sums.low, sums.high, strict=True)
    allowed = sum(p * (start - (high if p > 0 else low)) for p, start, low, high in rows)
    base = int((duals.scale * costs.missed - np.maximum(saved, 0)).sum()) + sum(duals.mu)
    base += allowed // duals.parts - duals.price * costs.budget
    nu = np.maximum(-saved, 0) // max(1, costs.budget) * costs.by_errors
    return Priced(duals.scale, duals.price, np.array(duals.mu, np.int64), saved, nu, base)
