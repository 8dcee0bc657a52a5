"""Rule lists: if ... then ..., else if ... then ..., else ...

A row is captured by the first rule whose antecedent it satisfies; the default rule takes the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from corels.antecedents import Antecedent
from corels.errors import InputError
from corels.model.certificate import Certificate
from corels.model.model import Model
from corels.model.naming import antecedent_document
from corels.model.printable import printable
from corels.model.rows import Rows
from corels.model.rule import Rule
from corels.problem import ClassLabel, Problem
from corels.problem.captures import unpack

if TYPE_CHECKING:
    from corels.model.schema import RulePart


@dataclass(frozen=True)
class RuleList(Model):
    """A rule list; `rules` without the default rule, which is `default`.

    The old package's lists, dictionaries of signed feature numbers, are `corels_classic.RuleList`.
    """

    schema: ClassVar[str] = "corels/rule-list"
    version: ClassVar[int] = 1

    rules: tuple[Rule, ...]
    default: Rule
    classes: tuple[ClassLabel, ...]
    label_name: str = "label"

    def __post_init__(self) -> None:
        if not isinstance(self.default, Rule):
            raise TypeError(
                f"the default rule of a RuleList is a Rule, not {type(self.default).__name__}; "
                "rules as dictionaries, as in the old package, make a corels.classic.RuleList"
            )

    def __len__(self) -> int:
        """The number of rules, the default rule not counted (K of the objective)."""
        return len(self.rules)

    def __iter__(self) -> Iterator[Rule]:
        """All rules in order, the default rule last."""
        return iter((*self.rules, self.default))

    @property
    def total(self) -> int:
        """Training weight."""
        return sum(rule.captured for rule in self)

    @property
    def errors(self) -> int:
        """Training weight that is predicted wrongly."""
        return sum(rule.captured - rule.correct for rule in self)

    def objective(self, regularization: Fraction) -> Fraction:
        """R(d) = errors/n + lambda * length."""
        return Fraction(self.errors, self.total) + regularization * len(self)

    def cost(self, problem: Problem) -> int:
        """The scaled cost in the problem that it was learned from, whatever its regularization."""
        return problem.unit * self.errors + problem.rule_cost * len(self)

    def capturing(self, data: Any) -> NDArray[np.intp]:
        """For each row the number of the rule that captures it; `len(self)` is the default rule."""
        return Rows(data).first_capturing(rule.antecedent for rule in self.rules)

    def predict_indices(self, data: Any) -> NDArray[np.intp]:
        """Index into `classes` for each row."""
        return np.array([rule.prediction for rule in self], dtype=np.intp)[self.capturing(data)]

    def predict_proba(self, data: Any) -> NDArray[np.float64]:
        """float64[N, C]: class frequencies of the rule that captures each row."""
        return np.array([rule.frequencies for rule in self])[self.capturing(data)]

    def to_text(self) -> str:
        """One rule a line, with the training weight captured and the share that is right."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        heads = [
            f"{'if' if i == 0 else 'else if'} {printable(rule.antecedent)}"
            for i, rule in enumerate(self.rules)
        ]
        heads.append("else" if self.rules else "always")
        width = max(map(len, heads))
        for head, rule in zip(heads, self, strict=True):
            then = printable(f"{self.label_name} = {self.classes[rule.prediction]}")
            share = f"{rule.correct / rule.captured:6.1%}" if rule.captured else "     -"
            yield f"{head:<{width}}  then {then}   ({rule.correct} of {rule.captured}, {share})"

    def to_latex(self) -> str:
        """A LaTeX `tabular`; see `corels.export`."""
        from corels.export import to_latex

        return to_latex(self)

    def to_python(self, function: str = "predict") -> str:
        """A plain Python function of one row; see `corels.export`."""
        from corels.export import to_python

        return to_python(self, function)

    def to_sql(
        self, *, dialect: str = "ansi", table: str | None = None, booleans: str = "number"
    ) -> str:
        """A SQL CASE expression; see `corels.export`."""
        from corels.export import to_sql

        return to_sql(self, dialect=dialect, table=table, booleans=booleans)

    def to_html(self) -> str:
        """An HTML table; see `corels.export`."""
        from corels.export import to_html

        return to_html(self)

    def to_markdown(self) -> str:
        """A Markdown table; see `corels.export`."""
        from corels.export import to_markdown

        return to_markdown(self)

    def _repr_html_(self) -> str:
        """What notebooks show."""
        return self.to_html()

    def to_document(self) -> dict[str, Any]:
        """JSON-ready; class counts included, so that probabilities survive the journey."""
        return {
            "schema": self.schema,
            "version": self.version,
            "label": self.label_name,
            "classes": list(self.classes),
            "rules": [
                {
                    "if": antecedent_document(rule.antecedent) if rule.antecedent else None,
                    "then": self.classes[rule.prediction],
                    "counts": list(rule.counts),
                }
                for rule in self
            ],
        }

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> RuleList:
        """Read what `to_document` wrote. Raises InputError naming what is wrong."""
        from corels.model.coherence import check_classes, check_total
        from corels.model.schema import RuleListDocument, check_schema, validated

        check_schema(document, cls.schema, cls.version)
        found = validated(document, RuleListDocument, "the rule-list document")
        classes = tuple(found.classes)
        check_classes(classes)
        *listed, default = (_rule(part, classes) for part in found.rules)
        if default.antecedent is not None or any(r.antecedent is None for r in listed):
            raise InputError("the rule-list document needs exactly one default rule, the last one")
        model = cls(tuple(listed), default, classes, found.label)
        check_total(model.total)
        return model

    def counted_objective(self, certificate: Certificate) -> Fraction | None:
        """What the list costs by its own counts; None without a price of a rule."""
        if certificate.regularization is None or not self.total:
            return None
        return self.objective(certificate.regularization)

    @property
    def training_weight(self) -> int:
        """The same as `total`, as every family has it."""
        return self.total

    @property
    def antecedents(self) -> tuple[Antecedent, ...]:
        """What the rules ask, in order."""
        return tuple(rule.antecedent for rule in self.rules if rule.antecedent is not None)


def rule_list(problem: Problem, antecedents: Sequence[int]) -> RuleList:
    """The rule list with these antecedents (indices into the problem) in this order.

    Each rule predicts the majority class of what it captures; of equal classes the first one.
    """
    captures = unpack(problem.masks[list(antecedents)], problem.n_points)
    free = np.ones(problem.n_points, dtype=np.bool_)
    rules = []
    for index, captured in zip(antecedents, captures, strict=True):
        rules.append(_majority(problem, problem.antecedents[index], free & captured))
        free &= ~captured
    default = _majority(problem, None, free)
    return RuleList(tuple(rules), default, problem.classes, problem.label_name)


def _majority(problem: Problem, antecedent: Antecedent | None, cell: NDArray[np.bool_]) -> Rule:
    counts = problem.weights[:, cell].sum(axis=1)
    return Rule(antecedent, int(counts.argmax()), tuple(int(count) for count in counts))


def _rule(part: RulePart, classes: tuple[ClassLabel, ...]) -> Rule:
    from corels.model.coherence import class_number, read_antecedent

    antecedent = None if part.condition is None else read_antecedent(part.condition)
    if len(part.counts) != len(classes):
        raise InputError(
            "the rule-list document is incomplete or malformed: "
            f"{len(part.counts)} counts for {len(classes)} classes"
        )
    return Rule(antecedent, class_number(part.then, classes), tuple(part.counts))
