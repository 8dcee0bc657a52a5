"""Numbers as people write them: money, percentages, thousands, decimal commas.

Each value must say by itself what it means, because a model may see it alone later: "$1,234.50",
"12 %" and "3,5" do; "1,234" does not (1234 or 1.234), and neither does "1.234" beside a currency,
unless a description says that the comma stands before decimals. A column is taken as numbers
only if its values do (`recognise`); otherwise it stays text, and `doubtful` names the value that
stands in the way.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from corels.tables.column import INT64_MAX, Column

CURRENCY = r"[$€£¥₹]|(?:USD|EUR|GBP|CHF|JPY)\b"
# (?a), [0-9]: no digits of other scripts, which engines elsewhere do not read.
PLAIN = re.compile(r"(?a)[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
WRITTEN = re.compile(
    rf"([+-]?)({CURRENCY})?\s?([+-]?)([0-9.,' \u00a0\u202f]*[0-9])\s?({CURRENCY}|%)?"
)
THOUSANDS_COMMA = re.compile(r"(?a)\d{1,3}(,\d{3})+(\.\d+)?")
COMMA_WRITTEN = re.compile(r"(?a)(?:\d+|\d{1,3}(?:([.' \u00a0\u202f])\d{3})(?:\1\d{3})*)(?:,\d+)?")
THOUSANDS_OTHER = re.compile(r"(?a)\d{1,3}(([.' \u00a0\u202f])\d{3})(\2\d{3})*(,\d+)?")

LEADING_ZERO = re.compile(r"0\d")  # how a code begins: 01234

MONEY, PERCENT, COMMA = "money", "percentages", "numbers with decimal commas"
GROUPED = "numbers with thousands"
BY_COMMA = "numbers with thousands by commas"  # which a single cell would leave open


def spelled(text: str) -> float:
    """The number that text spells in digits; a whole one that fits into 64 bits exactly.

    Raises ValueError if it spells none: Python alone reads 1_000, "inf" and the digits of other
    scripts.
    """
    text = text.strip()
    if not PLAIN.fullmatch(text):
        raise ValueError(f"{text!r} is not a number")
    if len(text) <= 20 and text.lstrip("+-").isdecimal() and abs(int(text)) <= INT64_MAX:
        return int(text)
    return float(text)


def is_code(value: object) -> bool:
    """Whether text spells a number, and not as a number is written: 01, +1, 1.50."""
    if not isinstance(value, str):
        return False
    try:
        return str(spelled(value)) != value
    except ValueError:
        return False


def number_of(text: str, decimal: str = "point") -> tuple[float, str] | None:
    """The number that text writes and the form it has ("" for a plain one); None for no number.

    decimal: as of a `ColumnDescription`, or "thousands", if all commas are known to part thousands.
    """
    if decimal == "thousands":
        joined = number_of(text.replace(",", ""))
        return joined and (joined[0], joined[1] or BY_COMMA * ("," in text))
    if PLAIN.fullmatch(text) and (decimal == "point" or "." not in text):
        plain = spelled(text)
        return (plain, "") if math.isfinite(plain) else None
    found = WRITTEN.fullmatch(text)
    if found is None:
        return None
    sign, before, inner, digits, after = found.groups()
    if (sign and inner) or (before and after):
        return None
    form = PERCENT if after == "%" else MONEY if before or after else ""
    value = _digits(digits, money=form == MONEY) if decimal == "point" else _with_comma(digits)
    if value is None:
        return None
    number, how = value
    return (-number if "-" in sign + inner else number), form or how


def _digits(text: str, *, money: bool) -> tuple[float, str] | None:
    """Digits with separators, if only one reading is possible."""
    before, _, after = text.partition(".")
    if text.isdecimal() or (after.isdecimal() and (before or "0").isdecimal()):
        return None if money and len(after) == 3 else (float(text), "")
    if THOUSANDS_COMMA.fullmatch(text) and ("." in text or text.count(",") > 1 or money):
        return float(text.replace(",", "")), GROUPED
    if found := THOUSANDS_OTHER.fullmatch(text):  # 1.234 was one number above
        return float(text.replace(found[2], "").replace(",", ".")), GROUPED
    before, _, after = text.partition(",")
    if before.isdecimal() and after.isdecimal() and len(after) != 3:
        return float(f"{before}.{after}"), COMMA
    return None


def _with_comma(text: str) -> tuple[float, str] | None:
    """Digits whose comma stands before decimals."""
    if not COMMA_WRITTEN.fullmatch(text):
        return None
    whole, comma, after = text.partition(",")
    digits = re.sub(r"\D", "", whole)
    return float(f"{digits}.{after}"), COMMA if comma else GROUPED if digits != whole else ""


def parts_thousands(texts: Iterable[object], least: int = 2) -> bool:
    """Whether three digits stand behind every comma of the cells, so that commas part thousands.

    least: how many different cells need a comma: one "1,234" among other numbers may be anything.
    If four digits stand before a point without a comma, commas part no thousands.
    """
    commas = 0
    for text in texts:
        found = WRITTEN.fullmatch(text) if isinstance(text, str) else None
        digits = found[4] if found else ""
        if "," in digits:
            if not THOUSANDS_COMMA.fullmatch(digits) or digits.startswith("0"):
                return False
            commas += 1
        elif len(digits.partition(".")[0]) > 3:
            return False
    return commas >= least


def is_ambiguous(text: object, decimal: str = "point") -> bool:
    """Whether text looks like a number but may mean two: "1,234"."""
    written = isinstance(text, str) and WRITTEN.fullmatch(text)
    return bool(written) and number_of(str(text), decimal) is None


def doubtful(column: Column, decimal: str = "point") -> str | None:
    """The first value that keeps a column of written numbers from being numbers; None if most are
    no numbers at all."""
    texts = [text for text in column.categories or () if isinstance(text, str)]
    if not texts:
        return None
    like = [text for text in texts[:1000] if WRITTEN.fullmatch(text) or PLAIN.fullmatch(text)]
    if len(like) < 0.8 * min(len(texts), 1000):
        return None
    return next((text for text in texts if number_of(text, decimal) is None), None)
