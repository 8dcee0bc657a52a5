"""Falling rule lists: if ... then probability, else if ..., with probabilities that only fall."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from corels.antecedents import Antecedent
from corels.errors import InputError
from corels.export.latex import escape
from corels.model import Model
from corels.model.rows import Rows
from corels.problem import ClassLabel, Problem
from corels.problem.captures import unpack
from corels_falling.setting import least_so_far


@dataclass(frozen=True, slots=True)
class FallingRule:
    """One rule, or the else (`antecedent` None): training weight captured, by class."""

    antecedent: Antecedent | None
    positives: int
    negatives: int

    @property
    def captured(self) -> int:
        """Training weight that this rule captures."""
        return self.positives + self.negatives

    @property
    def raw(self) -> Fraction:
        """Share of positives among the captured (0 where nothing is captured)."""
        return Fraction(self.positives, self.captured) if self.captured else Fraction(0)


@dataclass(frozen=True)
class FallingRuleList(Model):
    """A falling, or softly falling, rule list; `rules` without the else, which is `default`.

    The probability that a rule states is the least raw proportion up to it; for a falling list
    the two are the same. A row is called positive where the stated probability is strictly above
    1 / (1 + positive_weight).
    """

    schema: ClassVar[str] = "corels/falling-rule-list"
    version: ClassVar[int] = 1

    rules: tuple[FallingRule, ...]
    default: FallingRule
    classes: tuple[ClassLabel, ...]
    label_name: str = "label"
    positive_weight: Fraction = Fraction(1)
    soft: bool = False

    def __len__(self) -> int:
        """The number of rules, the else not counted."""
        return len(self.rules)

    def __iter__(self) -> Iterator[FallingRule]:
        """All rules in order, the else last."""
        return iter((*self.rules, self.default))

    @property
    def threshold(self) -> Fraction:
        """1 / (1 + w): positive strictly above it, negative at it and below."""
        return 1 / (1 + self.positive_weight)

    @property
    def raw_proportions(self) -> tuple[Fraction, ...]:
        """Share of positives that each rule captures, the else last."""
        return tuple(rule.raw for rule in self)

    @property
    def proportions(self) -> tuple[Fraction, ...]:
        """The probabilities that the list states: they never rise."""
        return tuple(least_so_far(self.raw_proportions))

    @property
    def predictions(self) -> tuple[int, ...]:
        """Index into `classes` for each rule, the else last."""
        return tuple(int(proportion > self.threshold) for proportion in self.proportions)

    def blocks(self) -> list[tuple[int, int]]:
        """(positives, negatives) of each rule, the else last."""
        return [(rule.positives, rule.negatives) for rule in self]

    def capturing(self, data: Any) -> NDArray[np.intp]:
        """For each row the number of the rule that captures it; `len(self)` is the else."""
        return Rows(data).first_capturing(rule.antecedent for rule in self.rules)

    def predict_indices(self, data: Any) -> NDArray[np.intp]:
        """Index into `classes` for each row."""
        return np.array(self.predictions, dtype=np.intp)[self.capturing(data)]

    def predict_proba(self, data: Any) -> NDArray[np.float64]:
        """float64[N, 2]: 1 - p and p, with p what the capturing rule states."""
        positive = np.array([float(p) for p in self.proportions])[self.capturing(data)]
        return np.column_stack([1.0 - positive, positive])

    def to_text(self) -> str:
        """One rule a line: probability, and the training weight captured by class."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        heads = [
            f"{'if' if i == 0 else 'else if'} {r.antecedent}" for i, r in enumerate(self.rules)
        ]
        heads.append("else" if self.rules else "always")
        width = max(map(len, heads))
        event = f"P({self.label_name} = {self.classes[1]})"
        for head, rule, stated in zip(heads, self, self.proportions, strict=True):
            raw = f", raw {float(rule.raw):6.2%}" if self.soft else ""
            yield (
                f"{head:<{width}}  then {event} = {float(stated):6.2%}"
                f"   ({rule.positives} of {rule.captured}{raw})"
            )

    def to_latex(self) -> str:
        """A `tabular`, one rule a line."""
        lines = [
            r"\begin{tabular}{llrrr" + ("r}" if self.soft else "}"),
            " & condition & probability"
            + (" & raw" if self.soft else "")
            + r" & positives & negatives \\",
        ]
        for number, (rule, stated) in enumerate(zip(self, self.proportions, strict=True)):
            word = ("if" if number == 0 else "else if") if rule.antecedent else "else"
            condition = escape(str(rule.antecedent)) if rule.antecedent else ""
            raw = f" & {float(rule.raw):.3f}" if self.soft else ""
            lines.append(
                rf"\textbf{{{word}}} & {condition} & {float(stated):.3f}{raw} & "
                rf"{rule.positives} & {rule.negatives} \\"
            )
        return "\n".join([*lines, r"\end{tabular}"])

    def to_document(self) -> dict[str, Any]:
        """JSON-ready; counts are what is read back, proportions are for people."""
        stated = self.proportions
        return {
            "schema": self.schema,
            "version": self.version,
            "label": self.label_name,
            "classes": list(self.classes),
            "positive_weight": str(self.positive_weight),
            "soft": self.soft,
            "rules": [
                {
                    "if": rule.antecedent.to_json() if rule.antecedent else None,
                    "then": self.classes[prediction],
                    "probability": float(proportion),
                    "raw": float(rule.raw),
                    "positives": rule.positives,
                    "negatives": rule.negatives,
                }
                for rule, proportion, prediction in zip(self, stated, self.predictions, strict=True)
            ],
        }

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> FallingRuleList:
        """Read what `to_document` wrote. Raises InputError naming what is wrong."""
        if document.get("schema") != cls.schema:
            raise InputError(
                f"the document's schema is {document.get('schema')!r}: expected {cls.schema!r}"
            )
        number = document.get("version")
        if not isinstance(number, int) or number > cls.version:
            raise InputError(
                f"the document's version is {number!r}: this release reads up to {cls.version}"
            )
        try:
            *rules, default = (_rule(entry) for entry in document["rules"])
            classes = tuple(document["classes"])
            label = str(document["label"])
            weight = Fraction(document["positive_weight"])
            soft = bool(document["soft"])
        except (KeyError, TypeError, ValueError, AttributeError, ZeroDivisionError) as error:
            raise InputError(
                f"the falling-rule-list document is incomplete or malformed: {error}"
            ) from None
        if default.antecedent is not None or any(r.antecedent is None for r in rules):
            raise InputError("the falling-rule-list document needs exactly one else, the last rule")
        if len(classes) != 2:
            raise InputError(f"the falling-rule-list document has {len(classes)} classes, not 2")
        if weight <= 0:
            raise InputError(f"the falling-rule-list document's positive_weight is {weight}")
        return cls(tuple(rules), default, classes, label, weight, soft)


def falling_rule_list(
    problem: Problem, antecedents: Sequence[int], positive_weight: Fraction, *, soft: bool
) -> FallingRuleList:
    """The list with these antecedents (indices into the problem) in this order."""
    captures = unpack(problem.masks[list(antecedents)], problem.n_points)
    free = np.ones(problem.n_points, dtype=np.bool_)
    rules = []
    for index, captured in zip(antecedents, captures, strict=True):
        rules.append(_captured(problem, problem.antecedents[index], free & captured))
        free &= ~captured
    default = _captured(problem, None, free)
    return FallingRuleList(
        tuple(rules), default, problem.classes, problem.label_name, positive_weight, soft
    )


def _captured(
    problem: Problem, antecedent: Antecedent | None, cell: NDArray[np.bool_]
) -> FallingRule:
    negatives, positives = (int(count) for count in problem.weights[:, cell].sum(axis=1))
    return FallingRule(antecedent, positives, negatives)


def _rule(entry: Mapping[str, Any]) -> FallingRule:
    antecedent = None if entry["if"] is None else Antecedent.from_json(entry["if"])
    positives, negatives = int(entry["positives"]), int(entry["negatives"])
    if positives < 0 or negatives < 0:
        raise ValueError("a count is negative")
    return FallingRule(antecedent, positives, negatives)
