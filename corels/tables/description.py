"""What a column is, in the words of its owner: how it is read, cut and called.

A `ColumnDescription` is one entry of a description file (`descriptions`), of `columns=` in Python,
of `--column` (as a short text, `short`), and of `reading.columns` in a model file. A field that is
not given says nothing, and the entry `*` of the table then speaks.

    {"as": "numbers", "cuts": [17, 25, 65], "codes": {"-9": "no record"}, "direction": "up"}
"""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Annotated, Any, Literal, Self

from msgspec import Meta, Struct, ValidationError, convert, to_builtins
from msgspec.structs import replace

from corels.errors import InputError, located, sentence
from corels.options import suggestion, unknown

Scalar = str | int | float | bool
Value = int | float | str
Item = int | float | str | tuple[Value, ...]

AS = ("numbers", "names", "dates", "ignore")
WAYS = ("quantile", "uniform", "all", "entropy")  # to cut numbers
OF_NAMES = ("each", "grouped", "both")
WORDS = {  # of fields that may be one of a few
    "as": AS,
    "missing": ("refuse",),
    "written": ("iso", "dmy", "mdy", "point", "comma"),
    "direction": ("up", "down"),
    "change": ("never", "up", "down"),
}
LISTS = {"as": "texts in their order", "missing": "cells"}  # and what else they may be
MOST_CUTS = 3  # of one column, if nothing else is said
# What is a number as it stands in a description; 01 is a name.
NUMBER = re.compile(r"[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
INFINITE = re.compile("[+-]?inf(inity)?", re.IGNORECASE)


class Stated(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What documents have as a mapping: conditions, descriptions."""

    @classmethod
    def from_json(cls, data: Any) -> Self:
        """What `to_json` wrote. Raises InputError for data of another form."""
        try:
            return convert(data, cls)
        except ValidationError as error:
            raise InputError(f"{cls.__name__.lower()}: {sentence(str(error))}") from None

    def to_json(self) -> dict[str, Any]:
        """A mapping of plain values of JSON (and TOML), without what is not given."""
        found: dict[str, Any] = plain(to_builtins(self))
        return found


class ColumnDescription(Stated, frozen=True, forbid_unknown_fields=True,
                        rename={"as_": "as"}, kw_only=True):  # fmt: skip
    """What is said of one column; None and "" say nothing. `of` checks it.

    Attributes:
        as_: "numbers", "names", "dates" or "ignore"; or texts in their order, from low to high.
        cuts: the cuts themselves (`[17, 25]`); a way of making them and the most of them
            ("entropy 5"), of names "each", "grouped" or "both" (of a table both: "entropy 5,
            grouped"); or groups of names.
        codes: values that are no measurements, with words for them or without.
        missing: the cells that mean "no value", in the place of the usual ones; or "refuse".
        written: "iso", "dmy", "mdy" (dates), "point" or "comma" (decimals).
        direction: "up" or "down": more of it never turns the positive class, or the other ones,
            into another.
        name, about, unit: words for people.
        because: "below", "above", "missing", a value or a code -> words that give it as a reason.
        change: in which direction a value can be changed: "never", "up" or "down".
    """

    as_: str | tuple[str, ...] | None = None
    cuts: str | tuple[Item, ...] | None = None
    codes: dict[str, str] | tuple[Value, ...] | None = None
    missing: str | tuple[Value, ...] | None = None
    written: Literal["iso", "dmy", "mdy", "point", "comma"] | None = None
    direction: Literal["up", "down"] | None = None
    name: Annotated[str, Meta(max_length=10_000)] = ""
    about: Annotated[str, Meta(max_length=10_000)] = ""
    unit: Annotated[str, Meta(max_length=10_000)] = ""
    because: dict[str, str] = {}
    change: str | None = None

    @classmethod
    def of(cls, column: str, entry: Any) -> ColumnDescription:
        """An entry, checked: a description, its document, or its short text without a name.

        column: its name, for messages. Raises InputError, in a sentence that names it.
        """
        with located(f"column {column!r}"):
            if isinstance(entry, str):
                from corels.tables.short import fields_of  # it knows this class

                entry = fields_of(entry)
            if not isinstance(entry, (ColumnDescription, Mapping)):
                raise InputError(
                    f"{entry!r} is no description: expected text such as 'cuts 17, 25', or a "
                    "mapping of fields"
                )
            document = plain(entry.to_json() if isinstance(entry, ColumnDescription) else entry)
            _check_words(document)
            try:
                found = convert(document, cls)
            except ValidationError as error:
                raise InputError(_expected(sentence(str(error)), entry)) from None
            return found._checked()

    def over(self, other: ColumnDescription) -> ColumnDescription:
        """This description, and what the other one says of fields that it leaves out."""
        own = {
            name: value
            for name in self.__struct_fields__
            if (value := getattr(self, name)) not in (None, "", {})
        }
        return replace(other, **own)

    # --- what the fields mean ---------------------------------------------------------------------

    @property
    def order(self) -> tuple[str, ...]:
        """The texts of the column from low to high, if they are listed."""
        return self.as_ if isinstance(self.as_, tuple) else ()

    @property
    def given_cuts(self) -> tuple[Value, ...] | None:
        """The cuts if they are listed; they are kept as they are."""
        if isinstance(self.cuts, tuple) and not self.groups:
            return tuple(one for one in self.cuts if not isinstance(one, tuple))
        return None

    @property
    def groups(self) -> tuple[tuple[Value, ...], ...]:
        """The groups of names if they are listed."""
        if isinstance(self.cuts, tuple) and any(isinstance(one, tuple) for one in self.cuts):
            return tuple(one if isinstance(one, tuple) else (one,) for one in self.cuts)
        return ()

    def way(self, ways: Sequence[str], default: str) -> tuple[str, int]:
        """(a way of making cuts or groups, the most of them). ways: `WAYS` or `OF_NAMES`."""
        found = next((way for way in self.ways if way in ways), default)
        return found, self.ways.get(found) or MOST_CUTS

    @property
    def ways(self) -> dict[str, int]:
        """The ways of making cuts and groups -> the most of them, 0 if that is not said."""
        return ways_of(self.cuts) if isinstance(self.cuts, str) else {}

    @property
    def of_names(self) -> bool:
        """Whether its text is names, whatever it writes."""
        return self.as_ == "names" or isinstance(self.as_, tuple)

    @property
    def date_order(self) -> str:
        """How dates are written."""
        return self.written if self.written in ("iso", "dmy", "mdy") else "iso"

    @property
    def decimal(self) -> str:
        """What stands before decimals in text: "point" or "comma"."""
        return "comma" if self.written == "comma" else "point"

    @property
    def code_words(self) -> dict[Value, str]:
        """Each code, as a number if it writes one, and the words for it."""
        codes = self.codes or ()
        words = codes if isinstance(codes, Mapping) else dict.fromkeys(codes, "")
        return {number_or_text(code): text for code, text in words.items()}

    @property
    def text_codes(self) -> frozenset[str]:
        """The codes that write no number: "refused", which may stand among numbers."""
        return frozenset(code for code in self.code_words if isinstance(code, str))

    @property
    def no_values(self) -> tuple[str, ...] | None:
        """The cells that mean "no value", also an empty one; None: the usual ones."""
        if not isinstance(self.missing, tuple):
            return None
        return tuple(dict.fromkeys(["", *map(str, self.missing)]))

    @property
    def refuses_missing(self) -> bool:
        """Whether a missing value is an error."""
        return self.missing == "refuse"

    # --- checks -----------------------------------------------------------------------------------

    def _checked(self) -> ColumnDescription:
        """The description with numbers as they are compared. Raises InputError."""
        if isinstance(self.as_, tuple) and len(set(self.as_)) < max(2, len(self.as_)):
            raise InputError("as: expected two texts or more, each once")
        if self.direction and self.as_ in ("names", "ignore"):
            raise InputError(
                f"it has direction {self.direction} and is read as {self.as_}: that has no order"
            )
        self._check_because()
        words = [number_or_text(word) for word in self.no_values or ()]
        for code in self.code_words:
            if code in words:
                raise InputError(f"{code!r} is both a code and missing")
        return replace(self, cuts=self._checked_cuts())

    def _checked_cuts(self) -> str | tuple[Item, ...] | None:
        if isinstance(self.cuts, str):
            return ", ".join(
                f"{way} {most}" if most else way for way, most in ways_of(self.cuts).items()
            )
        if self.groups:
            if any(len(set(group)) < max(1, len(group)) for group in self.groups):
                raise InputError("cuts: expected groups of names, each name once in a group")
            return self.groups
        cuts = self.given_cuts
        if cuts is None:
            return None
        whole, what = tuple(_plain_number(cut) for cut in cuts), "rising numbers, or rising dates"
        places: list[Any] = list(whole)
        if self.order:
            what = "texts that 'as' lists, in their order"
            place = {text: at for at, text in enumerate(self.order)}
            places = [place.get(str(cut), math.nan) for cut in whole]
        of_one_kind = len({isinstance(one, str) for one in places}) < 2
        finite = all(isinstance(one, str) or math.isfinite(one) for one in places)
        if not (of_one_kind and finite and all(a < b for a, b in pairwise(places))):
            raise InputError(f"cuts {', '.join(map(str, cuts))}: expected {what}")
        return whole

    def _check_because(self) -> None:
        """A side of cuts, or a value; a word that looks like another side is neither."""
        sides = ("under", "over", "less", "more", "greater", "low", "high", "up", "down")
        for side in self.because:
            if side in sides:
                raise InputError(
                    f"because names the cut side {side!r}: expected above, below, missing, or a "
                    "value"
                )


NOTHING_SAID = ColumnDescription()


def ways_of(text: str) -> dict[str, int]:
    """Ways of cutting -> the most cuts, 0 if that is not said: "entropy 5, grouped".

    Raises InputError.
    """
    found: dict[str, int] = {}
    for part in text.split(","):
        way, _, most = part.strip().partition(" ")
        if way not in (*WAYS, *OF_NAMES):
            hint = suggestion(way, (*WAYS, *OF_NAMES)) or ":"
            raise InputError(
                f"cuts is {part.strip()!r}{hint} expected numbers, or one of "
                f"{', '.join((*WAYS, *OF_NAMES))}, with the most cuts or without"
            )
        if most and not (most.isdecimal() and int(most)):
            raise InputError(
                f"cuts is {part.strip()!r}: expected a whole number of at least 1 behind {way}"
            )
        found[way] = int(most or 0)
    if sum(way in WAYS for way in found) > 1 or sum(way in OF_NAMES for way in found) > 1:
        raise InputError(f"cuts {text!r}: expected one way for numbers, and one for names")
    return found


def number_or_text(value: Any) -> Value:
    """The number that a value is or writes, a whole one as such; any other text as it is."""
    if not isinstance(value, str):
        return _plain_number(value)
    if NUMBER.fullmatch(value) and math.isfinite(float(value)):
        return int(value) if value.lstrip("+-").isdecimal() else _plain_number(float(value))
    return value


def numbers_meant(words: Sequence[str]) -> dict[float, str]:
    """The numbers among words that mean "no value", infinite ones too: number -> word."""
    found = {float(w) if INFINITE.fullmatch(w) else number_or_text(w): w for w in words}
    return {number: word for number, word in found.items() if not isinstance(number, str)}


def _plain_number(value: Any) -> Value:
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    found: Value = value
    return found


def plain(found: Any) -> Any:
    """Data as JSON has it: dates and NumPy's numbers as text and numbers, keys as text."""
    if isinstance(found, Mapping):
        return {str(key): plain(value) for key, value in found.items()}
    if isinstance(found, (datetime.date, datetime.time)):
        return found.isoformat(sep=" ") if isinstance(found, datetime.datetime) else str(found)
    if isinstance(found, (list, tuple, set, frozenset)) or hasattr(found, "tolist"):
        found = found.tolist() if hasattr(found, "tolist") else list(found)
        return [plain(one) for one in found] if isinstance(found, list) else found
    return found


def _check_words(document: Mapping[str, Any]) -> None:
    """Raise InputError for another word if a field takes one of a few."""
    for field, words in WORDS.items():
        value = document.get(field)
        if isinstance(value, str) and value not in words:
            listed = [*words, *([f"a list of {LISTS[field]}"] if field in LISTS else [])]
            raise InputError(
                f"{field} is {value!r}: expected {', '.join(listed[:-1])} or {listed[-1]}"
            )


def _expected(text: str, entry: Any) -> str:
    """msgspec's sentence; of a field that is no field, with those that there are."""
    if "unknown entry" in text:
        known = [name.rstrip("_") for name in ColumnDescription.__struct_fields__]
        wrong = next((str(name) for name in entry if name not in known), "")
        return unknown("field", wrong, known)
    return text
