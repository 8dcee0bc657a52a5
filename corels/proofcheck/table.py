"""The raw table as points and whole numbers, for the checkers: nothing of it comes from the search.

Rows that satisfy the same antecedents are one point. A point's regret for a class is what it costs,
in weight of rows, to predict that class and not its most frequent one. Points without any regret
cost nothing in any list and are left out. All costs are beyond `base`, what every list pays.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.proofcheck.points import amounts_of, grouped, malformed


@dataclass(frozen=True)
class Table:
    """captures: bool[M, P]; regrets: int64[C, P]; kept: the index of a numbered point, or -1."""

    captures: NDArray[np.bool_]
    regrets: NDArray[np.int64]
    kept: NDArray[np.int64]
    unit: int
    rule_cost: int
    base: int
    total: int


def read_table(
    header: Mapping[str, Any],
    columns: Mapping[str, Any],
    labels: Sequence[Any],
    weights: Sequence[int] | None = None,
) -> Table:
    """The table of a proof's header. columns: name -> values, missing, categories (as the reader
    gives them). Raises InputError where the header is malformed or the data has no such column."""
    try:
        penalty = Fraction(header["regularization"])
    except (KeyError, TypeError, ValueError, ZeroDivisionError) as error:
        raise malformed(error) from None
    points = grouped(header, columns, labels, amounts_of(labels, weights))
    counts = points.counts
    total, most = points.total, counts.max(axis=0)
    regrets = most - counts
    some = regrets.any(axis=0)
    divisor = math.gcd(penalty.denominator, penalty.numerator * total)
    unit = penalty.denominator // divisor
    return Table(
        captures=points.captures[:, some],
        regrets=regrets[:, some],
        kept=np.where(some, np.cumsum(some) - 1, -1),
        unit=unit,
        rule_cost=penalty.numerator * total // divisor,
        base=unit * (total - int(most.sum())),
        total=total,
    )
