"""Support: the share of rows that an antecedent is true of, compared exactly.

A limit such as 0.07 is meant as the decimal that was written, not as its nearest double: with 100
rows, 7 of them meet a minimum support of 0.07, though 0.07 * 100 > 7 in floating point.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

from corels.errors import OptionError
from corels.tables.options import MAX_SUPPORT, MIN_SUPPORT


class SupportLimits(NamedTuple):
    """The counts of rows, both inclusive, that an antecedent may be true of."""

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
