"""How a table becomes a data set: one record of options, and their table for the command line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from corels.antecedents.options import BINARIZE_OPTIONS, BinarizeOptions
from corels.options import Option

COLUMNS = Option("columns", "names", None, "use only these columns (repeatable)", optional=True)
IGNORE = Option("ignore", "names", (), "columns to leave out (repeatable)")
POSITIVE = Option("positive", "text", None, "the class to treat as positive", optional=True)
WEIGHT = Option(
    "weight", "text", None, "the column that says how many people a row stands for", optional=True
)

TABLE_OPTIONS = (*BINARIZE_OPTIONS, COLUMNS, IGNORE, POSITIVE, WEIGHT)


@dataclass(frozen=True)
class TableOptions(BinarizeOptions):
    """`BinarizeOptions`, and what else a whole table needs.

    Attributes:
        columns: the columns to use; None for all but the label and the weight.
        ignore: columns to leave out.
        positive: the class to treat as positive; None for the last in order.
        weight: the column that says how many people each row stands for (whole numbers).
    """

    columns: Sequence[str] | None = COLUMNS.default
    ignore: Sequence[str] = IGNORE.default
    positive: str | int | float | bool | None = POSITIVE.default
    weight: str | None = WEIGHT.default
