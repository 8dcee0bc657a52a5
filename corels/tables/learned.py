"""What a model keeps of the columns that it was learned from.

Training decides once how the cells of a column are read: which of them mean "no value", whether a
comma parts thousands, which of day and month comes first. A `LearnedColumn` says so, and what
training saw; it is an entry of `reading.columns` in a model file. By it every cell of new data is
read by itself (`corels.tables.unseen.as_learned`), so that a row gets the same answer in every
table, and in every language that a model is exported to.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import ValidationError, convert, structs

from corels.errors import InputError
from corels.tables.column import Column, Scalar
from corels.tables.condition import Condition
from corels.tables.dates import CLOCK_TIME, DATE, MONTH, PART, source_of, uniform
from corels.tables.description import NOTHING_SAID, ColumnDescription, numbers_meant
from corels.tables.descriptions import Descriptions
from corels.tables.numerals import BY_COMMA
from corels.tables.options import MISSING_VALUES

MOST_VALUES = 1000  # of one column that a model keeps
NUMBERS = "numbers"


class LearnedColumn(ColumnDescription, frozen=True, omit_defaults=True, kw_only=True,
                    forbid_unknown_fields=True):  # fmt: skip
    """What was said of a column, and what training found in it.

    Attributes:
        form: what its values are, if they are no names: "numbers", "percentages", "date", ...
        odd: whether some cells wrote no value, though something stood there.
        gaps: whether some rows had no value.
        padded: whether some texts of a CSV file had blanks around them, which reading drops.
        values: of a column of names those that training saw, in their own order, not that of the
            rows; none if there are too many.
    """

    form: str = ""
    odd: bool = False
    gaps: bool = False
    padded: bool = False
    values: tuple[Scalar, ...] = ()

    @classmethod
    def found(cls, column: Column, said: ColumnDescription = NOTHING_SAID) -> LearnedColumn:
        """What there was in a column of training.

        column: as it was read, before anything is made of it. said: what its description says.
        """
        measured, texts = is_measured(column), column.categories or ()
        known = () if measured or len(texts) > MOST_VALUES else sorted(texts, key=str)
        words = None if said.missing is not None else _usual_but([*texts, *said.text_codes])
        return cls(
            **(structs.asdict(said) | ({} if words is None else {"missing": words})),
            form=(column.form or NUMBERS) if measured else "",
            odd=column.partly_read,
            gaps=bool(column.missing.any()),
            padded=column.padded,
            values=tuple(known),
        )

    @property
    def measured(self) -> bool | None:
        """Whether its values are numbers or dates (True) or names (False); None: not known."""
        return True if self.form else False if self.values else None

    @property
    def bare(self) -> bool:
        """Whether blanks around a cell mean nothing: beside numbers and dates, and beside names
        if training saw none with blanks, as of a CSV file."""
        names = bool(self.values) and all(str(one) == str(one).strip() for one in self.values)
        return bool(self.form) or names

    @property
    def dates(self) -> bool:
        """Whether its values are dates or times of day."""
        return self.form in (DATE, CLOCK_TIME)

    def moment(self, text: str) -> str | None:
        """What a cell writes of a column of dates, or of one of times of day; None for nothing."""
        found = text if MONTH.fullmatch(text) else uniform(text, self.date_order)
        of_day = found is not None and found[2] == ":"
        return found if of_day == (self.form == CLOCK_TIME) else None

    def raw(self, condition: Condition, *, typed: bool = False) -> Condition:
        """A condition on this column as it is asked of cells as they stand: what means "no value"
        is excluded, too. typed: dates are ISO dates, of which words such as "none" are none.

        Raises InputError if infinite numbers mean it.
        """
        words = self.words if self.no_values is not None else ()
        if not words or PART.fullmatch(condition.column):
            return condition
        numbers = bool(self.form) and not self.dates
        meant: Iterable[Scalar] = numbers_meant(words) if numbers else words
        if typed and self.dates:
            meant = [found for word in words if (found := self.moment(word)) is not None]
        if any(isinstance(one, float) and math.isinf(one) for one in meant):
            raise InputError(
                f"infinite values of column {condition.column!r} mean 'no value', which an export "
                "cannot say: write them as another number, or leave these cells empty"
            )
        asked = {*condition.values} if condition.operator not in ("<=", ">") else set()
        further = (one for one in meant if one not in asked)
        return structs.replace(condition, besides=(*condition.besides, *further))

    @property
    def decimal(self) -> str:
        """What a comma is, "thousands" beside what a description says."""
        return "thousands" if self.form == BY_COMMA else super().decimal

    @property
    def words(self) -> tuple[str, ...]:
        """The cells that mean "no value"; none that was a value in training."""
        said = self.no_values
        return MISSING_VALUES if said is None else tuple(w for w in said if w not in self.values)

    @property
    def rewritten(self) -> bool:
        """Whether its cells are text that has to be read before it can be compared."""
        if self.dates:
            return self.date_order != "iso" or self.odd
        plain = self.form == NUMBERS and self.as_ != NUMBERS  # that is not said of typed numbers
        return bool(self.form) and (self.odd or not plain)


Learned = Mapping[str, LearnedColumn]


def is_measured(column: Column) -> bool:
    """Whether the values are numbers or dates."""
    return column.categories is None or bool(column.form)


def _usual_but(texts: Iterable[Scalar]) -> tuple[str, ...] | None:
    """The usual words for "no value" without those that are values here; None for all of them."""
    there = set(MISSING_VALUES) & {*texts}
    return tuple(word for word in MISSING_VALUES if word not in there) if there else None


def over(learned: Learned, said: Descriptions) -> Descriptions:
    """What is said of columns, and before it what training knew of those that a model keeps."""
    fields = ColumnDescription.__struct_fields__
    own = {
        name: ColumnDescription(**{field: getattr(one, field) for field in fields})
        for name, one in learned.items()
    }
    return structs.replace(said, columns={**said.columns, **own})


def asked_of(learned: Learned, names: Iterable[str]) -> dict[str, LearnedColumn]:
    """What is kept of the columns of these names; of a part of a date, that of the date."""
    found = {}
    for name in dict.fromkeys(names):
        source = source_of(name, learned)
        if source in learned:
            found[source] = learned[source]
    return found


def document_of(learned: Learned) -> dict[str, Any]:
    """As JSON; what says nothing is left out."""
    return {name: one.to_json() for name, one in learned.items()}


def learned_of(columns: Any) -> dict[str, LearnedColumn]:
    """The inverse of `document_of`. Raises InputError."""
    try:
        return convert(columns, dict[str, LearnedColumn])
    except ValidationError as error:
        raise InputError(f"the entry 'reading' of the document is malformed: {error}") from None


def learned_in(document: Mapping[str, Any]) -> dict[str, LearnedColumn]:
    """What a model file keeps of its columns. Raises InputError."""
    try:
        columns = document.get("reading", {}).get("columns", {})
    except AttributeError as error:
        raise InputError(f"the entry 'reading' of the document is malformed: {error}") from None
    return learned_of(columns)
