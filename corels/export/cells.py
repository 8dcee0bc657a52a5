"""What a model can tell of a row: of each column that it asks for, the cell that the value is in.

A *cell* is a set of values that every condition of the model treats alike: the numbers between two
cuts, a value or the values of a group that conditions name, every other value, a code, no value. So
a prediction depends on the cells of a row and on nothing else of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError
from corels.model.model import Model
from corels.model.rows import Rows, first_holding
from corels.tables import Antecedent, Condition, Dataset
from corels.tables.column import Column, Scalar
from corels.tables.comparing import equal_values

ORDERED, TRUTHS = ("<=", ">"), ("true", "false")
Cells = NDArray[np.intp]


class Piece(NamedTuple):
    """Values that no condition tells apart: one, those between two, all others, or none."""

    kind: Literal["value", "between", "other", "code", "missing", "unknown"]
    value: Scalar | None = None
    low: Scalar | None = None
    high: Scalar | None = None


def _order(value: Any) -> tuple[bool, Any]:
    """A key: numbers and dates rise, each kind by itself."""
    return isinstance(value, str), value


@dataclass(frozen=True)
class Asked:
    """A column that a model asks for, and its cells.

    Attributes:
        conditions: K questions about it, each once, in the model's order.
        pieces: the elementary sets of values; of an ordered column first those with an order.
        truth: (cells, K) bool, the answers of each cell.
        cells: of each cell its pieces, by number.
        said: the codes by the column's description; its comparisons, if it has some, exclude them.
    """

    name: str
    conditions: tuple[Condition, ...]
    pieces: tuple[Piece, ...]
    truth: NDArray[np.bool_]
    cells: tuple[tuple[int, ...], ...]
    said: tuple[Scalar, ...] = ()

    @classmethod
    def of(cls, name: str, conditions: Sequence[Condition], said: tuple[Scalar, ...] = ()) -> Asked:
        """The pieces that conditions part a column into, and which of the conditions hold there."""
        pieces = tuple(_pieces(conditions))
        answers: dict[tuple[bool, ...], list[int]] = {}
        for number, piece in enumerate(pieces):
            answer = tuple(_meets(one, piece) for one in conditions)
            answers.setdefault(answer, []).append(number)
        truth = np.array(list(answers), np.bool_).reshape(len(answers), len(conditions))
        cells = tuple(map(tuple, answers.values()))
        return cls(name, tuple(conditions), pieces, truth, cells, said)

    def with_answers(self, answers: NDArray[np.bool_]) -> Asked:
        """The column with a cell more for each of these answers, (rows, K), that no cell gives."""
        known = set(map(tuple, self.truth.tolist()))
        new = [one for one in dict.fromkeys(map(tuple, answers.tolist())) if one not in known]
        if not new:
            return self
        more = tuple(Piece("unknown") for _ in new)
        places = ((len(self.pieces) + n,) for n in range(len(new)))
        truth, cells = np.vstack([self.truth, np.array(new)]), (*self.cells, *places)
        return replace(self, pieces=self.pieces + more, truth=truth, cells=cells)

    def place(self, answers: NDArray[np.bool_]) -> Cells:
        """(rows,) the number of the cell that gives each row's answers, (rows, K)."""
        known = {answer: number for number, answer in enumerate(map(tuple, self.truth.tolist()))}
        distinct, kind = np.unique(answers, axis=0, return_inverse=True)
        numbers = [known[tuple(answer)] for answer in distinct.tolist()]
        return np.array(numbers, dtype=np.intp)[kind.reshape(-1)]

    @cached_property
    def ordered(self) -> bool:
        """Whether its values have an order: numbers, dates, or 0 and 1."""
        return any(one.operator in (*ORDERED, *TRUTHS) for one in self.conditions)

    @cached_property
    def cuts(self) -> list[float]:
        """The numbers that it is compared with, rising; none of dates."""
        found = {v for one in self.conditions if one.operator in ORDERED for v in one.values}
        return sorted(float(v) for v in found if not isinstance(v, str))

    @cached_property
    def codes(self) -> tuple[Scalar, ...]:
        """The values that no measurement has: those that a condition takes for missing, and texts
        among numbers."""
        return tuple(p.value for p in self.pieces if p.kind == "code" and p.value is not None)

    @cached_property
    def targets(self) -> tuple[int, ...]:
        """The cells that can be named as a change: no code, and not "missing"."""
        codes = {at for at, piece in enumerate(self.pieces) if piece.value in self.said}
        cells = range(len(self.cells))
        return tuple(cell for cell in cells if not codes.issuperset(self.named([cell])))

    def named(self, cells: Iterable[int]) -> list[int]:
        """The pieces of some cells that have a value which is no code, rising."""
        kinds = {"value", "between", "other"}
        found = (place for cell in cells for place in self.cells[cell])
        return sorted(place for place in found if self.pieces[place].kind in kinds)

    def moved(self, cell: int, to: int) -> int:
        """1 if all values of the second cell are above those of the first, -1 if below; else 0."""
        here, there = self.named([cell]), self.named([to])
        if not (self.ordered and here and there):
            return 0
        return int(there[0] > here[-1]) - int(there[-1] < here[0])

    def reachable(self, cell: int, way: str | None) -> tuple[int, ...]:
        """The cells that a value of a cell can be changed to. way: "never", "up" or "down"; None:
        any."""
        if way == "never":
            return ()
        wanted = {"up": (1,), "down": (-1,)}.get(str(way), (-1, 0, 1))
        return tuple(to for to in self.targets if to != cell and self.moved(cell, to) in wanted)

    def text(self, cells: Iterable[int]) -> tuple[Condition, ...] | None:
        """Conditions that are true of the values of these cells and of no others, missing values
        and codes left out; None if conditions cannot say it."""
        places = self.named(cells)
        own = [self.pieces[place] for place in places]
        if not own:
            return None
        if any(one.operator in TRUTHS for one in self.conditions):
            both, word = len(own) == 2, "true" if own[0].value else "false"
            return (self._saying("present" if both else word),)
        if all(one.kind == "value" for one in own):
            return (self._among([one.value for one in own], ("==", "in")),)
        outside = [
            (place, piece)
            for place, piece in enumerate(self.pieces)
            if place not in places and piece.kind in {"value", "between"}
        ]
        if own[-1].kind != "other":
            return self._bounds(own, [one for one in outside if places[0] < one[0] < places[-1]])
        return (self._among([piece.value for _, piece in outside], ("!=", "not in")),)

    def _bounds(
        self, own: Sequence[Piece], holes: Sequence[tuple[int, Piece]]
    ) -> tuple[Condition, ...] | None:
        """The conditions of an interval without some values."""
        first, last, found = own[0], own[-1], []
        if first.kind == "value" or any(piece.kind != "value" for _, piece in holes):
            return None
        if first.low is not None:
            found.append(self._saying(">", first.low))
        end = last.value if last.kind == "value" else last.high
        if end is not None:
            found.append(self._saying("<=", end))
        without = [piece.value for _, piece in holes]
        if last.kind == "between" and end is not None:
            without.append(end)
        if without:
            found.append(self._among(without, ("!=", "not in")))
        return tuple(found) or (self._saying("present"),)

    def _among(self, values: Sequence[Any], operators: tuple[str, str]) -> Condition:
        match len(values):
            case 0:
                return self._saying("present")
            case 1:
                return self._saying(operators[0], values[0])
        return self._saying(operators[1], tuple(values))

    def _saying(self, operator: str, value: Any = None) -> Condition:
        """A condition that is false of codes, too."""
        return Condition(self.name, operator, value, self.codes)


def _pieces(conditions: Sequence[Condition]) -> Iterable[Piece]:
    """The elementary sets of values of a column."""
    if any(one.operator in TRUTHS for one in conditions):
        yield from (Piece("value", False), Piece("value", True))
    else:
        cut = any(one.operator in ORDERED for one in conditions)
        codes = _different(v for one in conditions for v in one.besides)
        named = _different(v for one in conditions for v in one.values)
        values = [v for v in named if not any(equal_values(v, code) for code in codes)]
        if cut:
            dates = any(isinstance(v, str) for c in conditions if c.operator in ORDERED
                        for v in c.values)  # fmt: skip
            yield from _intervals([v for v in values if isinstance(v, str) == dates])
            codes += [v for v in values if isinstance(v, str) != dates]
        else:
            yield from (Piece("value", value) for value in values)
            yield Piece("other")
        yield from (Piece("code", value) for value in codes)
    yield Piece("missing")


def _different(values: Iterable[Scalar]) -> list[Scalar]:
    """Each value once: 3 and "3" are one."""
    found: list[Scalar] = []
    for value in values:
        if not any(equal_values(value, known) for known in found):
            found.append(value)
    return found


def _intervals(values: Sequence[Scalar]) -> Iterable[Piece]:
    """Each value, and what is before, between and behind them."""
    rising = sorted(values, key=_order)
    ends = [None, *rising, None]
    for low, high in pairwise(ends):
        yield Piece("between", None, low, high)
        if high is not None:
            yield Piece("value", high)


def _meets(one: Condition, piece: Piece) -> bool:
    """Whether a condition is true of the values of a piece."""
    value = piece.value
    out = value is not None and any(equal_values(value, code) for code in one.besides)
    if one.operator == "missing" or piece.kind == "missing" or out:
        return one.operator == "missing" and (piece.kind == "missing" or out)
    if one.operator == "present":
        return True
    if one.operator in TRUTHS:
        return (one.operator == "true") == value
    if one.operator in ORDERED:
        limit, end = one.values[0], piece.high if value is None else value
        if value is not None and isinstance(value, str) != isinstance(limit, str):
            return False
        return (end is not None and _order(end) <= _order(limit)) == (one.operator == "<=")
    named = value is not None and any(equal_values(value, v) for v in one.values)
    return named == (one.operator in {"==", "in"})


class Grid:
    """The cells of a model's columns, and what it says of each choice of them.

    columns: in the order in which the model asks. The rows that `cells` has read may add cells that
    no condition names (text among numbers, say).
    """

    def __init__(self, model: Model) -> None:
        self.model, self.deciders = model, model.deciders()
        of: dict[str, dict[Condition, None]] = {}
        for one in (c for asked in model.antecedents for c in asked.conditions):
            of.setdefault(one.column, {})[one] = None
        known = {name: tuple(one.code_words) for name, one in model.reading.items()}
        self.columns = [
            Asked.of(name, tuple(asked), known.get(name, ())) for name, asked in of.items()
        ]
        self._at = {
            one: (number, place)
            for number, column in enumerate(self.columns)
            for place, one in enumerate(column.conditions)
        }

    def cells(self, data: Any) -> tuple[Mapping[str, Column], Cells]:
        """(the columns as the model compares them, (rows, columns) the cell of each value)."""
        if isinstance(data, Dataset):
            raise InputError("a data set has no columns: expected the table that it was made of")
        rows = Rows(data, self.model.antecedents, self.model.reading)
        found = np.zeros((rows.count, len(self.columns)), dtype=np.intp)
        for number, asked in enumerate(self.columns):
            held = [rows.captured_by(Antecedent.of(one)) for one in asked.conditions]
            answers = np.array(held, np.bool_).T.reshape(rows.count, len(asked.conditions))
            if rows.count:
                self.columns[number] = asked.with_answers(answers)
                found[:, number] = self.columns[number].place(answers)
        return rows.columns, found

    def decided(self, cells: Cells) -> NDArray[np.intp]:
        """(N,) which decider decides each choice of cells, (N, columns)."""

        def captured_by(antecedent: Antecedent) -> NDArray[np.bool_]:
            held = np.ones(len(cells), np.bool_)
            for number, place in (self._at[one] for one in antecedent.conditions):
                held &= self.columns[number].truth[cells[:, number], place]
            return held

        return first_holding(self.deciders, captured_by, len(cells))

    def possible(
        self, antecedent: Antecedent, allowed: Sequence[Sequence[int]]
    ) -> tuple[bool, bool]:
        """(whether it can be true, whether it can be false) within some cells of each column."""
        asked: dict[int, list[int]] = {}
        for number, place in (self._at[one] for one in antecedent.conditions):
            asked.setdefault(number, []).append(place)
        held = [
            self.columns[number].truth[list(allowed[number])][:, places].all(axis=1)
            for number, places in asked.items()
        ]
        return all(one.any() for one in held), any(not one.all() for one in held)
