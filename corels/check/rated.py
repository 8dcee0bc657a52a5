"""Constraints on rates of the raw table, as sums over points, for the checkers of all families.

A constraint is about the rate of a group, or that of one group less that of another: about a sum of
whole numbers, of what the outcome that is said of each point adds there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corels.check.points import Table, distinct_values, fraction, well_formed
from corels.errors import InputError

Bools = NDArray[np.bool_]
Whole = NDArray[np.int64]

Term = tuple[int, str, tuple[bool, ...]]

# A rate is A/B. What A counts and B counts, how often, and among which rows, by whether their class
# is the last one; "row": the row itself, so that B is the data's.
ALL = (False, True)
RATES: dict[str, tuple[list[Term], list[Term]]] = {
    "recall": ([(1, "called", (True,))], [(1, "row", (True,))]),
    "false positive rate": ([(1, "called", (False,))], [(1, "row", (False,))]),
    "positive rate": ([(1, "called", ALL)], [(1, "row", ALL)]),
    "accuracy": ([(1, "right", ALL)], [(1, "row", ALL)]),
    "coverage": ([(1, "decided", ALL)], [(1, "row", ALL)]),
    "precision": ([(1, "called", (True,))], [(1, "called", ALL)]),
    "negative predictive value": ([(1, "denied", (False,))], [(1, "denied", ALL)]),
    "f1": ([(2, "called", (True,))], [(1, "called", ALL), (1, "row", (True,))]),
}


class RatedRows(NamedTuple):
    """What constraints ask of N rows.

    point, weight: int64[N]. label: int[N], the class. groups: for the column of each constraint the
    group of each row, str[N]. kinds: of the O outcomes, the classes first. right: bool[O, N],
    whether an outcome is right about a row.
    """

    point: Whole
    weight: Whole
    label: Whole
    groups: Mapping[str, Any]
    kinds: Sequence[str]
    right: Bools

    @property
    def positive(self) -> Bools:
        """bool[N]: whether the row's class is the last one."""
        return np.asarray(self.label == self.kinds.count("class") - 1)

    def counted(self, what: str) -> Bools:
        """bool[O, N]: whether a row counts if an outcome is said of it. A model that two classes
        are handed to says the last class of a row if it is right and that is the row's class, or
        if it is wrong and that is not."""
        if "defer" in self.kinds and self.kinds.count("class") != 2:
            raise ValueError("rows are handed over, and there are not two classes")
        kinds = np.array(self.kinds)[:, None]
        last = np.arange(len(kinds))[:, None] == self.kinds.count("class") - 1
        decided = np.broadcast_to(kinds == "class", self.right.shape)
        handed = np.broadcast_to(kinds == "defer", self.right.shape)
        called = decided & last | handed & (self.right == self.positive)
        denied = (decided | handed) & ~called
        of = {"right": self.right, "decided": decided, "called": called, "denied": denied}
        return np.ones_like(self.right) if what == "row" else np.asarray(of[what])

    def summed(self, counts: Bools, weight: Whole, points: int) -> Any:
        """int[O, points]: the weights of the rows that count."""
        found = np.zeros((len(counts), points), np.int64)
        for row, one in zip(found, counts, strict=True):
            np.add.at(row, self.point, weight * one)
        return found.astype(object)


def sums_of(one: Mapping[str, Any], rows: RatedRows, points: int) -> tuple[Any, int, int]:
    """A constraint of the header in whole numbers: what each outcome adds at each point to a sum,
    int[O, P]; and the least and the greatest sum that are allowed.

    It is about the rate of a group, or that of one group less that of another. With A/B and the
    bound p/q, that is about q A - p B; if all B are the data's and M their least common multiple,
    about the sum of A M/B.
    """
    least, most = fraction(one["least"]), fraction(one["most"])
    groups = one["groups"]
    parts = [parts_of(one, group, rows, points) for group in groups]
    sizes = [below for _, below in parts]
    if all(isinstance(below, int) for below in sizes) and len(groups) in (1, 2):
        common = math.lcm(*sizes)
        scaled = [above * (common // below) for above, below in parts]
        values = scaled[0] - scaled[1] if len(scaled) > 1 else scaled[0]
        return values, math.ceil(least * common), math.floor(most * common)
    if len(groups) != 1 or (least > 0 and most < 1):
        raise ValueError("a constraint compares what no sum of whole numbers does")
    ((above, below),) = parts
    bound = most if most < 1 else least
    values = above * bound.denominator - below * bound.numerator
    far = int(np.abs(values).sum())
    return (values, -far, 0) if most < 1 else (values, 0, far)


def parts_of(one: Mapping[str, Any], group: str, rows: RatedRows, points: int) -> tuple[Any, Any]:
    """A, int[O, points], and B of a group: a whole number, or the same."""
    weight = rows.weight * (rows.groups[one["column"]] == group)
    if one["rate"] == "balanced accuracy":  # the mean of what is right of each class
        of_class = [int(weight[rows.label == c].sum()) for c in range(rows.kinds.count("class"))]
        common = math.lcm(*of_class)
        factor = np.array([common // max(1, of) for of in of_class])
        above = rows.summed(rows.right, weight * factor[rows.label], points)
        return above, len(of_class) * common
    (above, below), found = RATES[one["rate"]], []
    for terms in (above, below):
        parts = [
            times * rows.summed(rows.counted(what) & np.isin(rows.positive, truth), weight, points)
            for times, what, truth in terms
        ]
        found.append(sum(parts))
    (_, what, truth), *more = below
    if what == "row" and not more:
        return found[0], int(weight[np.isin(rows.positive, truth)].sum())
    return found[0], found[1]


def refuse_strange(header: Mapping[str, Any], rows: RatedRows) -> None:
    """Raises InputError if a row has a group that a proof's header has not."""
    for column, of_rows in rows.groups.items():
        stated = (one["groups"] for one in header["constraints"] if one["column"] == column)
        known = {group for groups in stated for group in groups}
        strange = next((group for group in of_rows.tolist() if group not in known), None)
        if column and strange is not None:
            what = f"a row has the group {strange!r} of {column!r}, which the proof has not"
            raise InputError(what)


def rated_rows(header: Mapping[str, Any], table: Table, point: Whole) -> RatedRows:
    """The rows of constraints. header: has these and the classes. point: int64[N], of each row.
    Raises InputError for a column that the data has not."""
    columns, labels, costs = table.columns, table.labels, table.costs
    with well_formed():
        truth = np.array([str(label) for label in labels])
        right = np.array([truth == str(name) for name in header["classes"]])
        asked = dict.fromkeys(str(one["column"]) for one in header["constraints"])
        kinds = ["class"] * len(right) if costs is None else list(costs.outcomes.kinds)
        return RatedRows(
            point=point,
            weight=table.weight,
            label=right.argmax(axis=0),
            groups={one: _groups(columns, one, len(labels)) for one in asked},
            kinds=kinds,
            right=right if costs is None else costs.right > 0,
        )


def _groups(columns: Mapping[str, Any], column: str, rows: int) -> NDArray[np.str_]:
    """str[N], the group of each row. column: several columns may be named together, with commas
    between; "": rates are of all rows."""
    if not column:
        return np.full(rows, "")
    names = [column] if column in columns else column.split(", ")
    absent = next((name for name in names if name not in columns), None)
    if absent is not None:
        raise InputError(f"the data has no column {absent!r}, which the constraints are about")
    texts = [*zip(*(_texts(columns[name]) for name in names), strict=True)]
    found = [", ".join(row) for row in texts]
    if len(set(found)) < len(set(texts)):
        found = [", ".join(map(repr, row)) for row in texts]
    return np.array(found)


def _texts(column: Any) -> list[str]:
    """The values of a column as texts; 1.0 is 1."""
    written = getattr(column, "written", None)  # where odd cells of numbers are names here
    values, which = distinct_values(column if written is None else written)
    texts = [str(int(v) if isinstance(v, float) and v.is_integer() else v) for v in values]
    return [texts[code] for code in which]
