"""Options as declared data: name, kind, default, range and help stand in one table.

The command line offers them, the facade checks them, and the reference page lists them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields
from fractions import Fraction
from os import PathLike
from typing import Any

from corels.errors import OptionError

MOST_DIGITS = 400  # of a number that is read exactly; all floats are within
# "int", "float", "fraction", "share", "text", "label", "flag", "names", "words", "columns",
# "descriptions", "constraints", "numbers", "costs", "part" or "parts".
Kind = str


@dataclass(frozen=True, slots=True)
class Option:
    """One option. `check` gives the value as its kind, or raises OptionError naming all three."""

    name: str
    kind: Kind
    default: Any
    help: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    optional: bool = False  # None is allowed and means "no limit" or "as the other options say"
    metavar: str = ""  # what the help calls the value, if not by its kind
    unit: str = ""  # of the number, for messages: "seconds"
    python_only: bool = False  # not an option of the command line

    # The usual kinds. Without a default an option may be left out, and is None then.

    @classmethod
    def switch(cls, name: str, help: str) -> Option:
        """Off unless it is asked for."""
        return cls(name, "flag", False, help)

    @classmethod
    def text(cls, name: str, help: str, default: str | None = None, **more: Any) -> Option:
        """Any text, or one of the `choices`. more: these, and `metavar`."""
        return cls(name, "text", default, help, optional=default is None, **more)

    @classmethod
    def names(cls, name: str, help: str, default: tuple[str, ...] = ()) -> Option:
        """Any number of names."""
        return cls(name, "names", default, help)

    @classmethod
    def whole(cls, name: str, help: str, default: int | None = None, **ends: Any) -> Option:
        """A whole number. ends: `low`, `high` and `unit`."""
        return cls(name, "int", default, help, optional=default is None, **ends)

    @classmethod
    def number(cls, name: str, help: str, default: float | None = None, **ends: Any) -> Option:
        """A number. ends: `low`, `high` and `unit`."""
        return cls(name, "float", default, help, optional=default is None, **ends)

    @classmethod
    def time_limit(cls, help: str, default: float | None = None) -> Option:
        """Seconds. Without a default there is no limit unless one is asked for."""
        return cls.number("time_limit", help, default, low=0, unit="seconds")

    @classmethod
    def fraction(
        cls, name: str, help: str, default: str | int | None = None, **ends: Any
    ) -> Option:
        """A number that is read exactly, as it is written."""
        return cls(name, "fraction", default, help, optional=default is None, **ends)

    @property
    def flag(self) -> str:
        """As it is written on the command line."""
        return flag_of(self.name)

    def check(self, value: Any) -> Any:
        """The value as its kind has it; None stays if it is allowed. Raises OptionError."""
        if value is None and self.optional:
            return None
        converted = _CONVERTERS[self.kind](self, value)
        if self.choices and converted not in self.choices:
            wanted = ", ".join(self.choices)
            raise OptionError(
                f"⟨{self.name}⟩ is {value!r}{suggestion(str(value), self.choices) or ':'} "
                f"expected {wanted}"
            )
        return converted

    def expected(self) -> str:
        """What would have been right, for messages."""
        if self.kind == "share":
            return "a share from 0 to 1 (0.05, 10/150), or a whole number of rows"
        kind = {"int": "a whole number", "float": "a number", "fraction": "a number"}[self.kind]
        if self.unit:
            kind += f" of {self.unit}"
        if self.low is not None and self.high is not None:
            return f"{kind} from {_written(self.low)} to {_written(self.high)}"
        return kind if self.low is None else f"{kind} of at least {_written(self.low)}"

    def _wrong(self, value: Any) -> OptionError:
        endless = value == math.inf and self.optional and self.name.endswith("_limit")
        none = ", or None for no limit" if endless else ""
        return OptionError(f"⟨{self.name}⟩ is {value!r}: expected {self.expected()}{none}")


_KINDS = {"str": "text", "int": "int", "float": "float", "bool": "flag", "Sequence[str]": "names"}


def setting(help: str, default: Any = None, **more: Any) -> Any:
    """A field of a dataclass of options. more: of the `Option`, whose kind is that of the field's
    type if none is given; without a default it may be left out."""
    return field(default=default, metadata={"help": help, "optional": default is None, **more})


def settings_of(table: type[Any]) -> tuple[Option, ...]:
    """The options that a dataclass declares as fields, each by a `setting`."""
    return tuple(
        Option(
            one.name,
            **{"kind": _KINDS.get(str(one.type).removesuffix(" | None")), **one.metadata},
            default=one.default,
        )
        for one in fields(table)
    )


def whole(value: Any) -> Any:
    """1.0 as 1: numbers beside missing values are often read as floats."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


ONE_BY_ONE = {"constraints": "constraint"}  # several in Python, one at a time on the command line


def flag_of(name: str) -> str:
    """An option's name as it is written on the command line."""
    return "--" + ONE_BY_ONE.get(name, name).replace("_", "-")


def _written(number: float) -> str:
    return str(int(number)) if number == int(number) else f"{number:g}"


def _number(read: Callable[[Any], Any]) -> Callable[[Option, Any], Any]:
    """A converter to numbers within the option's range, by a function that raises for others."""

    def convert(option: Option, value: Any) -> Any:
        low = -math.inf if option.low is None else option.low
        high = math.inf if option.high is None else option.high
        with suppress(TypeError, ValueError, OverflowError):
            number = read(value)
            if low <= number <= high and -math.inf < number < math.inf:
                return number
        raise option._wrong(value)

    return convert


def _int(value: Any) -> int:
    """3, 3.0 or "3"; raises ValueError for 3.5 and for True."""
    number = int(value)
    if isinstance(value, bool) or (not isinstance(value, str) and value != number):
        raise ValueError
    return number


def _share(option: Option, value: Any) -> int | float | str:
    """A whole number is a number of rows, as it is; 0.05, "0.05" or 1.0 is a share of the rows, and
    so is "10/150" or Fraction(1, 15), which stays text so that it stays exact."""
    value = value.item() if hasattr(value, "item") else value
    with suppress(TypeError, ValueError, OverflowError):
        text = str(value).strip()
        number = exact_number(text)
        rows = text.lstrip("+").isdecimal() and not isinstance(value, Fraction)
        if not isinstance(value, bool) and 0 <= number <= (math.inf if rows else 1):
            return int(number) if rows else text if "/" in text else float(number)
    raise option._wrong(value)


def _of(kinds: Any, expected: str) -> Callable[[Option, Any], Any]:
    """A converter that takes a value of one of these types as it is."""

    def convert(option: Option, value: Any) -> Any:
        if not isinstance(value, kinds):
            raise OptionError(f"⟨{option.name}⟩ is {value!r}: expected {expected}")
        return value

    return convert


_text = _of(str, "text")
_some_names = _of(Iterable, "names")
_some_parts = _of(Iterable, "names or classes")
_class = _of((str, int, float), "a class")


def _label(option: Option, value: Any) -> Any:
    """A class, as text or as the data has it: 1, True."""
    return _class(option, value.item() if hasattr(value, "item") else value)


def _names(option: Option, value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        value = [part for part in value.split(",") if part]
    return tuple(_text(option, name) for name in _some_names(option, value))


def _columns(option: Option, value: Any) -> tuple[str, ...]:
    """Names, each once; but a text is one of them, whatever commas it has."""
    return (value,) if isinstance(value, str) else tuple(dict.fromkeys(_names(option, value)))


def _words(option: Option, value: Any) -> Any:
    """Cells: a text whose commas part them, "refuse" as it is, or a list of texts and numbers."""
    if isinstance(value, str):
        return value if value == "refuse" else [part.strip() for part in value.split(",")]
    return [one.item() if hasattr(one, "item") else one for one in _some_names(option, value)]


def _numbers(option: Option, value: Any) -> dict[str, Any]:
    """Values by name: a mapping, or texts NAME=VALUE."""
    if isinstance(value, Mapping):
        return dict(value)
    found = {}
    for entry in _names(option, value):
        name, equals, number = entry.partition("=")
        if not equals:
            raise OptionError(f"⟨{option.name}⟩ is {entry!r}: expected NAME=VALUE")
        if name.strip() in found:
            raise OptionError(f"⟨{option.name}⟩ names {name.strip()!r} twice: expected one value")
        found[name.strip()] = number.strip()
    return found


def _constraints(option: Option, value: Any) -> tuple[str, ...]:
    """Their texts, in one form."""
    from corels.problem.rates import demands_of

    return tuple(map(str, demands_of(value)))


def _costs(option: Option, value: Any) -> Any:
    """A text as it is, which may name classes or a file; a mapping; its entries NAME=VALUE; or rows
    of numbers."""
    if isinstance(value, (str, Mapping, PathLike)):
        return value
    listed = list(_some_names(option, value))
    return tuple(listed) if all(isinstance(one, str) for one in listed) else value


def _part(option: Option, value: Any) -> Any:
    """The name of a registered part, or the part itself: a class or an instance with a name."""
    if isinstance(value, str) or isinstance(getattr(value, "name", None), str):
        return value
    raise OptionError(f"⟨{option.name}⟩ is {value!r}: expected a name, or a class that has a name")


def _parts(option: Option, value: Any) -> tuple[Any, ...]:
    if isinstance(value, str):
        return _names(option, value)
    if isinstance(getattr(value, "name", None), str):
        return (value,)
    return tuple(_part(option, entry) for entry in _some_parts(option, value))


def exact_within(value: object, wrong: str, most: float = math.inf) -> Fraction:
    """A number from 0 up to `most`. Raises OptionError with the sentence `wrong` for another."""
    with suppress(ValueError):
        if 0 <= (found := exact_number(value)) <= most:
            return found
    raise OptionError(wrong)


def exact_number(value: object) -> Fraction:
    """A number as it is written: 0.1 is 1/10, and "1/3" is allowed.

    Raises ValueError for what is not a number, and for one of more than MOST_DIGITS digits: Python
    computes with `1e-999999999` for hours, and does not even print `1e-9999`.
    """
    if isinstance(value, Fraction):
        return value
    text = str(value)
    exponent = text.lower().partition("e")[2].strip().lstrip("+-").replace("_", "")
    if len(text) > MOST_DIGITS or (exponent.isdecimal() and int(exponent) > MOST_DIGITS):
        raise ValueError(f"more than {MOST_DIGITS} digits")
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise ValueError("a denominator of 0") from None


_CONVERTERS: Mapping[Kind, Callable[[Option, Any], Any]] = {
    "int": _number(_int),
    "float": _number(float),
    "fraction": _number(exact_number),
    "share": _share,
    "text": _text,
    "label": _label,
    "flag": _of(bool, "true or false"),
    "names": _names,
    "columns": _columns,
    "numbers": _numbers,
    "words": _words,
    "descriptions": lambda _, value: value,  # what reads them checks them
    "constraints": _constraints,
    "costs": _costs,
    "part": _part,
    "parts": _parts,
}


def check_all(table: Sequence[Option], given: Mapping[str, Any], owner: str) -> dict[str, Any]:
    """A checked value for every option of a table; refuses names that are not in it."""
    known = {option.name: option for option in table}
    for name in given:
        if name not in known:
            raise OptionError(f"{owner} has no option {name!r}{suggestion(name, list(known))}")
    for option in table:
        if option.default is None and not option.optional and given.get(option.name) is None:
            raise OptionError(f"{owner} needs the option {option.name!r}: {option.help}")
    return {name: option.check(given.get(name, option.default)) for name, option in known.items()}


def refuse_both(bounds: Iterable[Any], left_out: Sequence[str]) -> None:
    """Raise OptionError for a bound that is to be used and to be left out."""
    for name in bounds:
        if name in left_out:
            raise OptionError(f"⟨bound⟩ and ⟨no_bound⟩ both name {name!r}: expected one of them")


MOST_NAMED = 20  # choices that a sentence names


def unknown(kind: str, name: str, choices: Sequence[str]) -> str:
    """One sentence for a name that does not exist, with the first choices there are."""
    more = len(choices) - MOST_NAMED
    named = [*choices[:MOST_NAMED], *([f"and {more} more"] if more > 0 else [])]
    listed = f"there are: {', '.join(named)}" if choices else "there is none"
    return f"unknown {kind} {name!r}{suggestion(name, choices)} ({listed})"


def suggestion(name: str, choices: Sequence[str]) -> str:
    """'; did you mean ...?' if something is close."""
    close = closest(name, choices)
    return "" if close is None else f"; did you mean {close!r}?"


def closest(name: str, choices: Iterable[str]) -> str | None:
    """The choice that is most like a name, whatever the case of its letters; None: none is."""
    from difflib import get_close_matches  # only a mistake needs it

    folded = {choice.casefold(): choice for choice in choices}
    close = get_close_matches(str(name).casefold(), folded, n=1)  # a name may be no text
    return folded[close[0]] if close else None
