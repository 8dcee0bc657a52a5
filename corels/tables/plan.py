"""What became of a table: which columns are used as what, which are not, and why.

`binarize` keeps this account as it goes. It is one line on the screen ("10 columns -> 28
antecedents; unused: id, note (every value differs)"), a table for `corels antecedents`, and the
true reason where no antecedent is left.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corels.tables.column import Column
from corels.tables.dates import CLOCK_TIME, DATE, looks_like_dates
from corels.tables.numerals import doubtful
from corels.tables.support import SupportLimits

FEWEST_ROWS = 20  # below, values that all differ may be a measure
NUMBERING = re.compile(
    r"(.*[_ .-])?(id|ids|uid|uuid|key|index|idx|rowid|rownames|serial)"
    r"|row|no\.?|nr\.?|#|row ?(no|nr|number)|unnamed: \d+"
)
LISTED = 6  # names in one line; `corels antecedents` shows all


@dataclass(frozen=True, slots=True)
class ColumnUse:
    """What became of one column.

    Attributes:
        name: the column's.
        kind: how it was read: "numbers", "0/1", "categories", "dates", "money", ...
        antecedents: how many conditions on it (or its parts) are antecedents.
        unused: why there are none, "" if there are.
        hint: what would make the column useful, "" if nothing is known.
    """

    name: str
    kind: str
    antecedents: int
    unused: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class TableUse:
    """What became of all columns, and what mining left out.

    Attributes:
        columns: one entry a column, label and weight not among them.
        antecedents: how many there are in all, conjunctions included.
        left_out: sentences.
    """

    columns: tuple[ColumnUse, ...]
    antecedents: int
    left_out: tuple[str, ...] = ()

    def line(self) -> str:
        """One line: columns, antecedents, and the unused columns by reason."""
        columns, found = len(self.columns), self.antecedents
        text = f"{columns} {_plural('column', columns)} -> {found} {_plural('antecedent', found)}"
        reasons: dict[str, list[str]] = {}
        for use in self.columns:
            if use.unused:
                reasons.setdefault(use.unused, []).append(use.name)
        if reasons:
            parts = [f"{_names(names)} ({reason})" for reason, names in reasons.items()]
            shown = "; ".join(parts[:LISTED])
            more = "" if len(parts) <= LISTED else "; ... (`corels antecedents` lists all)"
            text += f"; unused: {shown}{more}"
        return text

    def hints(self) -> list[str]:
        """What would make unused columns useful: a sentence each."""
        return [f"column {use.name!r}: {use.hint}" for use in self.columns if use.hint]

    def nothing(self) -> str:
        """Why there is no antecedent at all, by column."""
        parts = [f"{use.name}: {use.unused}" for use in self.columns[:LISTED]]
        return "; ".join(parts) + ("; ..." if len(self.columns) > LISTED else "")


def _plural(word: str, count: int) -> str:
    return word if count == 1 else f"{word}s"


def _names(names: Sequence[str]) -> str:
    shown = ", ".join(n if n.isprintable() else repr(n) for n in names[:LISTED])
    return shown if len(names) <= LISTED else f"{shown} and {len(names) - LISTED} more"


def kind_of(column: Column, *, as_names: bool, binary: bool) -> str:
    """The kind of a column in words."""
    if column.form in (DATE, CLOCK_TIME):
        return "dates" if column.form == DATE else "times of day"
    if as_names or not column.is_number:
        return "categories"
    return column.form or ("0/1" if binary else "numbers")


def identifies_rows(column: Column) -> str | None:
    """Why a column only tells rows apart, in words; None if it may say more.

    Text of which every value differs, or whole numbers that all differ in a column whose name says
    that it numbers the rows.
    """
    values = column.values[column.present]
    if len(values) < 2 or column.form:
        return None
    if column.categories is not None:
        differ = len(column.categories) == len(values) >= FEWEST_ROWS
        return (odd_text(column)[0] or "every value differs") if differ else None
    if values.dtype.kind != "i" or len(values) < FEWEST_ROWS:
        return None
    if not NUMBERING.fullmatch(column.name.strip().lower()):
        return None
    return "every value differs" if len(np.unique(values)) == len(values) else None


def why_unused(column: Column, kind: str, limits: SupportLimits, total: int) -> tuple[str, str]:
    """Why no condition on a column is an antecedent, and a hint (or "")."""
    values = column.values[column.present]
    if not len(values):
        return "no values", ""
    distinct = len(np.unique(values))
    if distinct == 1:
        return "one value only", ""
    if kind == "categories":
        return _why_names(column, values, distinct, limits, total)
    rows = f"{limits.least} {_plural('row', limits.least)}"
    if column.missing.any() and len(values) < limits.least:
        return f"a value in only {len(values)} rows", ""
    return f"every condition on it holds for fewer than {rows} or more than {limits.most}", ""


def _why_names(
    column: Column, values: NDArray[np.int64], distinct: int, limits: SupportLimits, total: int
) -> tuple[str, str]:
    reason, hint = odd_text(column)
    if reason:
        return reason, hint
    if distinct == len(values):
        return "every value differs", ""
    if distinct > 2 and int(np.bincount(values).max()) < limits.least:
        return f"no value is shared by {limits.least} of {total} rows", ""
    return f"every value holds for fewer than {limits.least} rows or more than {limits.most}", ""


def odd_text(column: Column) -> tuple[str, str]:
    """What a column of text looks like that nothing can be made of, and what to do; or two ""."""
    if (example := looks_like_dates(column)) is not None:
        return "dates not in ISO form", f"write dates such as {example!r} as 2024-12-31"
    if (example := doubtful(column)) is not None:
        return (
            "not plain numbers",
            f"{example!r} is not clearly a number: write it plainly, such as 1234.5",
        )
    return "", ""
