"""Records of a rule list's proof as bytes, which searches in C write themselves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

from corels.proof.records import record


def prices(shift: int, cells: Iterable[tuple[Any, Any]]) -> bytes:
    """Cells: points with their weights, and cuts, an antecedent and its price; for each class."""
    listed = list(cells)
    rows = ((len(part), *chain.from_iterable(part)) for cell in listed for part in cell)
    return record("p", shift + 64, len(listed), *chain.from_iterable(rows))


def fact(bound: str, numbers: Sequence[int]) -> bytes:
    """What the tables of a bound are made from."""
    return record("d", len(bound), *bound.encode(), len(numbers), *numbers)
