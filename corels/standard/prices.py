"""The price bound: cells of points, each with prices for the rules.

Its code is in `backends/c/src/prices`, its proof in docs/internals/prices.md.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from corels.search import SETS, Bound, Children


class Prices(Bound):
    """The C engine's alone: it builds its tables once a search has turned out to be long."""

    name = "prices"
    summary = "drops a child if the cheapest lists of small cells of points cost too much together"
    theorem = "docs/internals/prices.md#prices"
    story = (
        "small cells of points, each with its share of a rule's cost, already cost too much",
        "The cheapest list of each cell, chosen for that cell alone, adds up to a bound for every "
        "list, because the prices of a rule in all cells add up to no more than a rule costs",
    )
    scope = "set"
    reads = frozenset({SETS})
    rank = 0  # it looks tables up, before sets are compared
    backends = frozenset({"c"})

    def keep(self, children: Children, incumbent: int) -> NDArray[np.bool_]:
        """Every child: without the engine's tables nothing is known."""
        return np.ones(len(children), dtype=np.bool_)
