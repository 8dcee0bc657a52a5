"""Options of reading a table, binarising and mining: names, defaults, ranges and help.

Each is a field of a dataclass, and declared there once: `OPTIONS` has what the command line offers.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from corels.errors import InputError, OptionError
from corels.options import Option, exact_number, setting, settings_of
from corels.tables.description import ColumnDescription
from corels.tables.descriptions import EVERY, NOTHING, Descriptions
from corels.tables.short import names_in

RATIO = re.compile(r"f(\d+(?:\.\d+)?)")  # costs "f1", "f0.5": F-beta is to be maximised
SUPERVISED = ("entropy", "grouped", "both")  # the ways that look at the labels
# Cells of a text file, stripped of blanks, that mean "no value".
MISSING_VALUES = ("", "?", "NA", "N/A", "NaN", "nan", "null", "NULL")


class SupportLimits(NamedTuple):
    """The counts of rows, both inclusive, that an antecedent may be true of.

    A share is meant as it was written, not as its nearest double: with 100 rows, 7 of them meet a
    minimum support of 0.07, though 0.07 * 100 > 7 in floating point; of 150 rows, 10 meet 10/150.
    """

    least: int
    most: int

    @classmethod
    def of(cls, min_support: Any, max_support: Any, n_rows: int) -> SupportLimits:
        """Limits as counts of `n_rows` rows.

        Antecedents true of no row or of every row are always outside: no rule list needs them.

        min_support, max_support: a share of the rows (0.05, "10/150", 1.0 for all) or, as a whole
        number, a number of rows; max_support None for the rows less the minimum. Raises OptionError
        for anything else, and for limits that leave nothing.
        """
        low = _rows("min_support", min_support, n_rows)
        high = n_rows - low if max_support is None else _rows("max_support", max_support, n_rows)
        if low > high:
            raise OptionError(
                f"⟨min_support⟩ {min_support} leaves nothing below the maximum support: "
                f"{float(low):g} and {float(high):g} of {n_rows:,} rows"
            )
        return cls(max(1, math.ceil(low)), min(n_rows - 1, math.floor(high)))

    def allow(self, support: Any) -> Any:
        """Whether an antecedent that holds for so many rows is kept; of an array: which are."""
        return (self.least <= support) & (support <= self.most)


def _rows(name: str, limit: Any, n_rows: int) -> Fraction:
    """How many rows a limit on support is, not rounded; 10 / 150 as Python computes it means 10 of
    150 rows, too."""
    limit = OPTIONS[name].check(limit)
    if isinstance(limit, int):
        return Fraction(limit)
    found = exact_number(limit) * n_rows
    near = round(found)
    meant = isinstance(limit, float) and n_rows and near / n_rows == limit
    return Fraction(near) if meant else found


class Reading(NamedTuple):
    """What is known of how the cells of a table are written, beside what they say themselves.

    Attributes:
        described: what is said of the columns.
        codes: columns of CSV files that are text, also if each cell is a number: a model asks
            for codes such as 01 there, which is another one than 1.
        encoding: of CSV files; None for UTF-8.
        as_is: columns whose text stays text, because a model states how it is read.
        text: whether the cells are those of a CSV file, which are still text.
    """

    described: Descriptions = NOTHING
    codes: tuple[str, ...] = ()
    encoding: str | None = None
    as_is: tuple[str, ...] = ()
    text: bool = False

    def said(self, name: str) -> ColumnDescription:
        """What is said of a column."""
        return self.described.column(name)

    def missing(self, name: str) -> tuple[str, ...]:
        """The cells of a column of a CSV file that mean "no value"."""
        said = self.said(name)
        words = MISSING_VALUES if said.no_values is None else said.no_values
        return tuple(word for word in words if word not in said.text_codes)


AS_WRITTEN = Reading()


@dataclass(frozen=True)
class MiningOptions:
    """Which antecedents are kept, and which conjunctions of them are made."""

    max_cardinality: int = setting("the most conditions in one antecedent", 1, low=1, high=10)
    negations: bool = setting("also use the negation of each condition", False)
    min_support: float = setting(
        "the fewest rows that an antecedent may hold for: a share (0.05, 10/150) or, as a whole "
        "number, a number of rows",
        0.01,
        kind="share",
    )
    max_support: float | None = setting(
        "the most rows that an antecedent may hold for, a share or a number of rows (default: all "
        "less min_support)",
        kind="share",
    )
    max_antecedents: int = setting(
        "the most antecedents that mining may make; the conjunctions that tell the classes apart "
        "least are left out",
        10_000,
        low=1,
    )


@dataclass(frozen=True, kw_only=True)
class BinarizeOptions(MiningOptions):
    """How columns become antecedents.

    Attributes:
        columns: what is said of columns: a mapping of names to descriptions (or their short texts),
            a path, `Descriptions`; or a list of names: only these are used.
    """

    columns: Any = setting(
        "what is said of columns, by name; or a list of the names of those that are used",
        kind="descriptions",
        python_only=True,
    )
    cuts: str | None = setting(
        "how columns are cut for which nothing else is said, and the most cuts: 'quantile 3' (the "
        "default), uniform, all and entropy (which looks at the labels); of "
        "names each, grouped or both: 'entropy 5, grouped'",
        metavar="WAY",
    )
    missing: Any = setting(
        "the cells that mean 'no value', in the place of the usual ones ('?', NA, ...): '999, -9'; "
        "or refuse: such a cell is an error",
        kind="words",
        metavar="WORDS",
    )

    def __post_init__(self) -> None:
        """Make each value its option's kind: "3" is 3. Raise OptionError for one out of range."""
        for name, value in [*vars(self).items()]:
            object.__setattr__(self, name, OPTIONS[name].check(value))

    @cached_property
    def described(self) -> Descriptions:
        """What is said of the columns."""
        return self._short.over(Descriptions.of(self.columns, only=True))

    @property
    def _short(self) -> Descriptions:
        """What the short forms say of every column."""
        said = {"cuts": self.cuts, "missing": self.missing}
        entry = {name: value for name, value in said.items() if value is not None}
        if not entry:
            return NOTHING
        try:
            return Descriptions(columns={EVERY: ColumnDescription.of(EVERY, entry)})
        except InputError as error:  # the options name no column
            sentence = str(error).removeprefix(f"column {EVERY!r}: ")
            raise OptionError(re.sub(r"^(cuts|missing)\b", r"⟨\1⟩", sentence)) from None

    @cached_property
    def reading(self) -> Reading:
        """How the cells are written."""
        return Reading(self.described, encoding=getattr(self, "encoding", None))

    @property
    def supervised(self) -> str:
        """The way of cutting or grouping that looks at the labels; "" if none does."""
        entries = (EVERY, *self.described.columns)
        ways = (self.described.column(name).ways for name in entries)
        return next((way for some in ways for way in some if way in SUPERVISED), "")


@dataclass(frozen=True, kw_only=True)
class TableOptions(BinarizeOptions):
    """How a table is read and becomes antecedents: docs/reference/options.md says what each option
    means. From Python, some are more than text:

    Attributes:
        constraints: "recall >= 0.8" and so on; a column after `by` makes no antecedents, unless
            `columns` names it.
        cost: also rows of cost[true][predicted] in the order of the classes, or a mapping {class:
            cost}.
        outcome_cost: class -> the column with what it costs to predict it, row by row.
        score: action -> the column with its score, row by row.
    """

    describe: str | None = setting(
        "a file that says what the table and its columns are (TOML, JSON, or a model file)",
        metavar="FILE",
    )
    column: Sequence[str] = setting(
        "what a column is, '*' for all others: 'NAME: cuts 17, 25; direction up' (repeatable)",
        (),
        metavar="'NAME: ...'",
    )
    ignore: Any = setting("columns to leave out: a,b (repeatable)", (), kind="columns")
    positive: str | int | float | bool | None = setting(
        "the class to treat as positive", kind="label"
    )
    weight: str | None = setting(
        "the column of what rows weigh: of how many people each stands for, or of other numbers"
    )
    drop_unlabelled: bool = setting(
        "leave out the rows that have no label, and say how many", False
    )
    encoding: str | None = setting("the encoding of a CSV file that is not UTF-8, such as cp1252")
    constraints: Sequence[Any] = setting(
        "a rate that the model keeps to: 'recall >= 0.8', 'recall by sex >= 0.7', 'positive-rate "
        "by sex within 0.02' (repeatable; needs quotes)",
        (),
        kind="constraints",
        metavar="'RATE >= X'",
    )
    cost: Any = setting(
        "what a wrong answer for a row of a class costs (else 1), or fp=5,fn=1; 'absolute', "
        "'balanced' or 'f1' (f2, f0.5); or a CSV file: true classes by predicted ones",
        kind="costs",
        metavar="CLASS=X,...",
    )
    outcome_cost: Any = setting(
        "the column with what it costs to predict a class, row by row: CLASS=COLUMN (repeatable)",
        (),
        kind="numbers",
    )
    score: Any = setting(
        "rules say what to do: the column with the score of an action, row by row, larger is "
        "better: ACTION=COLUMN (repeatable)",
        (),
        kind="numbers",
    )
    abstain: Any = setting(
        'let rules say "don\'t know", which costs so much for each row', kind="fraction", low=0
    )
    defer: str | None = setting(
        "let rules hand over to another model: the column of its predictions"
    )
    defer_cost: Any = setting(
        "what handing over costs for each row, beside the other model's mistakes (default: 0)",
        kind="fraction",
        low=0,
    )
    defer_where: str | None = setting(
        "who may hand over: rules and the default rule (anywhere, the default), or only the "
        "default rule",
        choices=("anywhere", "default"),
    )
    first: Sequence[str] = setting(
        "a rule that every list begins with, as 'age <= 17 then refuse'; without 'then' it says "
        "what is cheapest (repeatable, in order)",
        (),
        kind="names",
        metavar="RULE",
    )

    @cached_property
    def described(self) -> Descriptions:
        """What is said of the columns; the most special wins."""
        ignored = ColumnDescription(as_="ignore")
        names = [name for text in self.ignore for name in names_in(text)]
        own = Descriptions.of(self.column)
        found = own.over(Descriptions(columns=dict.fromkeys(names, ignored))).over(self._short)
        return found.over(Descriptions.of(self.columns, only=True)).over(self.file)

    @cached_property
    def file(self) -> Descriptions:
        """What the file of descriptions says."""
        return Descriptions.of(self.describe)

    @property
    def group_columns(self) -> tuple[str, ...]:
        """The columns that say who is in which group."""
        from corels.problem.rates import demands_of

        return tuple(dict.fromkeys(n for one in demands_of(self.constraints) for n in one.by))

    @property
    def cost_columns(self) -> set[str]:
        """The columns that hold costs or another model's answers: they are not features."""
        columns = (self.outcome_cost | self.score).values()
        return {*columns, *([] if self.defer is None else [self.defer])}


OPTIONS = {option.name: option for option in settings_of(TableOptions)}


def named(*names: str) -> tuple[Option, ...]:
    """Some of `OPTIONS`."""
    return tuple(OPTIONS[name] for name in names)


DEMAND_OPTIONS = named("constraints")
TABLE_OPTIONS = tuple(option for option in OPTIONS.values() if option not in DEMAND_OPTIONS)
OF_ROWS = named("outcome_cost", "score", "defer", "defer_cost", "defer_where")  # name columns
ANTECEDENT_OPTIONS = named(  # that a table's models share, and its estimators have
    *("max_cardinality", "cuts", "missing", "negations"), *("min_support", "max_support")
)
COLUMN_OPTIONS = named("describe", "column", "columns", "ignore")
COST_OPTIONS = (
    *named("cost", "outcome_cost", "score"),
    *named("abstain", "defer", "defer_cost", "defer_where"),
)


DESCRIBING = ("describe", "column", "columns", "ignore", "cuts", "missing", "words")


def kept_reading(options: TableOptions) -> dict[str, Any]:
    """The options that decide which antecedents and costs a table has, defaults included: a model
    file keeps them, so that the table can be read again. Of costs and demands what is given."""
    said = options.described.to_json()
    values = {name: vars(options)[name] for name in OPTIONS if name not in DESCRIBING}
    asked = {one.name for one in (*COST_OPTIONS, *DEMAND_OPTIONS, OPTIONS["first"])}
    kept = {n: v for n, v in values.items() if n not in asked or given_something(v)}
    columns, words = said.pop("columns", {}), said
    return kept | ({"columns": columns} if columns else {}) | ({"words": words} if words else {})


def given_something(value: Any) -> bool:
    """Whether an option says something: an empty list or mapping does not."""
    return bool(value) if isinstance(value, (Mapping, Sequence)) else value is not None


def costs_asked(given: Mapping[str, Any]) -> list[str]:
    """The names of the options that say what outcomes cost; an empty list or mapping says nothing.

    If there is one, lambda is a cost, too, and may be more than 1.
    """
    return [one.name for one in COST_OPTIONS if given_something(given.get(one.name))]


def cost_kinds_asked(given: Mapping[str, Any]) -> set[str]:
    """The kinds of costs that the options surely bring, of `corels.problem.costs.UNABLE`; the table
    decides about others."""
    asked = costs_asked(given)
    further = {"score": "action", "abstain": "abstain", "defer": "defer"}
    return {further[name] for name in asked if name in further} | ({"mistakes"} if asked else set())
