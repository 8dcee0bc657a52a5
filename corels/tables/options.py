"""Options of reading a table, binarising and mining: names, defaults, ranges and help.

Each is a field of a dataclass, and declared there once: `OPTIONS` has what the command line offers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from corels.errors import OptionError
from corels.options import Option, exact_number, setting, settings_of

if TYPE_CHECKING:
    from corels.tables.column import Column
    from corels.tables.description import ColumnDescription as Said

SUPERVISED = ("entropy", "guess")  # the ways to cut that look at the labels
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
        na_values: further values that mean "no value", in every column.
        dates: "iso", or the order of day and month: "dmy" or "mdy".
        decimal: what stands before decimals in text: "point", or "comma", and then points part
            thousands.
        codes: columns of CSV files that are text, also where each cell is a number: a model asks
            for codes such as 01 there, which is another one than 1.
        encoding: of CSV files; None for UTF-8.
        empty: the cells of CSV files that mean "no value", beside `na_values`.
        as_is: columns of which text stays text: a model knows how it is read.
    """

    na_values: tuple[str, ...] = ()
    dates: str = "iso"
    decimal: str = "point"
    codes: tuple[str, ...] = ()
    encoding: str | None = None
    empty: tuple[str, ...] = MISSING_VALUES
    as_is: tuple[str, ...] = ()

    @property
    def missing(self) -> list[str]:
        """The cells of CSV files that mean "no value"."""
        return [*self.empty, *self.na_values]

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Reading:
        """Of options, as far as they are given, checked. Raises OptionError."""
        names = ("na_values", "dates", "decimal", "encoding")
        said = [name for name in names if given.get(name) is not None]
        return cls(**{name: OPTIONS[name].check(given[name]) for name in said})

    def said(self, column: Column) -> Said:
        """What is said of how a column is read."""
        from corels.tables.description import ColumnDescription as Said

        dated = column.form in ("date", "time of day")
        written: Any = self.dates if dated else self.decimal
        words = (*self.empty, *self.na_values) if self.na_values else None
        return Said(missing=words, written=None if written in ("iso", "point") else written)


AS_WRITTEN = Reading()


@dataclass(frozen=True, slots=True)
class ColumnDescription:
    """What is asked of one column: all that the planner knows of options.

    Attributes:
        taken_as: "numbers" or "names", where somebody has said so; "" by its values.
        cuts, most_cuts: how numbers are cut, and the most cuts.
        categories, group_above: whether names are grouped, and above how many different ones.
        refuse_missing: whether a missing value is an error.
        reading: how its cells are written.
    """

    taken_as: str
    cuts: str
    most_cuts: int
    categories: str
    group_above: int
    refuse_missing: bool
    reading: Reading


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
    """How columns become antecedents."""

    thresholds: str = setting(
        "how numeric columns are cut; 'all' cuts between all values, and so does 'auto', where a "
        "search begins with few of these cuts and refines those that the best model uses; "
        "'entropy' and 'guess' look at the labels",
        "quantile",
        choices=("quantile", "uniform", "all", "auto", "entropy", "guess"),
    )
    n_thresholds: int = setting(
        "the most cuts of one numeric column; with thresholds 'auto' those that a search begins "
        "with",
        3,
        low=1,
    )
    sample_rows: int | None = setting(
        "choose the cuts from so many rows, spread evenly over the table, instead of all rows",
        low=2,
    )
    categories: str = setting(
        "conditions from text columns: one for each value; one for each group of values, in "
        "columns of many values; or both",
        "each",
        choices=("each", "grouped", "both"),
    )
    group_above: int = setting(
        "group the values only of columns that have more than this many different values", 3, low=1
    )
    missing: str = setting(
        "missing values: a condition 'x is missing' (indicator), or an error (refuse)",
        "indicator",
        choices=("indicator", "refuse"),
    )
    categorical: Sequence[str] = setting("numeric columns to treat as categories (repeatable)", ())
    numeric: Sequence[str] = setting(
        "text columns to read as numbers, such as digits that begin with 0 (repeatable)", ()
    )
    random_state: int | None = setting(
        "random seed of thresholds 'guess'", 0, low=0, high=2**32 - 1, optional=True
    )
    na_values: Sequence[str] = setting(
        "a further value that means 'no value', in every column (repeatable)", ()
    )
    dates: str = setting(
        "how dates are written: 'iso' (2024-12-31) or also 'dmy' (31/12/2024) or 'mdy' "
        "(12/31/2024)",
        "iso",
        choices=("iso", "dmy", "mdy"),
    )
    decimal: str = setting(
        "what stands before decimals in numbers written as text; with 'comma', points part "
        "thousands (1.234,5)",
        "point",
        choices=("point", "comma"),
    )

    def check(self) -> None:
        """Make each value its option's kind: "3" is 3. Raise OptionError for one out of range."""
        for name in ("categorical", "numeric"):
            if isinstance(getattr(self, name), str):
                raise OptionError(f"{name} is text: expected a list of column names")
        for option in settings_of(BinarizeOptions):
            object.__setattr__(self, option.name, option.check(getattr(self, option.name)))

    @cached_property
    def reading(self) -> Reading:
        """How the cells are written."""
        return Reading.of(vars(self))

    def described(self, name: str) -> ColumnDescription:
        """What is asked of the column of this name, or of a part of a date. Raises OptionError for
        one that is to be numbers and names."""
        if name in self.numeric and name in self.categorical:
            raise OptionError(f"column {name!r} is in both numeric and categorical")
        taken_as = "numbers" if name in self.numeric else "names" * (name in self.categorical)
        return ColumnDescription(
            taken_as,
            self.thresholds,
            self.n_thresholds,
            self.categories,
            self.group_above,
            self.missing == "refuse",
            self.reading,
        )

    @property
    def first_cuts(self) -> int:
        """With how many cuts a column a search begins; 0: with all antecedents."""
        return self.n_thresholds if self.thresholds == "auto" else 0


def looks_at_labels(thresholds: str, categories: str) -> bool:
    """Whether thresholds or groups made in these ways look at the labels."""
    return thresholds in SUPERVISED or categories != "each"


@dataclass(frozen=True, kw_only=True)
class TableOptions(BinarizeOptions):
    """How a table is read and becomes antecedents: docs/reference/options.md says what each option
    means. From Python, some are more than text:

    Attributes:
        constraints: "recall >= 0.8" and so on; a column after `by` makes no antecedents, unless
            `columns` names it.
        cost_matrix: a file, rows of cost[true][predicted] in the order of the classes, or a mapping
            {(true, predicted): cost}.
        outcome_cost: class -> the column with what it costs to predict it, row by row.
        score: action -> the column with its score, row by row.
    """

    columns: Sequence[str] | None = setting("use only these columns (repeatable)")
    ignore: Sequence[str] = setting("columns to leave out (repeatable)", ())
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
        "a rate that the model keeps to: 'recall >= 0.8', 'positive-rate <= 0.1', 'recall by sex "
        ">= 0.7' (of each group), 'positive-rate by sex, race within 0.02' (of each two groups); "
        "other rates are false-positive-rate, accuracy, balanced-accuracy, precision, "
        "negative-predictive-value, f1, coverage (repeatable; needs quotes)",
        (),
        kind="constraints",
        metavar="'RATE >= X'",
    )
    cost: Any = setting(
        "what a wrong answer for a row of a class costs (1 for classes that are not named); of two "
        "classes also fp=5,fn=1; of classes that are numbers 'absolute', the distance",
        kind="costs",
        metavar="CLASS=X,...",
    )
    cost_matrix: Any = setting(
        "what mistakes cost, of any classes: a CSV file with a row for each true class and a "
        "column for each predicted one",
        kind="matrix",
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

    @property
    def group_columns(self) -> tuple[str, ...]:
        """The columns that say who is in which group."""
        from corels.problem.rates import demands_of

        return tuple(dict.fromkeys(n for one in demands_of(self.constraints) for n in one.by))

    @property
    def cost_columns(self) -> set[str]:
        """The columns that hold costs or another model's answers: they are not features."""
        costs, scores = (OPTIONS[n].check(getattr(self, n)) for n in ("outcome_cost", "score"))
        return {*(costs | scores).values(), *([] if self.defer is None else [self.defer])}


OPTIONS = {option.name: option for option in settings_of(TableOptions)}


def named(*names: str) -> tuple[Option, ...]:
    """Some of `OPTIONS`."""
    return tuple(OPTIONS[name] for name in names)


MINING_OPTIONS = settings_of(MiningOptions)
DEMAND_OPTIONS = named("constraints")
TABLE_OPTIONS = tuple(option for option in OPTIONS.values() if option not in DEMAND_OPTIONS)
OF_ROWS = named("outcome_cost", "score", "defer", "defer_cost", "defer_where")  # name columns
ANTECEDENT_OPTIONS = named(  # that a table's models share, and its estimators have
    *("max_cardinality", "thresholds", "n_thresholds", "sample_rows", "categories", "group_above"),
    *("missing", "negations", "min_support", "max_support"),
)
COLUMN_OPTIONS = named("columns", "ignore", "categorical", "numeric")
COST_OPTIONS = (
    *named("cost", "cost_matrix", "outcome_cost", "score"),
    *named("abstain", "defer", "defer_cost", "defer_where"),
)


def kept_reading(options: TableOptions) -> dict[str, Any]:
    """The options that decide which antecedents and costs a table has, defaults included: a model
    file keeps them, so that the table can be read again. Of costs and demands what is given."""
    values = vars(options)
    asked = {one.name for one in (*COST_OPTIONS, *DEMAND_OPTIONS)}
    found = {name: one.check(values[name]) for name, one in OPTIONS.items() if name in values}
    return {n: v for n, v in found.items() if n not in asked or given_something(v)}


def given_something(value: Any) -> bool:
    """Whether an option says something: an empty list or mapping does not."""
    return bool(value) if isinstance(value, (Mapping, Sequence)) else value is not None


def costs_asked(given: Mapping[str, Any]) -> list[str]:
    """The names of the options that say what outcomes cost; an empty list or mapping says nothing.

    Where there is one, lambda is a cost, too, and may be more than 1.
    """
    return [one.name for one in COST_OPTIONS if given_something(given.get(one.name))]


def cost_kinds_asked(given: Mapping[str, Any]) -> set[str]:
    """The kinds of costs that the options surely bring, of `corels.problem.costs.UNABLE`; the table
    decides about others."""
    asked = costs_asked(given)
    further = {"score": "action", "abstain": "abstain", "defer": "defer"}
    return {further[name] for name in asked if name in further} | ({"mistakes"} if asked else set())
