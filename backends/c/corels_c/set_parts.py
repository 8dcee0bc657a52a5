"""The policy and the bounds of the fast search: parts of its own loop, "sets".

That loop goes depth first over sets of points instead of popping prefixes from a queue, so its
policy orders nothing here, and its bounds read what a table of children does not hold: the counts
of the parent and the sets themselves. Both are named here so that they are chosen, switched off
and reported like any other part. Their code and their essays are in backends/c/src/bounds and
src/blocks; their proofs in docs/internals/bounds.md.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from corels.search import SETS, Bound, Children, Policy, Preset

LOOP = "sets"


class MemoDepthFirst(Policy):
    """Depth first over sets of points, with a memo of what was proved of each."""

    name = "memo_dfs"
    summary = "depth first over sets of points, with a memo (the fastest; backend c)"
    loop = LOOP

    def priority(self, children: Children) -> NDArray[np.float64]:
        """Longest prefixes first: the order, if it were a queue's."""
        return -children.length.astype(np.float64)


class Blocks(Bound):
    """Native only: as a filter in Python it keeps everything."""

    name = "blocks"
    summary = "whatever k more rules do, they leave too many errors in blocks of 12 or 16 points"
    source = "docs/internals/blocks.md#blocks"
    loops = frozenset({"queue", LOOP})
    reads = frozenset({SETS})
    native = True
    rank = 1

    def keep(self, children: Children, incumbent: int) -> NDArray[np.bool_]:
        """All of them."""
        return np.ones(len(children), dtype=np.bool_)


BOUNDS: tuple[type[Bound], ...] = (Blocks,)

FASTEST = Preset(
    policy="memo_dfs",
    map="captured",
    bounds=(
        "reduced_support",
        "hierarchical",
        "lookahead",
        "equivalent_points",
        "one_rule",
        "blocks",
        "second_rule",
        "dominance",
    ),
    start="beam",
)
