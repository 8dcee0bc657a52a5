"""The block bound: errors that k more rules must leave, added up over blocks of points.

Its code is in `backends/c/src/blocks`, its proof in docs/internals/blocks.md.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from corels.search import SETS, Bound, Children


class Blocks(Bound):
    """The C engine's alone: it builds its tables once a search has turned out to be long."""

    name = "blocks"
    summary = "drops a child if k more rules leave too many errors in blocks of points, for every k"
    theorem = "docs/internals/blocks.md#blocks"
    story = (
        "whatever k more rules do, they leave too many errors in blocks of a few points",
        "The errors of the best k rules of each block, chosen for that block alone, add up to a "
        "bound for every list of k rules",
    )
    scope = "set"
    reads = frozenset({SETS})
    rank = 0  # it looks tables up, before sets are compared
    backends = frozenset({"c"})

    def keep(self, children: Children, incumbent: int) -> NDArray[np.bool_]:
        """Every child: without the engine's tables nothing is known."""
        return np.ones(len(children), dtype=np.bool_)
