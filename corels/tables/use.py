"""What became of a table: which columns are used as what, which are not, and why.

One line on the screen ("10 columns -> 28 antecedents; unused: id, note (every value differs)"), a
table for `corels antecedents`, and the true reason if no antecedent is left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from corels.tables.column import Scalar

LISTED = 6  # names in one line; `corels antecedents` shows all
LOUD = 0.01  # of the rows: more odd cells are said even if nothing else is


@dataclass(frozen=True, slots=True)
class ColumnUse:
    """What became of one column.

    Attributes:
        name: the column's.
        kind: how it was read: "numbers", "0/1", "categories", "dates", "money", ...
        antecedents: how many conditions on it (or its parts) are antecedents.
        unused: why there are none, "" if there are.
        hint: what would make the column useful, "" if nothing is known.
        odd: cells that are no value of this kind and were read as missing: text -> rows.
        notes: what was said of the column and does not fit it.
        cuts: those that gave an antecedent. groups: of names, in the same way.
        codes: values with a condition of their own. order: of its texts, from low to high.
        parts: what became of the year, month, ... of a date.
    """

    name: str
    kind: str
    antecedents: int
    unused: str = ""
    hint: str = ""
    odd: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    cuts: tuple[Scalar, ...] = ()
    groups: tuple[tuple[Scalar, ...], ...] = ()
    codes: tuple[Scalar, ...] = ()
    order: tuple[Scalar, ...] = ()
    parts: tuple[ColumnUse, ...] = ()

    def oddities(self, rows: int) -> str:
        """One sentence about the odd cells, "" if there are none."""
        count = sum(self.odd.values())
        if not count:
            return ""
        shown = ", ".join(map(repr, list(self.odd)[:LISTED])) + ", ..." * (len(self.odd) > LISTED)
        kind = self.kind if self.kind in ("dates", "times of day") else "numbers"
        one = {"numbers": "a number", "dates": "a date", "times of day": "a time of day"}
        what = one[kind] if count == 1 else kind
        is_, counts = ("is", "counts") if count == 1 else ("are", "count")
        return (
            f"column {self.name!r}: {count:,} of {rows:,} cells {is_} not {what} ({shown}) and "
            f"{counts} as missing"
        )


class TableUse(NamedTuple):
    """What became of all columns, and what mining left out.

    Attributes:
        columns: one entry a column, label and weight not among them.
        antecedents: how many there are in all, conjunctions included.
        left_out: sentences.
        rows: of the table.
        dropped: a sentence about rows that were left out.
        unmet: words that mean "no value" in every column, and that no cell has.
    """

    columns: tuple[ColumnUse, ...]
    antecedents: int
    left_out: tuple[str, ...] = ()
    rows: int = 0
    dropped: str = ""
    unmet: tuple[str, ...] = ()

    @property
    def unused(self) -> dict[str, str]:
        """Of each column that makes no antecedent, why."""
        return {use.name: use.unused for use in self.columns if use.unused}

    def line(self) -> str:
        """One line: columns, antecedents, and the unused columns by reason."""
        columns, found = len(self.columns), self.antecedents
        text = f"{columns} {_plural('column', columns)} -> {found:,} {_plural('antecedent', found)}"
        unused = self._unused("; ... (`corels antecedents` lists all)")
        return f"{text}; {unused}" if unused else text

    def _unused(self, more: str) -> str:
        """The unused columns by reason; `more` ends a list that is too long."""
        reasons: dict[str, list[str]] = {}
        for use in self.columns:
            if use.unused:
                reasons.setdefault(use.unused, []).append(use.name)
        if not reasons:
            return ""
        parts = [f"{_names(names)} ({reason})" for reason, names in reasons.items()]
        return f"unused: {'; '.join(parts[:LISTED])}{more if len(parts) > LISTED else ''}"

    def said(self) -> str:
        """In one text what Python says of a table in a warning: what is not used, and sentences of
        at most `LISTED` columns; "" for nothing."""
        unused = self._unused("; ...")
        found = [*self.oddities(), *self.hints()]
        more = len(found) - LISTED
        lines = [unused] if unused else []
        lines += [*found[:LISTED], *([f"and {more} more sentences" if more > 1 else found[-1]]
                                     if more > 0 else [])]  # fmt: skip
        return "\n".join([*lines, *self.left_out])

    def hints(self, *, used: bool = False) -> list[str]:
        """What would make unused columns useful, and what was said and does not fit: a sentence
        each. used: only of columns that are used."""
        unmet = [f"no cell has the value {word!r}, which means 'no value'" for word in self.unmet]
        return unmet + [
            f"column {use.name!r}: {line}"
            for use in self.columns
            for line in (*use.notes, use.hint)
            if line and not (used and use.unused)
        ]

    def oddities(self, *, loud: bool = False) -> list[str]:
        """Rows that were left out, and what was read as missing though something stood there.

        loud: only of columns if it is more than `LOUD` of the rows.
        """
        least = LOUD * self.rows if loud else 0
        columns = [use for use in self.columns if sum(use.odd.values()) > least]
        found = [use.oddities(self.rows) for use in columns]
        return [self.dropped, *found] if self.dropped else found

    def nothing(self) -> str:
        """Why there is no antecedent at all, by column."""
        parts = [f"{use.name}: {use.unused}" for use in self.columns[:LISTED]]
        return "; ".join(parts) + ("; ..." if len(self.columns) > LISTED else "")


def _plural(word: str, count: int) -> str:
    return word if count == 1 else f"{word}s"


def _names(names: Sequence[str]) -> str:
    shown = ", ".join(n if n.isprintable() else repr(n) for n in names[:LISTED])
    return shown if len(names) <= LISTED else f"{shown} and {len(names) - LISTED} more"
