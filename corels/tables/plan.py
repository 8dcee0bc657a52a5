"""The plan of a column: what it is taken for, and the conditions it gives, decided once.

A column is numbers, dates, yes/no, categories, or dropped with a reason:

- numbers: both sides of each cut, "age <= 25" and "age > 25" (a cut is a category of two);
- numbers that are only 0 and 1, and booleans: the column itself, "smoker";
- categories: one condition a value, "sex = Male", or groups, "city in {Bonn, Graz}"; of categories
  in an order both sides of each cut, "size in {S, M}" and "size in {L, XL}";
- dates and times: before and after each cut, and a plan for each of year, month, weekday and hour;
- any column with missing values: "age is missing", unless missing values are refused;
- dropped: text or row numbers that only tell rows apart, and values that nothing can ask for.

A plan looks at the values, and with some options at the labels. `binarizing` then evaluates it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from corels.errors import InputError, OptionError
from corels.tables.advice import (
    FEWEST_ROWS,
    hint_of,
    identifies_rows,
    odd_text,
    refuse_infinite,
    refuse_missing,
)
from corels.tables.column import Column, Scalar, row_count
from corels.tables.comparing import among
from corels.tables.condition import Condition
from corels.tables.cuts import (
    Number,
    entropy_cuts,
    groups_of,
    in_order,
    nearest_cuts,
    quantile_cuts,
    uniform_cuts,
)
from corels.tables.dates import CLOCK_TIME, DATE, nice_between, parts_of
from corels.tables.deadline import NO_DEADLINE, Deadline
from corels.tables.described import as_described, codes_of, given_cuts, given_groups, unmet_words
from corels.tables.description import OF_NAMES, WAYS, ColumnDescription
from corels.tables.directions import Direction, Way
from corels.tables.held import coded
from corels.tables.options import BinarizeOptions, SupportLimits

GROUP_ABOVE = 3  # values of a column are grouped if there are more of them
FEW_CUTS = 16  # so many or fewer are compared one by one
Labels = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class ColumnPlan:
    """What becomes of one column.

    Attributes:
        column: as its conditions read it: as categories if names were asked for.
        kind: "numbers", "0/1", "categories", "dates", "money", ... as a report calls it.
        cuts: rising; each gives the conditions "<=" and ">".
        conditions: the others, before any selection.
        parts: the plans of year, month, ... of a date.
        dropped: why nothing but "is missing" is asked of it, "" if it is used.
        hint: what would make the column useful, "" if nothing is known.
        codes: values that are no measurements; each has a condition of its own.
        given: whether the cuts or groups were listed: they are kept whatever they hold for.
        notes: sentences about what was said and does not fit the column.
    """

    column: Column
    kind: str
    cuts: tuple[Scalar, ...] = ()
    conditions: tuple[Condition, ...] = ()
    parts: tuple[ColumnPlan, ...] = ()
    dropped: str = ""
    hint: str = ""
    codes: tuple[Scalar, ...] = ()
    given: bool = False
    notes: tuple[str, ...] = ()

    def directions(self, way: Way | None) -> list[Direction]:
        """The column's direction, if it has one."""
        if way is None:
            return []
        listed = (self.column.categories or ()) if self.column.ordered else ()
        order = tuple(value for value in listed if value not in self.codes)
        return [Direction(self.column.name, way, order, self.codes)]

    def cut(self, operator: str, at: int) -> Condition:
        """One side of a cut."""
        return Condition(self.column.name, operator, self.cuts[at], self.codes)

    def keeps(self, condition: Condition) -> bool:
        """Whether a condition is kept whatever it holds for: one on a code, or a given group."""
        return self.is_code(condition) or (self.given and condition.operator in ("==", "in"))

    def is_code(self, condition: Condition) -> bool:
        """Whether a condition names a code."""
        return condition.value in self.codes

    @property
    def named(self) -> list[Scalar]:
        """The categories that conditions name: each is a class of its own."""
        return list(dict.fromkeys(value for one in self.conditions for value in one.values))

    def classes(self) -> tuple[NDArray[Any], int]:
        """(N,) the class of each row, and how many classes there are. Of one class all conditions
        say the same: how many cuts lie below a value, or which of the named categories it is (the
        last but one: another); the last class has no value. Behind the cuts, each code is a class.
        """
        column, last = self.column, len(self.cuts) + 1
        if column.categories is None:
            binary = any(one.operator == "true" for one in self.conditions)
            found = _cuts_below((0,) if binary else self.cuts, column.values)
            last += binary
        elif self.cuts:
            found = column.by_category((bisect_left(self.cuts, t) for t in column.categories), 0)
        else:
            place = {value: at for at, value in enumerate(self.named)}
            numbers = (place.get(value, len(place)) for value in column.categories)
            found, last = column.by_category(numbers, 0), len(place) + 1
        by_name = column.categories is not None and not self.cuts
        codes = () if by_name else self.codes
        last += len(codes)
        found = found.astype(np.min_scalar_type(last))
        for at, code in enumerate(codes, start=len(self.cuts) + 1):
            found[among(column, (code,)) & column.present] = at
        found[column.missing] = last
        return found, last + 1

    def of_classes(self, classes: NDArray[Any], count: int) -> Column:
        """A row of each class, for conditions that are no cuts."""
        rows = np.zeros(count, dtype=np.intp)
        rows[classes] = np.arange(len(classes), dtype=np.int32)
        column = self.column.take(rows)
        return coded(column.name, column.cells(), column.missing)

    def why_nothing(self, limits: SupportLimits, total: int) -> str:
        """Why no condition of the plan is an antecedent."""
        column = self.column
        rows, distinct = int(column.present.sum()), int((column.different[1] > 0).sum())
        least = f"fewer than {limits.least} row{'s' if limits.least != 1 else ''}"
        most = f"more than {limits.most}"
        if total not in (0, len(column.values)):  # what rows weigh has a unit of its own
            least = f"less than {limits.least / total:.3g} of the weight"
            most = f"more than {limits.most / total:.3g}"
        reason = f"every condition on it holds for {least} or {most}"
        if self.dropped:
            reason = self.dropped
        elif distinct < 2:
            reason = "one value only" if distinct else "no values"
        elif self.kind == "categories":
            every = "differs" if distinct == rows else f"holds for {least} or {most}"
            reason = odd_text(column)[0] or f"every value {every}"
        return reason


@dataclass(frozen=True, eq=False)
class Planner:
    """Makes the plans of a table's columns.

    Attributes:
        columns: name -> `Column` of N values.
        options: how columns become antecedents.
        limits: on support, as counts of rows.
        labels: (N,) classes, needed only if thresholds or groups look at them.
        weights: (N,) how many rows each stands for; None for one each.
        deadline: learns how far the columns are, and may end the work.
    """

    columns: Mapping[str, Column]
    options: BinarizeOptions
    limits: SupportLimits
    labels: Labels | None = None
    weights: NDArray[np.int64] | None = None
    deadline: Deadline = NO_DEADLINE

    def __iter__(self) -> Iterator[tuple[Column, ColumnPlan]]:
        """Each column and its plan, in order; a column is asked for once.

        Raises OptionError for labels that are needed and not there. Raises InputError for an
        infinite value.
        """
        for done, name in enumerate(self.columns):
            how_far = f"columns were made into antecedents ({done} of {len(self.columns)} done)"
            self.deadline.look("columns made into antecedents", done, len(self.columns), how_far)
            asked = self.options.described.column(name)
            read = self.columns[name]
            column = replace(as_described(read, asked), met=read.met)
            if asked.refuses_missing:
                refuse_missing({column.name: column})
            plan, own = self._plan(column, asked), self.options.described.columns.get(name)
            yield column, replace(plan, notes=(*unmet_words(column, own), *plan.notes))

    def _plan(self, column: Column, asked: ColumnDescription, *, part: bool = False) -> ColumnPlan:
        """Cuts, the column itself, or categories.

        part: a year, month, ...; a date that is missing is asked for by the date itself.
        """
        if column.unreadable:
            what = column.unreadable.removeprefix(f"column {column.name!r} ").partition(";")[0]
            return ColumnPlan(column, "unreadable", dropped=what)
        of_date = [] if part else parts_of(column)
        if asked.as_ == "names" or asked.groups:
            column = replace(column.as_categories(), form="", ordered=False)
        codes, ordinary, notes = codes_of(column, asked)
        plan = ColumnPlan(column, self._kind(ordinary), codes=codes, notes=notes)
        if not asked.as_ and not part:
            hint, reason = hint_of(ordinary, asked.decimal), identifies_rows(ordinary)
            plan = replace(plan, hint=hint, dropped=reason)
        name, gone = column.name, column.missing.any() and not part
        further = tuple(Condition(name, "==", code) for code in codes)
        further += (Condition(name, "missing"),) if gone else ()
        if plan.dropped:
            return replace(plan, conditions=further)
        described = self.options.described
        own = described.columns
        wanted = [one for one in of_date if one.name not in own or own[one.name].as_ != "ignore"]
        planned = (self._plan(one, described.column(one.name), part=True) for one in wanted)
        plan = replace(plan, parts=tuple(planned))
        if column.form in (DATE, CLOCK_TIME) or (ordinary.is_number and not asked.groups):
            return self._measured(plan, ordinary, asked, further)
        found = self._sides(ordinary, asked) if ordinary.ordered else None
        if asked.groups:
            groups, unmet = given_groups(ordinary, asked)
            found = [_one_or_group(name, group) for group in groups]
            plan = replace(plan, notes=(*plan.notes, *unmet))
        elif found is None:
            found = self._categories(ordinary, asked)
        if ordinary.ordered:
            found = [structs.replace(one, besides=codes) for one in found]
        given = bool(asked.groups or asked.given_cuts is not None)
        return replace(plan, conditions=(*found, *further), given=given)

    def _measured(
        self,
        plan: ColumnPlan,
        ordinary: Column,
        asked: ColumnDescription,
        further: tuple[Condition, ...],
    ) -> ColumnPlan:
        """The plan with the cuts of a column of numbers or dates, or the column itself.

        ordinary: the column with its codes as missing. further: conditions beside these.
        """
        plan = replace(plan, conditions=further)
        if asked.given_cuts is not None:
            cuts, notes = given_cuts(ordinary, asked)
            return replace(plan, cuts=cuts, given=True, notes=(*plan.notes, *notes))
        if ordinary.form in (DATE, CLOCK_TIME):
            return replace(plan, cuts=self._cuts_of_dates(ordinary, asked))
        if not plan.codes and is_binary(ordinary):
            true = Condition(ordinary.name, "true")
            return replace(plan, conditions=(true, *further), hint="")
        refuse_infinite(ordinary)
        return replace(plan, cuts=tuple(self._cuts(ordinary, asked)))

    @staticmethod
    def _kind(column: Column) -> str:
        """The kind of a column in words."""
        if column.form in (DATE, CLOCK_TIME):
            return "dates" if column.form == DATE else "times of day"
        if column.categories is not None:
            return "ordered categories" if column.ordered else "categories"
        return column.form or ("0/1" if is_binary(column) else "numbers")

    def _categories(self, column: Column, asked: ColumnDescription) -> list[Condition]:
        """Values, groups of values, or both. If no group pays, values."""
        grouped: list[Condition] = []
        assert column.categories is not None
        way, most = asked.way(OF_NAMES, "each")
        if way != "each" and len(column.categories) > GROUP_ABOVE:
            labels = self._known_labels(f"cuts {way!r} learns")
            counts = _tally(column, self.weights, labels)
            pairs = groups_of(column.categories, counts, most)
            grouped = [_one_or_group(column.name, side) for pair in pairs for side in pair]
        if grouped and way == "grouped":
            return grouped
        return self._each(column) + grouped

    def _each(self, column: Column) -> list[Condition]:
        """One condition a value. Values that the limits will exclude (most names of people, say)
        are left out here by counting them, because there may be as many as rows."""
        assert column.categories is not None
        limits = self.limits
        counts = _tally(column, self.weights)
        allowed = limits.allow(counts)
        if self.options.negations:
            allowed |= limits.allow(counts.sum() - counts)
        values = [column.categories[code] for code in np.flatnonzero(allowed).tolist()]
        return [Condition(column.name, "==", value) for value in sorted(values, key=in_order)]

    def _known_labels(self, who: str) -> Labels:
        if self.labels is None:
            raise OptionError(f"{who} from the labels: give them too")
        if len(self.labels) != (rows := row_count(self.columns)):
            raise InputError(f"labels for {len(self.labels)} rows, but the table has {rows}")
        return self.labels

    def _cuts(
        self, column: Column, asked: ColumnDescription, order: Sequence[int] | None = None
    ) -> list[Number]:
        """Of numbers; of categories in an order (of their codes) the ranks to cut after."""
        by, n_cuts = asked.way(WAYS, "quantile")
        labels = None
        if by == "entropy":
            labels = self._known_labels("cuts 'entropy' learns")
        values, rows = column.different
        counts = _tally(column, self.weights, labels)
        if order is not None:
            there = rows[list(order)] > 0
            values, counts = np.flatnonzero(there), counts[list(order)][there]
        if not len(values):
            return []
        if by == "entropy":
            return entropy_cuts(values, counts, n_cuts)
        if by == "uniform":
            return uniform_cuts(values, n_cuts)
        if by == "all":
            return nearest_cuts(values, values)
        return quantile_cuts(values, counts, n_cuts)

    def _cuts_of_dates(self, column: Column, asked: ColumnDescription) -> tuple[Scalar, ...]:
        """Cuts between neighbouring dates, each written as a short one."""
        texts = list(map(str, column.categories or ()))
        order = sorted(range(len(texts)), key=texts.__getitem__)
        cuts = map(int, self._cuts(column, asked, order))
        return tuple(nice_between(texts[order[at]], texts[order[at + 1]]) for at in cuts)

    def _sides(self, column: Column, asked: ColumnDescription) -> list[Condition]:
        """Both sides of each cut of categories in an order, whose codes are their ranks."""
        assert column.categories is not None
        order = list(map(str, asked.order or column.categories))
        cuts = list(map(int, self._cuts(column, asked, range(len(order)))))
        if (given := asked.given_cuts) is not None:
            if not {*map(str, given)} <= {*order}:
                raise InputError(
                    f"column {column.name!r}: cuts {', '.join(map(str, given))}: expected some of "
                    f"its values in their order, {', '.join(order)}"
                )
            cuts = [order.index(str(cut)) for cut in given if str(cut) != order[-1]]
        values = column.categories[: len(order)]
        pairs = ((values[: cut + 1], values[cut + 1 :]) for cut in cuts)
        return [_one_or_group(column.name, side) for pair in pairs for side in pair]


def _tally(
    column: Column, weights: NDArray[np.int64] | None, labels: Labels | None = None
) -> NDArray[Any]:
    """(K,) how many rows have each different value; with labels, (K, C) how many of each class."""
    values, counts = column.different
    if weights is None and labels is None:
        return counts
    there, place = column.present, column.place
    stand_for = None if weights is None else weights[there]
    if labels is None:
        return np.bincount(place, stand_for, len(values))
    own = labels[there]
    classes = int(own.max(initial=0)) + 1
    cells = np.bincount(place * classes + own, stand_for, len(values) * classes)
    return cells.reshape(len(values), classes).astype(np.float64)


def _cuts_below(cuts: Sequence[Any], values: NDArray[Any]) -> NDArray[Any]:
    """(N,) how many cuts are below each value."""
    limits = np.array(cuts, dtype=values.dtype)
    if len(limits) > FEW_CUTS:
        return np.asarray(np.searchsorted(limits, values, side="left"))
    found = np.zeros(len(values), dtype=np.uint8)
    for limit in limits:
        found += values > limit
    return found


def is_binary(column: Column) -> bool:
    """A column of numbers that are all 0 or 1."""
    if not column.is_number:
        return False
    if column.values.dtype == np.bool_:
        return True
    parts = (slice(FEWEST_ROWS), slice(FEWEST_ROWS, None))  # a few values decide mostly
    cells = ((column.missing[part], column.values[part]) for part in parts)
    return all(bool((gone | (values == 0) | (values == 1)).all()) for gone, values in cells)


def _one_or_group(column: str, values: tuple[Scalar, ...]) -> Condition:
    if len(values) == 1:
        return Condition(column, "==", values[0])
    return Condition(column, "in", values)
