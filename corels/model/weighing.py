"""Rows and weights apart: how many rows are behind the weights that a model counts, and how far a
share of them can be believed: Wilson's interval (Wilson 1927, "Probable inference")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from corels.errors import InputError, OptionError

if TYPE_CHECKING:
    from corels.model.decider import Decider
    from corels.model.model import Model
    from corels.model.schema import Weighing
    from corels.problem import Problem

WHOLE = 100_000  # weights from here on are shown as whole numbers
LEVEL = 0.95  # of an interval


def weighing_of(model: Model, problem: Problem) -> Weighing | None:
    """The rows of the problem that each decider of its model decides; None if each row counts
    as one."""
    if problem.row_counts is None:
        return None
    from corels.model.rows import first_holding
    from corels.model.schema import Weighing

    unit = str(problem.weight_unit)
    try:
        numbers = {one: problem.number_of(one) for one in model.antecedents}
    except OptionError:  # a family with conditions of its own
        return Weighing(unit)
    deciders = model.deciders()
    first = first_holding(deciders, lambda one: problem.captures[numbers[one]], problem.n_points)
    rows = np.stack([np.bincount(first, of, len(deciders)) for of in problem.row_counts], axis=1)
    return Weighing(unit, rows.astype(np.int64).tolist())


def check_rows(model: Model, rows: int | None) -> None:
    """Raise InputError if the rows that a file states contradict its weights. rows: of the data;
    None if it is not known."""
    weighing, deciders = model.weighing, model.deciders()
    if weighing is None or weighing.rows is None:
        return
    if [len(of) for of in weighing.rows] != [len(model.classes)] * len(deciders):
        raise InputError("its rows are not those of each decider and class")
    for of, decider in zip(weighing.rows, deciders, strict=True):
        if any(weight and not number for number, weight in zip(of, decider.counts, strict=True)):
            what = f"no row has a weight: rows {list(of)}, weights {list(decider.counts)}"
            raise InputError(what)
    total = sum(map(sum, weighing.rows))
    if rows is not None and total != rows:
        raise InputError(f"the rows of the model add up to {total}, the data has {rows}")


def amount(model: Model, weight: int) -> str:
    """A count of a model as people read it: in the unit of the weights that were given."""
    return in_unit(weight, unit_of(model))


def in_unit(weight: int, unit: Fraction, separator: str = "") -> str:
    """A count in a unit of weight, as people read it."""
    given = weight * unit
    if given.denominator == 1 or given >= WHOLE:
        return f"{round(given):{separator}}"
    return f"{float(given):{separator}.6g}"


def number_in(weight: int, unit: Fraction) -> float:
    """A count in a unit of weight as a number of JSON, a whole one if that is exact."""
    given = weight * unit
    return int(given) if given.denominator == 1 else float(given)


def unit_of(model: Model) -> Fraction:
    """The weight that a count of 1 stands for."""
    return Fraction(1 if model.weighing is None else model.weighing.unit)


def separated(weight: int, unit: Fraction | str) -> str:
    """A count in a unit of weight, with separators of thousands."""
    return in_unit(weight, Fraction(unit), ",")


def counted(model: Model, decider: Decider) -> str:
    """'12 of 15': of what a decider captures, the count of the class that is shown; '15' if
    it is not known what is right. With weights '12 of 15 rows; weight 8.5 of 11.2'."""
    weight = amount(model, decider.captured)
    if decider.judged:
        weight = f"{amount(model, decider.shown_count)} of {weight}"
    if model.weighing is None:
        return weight
    if model.weighing.rows is None:
        return f"weight {weight}"
    of = model.weighing.rows[model.deciders().index(decider)]
    rows, shown = f"{sum(of)} {'row' if sum(of) == 1 else 'rows'}", _class_shown(model, decider)
    return f"{rows if shown is None else f'{of[shown]} of {rows}'}; weight {weight}"


def _class_shown(model: Model, decider: Decider) -> int | None:
    """The class, by number, whose count is shown; None if it is that of no class."""
    if decider.stated is not None:
        return 1
    said = model.says[decider.outcome]
    known = kind_of(model, decider) == "class"
    return model.classes.index(said) if known and decider.judged else None


def kind_of(model: Model, decider: Decider) -> str:
    """What a decider's outcome is: "class", "abstain", "defer" or "action"."""
    return "class" if model.outcomes is None else model.outcomes.kinds[decider.outcome]


def wilson(right: float, of: float, level: float = LEVEL) -> tuple[float, float]:
    """(low, high), the interval of a share `right / of` at a level; (0, 1) of nothing."""
    from statistics import NormalDist  # no run needs it

    if not of:
        return 0.0, 1.0
    z, share = NormalDist().inv_cdf((1 + level) / 2), right / of
    centre = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z / (1 + z * z / of) * sqrt(max(0.0, share * (1 - share) / of + z * z / (4 * of * of)))
    low, high = max(0.0, centre - half), min(1.0, centre + half)
    return (low if right else 0.0), (high if right < of else 1.0)


@dataclass(frozen=True)
class Behind:
    """The rows behind the predictions of a model file: those held out, if it has some, else those
    that it was learned from.

    name: "held out" or "training". counts: of each decider the weight of each class. weights: of
    each decider, with rows of classes that the model does not know. rows, weight: how many there
    are, and what they weigh, if the file says so. effective: as how many rows they count. unit:
    what a weight of 1 stands for.
    """

    model: Model
    name: str
    counts: Sequence[Sequence[int]]
    weights: Sequence[int]
    rows: int | None
    weight: int | None
    effective: float | None
    unit: Fraction

    @classmethod
    def of(cls, model: Model, document: Mapping[str, Any]) -> Behind:
        """Of a model and its document."""
        held, data = document.get("held_out"), document.get("data") or {}
        if held is not None:
            name, counts, weights = "held out", held["counts"], held["weights"]
            sizes, unit = held, Fraction(held.get("unit", 1))
        else:
            name, counts = "training", [list(one.counts) for one in model.deciders()]
            sizes, unit, weights = data, unit_of(model), list(map(sum, counts))
        rows = sizes.get("rows")
        effective = sizes.get("effective_rows", rows)
        return cls(model, name, counts, weights, rows, sizes.get("weight"), effective, unit)

    @property
    def what(self) -> str:
        """What is counted: "training rows", "held out weight"."""
        weighted = self.model.weighing is not None
        if self.name != "training":
            weighted = not (self.rows == self.weight == self.effective and self.unit == 1)
        return f"{self.name} {'weight' if weighted else 'rows'}"

    @property
    def _each(self) -> float:
        """The rows that a weight of 1 stands for, on average."""
        return self.effective / self.weight if self.effective and self.weight else 1

    def interval(self, number: int, level: float = LEVEL) -> tuple[float, float] | None:
        """The ends of the interval of a decider's share of the predicted class; None if the outcome
        is no class, or nothing was decided."""
        own, decider = self.counts[number], self.model.deciders()[number]
        if not self.weights[number] or kind_of(self.model, decider) != "class":
            return None
        return wilson(own[decider.outcome] * self._each, self.weights[number] * self._each, level)

    def shares(self, number: int) -> tuple[float, ...]:
        """The share of each class behind a decider, or what it states. Held-out rows of classes
        that the model does not know are of none."""
        decider, weight = self.model.deciders()[number], self.weights[number]
        if decider.stated is not None or not weight:
            return decider.frequencies
        return tuple(count / weight for count in self.counts[number])
