"""The ready form of a family's models: nothing but classes and deciders, and a document for them.

    class ShortList(ListedModel):
        schema, version = "my-package/short-list", 1

is a whole model, whose objective is errors/n + lambda * clauses. A family that has to write down
more than its deciders defines `document_type`, `to_document` and `read` of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from corels.errors import InputError
from corels.model.certificate import Certificate
from corels.model.coherence import antecedent_document, check_model
from corels.model.decider import Clause, Decider
from corels.model.model import Model
from corels.problem import ClassLabel, Problem
from corels.problem.counting import captured_in_order

if TYPE_CHECKING:
    from corels.model.schema import DeciderPart
    from corels.problem.costs import Outcomes

Found = TypeVar("Found", bound="ListedModel")


@dataclass(frozen=True)
class ListedModel(Model):
    """A model that is its deciders, in order; the last one always holds."""

    schema: ClassVar[str]
    version: ClassVar[int] = 1

    listed: tuple[Decider, ...]
    classes: tuple[ClassLabel, ...]
    label_name: str = "label"
    outcomes: Outcomes | None = None

    def __post_init__(self) -> None:
        """Raises InputError for what is no model."""
        check_model(self.listed, self.classes, self.outcomes)

    @classmethod
    def of_rules(cls: type[Found], problem: Problem, antecedents: Sequence[int]) -> Found:
        """Rules with these antecedents (indices into the problem) in this order, and what is left.

        Each predicts the majority class of what it captures, or says what costs least if
        outcomes have costs; of equal ones the first.
        """
        listed = tuple(
            Decider.rule(antecedent, cell.outcome, cell.counts, None, cell.costs, cell.right)
            for antecedent, cell in captured_in_order(problem, antecedents)
        )
        outcomes = None if problem.costs is None else problem.outcomes
        found = cls(listed, problem.classes, problem.label_name, outcomes)
        return found.learned_from(problem)

    def deciders(self) -> tuple[Decider, ...]:
        return self.listed

    def counted_objective(self, certificate: Certificate) -> Fraction | None:
        """Errors/n, or the mean cost, + lambda * pieces; None if the certificate has no
        lambda."""
        if certificate.regularization is None or not self.training_weight:
            return None
        scale = 1 if self.outcomes is None else self.outcomes.scale
        mean = Fraction(self.paid, scale * self.training_weight)
        return mean + certificate.regularization * self.pieces

    def to_document(self) -> dict[str, Any]:
        return {
            **self.head(),
            **({} if self.outcomes is None else {"outcomes": self.outcomes.to_document()}),
            "deciders": [self._part(decider) for decider in self.listed],
        }

    def _part(self, decider: Decider) -> dict[str, Any]:
        points = {"points": list(decider.points), "threshold": decider.threshold}
        return {
            "then": self.says[decider.outcome],
            "counts": list(decider.counts),
            **({"costs": list(decider.costs), "right": decider.right} if decider.costs else {}),
            "clauses": [
                {
                    "conditions": [antecedent_document(a) for a in clause.antecedents],
                    "join": clause.join,
                    "counts": list(clause.counts),
                }
                for clause in decider.clauses
            ],
            "quantity": decider.quantity,
            "stated": None if decider.stated is None else str(decider.stated),
            **(points if decider.quantity == "points" else {}),
        }

    @classmethod
    def document_type(cls) -> type[Any]:
        from corels.model.schema import ListedDocument

        return ListedDocument

    @classmethod
    def read(cls: type[Found], found: Any) -> Found:
        """Raises InputError if the last decider is not the one, and the only one, for the rest.

        found: a `document_type`.
        """
        classes = tuple(found.classes)
        outcomes = found.outcomes.read(classes) if found.outcomes else None
        says = classes if outcomes is None else outcomes.names
        listed = tuple(_decider(part, says) for part in found.deciders)
        if any(one.always for one in listed[:-1]):
            raise InputError("the document has a decider that always holds before the last one")
        return cls(listed, classes, found.label, outcomes)


def _decider(part: DeciderPart, says: Sequence[ClassLabel]) -> Decider:
    from corels.model.coherence import class_number

    if not part.quantity and [len(clause.conditions) for clause in part.clauses] not in ([], [1]):
        raise InputError("a decider of several conditions needs a quantity: any, all or points")
    clauses = tuple(Clause(tuple(c.conditions), c.join, tuple(c.counts)) for c in part.clauses)
    stated = None if part.stated is None else Fraction(part.stated)
    own = class_number(part.then, says), tuple(part.counts), clauses, part.quantity, stated
    points = tuple(part.points), part.threshold
    return Decider(*own, tuple(part.costs or ()), part.right, *points)
