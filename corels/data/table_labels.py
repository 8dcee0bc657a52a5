"""The label column of a table: classes in order, and each row's class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corels.antecedents.column import Column
from corels.data.dataset import Label
from corels.errors import InputError

MOST_CLASSES = 100


@dataclass(frozen=True, eq=False)
class ColumnLabels:
    """(N,) indices into `classes`, the positive class last."""

    classes: tuple[Label, ...]
    values: NDArray[np.int64]


def labels_of(column: Column, where: str, positive: Label | None = None) -> ColumnLabels:
    """Read a label column.

    Args:
        where: the file or table, for messages.
        positive: the class to put last; it may be given as text.

    Raises:
        InputError: if a label is missing, there is only one class or there are too many, or
            `positive` is not among them.
    """
    name = column.name
    if column.missing.any():
        row = int(np.flatnonzero(column.missing)[0]) + 1
        raise InputError(f"{where}: label column {name!r} has no value in row {row}")
    found = column.distinct()
    if not found:
        raise InputError(f"{where}: there are no rows")
    if len(found) == 1:
        raise InputError(
            f"{where}: label column {name!r} has only the value {found[0]!r}, expected two classes"
        )
    if len(found) > MOST_CLASSES:
        raise InputError(
            f"{where}: label column {name!r} has {len(found)} different values, "
            f"expected classes (at most {MOST_CLASSES})"
        )
    ordered = _positive_last(found, positive, f"{where}: label column {name!r}")
    if column.categories is None:
        place = {value: at for at, value in enumerate(ordered)}
        by_rank = np.array([place[value] for value in found], dtype=np.int64)
        values = by_rank[np.searchsorted(np.array(found), column.values)]
    else:
        place = {value: at for at, value in enumerate(ordered)}
        by_code = np.array([place.get(c, -1) for c in column.categories], dtype=np.int64)
        values = by_code[column.values]
    return ColumnLabels(tuple(_whole(value) for value in ordered), values)


def _positive_last(found: list[Label], positive: Label | None, where: str) -> list[Label]:
    if positive is None:
        return found
    for value in found:
        if value == positive or str(_whole(value)) == str(positive):
            return [other for other in found if other is not value] + [value]
    shown = ", ".join(repr(_whole(value)) for value in found[:20])
    raise InputError(f"{where} has no class {positive!r}; it has {shown}")


def _whole(value: Label) -> Label:
    """1.0 as 1: a label column with missing values elsewhere is often read as floats."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
