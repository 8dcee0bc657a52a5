"""Rule sets: a class is predicted where any clause holds (DNF), or where all do (CNF).

    DNF   label = 1  if  (a and b) or (c and d)
    CNF   label = 1  if  (a or b) and (c or d)

With two classes there is one set, for the positive class, and the other class gets the rest. With
more there is one set for each class, learned against the rest; they are asked in order of their
precision on the training data, the first that holds decides, and a default class gets the rest.
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
from corels.model import Certificate, Model
from corels.model.coherence import check_classes, check_total, class_number, read_antecedent
from corels.model.naming import antecedent_document
from corels.model.printable import printable
from corels.model.rows import Rows
from corels.model.schema import check_schema, validated
from corels.options import exact_number
from corels.problem import ClassLabel
from corels_colgen.options import PRICES

if TYPE_CHECKING:
    from corels_colgen.document import SetPart

JOINED = {"dnf": " and ", "cnf": " or "}  # within a clause


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
    first of the two; None where it is not known.
    """

    target: int
    clauses: tuple[RuleClause, ...]
    counts: tuple[int, ...]
    hamming: int
    missed: int | None = None

    @property
    def complexity(self) -> int:
        """1 a clause and 1 a condition."""
        return sum(1 + len(clause.conditions) for clause in self.clauses)


@dataclass(frozen=True)
class RuleSet(Model):
    """A Boolean rule set. `default` is the class of the rows that no set claims."""

    schema: ClassVar[str] = "corels/rule-set"
    version: ClassVar[int] = 1

    form: str
    sets: tuple[ClauseSet, ...]
    default: int
    default_counts: tuple[int, ...]
    classes: tuple[ClassLabel, ...]
    label_name: str = "label"

    def __len__(self) -> int:
        """The number of clauses."""
        return sum(len(one.clauses) for one in self.sets)

    @property
    def complexity(self) -> int:
        """1 a clause and 1 a condition."""
        return sum(one.complexity for one in self.sets)

    @property
    def hamming(self) -> int:
        """Hamming loss in training weight, before the weight of the positive class."""
        return sum(one.hamming for one in self.sets)

    @property
    def total(self) -> int:
        """Training weight."""
        return sum(self.default_counts) + sum(sum(one.counts) for one in self.sets)

    @property
    def errors(self) -> int:
        """Training weight that is predicted wrongly."""
        right = self.default_counts[self.default]
        return self.total - right - sum(one.counts[one.target] for one in self.sets)

    def deciding(self, data: Any) -> NDArray[np.intp]:
        """For each row the number of the set that decides; `len(self.sets)` is the default."""
        rows = Rows(data)
        known: dict[Antecedent, NDArray[np.bool_]] = {}
        decided = np.full(rows.count, len(self.sets), dtype=np.intp)
        for number in reversed(range(len(self.sets))):
            decided[self._holds(self.sets[number], rows, known)] = number
        return decided

    def _holds(
        self, one: ClauseSet, rows: Rows, known: dict[Antecedent, NDArray[np.bool_]]
    ) -> NDArray[np.bool_]:
        for clause in one.clauses:
            for condition in clause.conditions:
                if condition not in known:
                    known[condition] = rows.captured_by(condition)
        clauses = [[known[c] for c in clause.conditions] for clause in one.clauses]
        return combined(clauses, self.form, rows.count)

    def predict_indices(self, data: Any) -> NDArray[np.intp]:
        """Index into `classes` for each row."""
        targets = np.array([*(one.target for one in self.sets), self.default], dtype=np.intp)
        return targets[self.deciding(data)]

    def predict_proba(self, data: Any) -> NDArray[np.float64]:
        """float64[N, C]: class frequencies, in the training data, of the set that decides."""
        counts = np.array([*(one.counts for one in self.sets), self.default_counts], dtype=float)
        totals = counts.sum(axis=1, keepdims=True)
        shares = np.full_like(counts, 1 / counts.shape[1])
        np.divide(counts, totals, out=shares, where=totals > 0)
        return shares[self.deciding(data)]

    def to_text(self) -> str:
        """The clauses in words, each with the training weight that satisfies it, by class."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        for number, one in enumerate(self.sets):
            yield from self._set_lines(one, "" if number == 0 else "otherwise ")
        decided = f"{self.default_counts[self.default]} of {sum(self.default_counts)}"
        yield f"otherwise {self._label(self.default)}   ({decided})"
        clauses = "1 clause" if len(self) == 1 else f"{len(self)} clauses"
        yield (
            f"complexity {self.complexity} ({clauses}), Hamming loss {self.hamming}, "
            f"errors {self.errors} of {self.total}"
        )

    def _set_lines(self, one: ClauseSet, lead: str) -> Iterator[str]:
        decided = f"({one.counts[one.target]} of {sum(one.counts)})"
        if not one.clauses:
            yield f"{lead}{self._label(one.target)} {'never' if self.form == 'dnf' else 'always'}"
            return
        quantity = "any" if self.form == "dnf" else "all"
        yield f"{lead}{self._label(one.target)} if {quantity} of   {decided}"
        texts = [self.clause_text(clause) for clause in one.clauses]
        width = max(map(len, texts))
        for text, clause in zip(texts, one.clauses, strict=True):
            rest = sum(clause.counts) - clause.counts[one.target]
            yield (
                f"  - {text:<{width}}   satisfied by {clause.counts[one.target]} of "
                f"{printable(self.classes[one.target])}, {rest} of others"
            )

    def clause_text(self, clause: RuleClause) -> str:
        """A clause in words."""
        parts = [
            printable(c) if len(c.conditions) == 1 else f"({printable(c)})"
            for c in clause.conditions
        ]
        return JOINED[self.form].join(parts)

    def _label(self, target: int) -> str:
        return printable(f"{self.label_name} = {self.classes[target]}")

    def to_latex(self) -> str:
        """A `tabular`, one clause a line."""
        from corels.export.latex import escape

        lines = [r"\begin{tabular}{lll}"]
        for one in self.sets:
            quantity = "any" if self.form == "dnf" else "all"
            lines.append(
                rf"\multicolumn{{3}}{{l}}{{{escape(self._label(one.target))} "
                rf"\textbf{{if {quantity} of}}}} \\"
            )
            for clause in one.clauses:
                rest = sum(clause.counts) - clause.counts[one.target]
                lines.append(
                    rf"\quad {escape(self.clause_text(clause))} & "
                    rf"{clause.counts[one.target]} & {rest} \\"
                )
        lines.append(
            rf"\multicolumn{{3}}{{l}}{{\textbf{{otherwise}} {escape(self._label(self.default))}}}"
            r" \\"
        )
        return "\n".join([*lines, r"\end{tabular}"])

    def to_python(self, function: str = "predict") -> str:
        """A plain Python function of one row; see `corels.export`."""
        from corels_colgen.export import as_rule_list

        return as_rule_list(self).to_python(function)

    def to_sql(
        self, *, dialect: str = "ansi", table: str | None = None, booleans: str = "number"
    ) -> str:
        """A SQL CASE expression; see `corels.export`."""
        from corels_colgen.export import as_rule_list

        return as_rule_list(self).to_sql(dialect=dialect, table=table, booleans=booleans)

    def to_html(self) -> str:
        """An HTML table."""
        from corels_colgen.export import to_html

        return to_html(self)

    def to_markdown(self) -> str:
        """A Markdown table."""
        from corels_colgen.export import to_markdown

        return to_markdown(self)

    def _repr_html_(self) -> str:
        """What notebooks show."""
        return self.to_html()

    def to_document(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "schema": self.schema,
            "version": self.version,
            "label": self.label_name,
            "classes": list(self.classes),
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
                }
                for one in self.sets
            ],
            "default": self.classes[self.default],
            "default_counts": list(self.default_counts),
            "complexity": self.complexity,
            "errors": self.errors,
        }

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> RuleSet:
        """Read what `to_document` wrote. Raises InputError naming what is wrong."""
        from corels_colgen.document import RuleSetDocument

        check_schema(document, cls.schema, cls.version)
        found = validated(document, RuleSetDocument, "the rule-set document")
        classes = tuple(found.classes)
        check_classes(classes)
        model = cls(
            form=found.form,
            sets=tuple(_set_from(part, classes) for part in found.sets),
            default=class_number(found.default, classes),
            default_counts=_counts_from(found.default_counts, classes),
            classes=classes,
            label_name=found.label,
        )
        check_total(model.total)
        for name in ("complexity", "errors"):
            stated, counted = getattr(found, name), getattr(model, name)
            if stated != counted:
                raise InputError(
                    f"the rule-set document states {name} {stated}, its parts say {counted}"
                )
        return model

    @property
    def training_weight(self) -> int:
        """The same as `total`, as every family has it."""
        return self.total

    @property
    def antecedents(self) -> tuple[Antecedent, ...]:
        """What the clauses ask."""
        return tuple(c for one in self.sets for clause in one.clauses for c in clause.conditions)

    def counted_objective(self, certificate: Certificate) -> Fraction | None:
        """Hamming loss with the certificate's weight of a positive, and the penalties."""
        prices = [certificate.extra.get(name) for name in PRICES]
        if not self.total or any(price is None for price in prices):
            return None
        if any(one.missed is None for one in self.sets):
            return None
        try:
            weight, clause, condition = (exact_number(price) for price in prices)
        except ValueError:
            raise InputError("the certificate has a price that is no number") from None
        missed = sum(one.missed or 0 for one in self.sets)
        caught = self.hamming - missed
        loss = weight * missed + caught if self.form == "dnf" else missed + weight * caught
        conditions = sum(len(c.conditions) for one in self.sets for c in one.clauses)
        return Fraction(loss) / self.total + clause * len(self) + condition * conditions


def _set_from(part: SetPart, classes: tuple[ClassLabel, ...]) -> ClauseSet:
    clauses = tuple(
        RuleClause(
            tuple(read_antecedent(condition) for condition in clause.conditions),
            _counts_from(clause.counts, classes),
        )
        for clause in part.clauses
    )
    if part.missed is not None and part.missed > part.hamming:
        raise InputError(
            f"the rule-set document has a set that misses {part.missed}, more than its loss"
        )
    counts = _counts_from(part.counts, classes)
    target = class_number(part.then, classes)
    return ClauseSet(target, clauses, counts, part.hamming, part.missed)


def _counts_from(counts: Sequence[int], classes: tuple[ClassLabel, ...]) -> tuple[int, ...]:
    if len(counts) != len(classes):
        raise InputError(
            "the rule-set document is incomplete or malformed: "
            f"{len(counts)} counts for {len(classes)} classes"
        )
    return tuple(counts)


def combined(
    clauses: Sequence[Sequence[NDArray[np.bool_]]], form: str, rows: int
) -> NDArray[np.bool_]:
    """bool[rows]: any of all (DNF), or all of any (CNF)."""
    if form == "dnf":
        held = np.zeros(rows, dtype=np.bool_)
        for clause in clauses:
            held |= np.logical_and.reduce(clause)
        return held
    held = np.ones(rows, dtype=np.bool_)
    for clause in clauses:
        held &= np.logical_or.reduce(clause)
    return held
