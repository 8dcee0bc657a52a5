"""Text that writes numbers or dates: what it means, and which of its cells are odd.

A column of text is numbers (or dates) if all its values write one, or all but a few: one `-` or
`unknown` among 500 numbers must not make 400 categories of them. The few odd cells then have no
value, and the column keeps what stood there as `written`: a report counts them, and a model that
asks for names still finds them.

A column of a data frame with nothing but numbers as text stays a column of names, because its owner
made it text. So does a column in which a number has a leading zero (a code), or in which an odd
cell looks like a number that may mean two things ("1,234").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from corels.tables.column import INT64_MAX, Column, without_words
from corels.tables.dates import CLOCK_TIME, DATE, MONTH, recoded, uniform
from corels.tables.description import NOTHING_SAID, ColumnDescription
from corels.tables.numerals import BY_COMMA, LEADING_ZERO, is_ambiguous, number_of, parts_thousands

if TYPE_CHECKING:
    from corels.tables.learned import LearnedColumn

MOST_ODD = 0.1  # of the rows with a value: more odd cells, and the column stays text
TRUTH = {"true": (1.0, ""), "false": (0.0, "")}
SAMPLE = 100  # values that are looked at first: names without digits are done with
_DIGIT = re.compile(r"\d")


def recognised(
    column: Column,
    said: ColumnDescription = NOTHING_SAID,
    most_odd: float = MOST_ODD,
    *,
    plain: bool = False,
) -> Column:
    """Text that writes dates or numbers as what it means; any other column as it is.

    said: how dates and numbers are written.

    most_odd: the share of the rows with a value that may have an odd one. plain: plain numbers are
    no names: it was said which of the cells are none.
    """
    texts = (column.categories or ())[:SAMPLE]
    digits = sum(isinstance(text, str) and bool(_DIGIT.search(text)) for text in texts)
    if column.form or not texts or 2 * digits < len(texts):
        return column
    dates = as_dates(column, said.date_order, most_odd)
    decimal, codes = _parting(column, said.decimal, 2), said.text_codes
    numbers = as_numbers(column, most_odd, decimal, codes, plain=plain)
    return dates or _without(numbers, said.no_values) or column


def measured(column: Column, said: ColumnDescription = NOTHING_SAID) -> Column:
    """A column that a model compares with numbers or dates: every other cell has no value.

    If most of the cells are odd, this is another column, and it stays as it is.
    """
    if column.categories is None or column.form:
        return column
    most = 1.0 if len(column) <= FEW else 0.5
    dates = as_dates(column, said.date_order, most)
    if dates is not None and not dates.missing.all():
        return dates
    decimal = _parting(column, said.decimal, 1)
    numbers = as_numbers(column, most, decimal, said.text_codes, asked=True)
    return _without(numbers, said.no_values) or column


def as_learned(column: Column, learned: LearnedColumn) -> Column:
    """A column that a model compares with numbers or dates; each cell is read by itself, as
    training read the column, and another one has no value.

    If most of the cells are odd, this is another column, and it stays as it is.
    """
    if column.categories is None or column.form:
        return column
    most = 1.0 if len(column) <= FEW else 0.5
    if not learned.dates:
        numbers = as_numbers(column, most, learned.decimal, learned.text_codes, asked=True)
        return _without(numbers, learned.no_values and learned.words) or column
    found = _parsed(column, learned.moment, most)
    return column if found is None else recoded(column, found, learned.form)


def _without(numbers: Column | None, words: Sequence[str] | None) -> Column | None:
    """Numbers without those that words for "no value" write, however a cell writes them: 999.0 is
    999, in text as in a column of numbers."""
    if numbers is None or not words:
        return numbers
    found, text = without_words(numbers, words), numbers.written
    gone = found.missing & numbers.present
    if text is None or not gone.any():
        return found
    values = np.where(gone, -1, text.values)  # which are no odd cells
    return replace(found, written=replace(text, values=values, missing=text.missing | gone))


def _parting(column: Column, decimal: str, least: int) -> str:
    """What a comma is in a column: "thousands" if its cells show that it parts these."""
    parts = decimal == "point" and parts_thousands(column.categories or (), least)
    return "thousands" if parts else decimal


FEW = 10  # rows that may all be odd and still be of the column that is asked for


def as_dates(column: Column, order: str = "iso", most_odd: float = 0) -> Column | None:
    """A column of text as a date column, if its values are dates, or times of day, but for a few.

    order: of day, month and year: "iso", "dmy" (31/12/2024) or "mdy". most_odd: the share of the
    rows with a value that may have another one.
    """
    texts = column.categories or ()
    if texts and all(isinstance(text, str) and MONTH.fullmatch(text) for text in texts):
        return recoded(column, list(map(str, texts)), DATE)
    found = _parsed(column, partial(uniform, order=order), most_odd)
    if found is None:
        return None
    forms = {CLOCK_TIME if text[2] == ":" else DATE for text in found if text is not None}
    return recoded(column, found, forms.pop()) if len(forms) == 1 else None


def as_numbers(
    column: Column,
    most_odd: float = 0,
    decimal: str = "point",
    codes: Collection[str] = (),
    *,
    plain: bool = False,
    asked: bool = False,
) -> Column | None:
    """A column of text as numbers, if its values write numbers but for a few.

    most_odd: the share of the rows with a value that may have another one. decimal: as of
    `number_of`. codes: texts that are values, though no numbers. plain: plain numbers are no names.
    asked: a model compares the column with numbers, whatever there is.
    """
    parse = _number_or_truth if asked else number_of
    found = _parsed(column, partial(parse, decimal=decimal), most_odd, codes)
    if found is None:
        return None
    texts = column.categories or ()
    forms = dict.fromkeys(one[1] for one in found if one is not None and one[1])
    form = BY_COMMA if BY_COMMA in forms else next(iter(forms), "")
    pairs = [*zip(map(str, texts), found, strict=True)]
    odd = [text for text, one in pairs if one is None]
    if not asked:
        large = [one for text, one in pairs if one and one[0] > INT64_MAX and text.isdecimal()]
        if len({*large}) < len(large):
            return None  # codes of 20 digits: as floats, two of them are equal
        zero = any(isinstance(text, str) and LEADING_ZERO.match(text) for text in texts)
        if not odd and not form and (zero or not plain):
            return None
        one_only = len({one[0] for one in found if one is not None}) < 2
        if odd and (zero or one_only or any(is_ambiguous(text, decimal) for text in odd)):
            return None
    numbers = [0 if one is None else one[0] for one in found]
    kind: Any = np.int64 if all(map(_is_whole, numbers)) else np.float64
    values = column.by_category(np.array(numbers, dtype=kind), kind(0))
    gone = column.by_category((one is None for one in found), True)
    written = column if odd else None
    if there := codes and {*codes} & {*odd}:  # such a row has a value, which is no number
        rows = column.by_category(text in there for text in texts)
        values, gone = np.where(rows, np.nan, values), gone & ~rows
    return Column(column.name, values, gone, None, form, written=written)


def _parsed(
    column: Column, parse: Callable[[str], Any], most_odd: float, codes: Collection[str] = ()
) -> list[Any] | None:
    """What each category writes, None for an odd one; None if too many rows have one. codes:
    texts that are odd in as many rows as there are."""
    texts = column.categories
    if not texts:
        return None
    counts = column.different[1].tolist()
    room = most_odd * sum(counts)
    found = []
    for text, rows in zip(texts, counts, strict=True):
        one = parse(text) if isinstance(text, str) else None
        if one is None and text not in codes:
            room -= rows
            if room < 0:
                return None
        found.append(one)
    return found


def _number_or_truth(text: str, decimal: str) -> tuple[float, str] | None:
    """What a model that compares with numbers, or 0 and 1, takes text for."""
    return TRUTH.get(text.lower()) or number_of(text, decimal)


def _is_whole(number: float) -> bool:
    return isinstance(number, int) or (number.is_integer() and abs(number) < 2**53)
