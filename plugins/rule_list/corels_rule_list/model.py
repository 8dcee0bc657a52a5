"""Rule lists: if ... then ..., else if ... then ..., else ...

A row is captured by the first rule whose antecedent it satisfies; the default rule takes the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from corels.errors import InputError, OptionError
from corels.model.certificate import Certificate
from corels.model.coherence import antecedent_document, check_model
from corels.model.decider import Decider
from corels.model.model import Model
from corels.problem import ClassLabel, PlainRules, Problem
from corels.problem.counting import Cell, captured_in_order, shortened
from corels.tables import Antecedent

if TYPE_CHECKING:
    from corels.problem.costs import Outcomes
    from corels_rule_list.document import RuleListDocument


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule, or the default rule (`antecedent` None).

    prediction: index into the list's classes, or into its outcomes if these have costs. counts:
    training weight captured, per class. costs, right: as of a `Decider`.
    """

    antecedent: Antecedent | None
    prediction: int
    counts: tuple[int, ...]
    costs: tuple[int, ...] = ()
    right: int | None = None

    @property
    def decider(self) -> Decider:
        """The same, as every family's models have it."""
        own = self.antecedent, self.prediction, self.counts
        return Decider.rule(*own, costs=self.costs, right=self.right)

    @property
    def captured(self) -> int:
        """Training weight that this rule captures."""
        return sum(self.counts)

    @property
    def correct(self) -> int:
        """Of it, the weight that the prediction is right for."""
        return self.decider.correct

    @property
    def frequencies(self) -> tuple[float, ...]:
        """Share of each class among the captured; uniform if nothing is captured."""
        return self.decider.frequencies


@dataclass(frozen=True)
class RuleList(Model):
    """A rule list; `rules` without the default rule, which is `default`.

    Called as in the old package, with dictionaries of signed feature numbers or with nothing, it
    makes a list of that package, which is `corels_classic.RuleList` and no kind of this class.
    """

    schema: ClassVar[str] = "corels/rule-list"
    version: ClassVar[int] = 1

    rules: tuple[Rule, ...]
    default: Rule
    classes: tuple[ClassLabel, ...]
    label_name: str = "label"
    outcomes: Outcomes | None = None

    def __new__(cls, *given: Any, **named: Any) -> Any:
        """A list, or one of the old package if it is called as there: with its three arguments,
        fewer, or none."""
        default = named.get("default", given[1] if len(given) > 1 else None)
        old = len(given) <= 3 and named.keys() <= {"rules", "features", "prediction_name"}
        if cls is RuleList and old and not isinstance(default, Rule):
            return import_module("corels.utils").RuleList(*given, **named)
        return super().__new__(cls)

    def __post_init__(self) -> None:
        """Raises InputError for what is no rule list."""
        ends = [isinstance(rule, Rule) and rule.antecedent is None for rule in self]
        if ends != [False] * len(self.rules) + [True]:
            raise InputError("a rule list needs exactly one default rule, the last one")
        check_model(self.deciders(), self.classes, self.outcomes)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles name all arguments: a call without any means the old class."""
        own = self.rules, self.default, self.classes, self.label_name, self.outcomes
        return type(self), own, self.__dict__

    def __len__(self) -> int:
        """The number of rules, the default rule not counted (K of the objective)."""
        return len(self.rules)

    def __iter__(self) -> Iterator[Rule]:
        """All rules in order, the default rule last."""
        return iter((*self.rules, self.default))

    total = Model.training_weight

    @property
    def accuracy(self) -> Fraction:
        """Share of the training weight that the list gets right; if outcomes have costs, of
        the rows for which it says a class or another model's answer."""
        of = 1 - Fraction(self.errors, max(1, self.training_weight))
        return self.shares().get("accuracy", of)

    def objective(self, regularization: Fraction) -> Fraction:
        """R(d) = errors/n + lambda * length, or the mean cost in place of errors/n."""
        return Fraction(self.paid, self.worth) + regularization * len(self)

    @property
    def worth(self) -> int | Fraction:
        """What the objective counts as 1, in the unit of `paid`: n, or the scale of the costs n."""
        return self.total if self.outcomes is None else self.total * self.outcomes.scale

    @property
    def said(self) -> tuple[int, ...]:
        """What each rule predicts, the default rule last."""
        return tuple(rule.prediction for rule in self)

    def numbers(self, problem: Problem) -> list[int]:
        """Its antecedents as indices into the problem; -1 for one that the problem has not."""
        return [problem.numbers.get(rule.antecedent, -1) for rule in self.rules]

    def deciders(self) -> tuple[Decider, ...]:
        return tuple(rule.decider for rule in self)

    def to_document(self) -> dict[str, Any]:
        """JSON-ready; class counts included, so that probabilities survive the journey."""
        return {
            **self.head(),
            **({} if self.outcomes is None else {"outcomes": self.outcomes.to_document()}),
            "rules": [
                {
                    "if": antecedent_document(rule.antecedent) if rule.antecedent else None,
                    "then": self.says[rule.prediction],
                    "counts": list(rule.counts),
                    **({"costs": list(rule.costs), "right": rule.right} if rule.costs else {}),
                }
                for rule in self
            ],
        }

    @classmethod
    def of(
        cls, problem: Problem, antecedents: Sequence[int], said: Sequence[int] | None = None
    ) -> RuleList:
        """The rule list with these antecedents (indices into the problem) in this order.

        said: what each rule says, the default rule last. If not given, each rule predicts the
        majority class of what it captures, or if outcomes have costs says the cheapest one; of
        equals the first.
        """
        return cls._of_cells(problem, captured_in_order(problem, antecedents, said))

    @classmethod
    def offered(
        cls, problem: Problem, rules: PlainRules, most: int | None = None
    ) -> tuple[RuleList, int]:
        """A list that a search is offered, counted on its problem, and its scaled cost there.

        most: so many rules at most; of more, the first ones. Raises OptionError for what is no rule
        list of the problem.
        """
        counted = problem.count(shortened(rules, most))
        for number, rule in enumerate(counted.rules, 1):
            asked = [] if number == len(counted.rules) else [1]
            if rule.quantity or [len(clause) for clause in rule.clauses] != asked:
                raise OptionError(
                    f"the model is no rule list: its rule {number} is not one antecedent"
                )
        antecedents = (rule.clauses[0][0] if rule.clauses else None for rule in counted.rules)
        return cls._of_cells(problem, zip(antecedents, counted.cells, strict=True)), counted.cost

    @classmethod
    def _of_cells(
        cls, problem: Problem, cells: Iterable[tuple[Antecedent | None, Cell]]
    ) -> RuleList:
        *rules, default = (Rule(antecedent, *cell) for antecedent, cell in cells)
        outcomes = None if problem.costs is None else problem.outcomes
        found = cls(tuple(rules), default, problem.classes, problem.label_name, outcomes)
        return found.learned_from(problem)

    @classmethod
    def document_type(cls) -> type[RuleListDocument]:
        from corels_rule_list.document import RuleListDocument

        return RuleListDocument

    @classmethod
    def read(cls, found: RuleListDocument) -> RuleList:
        from corels.model.coherence import class_number

        outcomes = found.outcomes.read(found.classes) if found.outcomes else None
        says = found.classes if outcomes is None else outcomes.names
        *listed, default = (
            Rule(
                part.condition,
                class_number(part.then, says),
                tuple(part.counts),
                tuple(part.costs or ()),
                part.right,
            )
            for part in found.rules
        )
        return cls(tuple(listed), default, tuple(found.classes), found.label, outcomes)

    def counted_objective(self, certificate: Certificate) -> Fraction | None:
        if certificate.regularization is None or not self.total:
            return None
        return self.objective(certificate.regularization)
