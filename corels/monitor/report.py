"""A report on new rows: as text, CSV and JSON; `monitor` makes one from Python."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from corels.errors import InputError, OptionError
from corels.export.cells import Grid
from corels.export.words import decider_text
from corels.model.model import Model
from corels.model.printable import aligned
from corels.model.rows import Rows
from corels.monitor.counting import ALL, Counts, counted, stated, windows
from corels.monitor.differing import FEW, Compared, Line, Window, compared, psi, psi_by_chance
from corels.problem.weights import ExactWeights, exact_weights
from corels.tables import Column, columns_of
from corels.tables.dataset import class_numbers
from corels.tables.unseen import unseen_values

SELECTED = "training error rates are too low by selection: errors are shown, not tested"
EQUAL = (
    "the weights of training rows are taken for equal: the more unequal they are, the more often "
    "chance raises an alarm (--reference TABLE)"
)
MONTHLY = "each report has this level by itself: twelve a year raise about {:.1f} alarms by chance"


@dataclass(frozen=True)
class Report:
    """What a model does on new rows, beside the same before.

    Attributes:
        before, now: the counts; `before.name` is "training", "held out" or the name of a table.
        whole: all rows; tested if there are no windows. windows: of `by`.
        level: a difference counts if its adjusted p value is below.
        fair: whether errors are tested.
        unseen: a sentence for each column with values that training never saw.
        missing: (column, rows without a value, the same before or None).
        columns: (column, its PSI, the same by chance), if the whole differs.
        further: sentences on constraints and on learning again.
    """

    model: Model
    name: str
    before: Counts
    now: Counts
    whole: Window
    windows: tuple[Window, ...]
    level: float
    fair: bool
    unseen: tuple[str, ...]
    missing: tuple[tuple[str, int, int | None], ...]
    columns: tuple[tuple[str, float, float], ...] = ()
    further: tuple[str, ...] = ()

    @property
    def tests(self) -> list[tuple[Line, str, Compared]]:
        """Those of each window, or of the whole if there are none."""
        return [test for window in self.windows or (self.whole,) for test in window.tests]

    @property
    def differing(self) -> list[tuple[Line, str, Compared]]:
        """The tests that found a difference."""
        return [one for one in self.tests if (one[2].adjusted or 0.0) < self.level]

    def rule(self, number: int | None) -> str:
        """What a decider asks, as its line begins."""
        if number is None:
            return "all"
        text = decider_text(self.model.deciders()[number])
        return text if text == "else" else f"{'else if' if number else 'if'} {text}"

    def to_text(self) -> str:
        """As a person reads it."""
        return "\n".join(self._lines())

    def __str__(self) -> str:
        return self.to_text()

    @property
    def _counted(self) -> str:
        """What the numbers of the deciders are: weights also if these add up to the rows."""
        equal = self.now.rows_in_all == self.now.counted == self.now.weight()
        return "rows" if equal else "weight"

    def _lines(self) -> Iterator[str]:
        yield self._table(self.whole)
        apart = {line.window for line, _, _ in self.differing}
        for window in self.windows:
            if window.name in apart:
                yield f"window {window.name}: {self._psi(window)}"
                yield self._table(window)
            elif not window.tested:
                yield f"window {window.name} has {window.rows} rows: counted, not tested"
        about = (self._psi(self.whole), self._unseen(), self._missing())
        yield " ".join(filter(None, about))
        if self.columns:
            each = (f"{name} {own:.4f} ({chance:.4f})" for name, own, chance in self.columns)
            yield f"PSI by column (by chance up to): {', '.join(each)}."
        yield from self.further
        if not self.fair and any(line.errors for line in self.whole.lines):
            yield f"{SELECTED[0].upper()}{SELECTED[1:]} (--reference TABLE gives others)."
        if self.before.name == "training" and self.model.weighing is not None and self.tests:
            yield f"{EQUAL[0].upper()}{EQUAL[1:]}."
        yield from self._conclusion()

    def _table(self, window: Window) -> str:
        labelled = any(line.errors for line in window.lines)
        head = ["", self._counted, "share", "was", *(["errors", "was", "95%"] if labelled else [])]
        rows = [head, *(self._cells(line, labelled) for line in window.lines)]
        return aligned(rows, "<>>>>><")

    def _cells(self, line: Line, labelled: bool) -> list[str]:
        found = [self.rule(line.decider), f"{line.rows:.9g}"]
        shares = () if line.share is None else (line.share.now.share, line.share.before.share)
        found += [_percent(one) for one in shares] or ["", ""]
        if labelled and line.errors is None:
            found += ["-", "-", ""]
        elif labelled:
            now, was = line.errors.now, line.errors.before  # type: ignore[union-attr]
            low, high = line.errors.interval  # type: ignore[union-attr]
            of = f"{_bare(low)} to {_bare(high)}" if line.decider is not None and now.of else ""
            found += [_percent(now.share), _percent(was.share), of]
        return found

    def _psi(self, window: Window) -> str:
        return f"PSI {window.psi:.4f}; by chance up to {window.by_chance:.4f}."

    def _unseen(self) -> str:
        return f"Unseen values: {'; '.join(self.unseen) or 'none'}."

    def _missing(self) -> str:
        of, before = self.whole.rows, self.before.counted
        each = (
            f"{name} {rows} of {of}" + ("" if was is None else f", was {was} of {before}")
            for name, rows, was in self.missing
        )
        return f"Missing: {'; '.join(each)}." if self.missing else ""

    def _conclusion(self) -> Iterator[str]:
        tests, apart = self.tests, self.differing
        if not tests:
            few = f"{self.whole.rows} rows, and at least {FEW} are needed"
            alone = "one rule decides every row, and its errors are of training rows"
            yield f"Nothing was tested: {few if self.whole.rows < FEW else alone}."
            return
        of = f"{len(tests)} test{'s' * (len(tests) > 1)}, level {self.level:g}, Holm"
        least = min((one for _, _, one in tests), key=lambda one: one.p or 0.0)
        if not apart:
            small = f"the smallest p {least.p:.2g}, adjusted {least.adjusted:.2g}"
            yield f"Nothing differs more than chance allows ({of}; {small})."
        for line, kind, one in apart:
            where = f"window {line.window}: " if line.window != ALL else ""
            what = "the share" if kind == "share" else "the error rate"
            rule = self.rule(line.decider)
            yield (
                f"Differs: {where}{what} of {rule!r}, {_percent(one.now.share)}, was "
                f"{_percent(one.before.share)} (p {one.p:.2g}, adjusted {one.adjusted:.2g})."
            )
        if apart:
            yield f"{len(apart)} of {of}: {MONTHLY.format(12 * self.level)}."

    def to_rows(self) -> list[list[Any]]:
        """A header, and a row for each window and decider: exact counts, shares and p values."""
        names = ("share", "errors")
        head = ["window", "rule", self._counted]
        for kind in names:
            head += [kind, f"{kind} before", f"{kind} p", f"{kind} adjusted"]
        return [[*head, "differs"], *(self._row(line) for w in self._all for line in w.lines)]

    @property
    def _all(self) -> tuple[Window, ...]:
        return (self.whole, *self.windows)

    def _row(self, line: Line) -> list[Any]:
        found: list[Any] = [line.window or "all", self.rule(line.decider), line.rows]
        differs = False
        for one in (line.share, line.errors):
            if one is None:
                found += [None] * 4
                continue
            found += [one.now.share, one.before.share, one.p, one.adjusted]
            differs |= one.adjusted is not None and one.adjusted < self.level
        return [*found, "yes" if differs else "no"]

    def held_out(self) -> dict[str, Any]:
        """The counts of these rows for a model file. Raises InputError without labels."""
        if self.now.by_class is None:
            raise InputError("rows without the label are no held-out rows")
        return {
            "name": self.name,
            "rows": self.now.counted,
            "weight": int(self.now.weights.sum()),
            "unit": str(self.now.unit),
            "weights": self.now.weights.tolist(),
            "counts": self.now.by_class[:, :-1].tolist(),
            "effective_rows": round(self.now.rows_in_all),
        }

    def to_document(self) -> dict[str, Any]:
        """JSON-ready, with exact counts."""
        return {
            "schema": "corels/monitor",
            "version": 1,
            "table": self.name,
            "before": self.before.name,
            "level": self.level,
            "differs": bool(self.differing),
            "windows": [self._window(window) for window in self._all],
            "unseen": list(self.unseen),
            "missing": [list(one) for one in self.missing],
            "columns": [list(one) for one in self.columns],
            "further": list(self.further),
        }

    def _window(self, window: Window) -> dict[str, Any]:
        about = {"name": window.name, "rows": window.rows, "psi": window.psi}
        lines = [self._line(line) for line in window.lines]
        return {**about, "by_chance": window.by_chance, "tested": window.tested, "lines": lines}

    def _line(self, line: Line) -> dict[str, Any]:
        found: dict[str, Any] = {"rule": self.rule(line.decider), "weight": line.rows}
        for kind, one in (("share", line.share), ("errors", line.errors)):
            if one is not None:
                now, was = one.now, one.before
                found[kind] = {
                    "now": [now.weight, now.of],
                    "before": [was.weight, was.of],
                    "interval": list(one.interval),
                    "p": one.p,
                    "adjusted": one.adjusted,
                }
        return found


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"


def _bare(share: float) -> str:
    return f"{share:.3f}".removeprefix("0")


def monitor(
    model: Model,
    X: Any,
    y: Sequence[Any] | None = None,
    *,
    sample_weight: Sequence[float] | ExactWeights | None = None,
    reference: Any = None,
    by: str | None = None,
    level: float = 0.05,
    document: Mapping[str, Any] | None = None,
    name: str = "the new rows",
) -> Report:
    """Compare what a model does on new rows with what it did before.

    Args:
        model: of any family.
        X: (N, ...) a frame, or a mapping of columns.
        y: (N,) the true classes; None if they are not known, and only shares are compared.
        sample_weight: (N,) numbers of 0 or more; tests count (sum w)^2 / sum w^2 rows.
        reference: other rows to compare with, (X, y) or (X, y, weights), that took no part in
            learning; None for the counts of the model, whose errors are not tested.
        by: a column, whose values are windows, or "COLUMN:month", "quarter" or "year".
        level: of all tests of the report together.
        document: of the model's file, for its held-out counts.
        name: what the rows are called.

    Raises:
        InputError: for a table without the columns that the model asks for.
        OptionError: for a level or a window that there is not.
    """
    if not 0 < level < 1:
        raise OptionError(f"⟨level⟩ is {level}: expected a number between 0 and 1")
    seen = _Decided.of(model, X, y, sample_weight)
    other = None if reference is None else _Decided.of(model, *reference[:3])
    before = stated(model, document or {}) if other is None else other.counts("reference")
    whole = seen.counts(ALL)
    parts = [] if by is None else list(seen.windows(X, by))
    fair = before.name != "training"
    split = compared(parts, before, fair=fair)
    (all_rows,) = compared([whole], before, fair=fair, test=not parts)
    asked = list(dict.fromkeys(c.column for a in model.antecedents for c in a.conditions))
    unseen = tuple(str(one) for one in unseen_values(seen.columns, asked, model.reading))
    gone = tuple((n, seen.missing(n), None if other is None else other.missing(n)) for n in asked)
    apart = all_rows.psi > all_rows.by_chance and reference is not None
    by_column = tuple(_psi_of_columns(model, X, reference[0])) if apart else ()
    found = all_rows, tuple(split), level, fair, unseen, gone, by_column
    return Report(model, name, before, whole, *found)


@dataclass(frozen=True)
class _Decided:
    """Rows, and the number of the decider of each: (N,) `by`, labels and weights, or None."""

    model: Model
    columns: Mapping[str, Column]
    by: Any
    labels: Any
    weights: ExactWeights | None

    @classmethod
    def of(cls, model: Model, X: Any, y: Any = None, weights: Any = None) -> _Decided:
        """Rows as `monitor` is given them."""
        by = model.capturing(X)
        if weights is not None and not isinstance(weights, ExactWeights):
            weights = exact_weights(weights, len(by))
        columns = Rows(X, model.antecedents, model.reading).columns
        labels = None if y is None else class_numbers(model.classes, y)
        return cls(model, columns, by, labels, weights)

    def counts(self, name: str, rows: Any = slice(None)) -> Counts:
        """What was decided of these rows."""
        labels = None if self.labels is None else self.labels[rows]
        weights = self.weights
        if weights is not None:
            weights = replace(weights, values=weights.values[rows])
        return counted(self.model, self.by[rows], labels, weights, name)

    def windows(self, X: Any, by: str) -> Iterator[Counts]:
        """The counts of each window. X: with the column that makes the windows."""
        from corels.tables.stored import Stored

        names, place = windows(X if isinstance(X, Stored) else columns_of(X), by)
        for number, name in enumerate(names):
            yield self.counts(name, np.flatnonzero(place == number))

    def missing(self, column: str) -> int:
        """Rows without a value."""
        return int(self.columns[column].missing.sum())


def _psi_of_columns(model: Model, now: Any, before: Any) -> Iterator[tuple[str, float, float]]:
    """Of each column the PSI of its cells, and what that is by chance."""
    grid = Grid(model)
    grid.cells(now)  # both tables may have cells that no condition names
    (_, theirs), (_, ours) = grid.cells(before), grid.cells(now)
    for number, column in enumerate(grid.columns):
        bins = len(column.cells)
        counts = [np.bincount(one[:, number], minlength=bins).tolist() for one in (ours, theirs)]
        chance = psi_by_chance(bins, len(ours), len(theirs))
        yield column.name, psi(*counts), chance
