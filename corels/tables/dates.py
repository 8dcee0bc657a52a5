"""Dates and times as columns: what is recognised, how it is compared, and its parts.

A column whose values are all ISO dates or times ("2024-03-01", "2024-03-01 10:30", "10:30:00";
typed ones arrive as that text) is a *date column*. It stays a column of categories, but its text is
made uniform ("2024-03-01 10:30:00", in UTC if a zone is given; "2024-03-01" at midnight), so
that earlier and later are the order of the text, here as in SQL and in any other language: `signup
<= 2024-02-29`.

Of each date column further columns can be read: "year of signup", "month of signup", "weekday of
signup", "hour of signup". A model asks for them by these names, and what reads a table answers
(`Columns`), so a model applies to every table that has the column `signup`.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any

import numpy as np

from corels.tables.column import Column, Scalar

# (?a): no digits of other scripts, which engines elsewhere do not read.
ISO = re.compile(
    r"(?a)(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(\.\d{1,9})?(Z|[+-]\d\d(?::?\d\d)?)?)?"
)
SLASHED = re.compile(r"(?a)(\d{1,2})[./-](\d{1,2})[./-](\d{4})(.*)")
MONTH = re.compile(r"(?a)\d{4}-(0[1-9]|1[0-2])")
CLOCK = re.compile(r"(?a)(\d\d:\d\d)(:\d\d)?(\.\d{1,9})?")
OTHER_DATE = re.compile(r"\d{1,2}[./-]\d{1,2}[./-](\d{4}|\d\d)( .*)?|\d{4}[./]\d{1,2}[./]\d{1,2}.*")
PART = re.compile(r"(year|month|weekday|hour) of (.*)", re.DOTALL)
MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August"),
    *("September", "October", "November", "December"),
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

DATE, CLOCK_TIME = "date", "time of day"
MIDNIGHT = " 00:00:00"


def is_moment(text: str) -> bool:
    """Whether text is a date or a time in the form that dates are compared in."""
    return moment(text) in (text, text.removesuffix(MIDNIGHT))


def moment(text: str) -> str | None:
    """A date or time as `uniform` has it, or a year and month as it is: in the order of text, that
    comes before the month's first day, which it means."""
    return text if MONTH.fullmatch(text) else uniform(text)


def spellings(value: Scalar) -> tuple[Scalar, ...]:
    """A value, and of a day what also writes it, later in the order of text: its first second."""
    day = isinstance(value, str) and len(value) == len("2024-02-29") and uniform(value) == value
    return (value, f"{value}{MIDNIGHT}") if day else (value,)


def uniform(text: str, order: str = "iso") -> str | None:
    """An ISO date or time in one form, so that the order of the text is that of time. The first
    second of a day is the day: they are one value, also in databases and data frames.

    order: with "dmy" or "mdy", dates such as 31/12/2024 or 12.31.2024 are read, too.
    """
    if order != "iso" and (found := SLASHED.fullmatch(text)):
        first, second, year, rest = found.groups()
        day, month = (first, second) if order == "dmy" else (second, first)
        text = f"{year}-{month:0>2}-{day:0>2}{rest}"
    if found := ISO.fullmatch(text):
        day, minutes, seconds, fraction, zone = found.groups()
        try:
            if minutes is None:
                dt.date.fromisoformat(day)
                return day
            text = f"{day} {minutes}{seconds or ':00'}{zone or 'Z'}"
            moment = dt.datetime.fromisoformat(text).astimezone(dt.UTC).replace(tzinfo=None)
        except (ValueError, OverflowError):
            return None
        return (moment.isoformat(sep=" ") + _fraction(fraction)).removesuffix(MIDNIGHT)
    if found := CLOCK.fullmatch(text):
        minutes, seconds, fraction = found.groups()
        try:
            dt.time.fromisoformat(minutes + (seconds or ":00"))
        except ValueError:
            return None
        return minutes + (seconds or ":00") + _fraction(fraction)
    return None


def _fraction(text: str | None) -> str:
    kept = (text or "").rstrip("0")
    return kept if len(kept) > 1 else ""


def recoded(column: Column, texts: Sequence[str | None], form: str) -> Column:
    """The column with other text for its categories; None is not a value."""
    written = column if None in texts else None
    return column.renamed(texts, form=form, written=written)


def looks_like_dates(column: Column) -> str | None:
    """The first value, if all look like dates of another form than ISO: 31/12/2024, 12.31.24."""
    found = column.categories or ()
    if found and all(isinstance(c, str) and OTHER_DATE.fullmatch(c) for c in found):
        return str(found[0])
    return None


def parts_of(column: Column) -> list[Column]:
    """The parts of a date column that differ between its values."""
    names = {DATE: ["year", "month", "weekday"], CLOCK_TIME: ["hour"]}.get(column.form, [])
    if column.form == DATE and all(len(str(text)) == 7 for text in column.categories or ()):
        names = ["year", "month"]
    if column.form == DATE and any(len(str(text)) > 10 for text in column.categories or ()):
        names.append("hour")
    found = [part_of(column, name) for name in names]
    return [part for part in found if len(part.distinct()) > 1]


_READ: Mapping[str, Callable[[str], int | str]] = {  # what a part of a date or time is
    "year": lambda text: int(text[:4]),
    "month": lambda text: MONTHS[int(text[5:7]) - 1],
    "weekday": lambda text: WEEKDAYS[dt.date.fromisoformat(f"{text}-01"[:10]).weekday()],
    "hour": lambda text: int(text[11:13] or 0) if text[4:5] == "-" else int(text[:2]),
}


def part_of(column: Column, part: str) -> Column:
    """The year (a number), month and weekday (by name) or hour of a date column."""
    name = f"{part} of {column.name}"
    values: list[Any] = [_READ[part](str(text)) for text in column.categories or ()]
    if part in ("month", "weekday"):
        return column.renamed(values, name=name, form=f"{part}s", written=None)
    found = column.by_category(values, 0)
    return Column(name, found, column.missing, None, f"{part}s")


def source_of(name: str, columns: Container[str] = ()) -> str:
    """The column that a name reads: of a part of a date ("year of signup") that is not a column
    itself, the date's."""
    part = None if name in columns else PART.fullmatch(name)
    return name if part is None else part[2]


def asked_part(columns: Mapping[str, Column], name: str) -> Column | None:
    """The part of a date column of the table that the name asks for."""
    asked = PART.fullmatch(name)
    if asked is None or asked[2] not in columns.keys():  # noqa: SIM118 (no parts of parts)
        return None
    column = columns[asked[2]]
    if column.missing.all():
        return Column(name, np.zeros(len(column)), column.missing)
    if column.form == DATE or (column.form == CLOCK_TIME and asked[1] == "hour"):
        return part_of(column, asked[1])
    return None


def nice_between(low: str, high: str) -> Scalar:
    """A short t with low <= t < high in the order of text: the end of a year or month, or a day."""
    if low[4:5] != "-":
        hour = high[:2] + ":00:00"
        return hour if low <= hour < high else low
    if len(low) == len(high) == 7:  # months
        december = f"{int(high[:4]) - 1:04}-12"
        return december if low <= december < high else low
    day = dt.date.fromisoformat(high[:10])
    ends = (dt.date(day.year, 1, 1), dt.date(day.year, day.month, 1), day)
    for end in ends:
        for text in (str(end - dt.timedelta(days=1)) if end > dt.date.min else "", str(end)):
            if low <= text < high:
                return text
    return low
