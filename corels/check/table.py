"""The raw table that models and proofs are checked against."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from corels.problem.costs import Costs


@dataclass(frozen=True)
class Table:
    """The raw table that a proof or a model is checked against.

    columns: name -> a column as the reader gives it, N values each. labels: N. weights: whole
    numbers, None for one each. costs: of outcomes for each row, None where mistakes cost one.
    """

    columns: Mapping[str, Any]
    labels: Sequence[Any]
    weights: Sequence[int] | None = None
    costs: Costs | None = None
