"""What independent checks count with: raw rows, read one by one in plain Python.

A check holds the deciders of a document against the raw columns of the data. It shares no code with
the engines, with the predictions of models or with the evaluation of conditions, so that a mistake
in one of them shows as a disagreement. Conditions on raw values are those that the
checkers of proofs share. `Counts` has what was counted; what is special to a family (an order, a
price) is for its `Solver.recount`.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import permutations
from typing import TYPE_CHECKING, Any

from corels.check.finding import Finding
from corels.check.points import Table, holds
from corels.errors import InputError

if TYPE_CHECKING:
    from corels.model.decider import Clause, Decider
    from corels.model.model import Model
    from corels.problem.costs import Outcomes

MOST_PERMUTED = 6  # deciders; all 1,957 lists of at most six of them


@dataclass(frozen=True)
class Evidence(Table):
    """The raw table that a model is held against.

    label_name: what the data calls the label, None if it has no name for it. unit: what a weight of
    1 stands for.
    """

    label_name: str | None = None
    unit: Fraction = Fraction(1)


Conditions = Sequence[Mapping[str, Any]]
Pattern = tuple[bool, ...]  # which of some conjunctions hold
Cells = Mapping[Pattern, Counter[int]]  # pattern -> class -> weight


def patterns(asked: Sequence[Conditions], evidence: Evidence) -> Iterator[Pattern]:
    """Of each row, which conjunctions hold.

    Rows with the same pattern fare alike in every model of these conjunctions.
    """
    columns = evidence.columns
    needed = sorted({c["column"] for conjunction in asked for c in conjunction})
    for name in needed:
        if name not in columns:
            raise InputError(f"the data has no column {name!r}, which the model asks for")
    values = zip(*(columns[name] for name in needed), strict=True) if needed else None
    for _ in evidence.labels:
        row = dict(zip(needed, next(values), strict=True)) if values else {}
        yield tuple(all(holds(c, row[c["column"]]) for c in one) for one in asked)


def count_cells(
    of_rows: Iterable[Pattern], classes: Sequence[Any], evidence: Evidence
) -> tuple[Cells, Cells]:
    """In the rows of the same pattern: the weight of each class; and what each of O outcomes costs,
    and under O + its number the weight that it is right for."""
    numbers = {str(label): index for index, label in enumerate(classes)}
    cells: dict[Pattern, Counter[int]] = {}
    paid: dict[Pattern, Counter[int]] = {}
    of_costs = [] if evidence.costs is None else [evidence.costs.amounts, evidence.costs.right]
    costs = [amounts for part in of_costs for amounts in part.tolist()]
    for at, (pattern, label) in enumerate(zip(of_rows, evidence.labels, strict=True)):
        if str(label) not in numbers:
            raise InputError(f"row {at + 1} has the class {label!r}, which the model has not")
        weight = 1 if evidence.weights is None else int(evidence.weights[at])
        cells.setdefault(pattern, Counter())[numbers[str(label)]] += weight
        if costs:
            of_outcomes = {outcome: weight * of[at] for outcome, of in enumerate(costs)}
            paid.setdefault(pattern, Counter()).update(of_outcomes)
    return cells, paid


class Counts:
    """The rows of some data, counted by what a model's deciders ask.

    Rows in which the same antecedents hold fare alike, so they are counted by patterns.

    Attributes:
        deciders, classes, outcomes: of the model. evidence: the data.
        antecedents: the different antecedents that it asks, as plain data with name and conditions.
        cells: pattern of `antecedents` -> class -> weight.
        decided: of each decider the class weights that it decides.
        costs: of each row, or None; paid: pattern -> outcome -> cost, in the scale of `costs`, and
            O + outcome -> the weight that it is right for.
        stated_unit: what a weight of 1 stands for in the model's document.
    """

    def __init__(
        self,
        deciders: Sequence[Decider],
        classes: Sequence[Any],
        evidence: Evidence,
        outcomes: Outcomes | None = None,
    ) -> None:
        self.deciders, self.classes, self.outcomes = deciders, classes, outcomes
        self.pieces = sum(len(decider.clauses) for decider in deciders)  # that cost lambda
        self.says = classes if outcomes is None else outcomes.names
        asked = [one.to_json() for decider in deciders for one in decider.antecedents]
        distinct = {_key(one): one for one in asked}
        self.antecedents = list(distinct.values())
        numbers = {key: number for number, key in enumerate(distinct)}
        self._places = {  # of each clause, its antecedents as places in a pattern
            clause: [numbers[_key(one.to_json())] for one in clause.antecedents]
            for decider in deciders
            for clause in decider.clauses
        }
        self.evidence, self.costs, self.stated_unit = evidence, evidence.costs, evidence.unit
        self.cells, self.paid = count_cells(self._patterns(), classes, evidence)
        self.decided = self.decided_by(deciders)

    def amount(self, weight: int | Fraction) -> str:
        """A weight that was counted here, in the unit that was given."""
        return _in_unit(weight, self.evidence.unit)

    def stated_amount(self, weight: int | Fraction) -> str:
        """A weight of the model's document, in the unit that was given."""
        return _in_unit(weight, self.stated_unit)

    @property
    def size(self) -> str:
        """How much was counted: '300 rows', or with weights 'a weight of 356.25'."""
        whole = self.amount(self.total)
        return f"{whole} rows" if self.evidence.weights is None else f"a weight of {whole}"

    @property
    def total(self) -> int:
        """The weight of all rows."""
        return sum(sum(weights.values()) for weights in self.cells.values())

    def satisfied(self, clause: Clause, pattern: Pattern) -> bool:
        """Whether a clause holds for the rows of a pattern."""
        held = [pattern[place] for place in self._places[clause]]
        return all(held) if clause.join == "and" else any(held)

    def holds(self, decider: Decider, pattern: Pattern) -> bool:
        """Whether a decider holds for the rows of a pattern."""
        held = [self.satisfied(clause, pattern) for clause in decider.clauses]
        if decider.quantity == "points":
            worth = zip(decider.points, held, strict=True)
            return sum(points for points, one in worth if one) >= decider.threshold
        return any(held) if decider.quantity == "any" else all(held)

    def where(self, clause: Clause) -> list[int]:
        """The weight of each class that satisfies a clause."""
        held = [w for pattern, w in self.cells.items() if self.satisfied(clause, pattern)]
        return [sum(weights[number] for weights in held) for number in range(len(self.classes))]

    @cached_property
    def said(self) -> list[int]:
        """The outcome that the model gives each row."""
        of = cache(lambda pattern: next(d.outcome for d in self.deciders if self.holds(d, pattern)))
        return [of(pattern) for pattern in self._patterns()]

    def _patterns(self) -> Iterator[Pattern]:
        return patterns([one["conditions"] for one in self.antecedents], self.evidence)

    def decided_by(
        self, deciders: Sequence[Decider], cells: Cells | None = None
    ) -> list[Counter[int]]:
        """The class weights that each of these decides: the first that holds; or sums of `paid`."""
        found: list[Counter[int]] = [Counter() for _ in deciders]
        for pattern, weights in (self.cells if cells is None else cells).items():
            first = next(n for n, one in enumerate(deciders) if self.holds(one, pattern))
            found[first].update(weights)
        return found

    @property
    def lost(self) -> tuple[int, int | Fraction]:
        """(errors, the weight of all rows); or what is said costs, in the scale of `costs`, and the
        weight times that scale."""
        if self.outcomes is None or self.costs is None:
            rows = zip(self.deciders, self.decided, strict=True)
            return sum(found.total() - found[one.outcome] for one, found in rows), self.total
        rows = zip(self.deciders, self.decided_by(self.deciders, self.paid), strict=True)
        paid = sum(found[one.outcome] for one, found in rows)
        return paid, self.total * self.costs.outcomes.scale

    def reordered(
        self, cells: Cells | None = None
    ) -> Iterator[tuple[list[Decider], list[Counter[int]]]]:
        """Every list of some of these deciders, in any order, and what it decides; the last stays
        last. cells: as of `decided_by`.

        Attempts to refute a lower bound; none where there are too many.
        """
        *rules, rest = self.deciders
        if len(rules) <= MOST_PERMUTED:
            for number in range(len(rules) + 1):
                for order in permutations(rules, number):
                    yield [*order, rest], self.decided_by([*order, rest], cells)

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
        for number, (decider, found) in enumerate(zip(self.deciders, self.decided, strict=True)):
            counts = [found[index] for index in range(len(self.classes))]
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


def label(document: Mapping[str, Any], evidence: Evidence) -> Iterator[Finding]:
    """Whether the model predicts what the data calls its label."""
    if evidence.label_name is not None:
        stated, name = document["label"], evidence.label_name
        same = "" if stated == name else f", {stated!r} in the model"
        yield Finding("label", stated == name, f"{name!r} here{same}")


def priced(
    document: Mapping[str, Any], counts: Counts, pieces: int | None = None
) -> Iterator[Finding]:
    """The certificate of a model whose clauses cost lambda each: errors/n, or the mean cost, and
    lambda * clauses; and what outcomes cost, where they have costs.

    pieces: how many pieces cost lambda each, if the model's own number is not to be taken.
    """
    if counts.outcomes is not None:
        from corels.check.recount_costs import comparable, wrong_costs

        yield from wrong_costs(counts)
        if not comparable(counts):
            return
    certificate = document.get("certificate")
    if certificate is None or not counts.total:
        return
    penalty = certificate["exact"]["regularization"]
    if penalty is None:
        yield from certified(certificate, None, "")
        return
    if pieces is None:
        pieces = counts.pieces
    paid, worth = counts.lost
    cost = Fraction(paid, worth) + price(penalty) * pieces
    how = f"{counts.amount(paid)}/{counts.amount(worth)} + {pieces} x {penalty}"
    yield from certified(certificate, cost, how)


def within_limits(certificate: Mapping[str, Any], model: Model) -> Iterator[Finding]:
    """Whether a model is one of those among which it is certified."""
    for name, limit in certificate.get("limits", {}).items():
        if (found := model.within(name)) is not None:
            holds = found >= int(limit) if name.startswith("min_") else found <= int(limit)
            yield Finding("limits", holds, f"{name} {limit}: the model has {found}")


def certified(
    certificate: Mapping[str, Any], found: Fraction | None, how: str
) -> Iterator[Finding]:
    """What a certificate says of its numbers, in every family.

    found: the objective that was counted here, None if the document lacks a price; how: the sum.
    """
    exact = certificate["exact"]
    objective, lower = Fraction(exact["objective"]), Fraction(exact["lower_bound"])
    if found is not None:
        said = f"{how} = {found}; the certificate says {objective}"
        yield Finding("objective", found == objective, said)
    yield _fitting(certificate, objective, lower)


def _fitting(certificate: Mapping[str, Any], objective: Fraction, lower: Fraction) -> Finding:
    """Whether a certificate agrees with itself."""
    gap, stopped = objective - lower, certificate["stopped"]
    numbers = {"objective": objective, "lower_bound": lower, "gap": gap}
    wrong = [
        f"{name} is {certificate[name]} and also {exactly}"
        for name, exactly in numbers.items()
        if not _close(certificate.get(name), exactly)
    ]
    if not 0 <= lower <= objective:
        wrong.append(f"the lower bound is {lower}, the objective {objective}")
    if certificate["optimal"] != (gap == 0):
        wrong.append(f"it says optimal: {str(certificate['optimal']).lower()}, with a gap of {gap}")
    if (stopped == "certified") != (gap == 0):
        wrong.append(f"it says {stopped!r}, with a gap of {gap}")
    settles = ("stopped",) if gap == 0 else ()
    detail = "; ".join(wrong) or f"it agrees with itself, with a gap of {gap}"
    return Finding("certificate", not wrong, detail, settles=settles)


def _close(stated: Any, exactly: Fraction) -> bool:
    return stated is None or math.isclose(stated, exactly, rel_tol=1e-12, abs_tol=1e-12)


def price(text: object) -> Fraction:
    """A price of a document. Raises InputError for what is not a fraction of moderate length."""
    if not re.fullmatch(r"[0-9]{1,200}(/0*[1-9][0-9]{0,200})?", str(text)):
        raise InputError(f"the model document has the price {str(text)[:40]!r}")
    return Fraction(str(text))


def not_refuted(certificate: Mapping[str, Any], best: Fraction, what: str) -> Finding:
    """Other models of the same antecedents are attempts to refute the lower bound."""
    lower = Fraction(certificate["exact"]["lower_bound"])
    return Finding("not refuted", best >= lower, f"best of {what}: {best}; lower bound {lower}")
