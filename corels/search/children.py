"""Children: the column table that policies and bounds read.

Expanding a prefix appends every antecedent that is still viable to it. All children of one
expansion form one table, a row per child, so that a part costs one vectorised call an expansion
whatever language it is written in. The C engine fills a struct with the same columns in the same
order (`corels_children` in backends/c/include/corels/part.h; a test compares the two).

Costs are scaled integers (see `corels.problem`): an error costs `unit`, a rule `rule_cost`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

SETS = "sets"
"""What a part names in its `reads` to be given `Children.expansion`."""

ORIGINAL_COLUMNS = frozenset({"support", "correct", "captured"})
"""Columns counted in original weights: they need the points that the reduction drops."""


Column = TypeVar("Column", bound=NDArray[Any])


def read_only(column: Column) -> Column:
    """The same array, read-only from now on: parts look, and change nothing."""
    column.flags.writeable = False
    return column


@dataclass(frozen=True, slots=True)
class Expansion:
    """What lies under a table: the set of points that is split, and what is captured of it.

    masks: uint64[m, W] of all antecedents; remaining: uint64[W], the points that the prefix leaves;
    counts: int64[C, m], the regret of predicting a class for what an antecedent captures of them;
    totals: int64[C], the same for all of them; worst: int64[P], the worst regret of each point;
    regrets: int64[C, P], the regret of predicting a class for each point; cost: scaled cost of the
    prefix and of all unavoidable errors.
    """

    masks: NDArray[np.uint64]
    remaining: NDArray[np.uint64]
    counts: NDArray[np.int64]
    totals: NDArray[np.int64]
    worst: NDArray[np.int64]
    regrets: NDArray[np.int64]
    cost: int


@dataclass(frozen=True, slots=True)
class Children:
    """Read-only columns, each of length n (COLUMNS), and what all rows share.

    (*) zero unless a chosen part names the column in its `reads`.
    """

    antecedent: NDArray[np.int32]  # index of the new rule's antecedent in the instance
    prediction: NDArray[np.int32]  # class that the new rule predicts
    length: NDArray[np.int32]  # rules in the prefix, the new one included
    serial: NDArray[np.int64]  # number the child gets if it is queued; only policies may read it
    support: NDArray[np.int64]  # weight that the new rule captures (*)
    correct: NDArray[np.int64]  # of it, the weight of the predicted class (*)
    captured: NDArray[np.int64]  # weight that the whole prefix captures (*)
    errors: NDArray[np.int64]  # avoidable errors of the new rule
    worst: NDArray[np.int64]  # avoidable errors if each captured point got its worst class
    default_errors: NDArray[np.int64]  # avoidable errors of the default rule behind the prefix
    lower_bound: NDArray[np.int64]  # cost that every list with this prefix pays at least
    objective: NDArray[np.int64]  # cost of the list that ends here
    unit: int  # scaled cost of one error
    rule_cost: int  # scaled cost of one rule
    total: int  # total weight of the data
    n_antecedents: int  # antecedents of the instance
    expansion: Expansion | None = None  # if a chosen part reads SETS
    rules_left: int = -1  # that may follow the new rule at most; -1: any number

    def __len__(self) -> int:
        return len(self.antecedent)

    def where(self, keep: NDArray[np.bool_]) -> Children:
        """The rows that a mask keeps."""
        return replace(self, **{n: read_only(getattr(self, n)[keep]) for n, _ in COLUMNS})


COLUMNS: tuple[tuple[str, str], ...] = tuple(
    (one.name, str(one.type).removeprefix("NDArray[np.").removesuffix("]"))
    for one in fields(Children)
    if str(one.type).startswith("NDArray")
)
"""Name and kind of each column, in their order."""
