"""How a table becomes a data set: one record of options, with their defaults."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from corels.antecedents.options import BinarizeOptions


@dataclass(frozen=True)
class TableOptions(BinarizeOptions):
    """`BinarizeOptions`, and what else a whole table needs.

    Attributes:
        columns: the columns to use; None for all but the label and the weight.
        ignore: columns to leave out.
        positive: the class to treat as positive; None for the last in order.
        weight: the column that says how many people each row stands for (whole numbers).
    """

    columns: Sequence[str] | None = None
    ignore: Sequence[str] = field(default=())
    positive: str | int | float | bool | None = None
    weight: str | None = None
