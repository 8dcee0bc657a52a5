"""Rates, and what may be demanded of them, as text: "recall >= 0.8", "recall by sex >= 0.7",
"positive-rate by sex, race within 0.02".

A rate is A/B, two sums over rows of what outcomes count. B is the data's (of the women, all), or
depends on the model (precision: the rows that it calls positive).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from corels.errors import OptionError
from corels.options import exact_within, unknown

Terms = tuple[tuple[int, str, str], ...]

# Rate -> A and B: how often, what counts, and among which rows. What counts: that the row is
# "called" positive or "denied" it, that what is said is "right", that a class is said ("decided"),
# or the row itself. A recall of each class, on average, is balanced accuracy.
RATES: dict[str, tuple[Terms, Terms]] = {
    "recall": (((1, "called", "positives"),), ((1, "row", "positives"),)),
    "false-positive-rate": (((1, "called", "negatives"),), ((1, "row", "negatives"),)),
    "positive-rate": (((1, "called", "all"),), ((1, "row", "all"),)),
    "accuracy": (((1, "right", "all"),), ((1, "row", "all"),)),
    "balanced-accuracy": (((1, "right", "each class"),), ((1, "row", "each class"),)),
    "precision": (((1, "called", "positives"),), ((1, "called", "all"),)),
    "negative-predictive-value": (((1, "denied", "negatives"),), ((1, "denied", "all"),)),
    "f1": (((2, "called", "positives"),), ((1, "called", "all"), (1, "row", "positives"))),
    "coverage": (((1, "decided", "all"),), ((1, "row", "all"),)),
}
OF_ANY_CLASS = ("accuracy", "balanced-accuracy", "coverage")
NOTIONS = {  # of fairness, and the rates that each keeps equal
    "statistical-parity": ("positive-rate",),
    "equal-opportunity": ("recall",),
    "predictive-equality": ("false-positive-rate",),
    "equalized-odds": ("recall", "false-positive-rate"),
    "accuracy-parity": ("accuracy",),
    "predictive-parity": ("precision",),
    "conditional-use-accuracy": ("precision", "negative-predictive-value"),
}
ALSO = {  # what Fairlearn calls them: its reductions, and `ThresholdOptimizer` below these
    "DemographicParity": "statistical-parity",
    "TruePositiveRateParity": "equal-opportunity",
    "FalsePositiveRateParity": "predictive-equality",
    "EqualizedOdds": "equalized-odds",
    "ErrorRateParity": "accuracy-parity",
    "selection_rate_parity": "statistical-parity",
    "false_negative_rate_parity": "equal-opportunity",  # rates of the same rows add up to 1
    "true_negative_rate_parity": "predictive-equality",
}
FORM = re.compile(r"\s*([\w-]+)(?:\s+by\s+(.+?))??\s*(>=|<=|\bwithin\s)\s*(\S+)\s*")


Alike = dict[tuple[Any, ...], list[Mapping[str, Any]]]


def alike(constraints: Iterable[Mapping[str, Any]]) -> Alike:
    """The constraints of a document by (rate, column, least, most, whether they compare groups):
    those of each group, or of each two, stand together."""
    found: Alike = {}
    for one in constraints:
        key = (*(one[name] for name in ("rate", "column", "least", "most")), len(one["groups"]) > 1)
        found.setdefault(key, []).append(one)
    return found


def in_words(rate: str) -> str:
    """A rate as documents and people have it: "positive rate"."""
    return rate.replace("-", " ")


def moves(rate: str) -> bool:
    """Whether what a rate is a share of depends on the model."""
    return any(what != "row" for _, what, _ in RATES[rate][1])


@dataclass(frozen=True)
class Demand:
    """What is demanded of one rate, or of the rates of a notion.

    word: the rate or the notion. by: the columns that say who is in which group; () for all rows
    together. how: ">=" or "<=", of each group, or "within", the greatest rate of a group less the
    least. bound: from 0 to 1.
    """

    word: str
    by: tuple[str, ...]
    how: str
    bound: Fraction

    @property
    def rates(self) -> tuple[str, ...]:
        """The rates that are bounded: several for a notion such as equalized-odds."""
        return NOTIONS.get(self.word, (self.word,))

    @property
    def column(self) -> str:
        """What the columns are called together."""
        return ", ".join(self.by)

    @property
    def moves(self) -> bool:
        """Whether it is a difference of rates that are shares of rows that the model chooses, and
        so no linear constraint."""
        return self.how == "within" and any(map(moves, self.rates))

    @property
    def of_positive(self) -> bool:
        """Whether it speaks of the positive class."""
        return any(rate not in OF_ANY_CLASS for rate in self.rates)

    def refuse_without_groups(self) -> None:
        """Raise OptionError for a difference that does not say between which groups."""
        if self.how == "within" and not self.by:
            whose = replace(self, by=("COLUMN",))
            raise OptionError(f"'{self}' does not say between which groups: write '{whose}'")

    def __str__(self) -> str:
        names = ", ".join(f'"{n}"' if re.search(r'[,"]', n) else n for n in self.by)
        return f"{self.word}{f' by {names}' if names else ''} {self.how} {_decimal(self.bound)}"


def _decimal(bound: Fraction) -> str:
    shown = f"{float(bound):.12g}"
    return shown if "e" not in shown and Fraction(shown) == bound else str(bound)


def demands_of(asked: Any) -> tuple[Demand, ...]:
    """What is demanded by texts, or by objects such as Fairlearn's
    DemographicParity(difference_bound=0.02), which name no column; one alone, several, or None.

    Raises OptionError for anything else.
    """
    if asked is None:
        return ()
    several = isinstance(asked, Iterable) and not isinstance(asked, (str, type))
    return tuple(map(_demand, asked if several else (asked,)))


def _demand(one: Any) -> Demand:
    if isinstance(one, Demand):
        return one
    if not isinstance(one, str):
        name, bound = getattr(one, "__name__", type(one).__name__), getattr(one, "eps", None)
        if getattr(one, "ratio", 1.0) != 1.0:
            raise OptionError(f"{name} has a ratio_bound: expected a difference_bound")
        return Demand(_word(name), (), "within", _bound(bound, repr(one)))
    found = FORM.fullmatch(one)
    if found is None:
        word = _word(one.split()[0]) if one.split() else "recall"
        raise OptionError(f"⟨constraints⟩ is {one!r}: expected a bound, such as {_example(word)}")
    name, by, how, bound = found.groups()
    word, how = _word(name), how.strip()
    if word in NOTIONS and how != "within":
        raise OptionError(f"⟨constraints⟩ is {one!r}: expected {_example(word)}")
    return Demand(word, _columns(by), how, _bound(bound, one))


def _example(word: str) -> str:
    form = f"{word} by COLUMN within 0.02" if word in NOTIONS else f"{word} >= 0.8"
    return f"'{form}', in quotes"


def _bound(bound: Any, one: str) -> Fraction:
    return exact_within(bound, f"⟨constraints⟩ is {one!r}: expected a bound from 0 to 1", 1)


def _word(name: str) -> str:
    known = {_plain(name): ALSO.get(name, name) for name in (*RATES, *NOTIONS, *ALSO)}
    if _plain(name) not in known:
        raise OptionError(unknown("rate", name, [*RATES, *NOTIONS]))
    return known[_plain(name)]


def _plain(name: str) -> str:
    """A name as it is whether written DemographicParity, demographic_parity or -parity."""
    return name.replace("_", "").replace("-", "").casefold()


def _columns(by: str | None) -> tuple[str, ...]:
    """The names of columns, with commas between them; in quotes if a name has a comma."""
    names: Sequence[str] = () if by is None else next(csv.reader([by], skipinitialspace=True))
    return tuple(dict.fromkeys(name.strip() for name in names))
