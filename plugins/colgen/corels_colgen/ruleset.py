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
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from corels.antecedents import Antecedent
from corels.errors import InputError
from corels.model import Model
from corels.model.rows import Rows
from corels.model.rulelist import check_schema
from corels.problem import ClassLabel, Problem
from corels.problem.captures import unpack
from corels_colgen.options import FORMS

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
    training weight: what is missed once, what is wrongly caught once for each clause.
    """

    target: int
    clauses: tuple[RuleClause, ...]
    counts: tuple[int, ...]
    hamming: int

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
                f"{self.classes[one.target]}, {rest} of others"
            )

    def clause_text(self, clause: RuleClause) -> str:
        """A clause in words."""
        parts = [str(c) if len(c.conditions) == 1 else f"({c})" for c in clause.conditions]
        return JOINED[self.form].join(parts)

    def _label(self, target: int) -> str:
        return f"{self.label_name} = {self.classes[target]}"

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
                            "conditions": [c.to_json() for c in clause.conditions],
                            "counts": list(clause.counts),
                        }
                        for clause in one.clauses
                    ],
                    "counts": list(one.counts),
                    "hamming": one.hamming,
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
        check_schema(document, cls.schema, cls.version)
        try:
            classes = tuple(document["classes"])
            if document["form"] not in FORMS:
                raise ValueError(f"form is {document['form']!r}, expected dnf or cnf")
            return cls(
                form=document["form"],
                sets=tuple(_set_from(entry, classes) for entry in document["sets"]),
                default=classes.index(document["default"]),
                default_counts=_counts_from(document["default_counts"], classes),
                classes=classes,
                label_name=str(document["label"]),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError(f"the rule-set document is incomplete or malformed: {error}") from None


def _set_from(entry: Mapping[str, Any], classes: tuple[ClassLabel, ...]) -> ClauseSet:
    clauses = tuple(
        RuleClause(
            tuple(Antecedent.from_json(condition) for condition in clause["conditions"]),
            _counts_from(clause["counts"], classes),
        )
        for clause in entry["clauses"]
    )
    if any(not clause.conditions for clause in clauses):
        raise ValueError("a clause has no condition")
    counts = _counts_from(entry["counts"], classes)
    return ClauseSet(classes.index(entry["then"]), clauses, counts, int(entry["hamming"]))


def _counts_from(values: Any, classes: tuple[ClassLabel, ...]) -> tuple[int, ...]:
    counts = tuple(int(count) for count in values)
    if len(counts) != len(classes):
        raise ValueError(f"{len(counts)} counts for {len(classes)} classes")
    return counts


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


def rule_set(problem: Problem, form: str, chosen: Mapping[int, Sequence[Sequence[int]]]) -> RuleSet:
    """The rule set with these clauses (antecedent numbers) for each class; counts from the data."""
    captures = unpack(problem.masks, problem.n_points)
    held = {
        target: combined([[captures[j] for j in c] for c in clauses], form, problem.n_points)
        for target, clauses in chosen.items()
    }
    free = np.ones(problem.n_points, dtype=np.bool_)
    sets = []
    for target in sorted(chosen, key=lambda target: -_precision(problem, held[target], target)):
        sets.append(
            ClauseSet(
                target,
                tuple(_clause(problem, captures, form, clause) for clause in chosen[target]),
                _counts(problem, held[target] & free),
                hamming(problem, captures, form, chosen[target], target),
            )
        )
        free &= ~held[target]
    rest = _counts(problem, free)
    return RuleSet(
        form=form,
        sets=tuple(sets),
        default=_default(problem, rest, chosen),
        default_counts=rest,
        classes=problem.classes,
        label_name=problem.label_name,
    )


def hamming(
    problem: Problem,
    captures: NDArray[np.bool_],
    form: str,
    clauses: Sequence[Sequence[int]],
    target: int,
) -> int:
    """The Hamming loss: in a DNF a positive row that no clause catches costs 1, a negative row
    costs 1 for each clause that catches it; in a CNF the same of the negated data."""
    inside = problem.weights[target]
    outside = problem.weights.sum(axis=0) - inside
    if form == "dnf":
        caught = np.array([captures[list(c)].all(axis=0) for c in clauses], dtype=np.bool_)
    else:
        inside, outside = outside, inside
        caught = np.array([~captures[list(c)].any(axis=0) for c in clauses], dtype=np.bool_)
    times = caught.reshape(len(clauses), problem.n_points).sum(axis=0)
    return int(inside[times == 0].sum() + (outside * times).sum())


def _clause(
    problem: Problem, captures: NDArray[np.bool_], form: str, clause: Sequence[int]
) -> RuleClause:
    rows = captures[list(clause)]
    satisfied = np.asarray(rows.all(axis=0) if form == "dnf" else rows.any(axis=0))
    return RuleClause(tuple(problem.antecedents[j] for j in clause), _counts(problem, satisfied))


def _counts(problem: Problem, points: NDArray[np.bool_]) -> tuple[int, ...]:
    return tuple(int(count) for count in problem.weights[:, points].sum(axis=1))


def _precision(problem: Problem, held: NDArray[np.bool_], target: int) -> float:
    counts = _counts(problem, held)
    return counts[target] / sum(counts) if sum(counts) else 0.0


def _default(
    problem: Problem, rest: tuple[int, ...], chosen: Mapping[int, Sequence[Sequence[int]]]
) -> int:
    """With one set the other class; with more the majority of the rest, or of all."""
    if len(chosen) == 1 and len(problem.classes) == 2:
        return 1 - next(iter(chosen))
    if sum(rest):
        return int(np.argmax(rest))
    return int(problem.weights.sum(axis=1).argmax())
