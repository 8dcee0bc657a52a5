"""What is said of a column: why it only tells rows apart, what would make it useful, what its
values look like, and what is refused; seen from the different values and their rows."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from corels.errors import InputError
from corels.tables.column import INT64_MAX, Column
from corels.tables.dates import looks_like_dates
from corels.tables.numerals import BY_COMMA, LEADING_ZERO, PLAIN, doubtful, is_ambiguous

FEWEST_ROWS = 20  # below, values that all differ may be a measure
MANY_NAMES = 10  # of so many numbers as text, the owner may have meant numbers
FEWEST_OTHERS = 10  # different values beside those that look like codes
CODED = 0.01  # of the rows have a value that looks like a code
NINES = re.compile(r"9{2,}")
NUMBERING = re.compile(
    r"(.*[_ .-])?(id|ids|uid|uuid|key|index|idx|rowid|rownames|serial)"
    r"|row|no\.?|nr\.?|#|row ?(no|nr|number)|unnamed: \d+"
)


def identifies_rows(column: Column) -> str:
    """Why a column only tells rows apart, in words; "" if it may say more.

    Text whose values all differ, or whole numbers that all differ in a column whose name says
    that it numbers the rows.
    """
    rows = int(column.present.sum())
    if rows < FEWEST_ROWS or column.form:
        return ""
    if column.categories is not None:
        differ = len(column.categories) == rows
        return (odd_text(column)[0] or "every value differs") if differ else ""
    if column.values.dtype.kind != "i" or not NUMBERING.fullmatch(column.name.strip().lower()):
        return ""
    return "every value differs" if len(column.different[0]) == rows else ""


def _said(column: Column, fields: str) -> str:
    """How it is said: an entry of `--column` and, in Python, of `columns`."""
    from corels.tables.short import entry_text

    entry = entry_text(column.name, fields)
    return f"(--column {entry!r}, columns={{{column.name!r}: {fields!r}}})"


def odd_text(column: Column, decimal: str = "point") -> tuple[str, str]:
    """What a column of text looks like that nothing can be made of, and what to do; or two ""."""
    if (example := looks_like_dates(column)) is not None:
        return (
            "dates not in ISO form",
            f"write dates such as {example!r} as 2024-12-31, or say which number is the day "
            f"{_said(column, 'written dmy')}",
        )
    if (example := doubtful(column, decimal)) is not None:
        if not is_ambiguous(example, decimal):
            advice = (
                f"{example!r} is not clearly a number: write it plainly, such as 1234.5; if it "
                f"means 'no value', say so {_said(column, f'missing {example}')}"
            )
        else:
            or_comma = f"; if commas stand before decimals, say so {_said(column, 'written comma')}"
            advice = f"{example!r} may mean two numbers: write them without separators of thousands"
            advice += or_comma if decimal == "point" else ""
        return "not plain numbers", advice
    return "", ""


def hint_of(column: Column, decimal: str = "point") -> str:
    """A hint for a user who may mean a column otherwise than it is read; "" for none."""
    if column.is_number:
        return _hint_of_numbers(column)
    texts = [text for text in column.categories or () if isinstance(text, str)]
    if column.form or not texts or not all(map(PLAIN.fullmatch, texts)):
        return odd_text(column, decimal)[1]
    code = next(filter(LEADING_ZERO.match, texts), None)
    asked = f"to cut them as numbers, say so {_said(column, 'as numbers')}"
    if code is not None:
        return f"its values are names, because {code!r} begins with 0, as codes do; {asked}"
    if any(text.lstrip("+-").isdecimal() and abs(int(text)) > INT64_MAX for text in texts):
        return "its values are names, because floats would make some of such large numbers equal"
    return f"its values are numbers as text, so they are names; {asked}" * (len(texts) > MANY_NAMES)


def _hint_of_numbers(column: Column) -> str:
    values, rows = column.different
    if column.form == BY_COMMA:
        return (
            "three digits stand behind every comma, so commas part thousands; if they stand before "
            f"decimals, say so {_said(column, 'written comma')}"
        )
    if column.form or len(values) <= FEWEST_OTHERS:
        return ""
    if values.dtype.kind == "f" and abs(values[[0, -1]]).max() > INT64_MAX:
        return "its numbers need more than 64 bits and are rounded to some 16 digits"
    found = []
    if values[0] < 0 <= values[1]:  # -9 below 300 to 850
        found.append((values[0], rows[0], "and no other is below 0"))
    if NINES.fullmatch(f"{values[-1]:g}") and values[-1] >= 2 * max(1, abs(values[-2])):
        found.append((values[-1], rows[-1], "far above all others"))
    for value, count, where in found:
        share = count / rows.sum()
        if share >= CODED:
            return (
                f"{share:.1%} of its values are exactly {value:g}, {where}: if it is a code, say "
                f"so {_said(column, f'codes {value:g}')}; if it means 'no value', missing {value:g}"
            )
    return ""


def refuse_infinite(column: Column, where: str = "") -> None:
    """Raise InputError for an infinite value; `where` begins the message."""
    if column.values.dtype.kind != "f":
        return
    rows = np.flatnonzero(np.isinf(column.values) & column.present)
    if len(rows):
        count = f"{len(rows):,} rows" if len(rows) > 1 else "1 row"
        raise InputError(
            f"{where}column {column.name!r} has an infinite value in {count}, the first is row "
            f"{rows[0] + 1:,}: if it means 'no value', say so {_said(column, 'missing inf')}"
        )


def refuse_missing(columns: Mapping[str, Column]) -> None:
    """Raise InputError for the first column with missing values."""
    for column in columns.values():
        if column.missing.any() and not column.unreadable:
            row = int(np.flatnonzero(column.missing)[0]) + 1
            odd = f" ({', '.join(map(repr, list(column.odd())[:3]))})" if column.odd() else ""
            raise InputError(
                f"column {column.name!r} has {int(column.missing.sum())} missing values{odd}, the "
                f"first in row {row}; fill or drop them, or keep them as an indicator"
            )
