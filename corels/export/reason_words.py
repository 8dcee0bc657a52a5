"""Reasons and changes of rows in words: for `corels predict --reasons`, and `reasons(X)`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from corels.export.reasons import Change, Explained, Reasons
from corels.export.words import outcome
from corels.model.model import Model
from corels.tables import Condition
from corels.tables.condition import value_text
from corels.tables.dates import source_of

if TYPE_CHECKING:
    from corels.tables.description import ColumnDescription

MOST_CHANGES = 4  # of one row: what a credit notice lists at most
Described = Mapping[str, "ColumnDescription"]


@dataclass(frozen=True)
class RowReason:
    """What is said of a row.

    Attributes:
        rule: the number of the decider, from 1.
        because: conditions that force the outcome, each with "column", "condition", the row's
            "value", and "words" if the description has them; none if nothing else can happen.
        smallest: whether no smaller set of columns forces it; else there were too many to try.
        changes: each its "conditions", as above, and the "outcome" that it gives.
        none: a sentence if there is no change; else "".
    """

    rule: int
    because: list[dict[str, Any]]
    smallest: bool
    changes: list[dict[str, Any]]
    none: str

    @property
    def because_text(self) -> str:
        """The conditions, joined; "always" if there are none."""
        text = " and ".join(one.get("words", one["condition"]) for one in self.because) or "always"
        return text if self.smallest else f"{text} (perhaps more than is needed)"

    def change_text(self, number: int = 0) -> str:
        """A change and what it gives; that there is none; "" if there are fewer."""
        if number >= len(self.changes):
            return "" if number else self.none
        return _text(self.changes[number])

    def to_document(self) -> dict[str, Any]:
        """JSON-ready; `smallest` stands there only if a smaller reason may exist."""
        less = {} if self.smallest else {"smallest": False}
        return {"rule": self.rule, "because": self.because, **less, "change": self.changes}


def _text(change: Mapping[str, Any]) -> str:
    asked = " and ".join(one["condition"] for one in change["conditions"])
    return f"{asked}: {change['outcome']}"


def row_reasons(
    model: Model,
    data: Any,
    *,
    changes: int = 1,
    wanted: Any = None,
    columns: Described | None = None,
) -> list[RowReason]:
    """The reason and the smallest changes of each row of a table.

    Args:
        model: of any family.
        data: a frame, or a mapping of columns.
        changes: the most that are listed of a row, from 1 to 4.
        wanted: the class, or other outcome, that they should give; None for any other one.
        columns: descriptions, whose `because`, `change`, `unit`, `name` and `codes` are used; by
            default those that the model keeps.

    Raises:
        InputError: for a table without the columns that the model asks for.
        OptionError: for a wanted outcome that the model does not know.
    """
    kept = model.reading if columns is None else columns
    asked = {one.column for antecedent in model.antecedents for one in antecedent.conditions}
    described = {name: kept[source_of(name)] for name in asked if source_of(name) in kept}
    ways = {name: one.change for name, one in described.items() if one.change is not None}
    reasons = Reasons(model, data, ways, wanted)
    words = _Words(reasons, described, wanted)
    return [words.row(one) for one in reasons.explained(changes)]


def reasons_table(rows: list[RowReason], changes: int = 1) -> dict[str, list[Any]]:
    """The columns "rule", "because", "change", "change 2", ..., a row each."""
    table: dict[str, list[Any]] = {"rule": [one.rule for one in rows]}
    table["because"] = [one.because_text for one in rows]
    for number in range(changes):
        name = "change" if number == 0 else f"change {number + 1}"
        table[name] = [one.change_text(number) for one in rows]
    return table


def frame_like(data: Any, table: dict[str, list[Any]]) -> Any:
    """A frame: of pandas, with the same index, if `data` is one; else of polars."""
    if type(data).__module__.partition(".")[0] == "pandas":
        import pandas as pd

        return pd.DataFrame(table, index=data.index)
    import polars as pl

    return pl.DataFrame(table, strict=False)


class _Words:
    def __init__(self, reasons: Reasons, described: Described, wanted: Any) -> None:
        self.reasons, self.described, self.wanted = reasons, described, wanted
        self.model = reasons.grid.model
        self._said = cache(self._saying)  # rows with equal cells share their texts

    def row(self, one: Explained) -> RowReason:
        because = [
            self._part(number, cells, one.values[number], why=True)
            for number, cells in one.reason.cells.items()
        ]
        changes = [self._change(change, one) for change in one.changes]
        none = "" if changes else self._none(one)
        return RowReason(one.decider + 1, because, one.reason.smallest, changes, none)

    def _change(self, change: Change, one: Explained) -> dict[str, Any]:
        parts = [self._part(n, cells, one.values[n]) for n, cells in change.cells.items()]
        decider = self.reasons.grid.deciders[change.decider]
        return {"conditions": parts, "outcome": outcome(self.model, decider)}

    def _none(self, one: Explained) -> str:
        """Why there is no change; "" if the row has what is wanted."""
        if self.reasons.has_wanted(one.decider):
            return ""
        other = "another outcome" if self.wanted is None else str(self.wanted)
        possible = "possible " if any(d.change for d in self.described.values()) else ""
        every = one.tried >= len(self.reasons.columns)
        most = "" if every else f" of up to {one.tried} column{'s' * (one.tried != 1)}"
        return f"no {possible}change{most} gives {other}"

    def _part(
        self, number: int, cells: tuple[int, ...], value: Any, *, why: bool = False
    ) -> dict[str, Any]:
        """A column's cells as conditions. why: of the row's own value, with the words for it."""
        column = self.reasons.columns[number]
        own = None if why and not self._named(number, value) else self._said(number, cells)
        if own is None:
            same = ("missing",) if value is None else ("==", value)
            own = self._with_text((Condition(column.name, *same),))
        asked, text = own
        found = {"column": column.name, "condition": text, "value": value}
        if why and (words := self._because(column.name, asked, value)):
            found["words"] = words
        return found

    def _saying(
        self, number: int, cells: tuple[int, ...]
    ) -> tuple[tuple[Condition, ...], str] | None:
        """The conditions of cells and their text; None if conditions cannot say it."""
        asked = self.reasons.columns[number].text(cells)
        return None if asked is None else self._with_text(asked)

    def _with_text(self, asked: tuple[Condition, ...]) -> tuple[tuple[Condition, ...], str]:
        return asked, " and ".join(map(self._condition, asked))

    def _named(self, number: int, value: Any) -> bool:
        """Whether a row's value is one that conditions speak of: there, and no code."""
        return value is not None and value not in self.reasons.columns[number].codes

    def _condition(self, one: Condition) -> str:
        said = self.described.get(one.column)
        if said is None:
            return str(one)
        text = str(Condition(said.name or one.column, one.operator, one.value))
        number = one.values and not any(isinstance(value, (str, bool)) for value in one.values)
        code = said.code_words.get(one.values[0]) if one.operator == "==" else None
        unit = f" {said.unit}" if said.unit and number and code is None else ""
        return f"{text}{unit}" + (f" ({code})" if code else "")

    def _because(self, name: str, asked: tuple[Condition, ...], value: Any) -> str:
        """The words of the description for a row's cell; "" if it has none."""
        said = self.described.get(name)
        if said is None or not said.because:
            return ""
        own = said.because.get("missing" if value is None else value_text(value))
        if own is not None:
            return str(own)
        sides = {"<=": "below", ">": "above"}
        words = [said.because.get(sides.get(one.operator, "")) for one in asked]
        if not any(words):
            return ""
        pairs: Iterator[tuple[Any, Condition]] = zip(words, asked, strict=True)
        return " and ".join(word or self._condition(one) for word, one in pairs)
