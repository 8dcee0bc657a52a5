"""Rows and weights apart: how many rows are behind the weights that a model counts."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from corels.errors import InputError, OptionError

if TYPE_CHECKING:
    from corels.model.decider import Decider
    from corels.model.model import Model
    from corels.model.schema import WeighedPart
    from corels.problem import Problem

WHOLE = 100_000  # weights from here on are shown as whole numbers


class Weighing(NamedTuple):
    """Of a model whose counts are weights that are not all 1.

    unit: the weight that a count of 1 stands for. rows: of each decider the rows of each class that
    it decides; None if they were not counted.
    """

    unit: Fraction
    rows: tuple[tuple[int, ...], ...] | None = None

    def to_document(self) -> dict[str, Any]:
        """The part `weighed` of a model's document."""
        rows = {} if self.rows is None else {"rows": [list(of) for of in self.rows]}
        return {"unit": str(self.unit), **rows}

    @classmethod
    def read(cls, part: WeighedPart) -> Weighing:
        """What `to_document` wrote."""
        rows = None if part.rows is None else tuple(map(tuple, part.rows))
        return cls(Fraction(part.unit), rows)


def weighing_of(model: Model, problem: Problem) -> Weighing | None:
    """The rows of the problem that each decider of its model decides; None if each row counts
    as one."""
    if problem.row_counts is None:
        return None
    from corels.model.rows import first_holding

    try:
        numbers = {one: problem.number_of(one) for one in model.antecedents}
    except OptionError:  # a family with conditions of its own
        return Weighing(problem.weight_unit)
    deciders = model.deciders()
    first = first_holding(deciders, lambda one: problem.captures[numbers[one]], problem.n_points)
    rows = np.stack([np.bincount(first, of, len(deciders)) for of in problem.row_counts], axis=1)
    found = tuple(tuple(of) for of in rows.astype(np.int64).tolist())
    return Weighing(problem.weight_unit, found)


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
    return Fraction(1) if model.weighing is None else model.weighing.unit


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
    known = model.outcomes is None or model.outcomes.kinds[decider.outcome] == "class"
    return model.classes.index(said) if known and decider.judged else None
