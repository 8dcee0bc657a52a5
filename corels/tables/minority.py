"""The `.minor` file: which rows no rule list over these antecedents can get right.

Rows that all antecedents treat alike are equivalent points (Angelino et al. 2018, section 3.14). In
each group of them the rows of the less frequent label are misclassified by every rule list. The
original program reads these rows from a file; here they follow from the data, and a file that
says otherwise belongs to other data or is damaged, so it is checked and then not used.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError
from corels.tables.bitlines import read_bit_lines
from corels.tables.files import Path_


def check_minority(path: Path_, captures: NDArray[np.bool_], labels: NDArray[np.int64]) -> None:
    """Compare a `.minor` file with the data.

    captures: (M, N) bool. labels: (N,) of 0 and 1. Raises InputError naming the line and the first
    sample where the file disagrees with the data.
    """
    lines = read_bit_lines(path)
    if len(lines.names) != 1:
        raise InputError(
            f"{path}, line {lines.lines[1]}: expected one line, the file has {len(lines.names)}"
        )
    stated = lines.bits[0]
    where = f"{path}, line {lines.lines[0]}"
    if len(stated) != len(labels):
        raise InputError(f"{where}: {len(stated)} bits, but the data has {len(labels)} samples")
    wrong = np.flatnonzero(~_agrees(stated, equivalent_points(captures), labels))
    if len(wrong):
        row = int(wrong[0])
        raise InputError(
            f"{where}: sample {row + 1} is {int(stated[row])}, but the data says "
            f"{int(not stated[row])} (the minority among samples with equal antecedents)"
        )


def equivalent_points(captures: NDArray[np.bool_]) -> NDArray[np.intp]:
    """(N,) group number of each row; rows of one group have equal captures."""
    n_rows = captures.shape[1]
    packed = np.ascontiguousarray(np.packbits(captures, axis=0).T)
    if not packed.shape[1]:
        return np.zeros(n_rows, dtype=np.intp)
    keys = packed.view(np.dtype((np.void, packed.shape[1]))).ravel()
    return np.unique(keys, return_inverse=True)[1].reshape(n_rows)


def _agrees(
    stated: NDArray[np.bool_], group: NDArray[np.intp], labels: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """(N,) whether each bit is right; where a group is split evenly, either label may be marked."""
    positives = np.bincount(group, weights=labels).astype(np.int64)
    sizes = np.bincount(group)
    tied = 2 * positives == sizes
    # In a tied group the file chooses: take the label of a marked row as its minority.
    minority = (2 * positives < sizes).astype(np.int64)
    marked = np.flatnonzero(stated & tied[group])
    minority[group[marked]] = labels[marked]
    return np.asarray(stated == (labels == minority[group]))
