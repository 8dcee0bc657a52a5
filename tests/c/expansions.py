"""What a bound is told of a set of all points, for the plain forms of bounds with tables."""

from __future__ import annotations

import numpy as np
from engine import pack
from numpy.typing import NDArray

from corels.search import Expansion


def of_all_points(captures: NDArray[np.bool_], regrets: NDArray[np.int64]) -> Expansion:
    """captures: bool[M, P]; regrets: [C, P]. No rule came before, and nothing is counted."""
    return Expansion(
        masks=pack(captures),
        remaining=pack(np.ones(captures.shape[1], dtype=bool))[0],
        counts=np.zeros((len(regrets), len(captures)), dtype=np.int64),
        totals=regrets.sum(axis=1),
        worst=regrets.max(axis=0),
        regrets=regrets.astype(np.int64),
        cost=0,
    )
