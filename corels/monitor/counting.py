"""The rows of a table by decider, and by window: what is compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError, OptionError
from corels.model.model import Model
from corels.model.weighing import Behind, kind_of
from corels.options import unknown, whole
from corels.problem.weights import ExactWeights
from corels.tables.column import Column
from corels.tables.labelled import names_of

PERIODS = ("month", "quarter", "year")
ALL = ""  # the name of the window that has every row


@dataclass(frozen=True)
class Share:
    """Rows of some kind among others.

    weight, of: their weights. rows: how many rows `of` stands for: the effective number
    (sum w)^2 / sum w^2, if rows have weights.
    """

    weight: float
    of: float
    rows: float

    @property
    def share(self) -> float | None:
        """None of nothing."""
        return self.weight / self.of if self.of else None

    @property
    def counts(self) -> tuple[int, int]:
        """Whole numbers of rows, for a test."""
        of = round(self.rows)
        return (round(self.rows * self.weight / self.of) if self.of else 0), of


@dataclass(frozen=True)
class Counts:
    """What rows were counted, by decider.

    Attributes:
        name: of the table or the window; "training" of the counts of a model file.
        by_class: (deciders, classes) weight, the last column other labels; None without labels.
        weights: (deciders,) weight; rows: (deciders,) effective rows.
        rows_in_all: the effective number of all rows; counted: the plain one.
        judged: (deciders,) whether an outcome can be wrong; outcome: (deciders,) which it is.
        unit: what a weight of 1 stands for; a `Share` is in the unit that was given.
    """

    name: str
    by_class: NDArray[np.int64] | None
    weights: NDArray[np.int64]
    rows: NDArray[np.float64]
    rows_in_all: float
    counted: int
    judged: NDArray[np.bool_]
    outcome: NDArray[np.intp]
    unit: Fraction = Fraction(1)

    def weight(self, decider: int | None = None) -> float:
        """What the rows of a decider weigh, or of all, in the unit that was given."""
        whole = self.weights.sum() if decider is None else self.weights[decider]
        given = int(whole) * self.unit
        return int(given) if given.denominator == 1 else float(given)

    def share(self, decider: int) -> Share:
        """The rows that a decider decides, among all."""
        return Share(float(self.weight(decider)), float(self.weight()), self.rows_in_all)

    def errors(self, decider: int | None = None) -> Share | None:
        """Those of them that it gets wrong; of all deciders for None. None: not known."""
        which = self.judged.copy()
        if decider is not None:
            which &= np.arange(len(which)) == decider
        if self.by_class is None or not which.any():
            return None
        of = self.weights[which].sum()
        right = self.by_class[np.arange(len(which)), self.outcome][which].sum()
        rows = self.rows[which].sum()
        if decider is None:
            rows = self.rows_in_all * self.weights[which].sum() / max(1, self.weights.sum())
        wrong, all_ = (float(int(weight) * self.unit) for weight in (of - right, of))
        return Share(wrong, all_, float(rows))


def counted(
    model: Model,
    deciders: NDArray[np.intp],
    labels: NDArray[np.intp] | None,
    weights: ExactWeights | None,
    name: str,
) -> Counts:
    """deciders: (N,) which decides each row. labels: (N,) the true class, -1 for none that the
    model knows; None if they are not known. weights: (N,), None for 1 each."""
    every, classes = len(model.deciders()), len(model.classes)
    own, unit = np.ones(len(deciders), np.int64), Fraction(1)
    if weights is not None:
        own, unit = weights.values, weights.unit
    by = np.bincount(deciders, own, every).astype(np.int64)
    squares = np.bincount(deciders, own.astype(np.float64) ** 2, every)
    rows = np.divide(by.astype(np.float64) ** 2, squares, out=np.zeros(every), where=squares > 0)
    by_class = None
    if labels is not None:
        cell = deciders * (classes + 1) + labels % (classes + 1)
        by_class = np.bincount(cell, own, every * (classes + 1)).astype(np.int64)
        by_class = by_class.reshape(every, classes + 1)
    in_all = float(by.sum()) ** 2 / squares.sum() if by.any() else 0.0
    return Counts(name, by_class, by, rows, in_all, len(deciders), *_said(model), unit)


def stated(model: Model, document: Mapping[str, Any]) -> Counts:
    """What a model file states: of held-out rows, if it has some, else of its training rows.

    Raises InputError if it has no counts.
    """
    behind = Behind.of(model, document)
    by = np.array(behind.weights, np.int64)
    known = np.array(behind.counts, np.int64)
    unknown = by - known.sum(axis=1)  # rows of classes that the model does not know
    by_class = np.column_stack([known, unknown])
    if not by.sum():
        raise InputError("the model file has no counts of its training rows: give ⟨reference⟩")
    plain = behind.rows or int(by.sum())
    effective = float(behind.effective or plain)
    sizes = by, by * (effective / by.sum()), effective, int(plain)
    return Counts(behind.name, by_class, *sizes, *_said(model), behind.unit)


def _said(model: Model) -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
    """(which deciders say a class, the class)."""
    deciders = model.deciders()
    judged = np.array([kind_of(model, one) == "class" for one in deciders], np.bool_)
    said = np.array([one.outcome for one in deciders], np.intp)
    return judged, np.minimum(said, len(model.classes))


def windows(columns: Mapping[str, Column], by: str) -> tuple[list[str], NDArray[np.intp]]:
    """(the windows in order, which of them each row is in). by: a column, or COLUMN:month.

    Raises OptionError for a column that there is not, InputError for one that has no dates.
    """
    name, colon, period = by.rpartition(":")
    if not colon or period not in PERIODS or by in columns:
        name, period = by, ""
    if name not in columns:
        raise OptionError(f"⟨by⟩ {by}: {unknown('column', name, list(columns))}")
    cells = (columns[name] if period else names_of(columns[name])).cells()
    if period:
        if columns[name].form != "date":
            raise InputError(f"⟨by⟩ {by}: column {name!r} has no dates to make a {period} of")
        cells = [cell and _period(str(cell), period) for cell in cells]
    known = {cell for cell in cells if cell is not None}
    values: list[Any] = sorted(known, key=lambda one: (isinstance(one, str), one))
    values = [None, *values] if None in cells else values
    place = {cell: number for number, cell in enumerate(values)}
    names = ["missing" if one is None else str(whole(one)) for one in values]
    return names, np.array([place[cell] for cell in cells], np.intp)


def _period(cell: str, period: str) -> str:
    if period == "year":
        return cell[:4]
    return cell[:7] if period == "month" else f"{cell[:4]}-Q{(int(cell[5:7]) + 2) // 3}"
