"""`load_from_csv`, as the old package had it."""

from __future__ import annotations

import csv
import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError


def load_from_csv(
    fname: str | os.PathLike[str],
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], list[str], str]:
    """Read a table of 0 and 1 whose last column is the label.

    Returns:
        X, uint8[N, features]; y, uint8[N]; the names of the features; the name of the label.

    Raises:
        InputError: (a ValueError) for a table that is not of that form, naming file and line.
    """
    with open(fname, encoding="utf-8-sig", newline="") as lines:
        reader = csv.reader(lines)
        header = [name.strip() for name in next(reader, [])]
        if len(header) < 2:
            raise InputError(f"{fname}: expected a header of feature names and the label's name")
        rows = [_row(fname, reader.line_num, cells, len(header)) for cells in reader if cells]
    table = np.array(rows, dtype=np.uint8).reshape(len(rows), len(header))
    return table[:, :-1], table[:, -1], header[:-1], header[-1]


def _row(fname: Any, line: int, cells: list[str], expected: int) -> list[int]:
    if len(cells) != expected:
        raise InputError(
            f"{fname}, line {line}: {len(cells)} columns, but the header has {expected}"
        )
    try:
        values = [int(cell) for cell in cells]
    except ValueError:
        strange = next(cell for cell in cells if cell.strip() not in ("0", "1"))
        raise InputError(f"{fname}, line {line}: {strange!r} is not 0 or 1") from None
    if any(not 0 <= value <= 255 for value in values):
        raise InputError(f"{fname}, line {line}: a value is not 0 or 1")
    return values
