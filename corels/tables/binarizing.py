"""From columns to antecedents: the plain core under `Binarizer`, tables and built-in data.

Each column becomes one or more conditions:

- numbers: both sides of each threshold, "age <= 25" and "age > 25" (a cut is a category of two);
- numbers that are only 0 and 1, and booleans: the column itself, "smoker";
- categories: one condition a value, "sex = Male", or groups, "city in {Bonn, Graz}";
- dates and times: before and after each cut, and conditions on year, month, weekday and hour;
- any column with missing values: "age is missing", unless missing values are refused.

With negations, "sex != Male", "not smoker" and "age is present" follow, each after all features.
Conditions that the limits on support exclude, or that equal an earlier one of the same column on
the data (the negation of one of two categories), are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError, OptionError
from corels.problem.captures import Captures, pack
from corels.tables.column import Column, Scalar, row_count
from corels.tables.condition import Antecedent, Condition
from corels.tables.dates import CLOCK_TIME, DATE, PART, nice_between, parts_of
from corels.tables.groups import groups_of, in_order
from corels.tables.mining import Mined, conjunctions
from corels.tables.options import BinarizeOptions
from corels.tables.pace import UNHURRIED, Pace
from corels.tables.plan import (
    ColumnUse,
    TableUse,
    identifies_rows,
    kind_of,
    odd_text,
    why_unused,
)
from corels.tables.support import SupportLimits
from corels.tables.thresholds import Number, entropy_cuts, quantile_cuts, uniform_cuts

Words = NDArray[np.uint64]


def binarize(
    columns: Mapping[str, Column],
    options: BinarizeOptions,
    labels: NDArray[np.int64] | None = None,
    weights: NDArray[np.int64] | None = None,
    *,
    pace: Pace = UNHURRIED,
) -> Mined:
    """The antecedents of a table and their captures: features, negations, then conjunctions.

    Args:
        columns: column name -> `Column` of N values.
        labels: (N,) classes, needed only for guessed and entropy thresholds.
        weights: (N,) how many rows each stands for; None for one each.
        pace: is told how far the work is, and may end it.

    Raises:
        OptionError: for an option out of range.
        InputError: for a missing value that is refused, or an infinite one.
    """
    options.check()
    _check_categorical(columns, options)
    if options.missing == "refuse":
        refuse_missing(columns)
    total = row_count(columns) if weights is None else int(weights.sum())
    limits = SupportLimits.of(options.min_support, options.max_support, total)
    work = _Work(options, limits, labels, weights, total)
    work.add_all(columns, pace)
    mined = conjunctions(
        *work.single(row_count(columns)),
        options.max_cardinality,
        limits,
        weights,
        max_antecedents=options.max_antecedents,
        pace=pace,
    )
    use = TableUse(tuple(work.uses), len(mined.antecedents), mined.left_out)
    return mined._replace(use=use)


@dataclass(eq=False)
class _Kept:
    """Conditions and, for each, the packed rows that it is true of."""

    conditions: list[Condition] = field(default_factory=list)
    words: list[Words] = field(default_factory=list)


@dataclass(eq=False)
class _Work:
    """Columns become conditions, one column after another; each condition is evaluated once."""

    options: BinarizeOptions
    limits: SupportLimits
    labels: NDArray[np.int64] | None
    weights: NDArray[np.int64] | None
    total: int
    guessed: Mapping[str, list[Number]] | None = None
    features: _Kept = field(default_factory=_Kept)
    negations: _Kept = field(default_factory=_Kept)
    uses: list[ColumnUse] = field(default_factory=list)

    def add_all(self, columns: Mapping[str, Column], pace: Pace) -> None:
        """The conditions of every column, in order."""
        parts = {name: parts_of(column) for name, column in columns.items()}
        if self.options.thresholds == "guess":
            known = {part.name: part for found in parts.values() for part in found}
            self.guessed = _guess({**columns, **known}, self.options, self.labels, self.weights)
        for at, column in enumerate(columns.values()):
            pace.tell("columns made into antecedents", at, len(columns))
            pace.check(f"columns were made into antecedents ({at} of {len(columns)} done)")
            self.add(column, parts[column.name])

    def add(self, column: Column, parts: list[Column]) -> None:
        """The conditions of a column and of its parts (year, month, ... of a date)."""
        as_names = column.name in self.options.categorical
        kind = kind_of(column, as_names=as_names, binary=is_binary(column))
        reason = identifies_rows(column) if not as_names else None
        hint = odd_text(column)[1] if not as_names and kind == "categories" else ""
        before = len(self.features.conditions) + len(self.negations.conditions)
        if reason is None:
            for one in (column, *parts):
                self._select(one, self._conditions(one))
        elif column.missing.any():
            self._select(column, [Condition(column.name, "missing")])
        found = len(self.features.conditions) + len(self.negations.conditions) - before
        if not found and reason is None:
            reason, further = why_unused(column, kind, self.limits, self.total)
            hint = hint or further
        self.uses.append(ColumnUse(column.name, kind, found, "" if found else reason or "", hint))

    def single(self, n_rows: int) -> tuple[list[Antecedent], Captures]:
        """The antecedents of one condition, features first, and their captures."""
        words = self.features.words + self.negations.words
        captures = Captures.empty(len(words), n_rows)
        if words:
            np.stack(words, out=captures.words)
        conditions = self.features.conditions + self.negations.conditions
        return [Antecedent.of(condition) for condition in conditions], captures

    def _conditions(self, column: Column) -> list[Condition]:
        """The features of one column, before any selection."""
        name, options = column.name, self.options
        found: list[Condition] = []
        if column.form in (DATE, CLOCK_TIME) and name not in options.categorical:
            cuts: Sequence[Scalar] = self._cuts_of_dates(column)
            found = [Condition(name, side, cut) for cut in cuts for side in ("<=", ">")]
        elif not column.is_number or name in options.categorical:
            found = self._categories(column.as_categories())
        elif is_binary(column):
            found = [Condition(name, "true")]
        else:
            guessed = self.guessed
            cuts = guessed[name] if guessed is not None else self._cuts(column)
            found = [Condition(name, side, cut) for cut in cuts for side in ("<=", ">")]
        if column.missing.any() and not PART.fullmatch(name):
            found.append(Condition(name, "missing"))
        return found

    def _categories(self, column: Column) -> list[Condition]:
        """Values, groups of values, or both. Where no group pays, values."""
        options, grouped = self.options, []
        assert column.categories is not None
        if options.categories != "each" and len(column.categories) > options.group_above:
            if self.labels is None:
                raise OptionError("grouped categories learn from the labels: give them too")
            pairs = groups_of(column, self.labels, options.n_thresholds, self.weights)
            grouped = [_one_or_group(column.name, side) for pair in pairs for side in pair]
        if grouped and options.categories == "grouped":
            return grouped
        return _values(column, options.negations, self.limits, self.weights) + grouped

    def _cuts(self, column: Column) -> list[Number]:
        values = column.values[column.present]
        if not np.isfinite(values).all():
            raise InputError(f"column {column.name!r} has an infinite value")
        if not len(values):
            return []
        stand_for = None if self.weights is None else self.weights[column.present]
        if self.options.thresholds == "entropy":
            if self.labels is None:
                raise OptionError("thresholds 'entropy' learns from the labels: give them too")
            known = self.labels[column.present]
            return entropy_cuts(values, known, self.options.n_thresholds, stand_for)
        if self.options.thresholds == "uniform":
            return uniform_cuts(values, self.options.n_thresholds)
        return quantile_cuts(values, self.options.n_thresholds, stand_for)

    def _cuts_of_dates(self, column: Column) -> list[Scalar]:
        """Cuts of the dates' ranks, each written as a short date between its neighbours."""
        texts = sorted(map(str, column.categories or ()))
        rank = {text: at for at, text in enumerate(texts)}
        by_code = np.array([*(rank[str(c)] for c in column.categories or ()), 0], dtype=np.int64)
        ranks = Column(column.name, by_code[column.values], column.missing)
        return [nice_between(texts[int(cut)], texts[int(cut) + 1]) for cut in self._cuts(ranks)]

    def _select(self, column: Column, found: list[Condition]) -> None:
        """Keep the conditions within the limits that are new, and their negations if wanted."""
        seen: set[bytes] = set()

        def keep(condition: Condition, kept: _Kept) -> None:
            holds = condition.holds(column)
            words = pack(holds[None, :])[0]
            key = words.tobytes()
            support = holds.sum() if self.weights is None else self.weights[holds].sum()
            if key not in seen and self.limits.allow(int(support)):
                seen.add(key)
                kept.conditions.append(condition)
                kept.words.append(words)

        for condition in found:
            keep(condition, self.features)
        if self.options.negations:
            for condition in found:
                keep(condition.negated(), self.negations)


def refuse_missing(columns: Mapping[str, Column]) -> None:
    """Raise InputError for the first column with missing values."""
    for column in columns.values():
        if column.missing.any():
            row = int(np.flatnonzero(column.missing)[0]) + 1
            raise InputError(
                f"column {column.name!r} has {int(column.missing.sum())} missing values, the first "
                f"in row {row}; fill or drop them, or keep them as an indicator"
            )


def _check_categorical(columns: Mapping[str, Column], options: BinarizeOptions) -> None:
    for name in options.categorical:
        if name not in columns:
            raise OptionError(f"categorical names the column {name!r}, which is not in the data")


def _guess(
    columns: Mapping[str, Column],
    options: BinarizeOptions,
    labels: NDArray[np.int64] | None,
    weights: NDArray[np.int64] | None,
) -> dict[str, list[Number]]:
    from corels.tables.guess import guess_thresholds

    if labels is None:
        raise OptionError("thresholds 'guess' learns from the labels: give them too")
    if len(labels) != row_count(columns):
        raise InputError(f"labels for {len(labels)} rows, but the table has {row_count(columns)}")
    return guess_thresholds(columns, labels, options, weights)


def _one_or_group(column: str, values: tuple[Scalar, ...]) -> Condition:
    if len(values) == 1:
        return Condition(column, "==", values[0])
    return Condition(column, "in", values)


def _values(
    column: Column, negate: bool, limits: SupportLimits, weights: NDArray[np.int64] | None
) -> list[Condition]:
    """One condition a value. Values that the limits will exclude (most names of people, say) are
    left out here by counting them, because there may be as many as rows."""
    assert column.categories is not None
    kept = weights[column.present] if weights is not None else None
    counts = np.bincount(column.values[column.present], kept, len(column.categories))
    allowed = (counts >= limits.least) & (counts <= limits.most)
    if negate:
        others = counts.sum() - counts
        allowed |= (others >= limits.least) & (others <= limits.most)
    values = [column.categories[code] for code in np.flatnonzero(allowed).tolist()]
    return [Condition(column.name, "==", value) for value in sorted(values, key=in_order)]


def is_binary(column: Column) -> bool:
    """A column of numbers of which all are 0 or 1."""
    if not column.is_number:
        return False
    if column.values.dtype == np.bool_:
        return True
    return bool((column.missing | (column.values == 0) | (column.values == 1)).all())
