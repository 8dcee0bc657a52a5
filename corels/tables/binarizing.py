"""From columns to antecedents: the plans of a table's columns, selected and evaluated.

A row is one small class a column: of one class all conditions of a column say the same
(`ColumnPlan.classes`). So a condition is decided on the classes, and how many rows each class has
says how many rows it holds for. Conditions that the limits on support exclude, or that equal an
earlier one of the same column on the data (the negation of one of two categories), are left out
before a row is touched. With negations, "sex != Male", "not smoker" and "age is present" follow,
each after all features.

**Counting.** Rows of the same classes and the same label are equal to every model. If a table is
large and it is asked for, they are counted, and only the different ones become bits.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from operator import attrgetter
from typing import Any

import numpy as np
from msgspec.structs import replace as replace_said
from numpy.typing import NDArray

from corels.errors import InputError
from corels.problem.captures import Captures, pack, words_for
from corels.tables.column import Column, row_count
from corels.tables.condition import Antecedent, Condition
from corels.tables.deadline import NO_DEADLINE, Deadline
from corels.tables.description import ColumnDescription
from corels.tables.descriptions import EVERY
from corels.tables.directions import Direction
from corels.tables.learned import LearnedColumn
from corels.tables.mining import Mined, conjunctions
from corels.tables.options import BinarizeOptions, SupportLimits
from corels.tables.plan import ColumnPlan, Planner
from corels.tables.use import ColumnUse, TableUse

Words = NDArray[np.uint64]
MOST_BYTES = 8 << 30  # of the captures of all cuts
MANY_ROWS = 100_000  # equal rows of so many are counted, if that is asked for
MOST_KEPT = 100  # cuts of one column that a model keeps
MOST_KINDS = 1 << 62  # of rows, that one number tells apart
PAYS = 2  # and if there are so many times as many rows as different ones


def binarize(
    columns: Mapping[str, Column],
    options: BinarizeOptions,
    labels: NDArray[np.int64] | None = None,
    weights: NDArray[np.int64] | None = None,
    *,
    counting: bool = False,
    deadline: Deadline = NO_DEADLINE,
) -> Mined:
    """The antecedents of a table and their captures: features, negations, then conjunctions.

    Args:
        columns: column name -> `Column` of N values.
        labels: (N,) classes, for guessed and entropy thresholds, and for what mining keeps.
        weights: (N,) how many rows each stands for; None for one each.
        counting: equal rows of a large table, of equal labels, may be counted: `Mined.counted`.
        deadline: learns how far the work is, and may end it.

    Raises:
        InputError: for a missing value that is refused, or an infinite one.
    """
    rows = row_count(columns)
    total = rows if weights is None else int(weights.sum())
    limits = SupportLimits.of(options.min_support, options.max_support, total)
    planned = _Planned(options, limits, weights, total)
    for column, plan in Planner(columns, options, limits, labels, weights, deadline):
        planned.add(column, plan)
    kept, counted = planned.kept, None
    if counting and rows >= MANY_ROWS and labels is not None:
        counted = _counted(kept, labels, weights)
    if counted is not None:
        kept = [replace(part, classes=part.classes[counted.first]) for part in kept]
        labels, weights = labels if labels is None else labels[counted.first], counted.weights
    directions = tuple(sorted(planned.directions, key=attrgetter("column")))
    planned.kept = []  # so that `_single` lets them go
    mined = conjunctions(
        *_single(kept, len(counted.first) if counted else rows, deadline),
        options.max_cardinality,
        limits,
        weights,
        labels=labels,
        max_antecedents=options.max_antecedents,
        rows=rows,
        directions=directions,
        deadline=deadline,
    )
    words = options.described.column(EVERY).no_values or ()
    unmet = tuple(word for word in words if word and word not in planned.met)
    found = len(mined.antecedents)
    use = TableUse(tuple(planned.uses), found, mined.left_out, rows, unmet=unmet)
    return mined._replace(use=use, known=planned.known, counted=counted, directions=directions)


@dataclass(eq=False)
class _Planned:
    """What the plans of the columns have given so far.

    total: the weight of all rows. kept: the conditions within the limits. met: of the words that
    mean "no value", those that some cell had. known: what a model keeps of each column.
    """

    options: BinarizeOptions
    limits: SupportLimits
    weights: NDArray[np.int64] | None
    total: int
    kept: list[_Kept] = field(default_factory=list)
    uses: list[ColumnUse] = field(default_factory=list)
    directions: list[Direction] = field(default_factory=list)
    met: set[str] = field(default_factory=set)
    known: dict[str, LearnedColumn] = field(default_factory=dict)

    def add(self, column: Column, plan: ColumnPlan) -> None:
        """A column and its plan."""
        own = (self.limits, self.weights, self.options.negations)
        found = [_Kept.of(one, *own) for one in (plan, *plan.parts)]
        used = sum(len(part.features) + len(part.negated) for part in found)
        self.kept += [part for part in found if part.features or part.negated]
        unused = "" if used else plan.why_nothing(self.limits, self.total)
        parts = tuple(_use(*one) for one in zip(plan.parts, found[1:], strict=True))
        for one in (column, plan.column):  # what was counted may be larger than the column
            one.__dict__.pop("different", None)
        self.met |= column.met
        said = self.options.described.column(column.name)
        self.directions += plan.directions(said.direction)
        use = _use(plan, found[0])
        use = replace(use, antecedents=used, unused=unused, odd=plan.column.odd(), parts=parts)
        self.uses.append(use)
        self.known[column.name] = LearnedColumn.found(column, _with_cuts(said, use))


def _with_cuts(said: ColumnDescription, use: ColumnUse) -> ColumnDescription:
    """What is said of a column, with its cuts as they are: a model keeps them."""
    cuts = use.cuts or use.groups
    if use.order or not 0 < len(cuts) <= MOST_KEPT:
        return said
    return replace_said(said, cuts=cuts)


def _use(plan: ColumnPlan, kept: _Kept) -> ColumnUse:
    """What became of a column, or of a part of a date, itself."""
    asked = [one for one, _ in kept.features]
    cuts = dict.fromkeys(v for one in asked if one.operator in ("<=", ">") for v in one.values)
    named = [one.values for one in asked if one.operator in ("==", "in") and not plan.is_code(one)]
    order = (plan.column.categories or ()) if plan.column.ordered else ()
    if order:
        cuts = dict.fromkeys(v[-1] for v in named if v == order[: len(v)])
    return ColumnUse(
        plan.column.name,
        plan.kind,
        len(kept.features) + len(kept.negated),
        hint=plan.hint,
        notes=plan.notes,
        cuts=tuple(cuts),
        groups=tuple(named) if any(len(v) > 1 for v in named) and not order else (),
        codes=plan.codes,
        order=order,
    )


@dataclass(eq=False)
class Counted:
    """Different rows: the first of each kind in the table, how many they are, and what they weigh
    together."""

    first: NDArray[np.intp]
    numbers: NDArray[np.int64]
    weights: NDArray[np.int64]


def _counted(
    kept: list[_Kept], labels: NDArray[np.int64], weights: NDArray[np.int64] | None
) -> Counted | None:
    """The different rows, in the order in which each is first met; None if it does not pay."""
    import polars as pl

    key, kinds = labels.copy(), int(labels.max()) + 1  # a row as one number
    for part in kept:
        count = int(part.classes.max()) + 1
        if kinds * count > MOST_KINDS:
            different, key = np.unique(key, return_inverse=True)
            kinds = len(different)
        key, kinds = key * count + part.classes, kinds * count
    in_order = np.sort(key)
    if PAYS * (1 + np.count_nonzero(in_order[1:] != in_order[:-1])) > len(labels):
        return None
    rows = pl.DataFrame({"key": key}).with_row_index("first")
    if weights is not None:
        rows = rows.with_columns(weight=pl.Series(weights))
    sums = pl.len().alias("weight") if weights is None else pl.col("weight").sum()
    groups = rows.lazy().group_by("key").agg(pl.col("first").min(), pl.len().alias("rows"), sums)
    found = groups.collect(engine="streaming").sort("first")
    first, numbers, weighed = (found[one].to_numpy() for one in ("first", "rows", "weight"))
    return Counted(first.astype(np.intp), numbers.astype(np.int64), weighed.astype(np.int64))


@dataclass(eq=False)
class _Kept:
    """The conditions of a column, or of a part of a date, that are kept.

    classes: (N,) as of `ColumnPlan.classes`. cuts: that its plan has. features, negated: each
    condition with the classes for which it is true, bool[K], or a cut with its place among the
    cuts: classes up to that place are at or below it, and later ones that are on a side above it.
    """

    name: str
    classes: NDArray[Any]
    cuts: int
    features: list[tuple[Condition, Any]] = field(default_factory=list)
    negated: list[tuple[Condition, Any]] = field(default_factory=list)

    @classmethod
    def of(
        cls,
        plan: ColumnPlan,
        limits: SupportLimits,
        weights: NDArray[np.int64] | None,
        negations: bool,
    ) -> _Kept:
        """Those within the limits, and their negations if wanted."""
        if not plan.cuts and not plan.conditions:
            return cls(plan.column.name, np.zeros(0, np.uint8), 0)
        classes, count = plan.classes()
        kept = cls(plan.column.name, classes, len(plan.cuts))
        there = np.bincount(classes, minlength=count)
        rows = there if weights is None else np.bincount(classes, weights, count).astype(np.int64)
        sides = SupportLimits(1, int(rows.sum()) - 1) if plan.given else limits
        on_a_side = int(rows[: len(plan.cuts) + 1].sum())  # codes and no value are on none
        for at, low in enumerate(rows[: len(plan.cuts)].cumsum().tolist()):
            for operator, held in (("<=", low), (">", on_a_side - low)):
                if sides.allow(held):
                    kept.features.append((plan.cut(operator, at), at))
        seen = set[bytes]()
        of_classes = plan.of_classes(classes, count) if plan.conditions else None
        for negated, condition in product((False, True)[: 1 + negations], plan.conditions):
            asked = condition.negated() if negated else condition
            true = asked.holds(of_classes)
            key = true[there > 0].tobytes()
            held = int(rows[true].sum())
            wanted = not negated and plan.keeps(condition) and 0 < held < rows.sum()
            if key not in seen and (wanted or limits.allow(held)):
                seen.add(key)
                (kept.negated if negated else kept.features).append((asked, true))
        return kept

    def words(self) -> Iterator[tuple[bool, Words]]:
        """Of each condition, whether it is a negation, and its packed rows."""
        there = self.classes <= self.cuts  # codes and missing values are on no side of a cut
        for negated, found in ((False, self.features), (True, self.negated)):
            for asked, true in found:
                if isinstance(true, np.ndarray):
                    rows = true[self.classes]
                else:
                    rows = self.classes <= true
                    rows = there & ~rows if asked.operator == ">" else rows
                yield negated, pack(rows[None, :])[0]


def _single(kept: list[_Kept], rows: int, deadline: Deadline) -> tuple[list[Antecedent], Captures]:
    """The antecedents of one condition, features first, and their captures. The classes of each
    column are let go when they are used."""
    features = sum(len(part.features) for part in kept)
    names = [one for part in kept for one, _ in part.features]
    names += [one for part in kept for one, _ in part.negated]
    cuts = sum(len(part.features) for part in kept if part.cuts)
    if cuts * words_for(rows) * 8 > MOST_BYTES:
        most = max(kept, key=lambda part: part.cuts)
        raise InputError(
            f"column {most.name!r} has {most.cuts:,} cuts; the captures of all cuts need more than "
            f"{MOST_BYTES >> 30} GiB: choose fewer with ⟨cuts⟩"
        )
    captures = Captures.empty(len(names), rows)
    at = [0, features]
    waiting = deque(kept)
    kept.clear()
    while waiting:
        part = waiting.popleft()
        for negated, words in part.words():
            captures.words[at[negated]] = words
            at[negated] += 1
            progress = f"conditions on {part.name!r} made into antecedents"
            deadline.look(
                progress, sum(at) - features, len(names), progress.replace("made", "were made")
            )
    return list(map(Antecedent.of, names)), captures
