"""Rule sets: a class is predicted if any clause holds (DNF), or if all do (CNF).

    DNF   label = 1  if  (a and b) or (c and d)
    CNF   label = 1  if  (a or b) and (c or d)

With two classes there is one set, for the positive class, and the other class gets the rest. With
more there is one set for each class, learned against the rest; they are asked in order of their
precision on the training data, the first that holds decides, and a default class gets the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from corels.errors import InputError
from corels.model import Certificate, Clause, Decider, Model
from corels.model.coherence import antecedent_document, check_model, class_number
from corels.model.weighing import amount
from corels.options import exact_number
from corels.problem import ClassLabel
from corels.tables import Antecedent
from corels_colgen.solver import PRICES

if TYPE_CHECKING:
    from corels.problem.costs import Outcomes
    from corels_colgen.document import RuleSetDocument, SetPart

# How clauses are put together, and what is within a clause.
JOINED: dict[str, tuple[Literal["any", "all"], Literal["and", "or"]]] = {
    "dnf": ("any", "and"),
    "cnf": ("all", "or"),
}


@dataclass(frozen=True, slots=True)
class RuleClause:
    """Conditions joined by "and" (DNF) or "or" (CNF). counts: training weight that satisfies it."""

    conditions: tuple[Antecedent, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ClauseSet:
    """The clauses of one class. target: its index into the classes.

    counts: training weight, per class, that this set decides. hamming: its Hamming loss, in
    training weight: what is missed once, what is wrongly caught once for each clause. missed: the
    first of the two; None if it is not known. costs: of each class for what it decides, in the
    scale of the outcomes; paid, paid_missed: the Hamming loss, and what is missed, in what they
    cost; nothing and 0 if classes have no costs.
    """

    target: int
    clauses: tuple[RuleClause, ...]
    counts: tuple[int, ...]
    hamming: int
    missed: int | None = None
    costs: tuple[int, ...] = ()
    paid: int = 0
    paid_missed: int = 0

    @property
    def complexity(self) -> int:
        """1 a clause and 1 a condition."""
        return sum(1 + len(clause.conditions) for clause in self.clauses)

    def costs_document(self) -> dict[str, Any]:
        """The entries about costs; none if classes have no costs."""
        if not self.costs:
            return {}
        return {"costs": list(self.costs), "paid": self.paid, "paid_missed": self.paid_missed}


@dataclass(frozen=True)
class RuleSet(Model):
    """A Boolean rule set. `default` is the class of the rows that no set claims.

    outcomes: its two classes, if these have costs; default_costs: of each for the default.
    """

    schema: ClassVar[str] = "corels/rule-set"
    version: ClassVar[int] = 1

    form: str
    sets: tuple[ClauseSet, ...]
    default: int
    default_counts: tuple[int, ...]
    classes: tuple[ClassLabel, ...]
    label_name: str = "label"
    outcomes: Outcomes | None = None
    default_costs: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Raises InputError for what is no rule set."""
        if self.form not in JOINED:
            raise InputError(f"the form of a rule set is {self.form!r}: expected dnf or cnf")
        last = len(self.classes) - 1
        for place in (*(one.target for one in self.sets), self.default):
            if not 0 <= place <= last:
                raise InputError(f"a rule set predicts class {place}: expected 0 to {last}")
        check_model(self.deciders(), self.classes, self.outcomes)

    def objective_text(self, certificate: Certificate) -> str:
        """The Hamming loss as a share of the rows, and the penalties that were asked for."""
        extra = certificate.extra
        weight = float(exact_number(extra.get("positive_weight", 1)))
        loss = (
            f"{weight:g} for a row of its class that no clause catches, and 1 for another row for "
            "each clause that catches it"
        )
        if extra.get("loss") == "errors":
            loss = f"{weight:g} for a row of its class that it misses, 1 for another that it claims"
        elif self.form == "cnf":
            loss = (
                "1 for a row of another class that meets all clauses, and "
                f"{weight:g} for a row of its class for each clause that it does not meet"
            )
        parts = [f"A {self.family} costs, as a share of the rows, {loss}"]
        for name, each in (("penalty_clause", "clause"), ("penalty_condition", "condition")):
            if penalty := exact_number(extra.get(name, 0)):
                parts.append(f"{float(penalty):g} more for each {each}")
        return "; ".join(parts) + "."

    @property
    def complexity(self) -> int:
        """1 a clause and 1 a condition."""
        return sum(one.complexity for one in self.sets)

    @property
    def hamming(self) -> int:
        """Hamming loss in training weight, before the weight of the positive class."""
        return sum(one.hamming for one in self.sets)

    total = Model.training_weight

    def within(self, limit: str) -> int | None:
        if limit == "max_complexity":  # of each class that gets a set
            return max((one.complexity for one in self.sets), default=0)
        if limit == "max_conditions_a_clause":
            sizes = (len(clause.conditions) for one in self.sets for clause in one.clauses)
            return max(sizes, default=0)
        return super().within(limit)

    def deciders(self) -> tuple[Decider, ...]:
        quantity, join = JOINED[self.form]
        sets = (
            Decider(
                one.target,
                one.counts,
                tuple(Clause(c.conditions, join, c.counts) for c in one.clauses),
                quantity,
                costs=one.costs,
                right=_of_class(one.counts, one.target) if one.costs else None,
            )
            for one in self.sets
        )
        right = _of_class(self.default_counts, self.default) if self.default_costs else None
        rest = Decider(self.default, self.default_counts, costs=self.default_costs, right=right)
        return (*sets, rest)

    def closing(self) -> tuple[str, ...]:
        clauses = "1 clause" if len(self) == 1 else f"{len(self)} clauses"
        loss, errors, of = (
            amount(self, one) for one in (self.hamming, self.errors, self.training_weight)
        )
        weighed = "" if self.weighing is None else " (weights)"
        return (
            f"complexity {self.complexity} ({clauses}), Hamming loss {loss}, "
            f"errors {errors} of {of}{weighed}",
            *self._closing_of_costs(),
        )

    def _closing_of_costs(self) -> tuple[str, ...]:
        """What the predictions cost, and what is minimised: false positives count for each clause
        that catches them."""
        if self.outcomes is None or not self.training_weight:
            return ()
        paid = sum(one.paid for one in self.sets)
        loss = float(paid / (self.outcomes.scale * self.training_weight))
        return tuple(f"{line}, mean Hamming cost {loss:.6g}" for line in super().closing())

    def to_document(self) -> dict[str, Any]:
        return {
            **self.head(),
            "form": self.form,
            "sets": [
                {
                    "then": self.classes[one.target],
                    "clauses": [
                        {
                            "conditions": [antecedent_document(c) for c in clause.conditions],
                            "counts": list(clause.counts),
                        }
                        for clause in one.clauses
                    ],
                    "counts": list(one.counts),
                    "hamming": one.hamming,
                    "missed": one.missed,
                    **one.costs_document(),
                }
                for one in self.sets
            ],
            "default": self.classes[self.default],
            "default_counts": list(self.default_counts),
            "complexity": self.complexity,
            "errors": self.errors,
            **({} if self.outcomes is None else {"outcomes": self.outcomes.to_document()}),
            **({"default_costs": list(self.default_costs)} if self.default_costs else {}),
        }

    @classmethod
    def document_type(cls) -> type[RuleSetDocument]:
        from corels_colgen.document import RuleSetDocument

        return RuleSetDocument

    @classmethod
    def read(cls, found: RuleSetDocument) -> RuleSet:
        from corels_colgen.document import outcomes_of

        classes = tuple(found.classes)
        return cls(
            form=found.form,
            sets=tuple(_set_from(part, classes) for part in found.sets),
            default=class_number(found.default, classes),
            default_counts=tuple(found.default_counts),
            classes=classes,
            label_name=found.label,
            outcomes=outcomes_of(found),
            default_costs=tuple(found.default_costs or ()),
        )

    def contradictions(self, found: RuleSetDocument) -> Iterator[str]:
        for number, one in enumerate(self.sets, 1):
            if one.missed is not None and one.missed > one.hamming:
                yield f"set {number} misses {one.missed}, more than its Hamming loss {one.hamming}"
            if one.paid_missed > one.paid:
                yield f"set {number} pays {one.paid_missed} for what it misses, {one.paid} in all"
        for name in ("complexity", "errors"):
            stated, counted = getattr(found, name), getattr(self, name)
            if stated != counted:
                yield f"the rule-set document states {name} {stated}, its parts say {counted}"

    def counted_objective(self, certificate: Certificate) -> Fraction | None:
        """Hamming loss with the certificate's weight of a positive, or in what outcomes cost, and
        the penalties."""
        prices = [certificate.extra.get(name) for name in PRICES]
        if not self.training_weight or any(price is None for price in prices):
            return None
        if any(one.missed is None for one in self.sets):
            return None
        try:
            weight, clause, condition = (exact_number(price) for price in prices)
        except ValueError:
            raise InputError("the certificate has a price that is not a number") from None
        if certificate.extra.get("loss") == "errors":
            loss = self._loss_by_errors(weight)
        else:
            missed = sum(one.missed or 0 for one in self.sets)
            caught = self.hamming - missed
            loss = weight * missed + caught if self.form == "dnf" else missed + weight * caught
            if self.outcomes is not None:
                loss = Fraction(sum(one.paid for one in self.sets), self.outcomes.scale)
        conditions = sum(len(c.conditions) for one in self.sets for c in one.clauses)
        return Fraction(loss) / self.training_weight + clause * len(self) + condition * conditions

    def _loss_by_errors(self, weight: Fraction) -> Fraction:
        """Of two classes: what wrong predictions cost; weight: of a missed positive row."""
        if self.outcomes is not None:
            return Fraction(self.paid, self.outcomes.scale)
        false, missed = self.sets[0].counts[self.default], self.default_counts[self.sets[0].target]
        return weight * missed + false


def _of_class(counts: Sequence[int], target: int) -> int:
    """Of a file's counts, which may be too few: `check_model` says so."""
    return sum(counts[target : target + 1])


def _set_from(part: SetPart, classes: tuple[ClassLabel, ...]) -> ClauseSet:
    clauses = tuple(RuleClause(tuple(c.conditions), tuple(c.counts)) for c in part.clauses)
    own = class_number(part.then, classes), clauses, tuple(part.counts), part.hamming, part.missed
    return ClauseSet(*own, tuple(part.costs or ()), part.paid or 0, part.paid_missed or 0)
