"""From columns to antecedents: the plans of a table's columns, evaluated and selected.

Each condition of a plan is evaluated once. Those that the limits on support exclude, or that equal
an earlier one of the same column on the data (the negation of one of two categories), are left out.
With negations, "sex != Male", "not smoker" and "age is present" follow, each after all features.

**Cuts** are evaluated all together. A row is in "x <= cut" from the first cut that is not below its
value on, so the packed words of neighbouring cuts differ in few bits: one OR from each cut to the
next makes them all, in time and memory of the result (cuts times rows / 64 words), however many
there are (a few are faster one by one). They are made some at a time, so that the clock is asked in
between. No two cuts of a column are equal, so nothing is compared.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError, OptionError
from corels.problem.captures import PIECE, Captures, pack, supports, weight_planes, words_for
from corels.tables.column import Column, Scalar, row_count
from corels.tables.condition import Antecedent, Condition
from corels.tables.deadline import NO_DEADLINE, Deadline
from corels.tables.mining import Mined, conjunctions
from corels.tables.options import BinarizeOptions, SupportLimits
from corels.tables.plan import ColumnPlan, Planner
from corels.tables.unseen import known_values
from corels.tables.use import ColumnUse, TableUse

Words = NDArray[np.uint64]
FEW_CUTS = 16  # so many or fewer are compared one by one
MOST_BYTES = 8 << 30  # of the captures of all cuts


def binarize(
    columns: Mapping[str, Column],
    options: BinarizeOptions,
    labels: NDArray[np.int64] | None = None,
    weights: NDArray[np.int64] | None = None,
    *,
    counted: int = 0,
    deadline: Deadline = NO_DEADLINE,
) -> Mined:
    """The antecedents of a table and their captures: features, negations, then conjunctions.

    Args:
        columns: column name -> `Column` of N values.
        labels: (N,) classes, needed only for guessed and entropy thresholds.
        weights: (N,) how many rows each stands for; None for one each.
        counted: the rows of the table, where equal ones are here once; 0 where each is here.
        deadline: is told how far the work is, and may end it.

    Raises:
        OptionError: for an option out of range.
        InputError: for a missing value that is refused, or an infinite one.
    """
    options.check()
    for option in ("categorical", "numeric"):
        for name in getattr(options, option):
            if name not in columns:
                raise OptionError(f"{option} names the column {name!r}, which is not in the data")
    rows = row_count(columns)
    total = rows if weights is None else int(weights.sum())
    limits = SupportLimits.of(options.min_support, options.max_support, total)
    found = _Selection(rows, limits, weights, options.negations, deadline)
    uses = []
    known: dict[str, tuple[Scalar, ...]] = {}
    planner = Planner(columns, options, limits, labels, weights, deadline)
    for done, (column, plan) in enumerate(planner, 1):
        known |= known_values({column.name: column})
        place = f"column {done:,} of {len(columns):,}"
        kept = found.add(plan, place)
        unused = "" if kept else plan.why_nothing(limits, total)
        odd = plan.column.odd()
        uses.append(ColumnUse(column.name, plan.kind, kept, unused, plan.hint, odd))
    mined = conjunctions(
        *found.single(),
        options.max_cardinality,
        limits,
        weights,
        max_antecedents=options.max_antecedents,
        rows=counted or rows,
        deadline=deadline,
    )
    use = TableUse(
        tuple(uses), len(mined.antecedents), mined.left_out, counted or rows, sample=planner.sample
    )
    return mined._replace(use=use, known=known)


@dataclass(eq=False)
class _Kept:
    """Conditions and, block by block, the packed rows that each is true of."""

    conditions: list[Condition] = field(default_factory=list)
    blocks: deque[Words] = field(default_factory=deque)


@dataclass(eq=False)
class _Selection:
    """The conditions that are kept so far."""

    rows: int
    limits: SupportLimits
    weights: NDArray[np.int64] | None
    negations: bool
    deadline: Deadline
    bytes_of_cuts: int = 0
    features: _Kept = field(default_factory=_Kept)
    negated: _Kept = field(default_factory=_Kept)

    @cached_property
    def planes(self) -> Words | None:
        """The weights of the rows as bit-planes; None for 1 each."""
        return weight_planes(self.weights)

    def add(self, plan: ColumnPlan, place: str) -> int:
        """Select among the conditions of a plan and its parts; how many were kept.

        place: of the column, in words, for the progress.
        """
        before = len(self.features.conditions) + len(self.negated.conditions)
        for one in (plan, *plan.parts):
            if one.cuts:
                self._add_cuts(one, place)
            self._add_each(one.column, one.conditions, place)
        return len(self.features.conditions) + len(self.negated.conditions) - before

    def _add_each(self, column: Column, conditions: Sequence[Condition], place: str) -> None:
        """Keep the conditions within the limits that are new, and their negations if wanted."""
        seen: set[bytes] = set()

        def keep(condition: Condition, kept: _Kept) -> None:
            holds = condition.holds(column)
            words = pack(holds[None, :])
            key = words.tobytes()
            if key not in seen and self.limits.allow(int(supports(words, self.planes)[0])):
                seen.add(key)
                kept.conditions.append(condition)
                kept.blocks.append(words)

        both = (False, True) if self.negations else (False,)
        total = len(conditions) * len(both)
        for done, (negated, condition) in enumerate(product(both, conditions)):
            if total > FEW_CUTS:  # the columns say how far fewer are
                told = f"conditions on {column.name!r} ({place}) evaluated"
                self.deadline.look(told, done, total, told.replace("evaluated", "were evaluated"))
            if negated:
                keep(condition.negated(), self.negated)
            else:
                keep(condition, self.features)

    def _add_cuts(self, plan: ColumnPlan, place: str) -> None:
        """Keep both sides of each cut that are within the limits; each is the other's negation."""
        column, cuts = plan.column, len(plan.cuts)
        name, present = column.name, column.present
        at_most = [Condition(name, "<=", cut) for cut in plan.cuts]
        whole = pack(present[None, :])
        few = None
        if cuts <= FEW_CUTS and column.is_number:  # a date would be parsed for each cut
            few = np.concatenate([pack(one.holds(column)[None, :]) for one in at_most])
            low = supports(few, self.planes)
        else:
            below = plan.cuts_below()
            weights = None if self.weights is None else self.weights[present]
            low = np.bincount(below[present], weights, cuts + 1).astype(np.int64).cumsum()[:-1]
        both = np.stack([low, supports(whole, self.planes) - low], axis=1)  # (cuts, 2)
        allowed = self.limits.allow(both)
        self.bytes_of_cuts += int(allowed.sum()) * words_for(self.rows) * 8
        if self.bytes_of_cuts > MOST_BYTES:
            raise InputError(
                f"column {name!r} has {cuts:,} cuts; the captures of all cuts up to here need more "
                f"than {MOST_BYTES >> 30} GiB: choose fewer with ⟨n_thresholds⟩"
            )
        for k, until in [(0, few)] if few is not None else _all_cuts(below, present, cuts):
            at, sides = np.nonzero(allowed[k : k + len(until)])
            block = until[at]
            block[sides == 1] ^= whole[0]  # what is at most a cut is present
            self.features.blocks.append(block)
            self.features.conditions += [
                at_most[k + cut].negated() if side else at_most[k + cut]
                for cut, side in zip(at.tolist(), sides.tolist(), strict=True)
            ]
            if few is None:
                told = f"cuts of {name!r} ({place}) made into antecedents"
                self.deadline.tell(told, k + len(until), cuts)
            self.deadline.check(f"the cuts of column {name!r} were made into antecedents")

    def single(self) -> tuple[list[Antecedent], Captures]:
        """The antecedents of one condition, features first, and their captures.

        Each block is let go when it is copied, so that the words are not there twice.
        """
        conditions = self.features.conditions + self.negated.conditions
        captures = Captures.empty(len(conditions), self.rows)
        antecedents: list[Antecedent] = []
        for kept in (self.features, self.negated):
            while kept.blocks:
                block = kept.blocks.popleft()
                at = slice(len(antecedents), len(antecedents) + len(block))
                captures.words[at] = block
                antecedents += map(Antecedent.of, conditions[at])
                self.deadline.tell("antecedents named", len(antecedents), len(conditions))
                self.deadline.check("antecedents were named")
        return antecedents, captures


def _all_cuts(
    below: NDArray[np.intp], present: NDArray[np.bool_], cuts: int
) -> Iterator[tuple[int, Words]]:
    """The rows at or below each cut, uint64[some cuts, W], and the number of the first of these;
    below: as `ColumnPlan.cuts_below`."""
    width = words_for(len(below))
    rows = np.flatnonzero(present & (below < cuts))
    rows = rows[np.argsort(below[rows], kind="stable")]
    cut, bits = below[rows], np.uint64(1) << (rows & 63).astype(np.uint64)
    size, until = max(1, PIECE // width), np.zeros(width, dtype=np.uint64)
    for start in range(0, cuts, size):
        low = np.zeros((min(size, cuts - start), width), dtype=np.uint64)
        low[0] = until
        some = slice(*np.searchsorted(cut, (start, start + size)))
        at = (cut[some] - start) * width + (rows[some] >> 6)
        np.bitwise_or.at(low.reshape(-1), at, bits[some])
        np.bitwise_or.accumulate(low, axis=0, out=low)
        until = low[-1]
        yield start, low
