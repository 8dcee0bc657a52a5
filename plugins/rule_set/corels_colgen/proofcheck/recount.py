"""What is special to the check of rule sets: Hamming losses, sums and prices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from corels.check.finding import Finding
from corels.check.points import price
from corels.check.recount import Counts, certified, comparable, not_refuted, wrong_costs

if TYPE_CHECKING:
    from corels.model import Clause
    from corels.problem.costs import Costs

MOST_CLAUSES = 10  # of a set; all 1,024 subsets of so many are tried
PRICES = ("positive_weight", "penalty_clause", "penalty_condition")


def recounted(document: Mapping[str, Any], counts: Counts) -> Iterator[Finding]:
    """The findings about Hamming losses, errors, complexity, and the certificate."""
    for number, (one, decider) in enumerate(zip(document["sets"], counts.deciders, strict=False)):
        asked = decider.clauses, decider.outcome, document["form"]
        missed, caught = _loss(counts, *asked)
        holds = missed + caught == one["hamming"] and one.get("missed") in (None, missed)
        stated = counts.stated_amount(one["hamming"])
        detail = (
            f"misses {counts.amount(missed)}, catches {counts.amount(caught)} wrongly; the model "
            f"says {stated} together"
        )
        yield Finding(f"Hamming loss of set {number + 1}", holds, detail)
        if counts.outcomes is not None and counts.costs is not None and comparable(counts):
            yield _paid(number, one, _loss(counts, *asked, costs=counts.costs), counts)
    if counts.outcomes is not None:
        yield from wrong_costs(counts)
    if not comparable(counts):
        return
    yield from _totals(document, counts)
    if "certificate" in document and counts.total:
        yield from _certificate(document, counts)


def _paid(
    number: int, one: Mapping[str, Any], found: tuple[Fraction, Fraction], counts: Counts
) -> Finding:
    """Whether a set's Hamming loss costs what the model says."""
    assert counts.outcomes is not None
    scale = counts.outcomes.scale
    stated = Fraction(one["paid_missed"], scale), Fraction(one["paid"], scale)
    here = [counts.amount(paid) for paid in (found[0], sum(found))]
    detail = (
        f"{here[0]} for what is missed, {here[1]} together; the model says "
        f"{counts.stated_amount(stated[1])} together"
    )
    what = f"Hamming loss of set {number + 1} in costs"
    return Finding(what, stated == (found[0], sum(found)), detail)


def _loss(
    counts: Counts,
    clauses: Sequence[Clause],
    target: int,
    form: str,
    costs: Costs | None = None,
    *,
    once: bool = False,
) -> tuple[Fraction, Fraction]:
    """(missed once, wrongly caught once for each clause); of a CNF that of the negated data.

    costs: those of the rows, if the loss is to be counted in these; two classes. once: what is
    wrongly caught counts once, however many clauses catch it.
    """
    inside, outside = counts.weights[target], counts.weights.sum(axis=0) - counts.weights[target]
    if costs is not None:  # what it costs not to say the class, and to say it
        assert counts.paid is not None
        inside, outside = counts.paid[1 - target], counts.paid[target]
    if form == "cnf":
        inside, outside = outside, inside
    times = np.zeros(len(inside), np.int64)
    for clause in clauses:
        times += counts.satisfied(clause) == (form == "dnf")
    scale = 1 if costs is None else costs.outcomes.scale
    caught = outside * (np.minimum(times, 1) if once else times)
    missed = int(inside[times == 0].sum())
    return Fraction(missed, scale), Fraction(int(caught.sum()), scale)


def _totals(document: Mapping[str, Any], counts: Counts) -> Iterator[Finding]:
    rows = zip(counts.decided, counts.deciders, strict=True)
    errors = sum(sum(found) - found[decider.outcome] for found, decider in rows)
    clauses = [clause for decider in counts.deciders for clause in decider.clauses]
    complexity = sum(1 + len(clause.antecedents) for clause in clauses)
    stated = document["errors"], document["complexity"]
    detail = f"{counts.amount(errors)}; the model says {counts.stated_amount(stated[0])}"
    yield Finding("errors", errors == stated[0], detail)
    detail = f"{complexity}; the model says {stated[1]}"
    yield Finding("complexity", complexity == stated[1], detail)


def _certificate(document: Mapping[str, Any], counts: Counts) -> Iterator[Finding]:
    certificate, form = document["certificate"], document["form"]
    extra = certificate.get("extra", {})
    if any(extra.get(name) is None for name in PRICES):
        return
    weight, *penalties = (price(extra, name) for name in PRICES)
    costs = None if counts.outcomes is None else counts.costs

    errors = extra.get("loss") == "errors"

    def cost(clauses: Sequence[Clause], target: int) -> Fraction:
        missed, caught = _loss(counts, clauses, target, form, costs, once=errors)
        loss = weight * missed + caught if form == "dnf" else missed + weight * caught
        conditions = sum(len(clause.antecedents) for clause in clauses)
        paid = penalties[0] * len(clauses) + penalties[1] * conditions
        return Fraction(loss) / counts.total + paid

    sets = [(decider.clauses, decider.outcome) for decider in counts.deciders[:-1]]
    found = sum((cost(*one) for one in sets), Fraction(0))
    how = f"{'errors' if errors else 'Hamming loss'} and penalties of {counts.size}"
    settled = (*PRICES, "loss") if errors else PRICES
    objective = certified(certificate, found, how)
    yield replace(objective, settles=tuple(f"extra.{name}" for name in settled))
    if certificate.get("constraints"):  # a part of the clauses may cost less and break them
        return
    if max((len(clauses) for clauses, _ in sets), default=0) <= MOST_CLAUSES:
        best = Fraction(0)
        for clauses, target in sets:
            sizes = range(len(clauses) + 1)
            best += min(cost(c, target) for size in sizes for c in combinations(clauses, size))
        yield not_refuted(certificate, best, "the rule sets of some of these clauses")
