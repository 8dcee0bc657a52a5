"""Rows of data as the points of the instance."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import OptionError
from corels.model.rows import Rows
from corels.problem import Problem
from corels.problem.captures import pack_columns, unpack
from corels.search.good_lists import NearInstance


class UnknownRowError(OptionError):
    """A row that is like no training row."""


def bits_of_rows(problem: Problem, instance: NearInstance, data: Any) -> NDArray[np.intp]:
    """intp[N]: the bit of each row's point.

    Raises UnknownRowError for a row that satisfies antecedents as no training row does: lists that
    agree on all training rows may differ there, so nothing is known of it.
    """
    rows = Rows(data, problem.antecedents)
    captured = np.array([rows.captured_by(antecedent) for antecedent in problem.antecedents])
    used = np.flatnonzero(instance.point >= 0)
    training = pack_columns(unpack(problem.masks, problem.n_points)[:, instance.point[used]])
    known = {key.tobytes(): int(bit) for key, bit in zip(training, used, strict=True)}
    found = [known.get(key.tobytes(), -1) for key in pack_columns(captured)]
    bits = np.array(found, dtype=np.intp)
    if (bits < 0).any():
        row = int(np.flatnonzero(bits < 0)[0]) + 1
        raise UnknownRowError(
            f"row {row} satisfies a combination of antecedents that no training row does: "
            "shares and ranges are known for training rows only"
        )
    return bits
