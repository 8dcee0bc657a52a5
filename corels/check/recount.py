"""What independent checks count with: the raw table as points, as the checkers of proofs have it.

A check holds the deciders of a document against the raw columns of the data. It shares no code with
the engines, with the predictions of models or with the evaluation of conditions, so that a mistake
in one of them shows as a disagreement. `Counts` has what was counted; then come the objective, what
outcomes cost, and the directions and first rules that a certificate states. What is special to a
family (an order, a price) is for its `Solver.recount`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, reduce
from itertools import permutations
from operator import and_
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from corels.check.finding import Finding
from corels.check.points import Table, priced_points, read_points
from corels.check.sides import UP, allowed, asked
from corels.check.verdict import UNWATCHED, Watch

if TYPE_CHECKING:
    from corels.model.decider import Clause, Decider
    from corels.problem.costs import Outcomes


MOST_PERMUTED = 6  # deciders; all 1,957 lists of at most six of them


class Counts:
    """The rows of a table, counted by what a model's deciders ask.

    Rows in which the same antecedents hold are one of P points, and fare alike.

    Attributes:
        deciders, classes, outcomes: of the model. table: the data. of_row: int64[N], the points.
        antecedents: the different antecedents that it asks, as plain data with name and conditions.
        weights: int64[C, P], by class. decided: of each decider the weight of each class.
        costs: of each row, or None; paid, right: int64[O, P], what each outcome costs, in the scale
            of `costs`, and the weight that it is right for; None without costs.
        stated_unit: what a weight of 1 stands for in the model's document.
    """

    def __init__(
        self,
        deciders: Sequence[Decider],
        classes: Sequence[Any],
        table: Table,
        outcomes: Outcomes | None = None,
        watch: Watch = UNWATCHED,
    ) -> None:
        self.deciders, self.classes, self.outcomes = deciders, classes, outcomes
        self.pieces = sum(len(decider.clauses) for decider in deciders)  # that cost lambda
        self.says = classes if outcomes is None else outcomes.names
        asked = [one.to_json() for decider in deciders for one in decider.antecedents]
        distinct = {_key(one): one for one in asked}
        self.antecedents = list(distinct.values())
        self._numbers = {key: number for number, key in enumerate(distinct)}
        self.table, self.costs, self.stated_unit = table, table.costs, table.unit
        header = {"antecedents": self.antecedents, "classes": classes}
        points = read_points(header, table, watch, "model")
        self._held, self.weights, self.of_row = points.captures, points.counts, points.of_row
        self.paid = self.right = None
        if self.costs is not None:
            self.paid = priced_points(points, self.costs.amounts, table.weight)
            self.right = priced_points(points, self.costs.right, table.weight)
        self.decided = self.decided_by(deciders)

    def amount(self, weight: int | Fraction) -> str:
        """A weight that was counted here, in the unit that was given."""
        return _in_unit(weight, self.table.unit)

    def stated_amount(self, weight: int | Fraction) -> str:
        """A weight of the model's document, in the unit that was given."""
        return _in_unit(weight, self.stated_unit)

    @property
    def size(self) -> str:
        """How much was counted: '300 rows', or with weights 'a weight of 356.25'."""
        whole = self.amount(self.total)
        return f"{whole} rows" if self.table.weights is None else f"a weight of {whole}"

    @property
    def total(self) -> int:
        """The weight of all rows."""
        return int(self.weights.sum())

    def satisfied(self, clause: Clause) -> NDArray[np.bool_]:
        """bool[P]: if a clause holds."""
        held = self._held[[self._numbers[_key(one.to_json())] for one in clause.antecedents]]
        return np.asarray(held.all(axis=0) if clause.join == "and" else held.any(axis=0))

    def holds(self, decider: Decider) -> NDArray[np.bool_]:
        """bool[P]: if a decider holds."""
        clauses = (len(decider.clauses), self._held.shape[1])
        held = np.array([*map(self.satisfied, decider.clauses)], np.bool_).reshape(clauses)
        if decider.quantity == "points":
            return np.asarray(np.array(decider.points, np.int64) @ held >= decider.threshold)
        return np.asarray(held.any(axis=0) if decider.quantity == "any" else held.all(axis=0))

    def where(self, clause: Clause) -> list[int]:
        """The weight of each class that satisfies a clause."""
        return list(map(int, self.weights[:, self.satisfied(clause)].sum(axis=1)))

    def first_of(self, deciders: Sequence[Decider]) -> NDArray[np.intp]:
        """intp[P]: by number, the first of these deciders that holds; the last always does."""
        return np.asarray(np.array([self.holds(one) for one in deciders]).argmax(axis=0))

    @cached_property
    def said(self) -> NDArray[np.intp]:
        """intp[N]: the outcome that the model gives each row."""
        outcomes = np.array([one.outcome for one in self.deciders], np.intp)
        return np.asarray(outcomes[self.first_of(self.deciders)[self.of_row]])

    def decided_by(
        self, deciders: Sequence[Decider], of: NDArray[np.int64] | None = None
    ) -> list[list[int]]:
        """Of each of these deciders what its points have: the weight of each class, or the sums of
        `of`, int64[K, P]."""
        first, summed = self.first_of(deciders), self.weights if of is None else of
        places = range(len(deciders))
        return [list(map(int, summed[:, first == place].sum(axis=1))) for place in places]

    @property
    def lost(self) -> tuple[int, int | Fraction]:
        """(errors, the weight of all rows); or what is said costs, in the scale of `costs`, and the
        weight times that scale."""
        if self.outcomes is None or self.costs is None:
            rows = zip(self.deciders, self.decided, strict=True)
            return sum(sum(found) - found[one.outcome] for one, found in rows), self.total
        rows = zip(self.deciders, self.decided_by(self.deciders, self.paid), strict=True)
        paid = sum(found[one.outcome] for one, found in rows)
        return paid, self.total * self.costs.outcomes.scale

    def reordered(
        self, of: NDArray[np.int64] | None = None
    ) -> Iterator[tuple[list[Decider], list[list[int]]]]:
        """Every list of some of these deciders, in any order, and what it decides; the last stays
        last. of: as of `decided_by`.

        Attempts to refute a lower bound; none if there are too many.
        """
        *rules, rest = self.deciders
        if len(rules) <= MOST_PERMUTED:
            for number in range(len(rules) + 1):
                for order in permutations(rules, number):
                    yield [*order, rest], self.decided_by([*order, rest], of)

    def name(self, number: int) -> str:
        """What a finding calls a decider."""
        decider = self.deciders[number]
        if decider.quantity:
            return f"set {number + 1} ({self.says[decider.outcome]})"
        if not decider.clauses:
            return "otherwise" if any(one.quantity for one in self.deciders) else "default rule"
        return f"rule {number + 1}: {_clause_text(decider.clauses[0])}"

    def findings(self) -> Iterator[Finding]:
        """Whether every decider and every clause has the counts that the model says."""
        for number, (decider, counts) in enumerate(zip(self.deciders, self.decided, strict=True)):
            then = f"predicts {self.says[decider.outcome]}"
            if decider.stated is not None:
                then = f"states {float(decider.stated):.4f}, {then}"
            yield self._counted(self.name(number), counts, decider.counts, f"captures {{}}, {then}")
            for clause in decider.clauses if decider.quantity else ():
                name = f"clause: {_clause_text(clause)}"
                yield self._counted(name, self.where(clause), clause.counts, "{}")

    def _counted(self, what: str, found: list[int], stated: Sequence[int], said: str) -> Finding:
        named = zip(map(self.amount, found), self.classes, strict=True)
        detail = said.format(", ".join(f"{weight} of {name}" for weight, name in named))
        if found != list(stated):
            detail += f"; the model says {', '.join(map(self.stated_amount, stated))}"
        return Finding(what, found == list(stated), detail)


def _in_unit(weight: int | Fraction, unit: Fraction) -> str:
    """In digits that tell each count from the next."""
    given = weight * unit
    return f"{given}" if given.denominator == 1 else f"{float(given):.12g}"


def _key(antecedent: Mapping[str, Any]) -> str:
    """What antecedents of the same conditions have alike, whatever they are called."""
    return json.dumps(antecedent["conditions"])


def _clause_text(clause: Clause) -> str:
    return f" {clause.join} ".join(one.name for one in clause.antecedents)


def label(document: Mapping[str, Any], table: Table) -> Iterator[Finding]:
    """Whether the model predicts what the data calls its label."""
    if table.label_name is not None:
        stated, name = document["label"], table.label_name
        same = "" if stated == name else f", {stated!r} in the model"
        yield Finding("label", stated == name, f"{name!r} here{same}")


def priced(document: Mapping[str, Any], counts: Counts) -> Iterator[Finding]:
    """The certificate of a model whose pieces cost lambda each, and what outcomes cost, if they
    have costs."""
    if counts.outcomes is not None:
        yield from wrong_costs(counts)
        if not comparable(counts):
            return
    if "certificate" in document and counts.total:
        yield from with_pieces(document["certificate"], counts)


def with_pieces(certificate: Mapping[str, Any], counts: Counts) -> Iterator[Finding]:
    """The objective errors/n, or the mean cost, and lambda * pieces; nothing without lambda."""
    if (penalty := certificate["exact"]["regularization"]) is not None:
        paid, worth = counts.lost
        cost = Fraction(paid, worth) + Fraction(penalty) * counts.pieces
        how = f"{counts.amount(paid)}/{counts.amount(worth)} + {counts.pieces} x {penalty}"
        yield certified(certificate, cost, how)


def certified(certificate: Mapping[str, Any], found: Fraction, how: str) -> Finding:
    """Whether a certificate has the objective that was counted here, in every family. how: the
    sum."""
    objective = Fraction(certificate["exact"]["objective"])
    said = f"{how} = {found}; the certificate says {objective}"
    return Finding("objective", found == objective, said)


def not_refuted(certificate: Mapping[str, Any], best: Fraction, what: str) -> Finding:
    """Other models of the same antecedents are attempts to refute the lower bound."""
    lower = Fraction(certificate["exact"]["lower_bound"])
    return Finding("not refuted", best >= lower, f"best of {what}: {best}; lower bound {lower}")


STATED = ("names", "kinds", "asked", "default_only")  # of outcomes; the scale is only a unit


def comparable(counts: Counts) -> bool:
    """Whether the rows have costs of the outcomes that the model has, if it has any."""
    if counts.outcomes is None or counts.costs is None:
        return counts.outcomes is None
    here, stated = counts.costs.outcomes, counts.outcomes
    return all(getattr(here, name) == getattr(stated, name) for name in STATED)


def wrong_costs(
    counts: Counts, may: Mapping[Decider, Sequence[int]] | None = None
) -> Iterator[Finding]:
    """A finding for each decider with an outcome that costs something else than the model says, or
    which is right for another weight; one alone if the rows have no such costs.

    The model has outcomes. may: of deciders that have to say the cheapest one, what they may say.
    """
    outcomes, known = counts.outcomes, counts.costs
    assert outcomes is not None
    if known is None or not comparable(counts):
        here = "none are known"
        if known is not None:
            here = ", ".join(f"{name} {getattr(known.outcomes, name)}" for name in STATED)
        yield Finding("costs", False, f"the outcomes here: {here}")
        return
    scale, stated, may = known.outcomes.scale, outcomes.scale, may or {}
    of_costs, of_right = (
        counts.decided_by(counts.deciders, of) for of in (counts.paid, counts.right)
    )
    rows = zip(counts.deciders, of_costs, of_right, strict=True)
    for number, (decider, costs, rights) in enumerate(rows):
        right = rights[decider.outcome]
        if [cost * stated for cost in costs] != [cost * scale for cost in decider.costs]:
            each = (float(cost * counts.table.unit / scale) for cost in costs)
            amounts_text = ", ".join(f"{cost:g}" for cost in each)
            yield Finding(counts.name(number), False, f"the outcomes cost {amounts_text}")
        elif decider.right not in (None, right):
            yield Finding(counts.name(number), False, f"it is right for {counts.amount(right)}")
        elif decider in may and costs[decider.outcome] != min(costs[one] for one in may[decider]):
            yield Finding(counts.name(number), False, "that is not the cheapest outcome")


def begun_so(statement: Mapping[str, Any], counts: Counts) -> Iterator[Finding]:
    """A finding if first rules are stated."""
    given = statement.get("first")
    if not given:
        return
    wrong = []
    for number, one in enumerate(given):
        decider = counts.deciders[number] if number < len(counts.deciders) - 1 else None
        asked = [] if decider is None else [a.to_json()["conditions"] for a in decider.antecedents]
        said = None if decider is None else counts.says[decider.outcome]
        if asked != [one["conditions"]] or one["then"] not in (None, said):
            wrong.append(f"rule {number + 1} is not 'if {one['name']}'")
    then = ("" if one["then"] is None else f" then {one['then']}" for one in given)
    rules = "; ".join(f"if {one['name']}{said}" for one, said in zip(given, then, strict=True))
    yield Finding("first rules", not wrong, "; ".join(wrong) or rules)


def on_their_sides(statement: Mapping[str, Any], counts: Counts) -> Iterator[Finding]:
    """A finding if directions are stated."""
    directions = statement.get("directions")
    if not directions:
        return
    wrong = []
    for number, decider in enumerate(counts.deciders):
        if not sides_allow(decider, directions, counts)[decider.outcome]:
            wrong.append(f"{counts.name(number)}, then {counts.says[decider.outcome]}")
    stated = ", ".join(f"{one['column']} {one['direction']}" for one in directions)
    detail = f"{stated}; {'; '.join(wrong)} says the contrary" if wrong else stated
    yield Finding("directions", not wrong, detail)


def sides_allow(decider: Decider, directions: Any, counts: Counts) -> NDArray[np.bool_]:
    """Which outcomes the directions leave a decider to say, bool[O]."""
    outcomes = counts.outcomes
    kinds = ["class"] * len(counts.says) if outcomes is None else list(outcomes.kinds)
    found = [asked(a.to_json()["conditions"], directions) for a in decider.antecedents]
    if decider.stated is not None:
        rises = all(sides <= {UP} for sides in found)
        return np.full(len(kinds), rises)
    rows = (np.array(allowed(sides, kinds)) for sides in found)
    return reduce(and_, rows, np.ones(len(kinds), dtype=np.bool_))
