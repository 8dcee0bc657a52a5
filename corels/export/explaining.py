"""Why a row is predicted what it is: which decider decides it, and why none before it did."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from corels.errors import InputError
from corels.export.reason_words import row_reasons
from corels.export.words import clause_text, condition, heading, outcome, points
from corels.model.decider import Decider
from corels.model.model import Model
from corels.model.printable import printable
from corels.model.rows import Rows, other_answers
from corels.model.weighing import counted
from corels.tables import Condition
from corels.tables.column import Column, Columns, row_count
from corels.tables.condition import value_text
from corels.tables.unseen import ColumnsAsLearned


@dataclass(frozen=True)
class Answer:
    """One condition for one row: the row's value and whether the condition holds."""

    condition: Condition
    value: Any
    holds: bool

    @property
    def observed(self) -> str:
        """The value in words."""
        return "it is missing" if self.value is None else f"it is {value_text(self.value)}"


@dataclass(frozen=True)
class RowExplanation:
    """Which decider decides a row.

    Attributes:
        row: its number, from 0.
        captured_by: number of the decider, from 0.
        asked: for each decider up to that one that asks something, its conditions in order with the
            row's values.
        change: the smallest change that gives another outcome, and what it gives, in words.
        answer: what the other model says, if the row is handed over to it and the table has the
            column of its answers; else None.
    """

    model: Model
    row: int
    captured_by: int
    asked: tuple[tuple[Answer, ...], ...]
    change: str
    answer: Any = None

    @property
    def decider(self) -> Decider:
        """What decides the row."""
        return self.model.deciders()[self.captured_by]

    @property
    def points(self) -> tuple[tuple[int, int], ...]:
        """Of each decider that was asked and counts points: its number, from 1, and the sum."""
        asking = [d for d in self.model.deciders() if d.clauses or d.quantity]
        tested = enumerate(zip(asking, self.asked, strict=False), 1)
        return tuple((n, _sum(d, asked)) for n, (d, asked) in tested if d.quantity == "points")

    @property
    def prediction(self) -> Any:
        """The predicted class, or another outcome: "ask NAME" if the row is handed over."""
        return self.model.says[self.decider.outcome]

    @property
    def frequencies(self) -> dict[Any, float]:
        """The probability of each class that is stated, or its share of such training rows."""
        return dict(zip(self.model.classes, self.decider.frequencies, strict=True))

    def to_text(self) -> str:
        """Each decider that was tested, and the one that holds."""
        return "\n".join(map(printable, self._lines()))

    def __str__(self) -> str:
        return self.to_text()

    def _lines(self) -> Iterator[str]:
        answer = "" if self.answer is None else f", which says {self.answer}"
        yield f"row {self.row + 1}: {self.model.label_name} = {self.prediction}{answer}"
        for number, asked in enumerate(self.asked):
            hit, tested = number == self.captured_by, self.model.deciders()[number]
            word = "holds" if hit else "does not hold"
            if tested.quantity:
                need = f"it needs {tested.quantity} of its clauses" if asked else "it has no clause"
                if tested.quantity == "points":
                    need = f"it needs {tested.need}, and has {_sum(tested, asked)}"
                label = self.model.classes[tested.outcome]
                yield f"  set {number + 1} ({label}) {word} ({need})" + (":" if asked else "")
                yield from _clauses(tested, asked, hit)
            elif len(asked) == 1:
                one = asked[0]
                yield f"  rule {number + 1} {word}: {one.condition} ({one.observed})"
            else:
                yield f"  rule {number + 1} {word}: {condition(tested)}"
                for one in asked:
                    if hit or not one.holds:
                        yield f"    {_answer(str(one.condition), one.holds)} ({one.observed})"
        yield from self._conclusion()

    def _conclusion(self) -> Iterator[str]:
        decider, sets = self.decider, any(one.quantity for one in self.model.deciders())
        if not decider.clauses and not decider.quantity:
            rest = f"no {'set' if sets else 'rule'} holds: the default {'' if sets else 'rule '}"
            yield f"  {rest}decides" if self.asked else "  always"
        if decider.stated is not None:
            stated = f"{heading(self.model)} = {outcome(self.model, decider)}"
            yield f"  it states {stated}: {self._training}"
        elif decider.captured:
            shares = ", ".join(f"{label}: {share:.1%}" for label, share in self.frequencies.items())
            yield f"  of {self._training}: {shares}"
        yield f"  smallest change: {self.change}"

    @property
    def _training(self) -> str:
        """'12 such training rows', of a probability '7 of 12 such training rows'; with weights
        'such training rows (7 of 12 rows; weight 5.5 of 8.5)'."""
        decider = self.decider
        if self.model.weighing is not None:
            return f"such training rows ({counted(self.model, decider)})"
        of = str(decider.captured) if decider.stated is None else counted(self.model, decider)
        return f"{of} such training rows"

    def to_document(self) -> dict[str, Any]:
        """JSON-ready; rows and rules are numbered from 1."""
        return {
            "row": self.row + 1,
            "prediction": self.prediction,
            **({} if self.answer is None else {"answer": self.answer}),
            "rule": self.captured_by + 1,
            "default": not self.decider.clauses and not self.decider.quantity,
            "captured": self.decider.captured,
            **({"points": dict(self.points)} if self.points else {}),
            "frequencies": {str(label): share for label, share in self.frequencies.items()},
            "change": self.change,
            "tested": [
                [
                    {"condition": str(one.condition), "value": one.value, "holds": one.holds}
                    for one in asked
                ]
                for asked in self.asked
            ],
        }


def _clauses(decider: Decider, asked: tuple[Answer, ...], hit: bool) -> Iterator[str]:
    """The clauses that settle whether a set holds, each with the conditions that settle it; of
    points all clauses."""
    known = {one.condition: one for one in asked}
    counted = decider.quantity == "points"
    for number, holds in enumerate(_held(decider, asked)):
        if not counted and holds is not hit:
            continue
        clause = decider.clauses[number]
        of = dict.fromkeys(one for a in clause.antecedents for one in a.conditions)
        settling = [known[one] for one in of if counted or known[one].holds is hit]
        named = not counted and len(of) > 1
        seen = (f"{one.condition}: " * named + one.observed for one in settling)
        text = f"{points(decider, number)}{clause_text(clause, str)}"
        yield f"    {_answer(text, holds)} ({'; '.join(seen)})"


def _sum(decider: Decider, asked: tuple[Answer, ...]) -> int:
    """The points that the row has."""
    held = _held(decider, asked)
    return sum(worth for worth, holds in zip(decider.points, held, strict=True) if holds)


def _held(decider: Decider, asked: tuple[Answer, ...]) -> list[bool]:
    """Whether each clause holds for the row."""
    known = {one.condition: one.holds for one in asked}
    return decider.parts(lambda a: all(known[one] for one in a.conditions), all, any)


def _answer(text: str, holds: bool) -> str:
    return f"{text}: {'yes' if holds else 'no'}"


def explain_row(model: Model, table: Any, row: int = 0) -> RowExplanation:
    """Which decider decides a row of a table, which conditions kept it from earlier ones, and the
    smallest change that gives it another outcome.

    Args:
        table: a pandas or polars frame, or a mapping of columns.
        row: its number, from 0.

    Raises:
        InputError: if there is no such row, or a column is missing.
    """
    only = one_row(Rows(table, model.antecedents, model.reading).columns, row)
    captured_by = int(model.capturing(only)[0])
    tested = model.deciders()[: captured_by + 1]
    asked = tuple(
        _answers((one for a in d.antecedents for one in a.conditions), only)
        for d in tested
        if d.clauses or d.quantity
    )
    answer = _other_answer(model, tested[-1].outcome, table, row)
    change = row_reasons(model, only)[0].change_text()
    return RowExplanation(model, row, captured_by, asked, change, answer)


def _other_answer(model: Model, outcome: int, table: Any, row: int) -> Any:
    """What the other model says of a row that is handed over to it. None if it is not, or if
    the table does not have the column of its answers."""
    if model.outcomes is None or model.outcomes.kinds[outcome] != "defer":
        return None
    answers = other_answers(model, model.outcomes.asked, table, np.array([row]))
    return None if answers is None else model.says[answers[0]]


def one_row(columns: Mapping[str, Column], row: int) -> Columns:
    """The columns with one row, from 0. Raises InputError if there is none."""
    rows = row_count(columns)
    if not 0 <= row < rows:
        raise InputError(f"there is no row {row + 1}: the data has {rows} rows")
    kind = ColumnsAsLearned if isinstance(columns, ColumnsAsLearned) else Columns
    return kind({name: column.take(np.array([row])) for name, column in columns.items()})


def _answers(conditions: Iterable[Condition], only: dict[str, Column]) -> tuple[Answer, ...]:
    return tuple(
        Answer(one, only[one.column].cells()[0], bool(one.holds(only[one.column])[0]))
        for one in conditions
    )
