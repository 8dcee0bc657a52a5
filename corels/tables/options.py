"""Options of reading a table, binarising and mining: names, defaults, ranges and help."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from corels.errors import OptionError
from corels.options import Option

THRESHOLDS = Option.text(
    "thresholds",
    "how numeric columns are cut; 'all' cuts between all values, and so does 'auto', where a "
    "search begins with few of these cuts and refines those that the best model uses; 'entropy' "
    "and 'guess' look at the labels",
    "quantile",
    choices=("quantile", "uniform", "all", "auto", "entropy", "guess"),
)
SUPERVISED = ("entropy", "guess")  # the ways to cut that look at the labels
CATEGORIES = Option.text(
    "categories",
    "conditions from text columns: one for each value; one for each group of values, in columns "
    "of many values; or both",
    "each",
    choices=("each", "grouped", "both"),
)
GROUP_ABOVE = Option.whole(
    "group_above",
    "group the values only of columns that have more than this many different values",
    3,
    low=1,
)
N_THRESHOLDS = Option.whole(
    "n_thresholds",
    "the most cuts of one numeric column; with thresholds 'auto' those that a search begins with",
    3,
    low=1,
)
SAMPLE_ROWS = Option.whole(
    "sample_rows",
    "choose the cuts from so many rows, spread evenly over the table, instead of all rows",
    low=2,
)
MISSING = Option.text(
    "missing",
    "missing values: a condition 'x is missing' (indicator), or an error (refuse)",
    "indicator",
    choices=("indicator", "refuse"),
)
NEGATIONS = Option.switch("negations", "also use the negation of each condition")
MAX_CARDINALITY = Option.whole(
    "max_cardinality", "the most conditions in one antecedent", 1, low=1, high=10
)
MAX_ANTECEDENTS = Option.whole(
    "max_antecedents",
    "the most antecedents that mining may make; conjunctions that hold for the fewest rows are "
    "left out",
    10_000,
    low=1,
)
MIN_SUPPORT = Option.number(
    "min_support",
    "the least share of the rows that an antecedent may hold for",
    0.01,
    low=0,
    high=1,
)
MAX_SUPPORT = Option.number(
    "max_support",
    "the largest share of the rows that an antecedent may hold for (default: 1 - min_support)",
    low=0,
    high=1,
)
CATEGORICAL = Option.names("categorical", "numeric columns to treat as categories (repeatable)")
NA_VALUES = Option.names(
    "na_values", "a further value that means 'no value', in every column (repeatable)"
)
DATES = Option.text(
    "dates",
    "how dates are written: 'iso' (2024-12-31) or also 'dmy' (31/12/2024) or 'mdy' (12/31/2024)",
    "iso",
    choices=("iso", "dmy", "mdy"),
)
RANDOM_STATE = Option(
    "random_state",
    "int",
    0,
    "random seed of thresholds 'guess'",
    low=0,
    high=2**32 - 1,
    optional=True,
)

MINING_OPTIONS = (MAX_CARDINALITY, NEGATIONS, MIN_SUPPORT, MAX_SUPPORT, MAX_ANTECEDENTS)
BINARIZE_OPTIONS = (
    *MINING_OPTIONS,
    THRESHOLDS,
    N_THRESHOLDS,
    SAMPLE_ROWS,
    CATEGORIES,
    GROUP_ABOVE,
    MISSING,
    CATEGORICAL,
    RANDOM_STATE,
    NA_VALUES,
    DATES,
)


class SupportLimits(NamedTuple):
    """The counts of rows, both inclusive, that an antecedent may be true of.

    A limit such as 0.07 is meant as the decimal that was written, not as its nearest double: with
    100 rows, 7 of them meet a minimum support of 0.07, though 0.07 * 100 > 7 in floating point.
    """

    least: int
    most: int

    @classmethod
    def of(cls, min_support: float, max_support: float | None, n_rows: int) -> SupportLimits:
        """Limits as counts of `n_rows` rows.

        Antecedents true of no row or of every row are always outside: no rule list needs them.

        min_support: share of the rows, from 0 to 1. max_support: share of the rows; None for 1 -
        min_support. Raises OptionError if a share is not a number from 0 to 1, or the limits leave
        nothing.
        """
        low = Fraction(str(MIN_SUPPORT.check(min_support)))
        high = 1 - low
        if max_support is not None:
            high = Fraction(str(MAX_SUPPORT.check(max_support)))
        if low > high:
            raise OptionError(
                f"min_support {min_support} leaves nothing below the maximum support {float(high)}"
            )
        return cls(max(1, math.ceil(low * n_rows)), min(n_rows - 1, math.floor(high * n_rows)))

    def allow(self, support: int) -> bool:
        """Whether an antecedent that holds for so many rows is kept."""
        return self.least <= support <= self.most


class Reading(NamedTuple):
    """What is known of how the cells of a table are written, beside what they say themselves.

    Attributes:
        na_values: further values that mean "no value", in every column.
        dates: "iso", or the order of day and month: "dmy" or "mdy".
        codes: columns of CSV files that are text, also where each cell is a number: a model asks
            for codes such as 01 there, which is another one than 1.
    """

    na_values: tuple[str, ...] = NA_VALUES.default
    dates: str = DATES.default
    codes: tuple[str, ...] = ()

    @classmethod
    def of(cls, na_values: Sequence[str] | None, dates: str) -> Reading:
        """Checked. Raises OptionError."""
        return cls(NA_VALUES.check(na_values or ()), DATES.check(dates))


AS_WRITTEN = Reading()


@dataclass(frozen=True)
class BinarizeOptions:
    """How columns become antecedents: a value for each of BINARIZE_OPTIONS, whose `help` says what
    it means."""

    thresholds: str = THRESHOLDS.default
    n_thresholds: int = N_THRESHOLDS.default
    sample_rows: int | None = SAMPLE_ROWS.default
    categories: str = CATEGORIES.default
    group_above: int = GROUP_ABOVE.default
    missing: str = MISSING.default
    negations: bool = NEGATIONS.default
    max_cardinality: int = MAX_CARDINALITY.default
    min_support: float = MIN_SUPPORT.default
    max_support: float | None = MAX_SUPPORT.default
    max_antecedents: int = MAX_ANTECEDENTS.default
    categorical: Sequence[str] = CATEGORICAL.default
    random_state: int | None = RANDOM_STATE.default
    na_values: Sequence[str] = NA_VALUES.default
    dates: str = DATES.default

    def check(self) -> None:
        """Make each value its option's kind: "3" is 3. Raise OptionError for one out of range."""
        if isinstance(self.categorical, str):
            raise OptionError("categorical is text: expected a list of column names")
        for option in BINARIZE_OPTIONS:
            object.__setattr__(self, option.name, option.check(getattr(self, option.name)))

    @property
    def reading(self) -> Reading:
        """How the cells are written."""
        return Reading.of(self.na_values, self.dates)

    @property
    def first_cuts(self) -> int:
        """With how many cuts a column a search begins; 0: with all antecedents."""
        return self.n_thresholds if self.thresholds == "auto" else 0


def looks_at_labels(thresholds: str, categories: str) -> bool:
    """Whether thresholds or groups made in these ways look at the labels."""
    return thresholds in SUPERVISED or categories != "each"


COLUMNS = Option("columns", "names", None, "use only these columns (repeatable)", optional=True)
IGNORE = Option.names("ignore", "columns to leave out (repeatable)")
POSITIVE = Option("positive", "label", None, "the class to treat as positive", optional=True)
WEIGHT = Option.text("weight", "the column that says how many people a row stands for")

DROP_UNLABELLED = Option.switch(
    "drop_unlabelled", "leave out the rows that have no label, and say how many"
)
ENCODING = Option.text("encoding", "of a CSV file that is not UTF-8, such as latin-1")

GROUP = Option(
    "group",
    "columns",
    (),
    "the column that says who is in which group, for --fair; no antecedent, unless --columns names "
    "it (repeatable: rows with the same values in all of them are a group)",
    metavar="NAME",
)
FAIR = Option.names(
    "fair",
    "what may differ so much between groups at most: statistical-parity:0.02, equal-opportunity, "
    "predictive-equality, equalized-odds, accuracy-parity (repeatable)",
)
COVERAGE = Option.fraction(
    "coverage",
    'the least share of the rows for which a class is said, neither "don\'t know" nor what another '
    "model says",
    low=0,
    high=1,
)
DEMAND_OPTIONS = (GROUP, FAIR, COVERAGE)
COST = Option.text(
    "cost",
    "what mistakes cost: of two classes fp=5,fn=1 for false positives and false negatives; of "
    "classes that are numbers 'absolute', the distance",
)
COST_MATRIX = Option(
    "cost_matrix",
    "matrix",
    None,
    "what mistakes cost, of any classes: a CSV file with a row for each true class and a column "
    "for each predicted one",
    optional=True,
)
OUTCOME_COST = Option(
    "outcome_cost",
    "numbers",
    (),
    "the column with what it costs to predict a class, row by row: CLASS=COLUMN (repeatable)",
)
SCORE = Option(
    "score",
    "numbers",
    (),
    "rules say what to do: the column with the score of an action, row by row, larger is better: "
    "ACTION=COLUMN (repeatable)",
)
ABSTAIN = Option.fraction(
    "abstain", 'let rules say "don\'t know", which costs so much for each row', low=0
)
DEFER = Option.text("defer", "let rules hand over to another model: the column of its predictions")
DEFER_COST = Option.fraction(
    "defer_cost",
    "what handing over costs for each row, beside the other model's mistakes (default: 0)",
    low=0,
)
DEFER_WHERE = Option.text(
    "defer_where",
    "who may hand over: rules and the default rule (anywhere, the default), or only the default "
    "rule",
    choices=("anywhere", "default"),
)
COST_OPTIONS = (COST, COST_MATRIX, OUTCOME_COST, SCORE, ABSTAIN, DEFER, DEFER_COST, DEFER_WHERE)
OF_ROWS = (OUTCOME_COST, SCORE, DEFER, DEFER_COST, DEFER_WHERE)  # they name columns of the table


def costs_asked(given: Mapping[str, Any]) -> list[str]:
    """The names of the options that say what outcomes cost; an empty list or mapping says nothing.

    Where there is one, lambda is a cost, too, and may be more than 1.
    """
    values = {option.name: given.get(option.name) for option in COST_OPTIONS}
    empty = {
        name for name, one in values.items() if isinstance(one, (Mapping, Sequence)) and not one
    }
    return [name for name, one in values.items() if one is not None and name not in empty]


TABLE_OPTIONS = (
    *BINARIZE_OPTIONS,
    COLUMNS,
    IGNORE,
    POSITIVE,
    WEIGHT,
    DROP_UNLABELLED,
    ENCODING,
    *COST_OPTIONS,
)


@dataclass(frozen=True)
class TableOptions(BinarizeOptions):
    """How a table is read and becomes antecedents: docs/reference/options.md says what each option
    means. From Python, some are more than text:

    Attributes:
        group: a column, or several: rows with the same values in all of them are a group.
        fair: "statistical-parity:0.02" and so on, or Fairlearn's objects.
        cost_matrix: a file, rows of cost[true][predicted] in the order of the classes, or a mapping
            {(true, predicted): cost}.
        outcome_cost: class -> the column with what it costs to predict it, row by row.
        score: action -> the column with its score, row by row.
    """

    columns: Sequence[str] | None = COLUMNS.default
    ignore: Sequence[str] = IGNORE.default
    positive: str | int | float | bool | None = POSITIVE.default
    weight: str | None = WEIGHT.default
    drop_unlabelled: bool = DROP_UNLABELLED.default
    encoding: str | None = ENCODING.default
    group: str | Sequence[str] | None = GROUP.default
    fair: Sequence[Any] = FAIR.default
    coverage: Any = COVERAGE.default
    cost: str | None = COST.default
    cost_matrix: Any = COST_MATRIX.default
    outcome_cost: Any = OUTCOME_COST.default
    score: Any = SCORE.default
    abstain: Any = ABSTAIN.default
    defer: str | None = DEFER.default
    defer_cost: Any = DEFER_COST.default
    defer_where: str | None = DEFER_WHERE.default

    @property
    def group_columns(self) -> tuple[str, ...]:
        """The columns that say who is in which group."""
        return () if self.group is None else tuple(GROUP.check(self.group))

    @property
    def cost_columns(self) -> set[str]:
        """The columns that hold costs or another model's answers: they are not features."""
        by_row = OUTCOME_COST.check(self.outcome_cost) | SCORE.check(self.score)
        return {*by_row.values(), *([] if self.defer is None else [self.defer])}
