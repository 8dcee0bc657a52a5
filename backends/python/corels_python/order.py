"""The order of a prefix: the same rules, cheaper.

The points that a prefix leaves do not depend on the order of its rules, but its errors do. If the
search first reaches a set by an expensive order, it will soon reach it by a cheaper one. Then the
need is higher, the bound that the memo has for the set is too low, and the set would be searched
again. So the first search of a set already uses the need of the cheapest order that the counts of
the path allow to compute: `slack` is how much less that order costs. This proves a higher bound
than the prefix at hand needs, which is sound for any slack.

Let S_0, .., S_d be the sets of the path, p_i the rule from S_i to S_i+1, and r the rule to come.
If r came at S_j, its cell would be what it captures of S_j, and each later p_i would lose the
points that r captures of its cell: what r captures of S_i less what it captures of S_i+1. The
slack of S_j itself is for the rules before it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from corels_python.node import Node


def slacks(path: Sequence[Node], rules: NDArray[np.int32], unit: int) -> NDArray[np.int64]:
    """int64[n]: the slack of each child `rules` of the last set of the path."""
    counts = [node.counted.of_rules for node in path]
    best = np.full(len(rules), path[-1].slack)
    last = counts[-1][:, rules].min(axis=0)  # errors of p_j, .., p_d-1 and r, as they come
    later = np.zeros(len(rules), dtype=np.int64)  # and of the p alone where r comes first
    for j in range(len(path) - 2, -1, -1):
        p = path[j + 1].antecedent
        lost = counts[j][:, rules] - counts[j + 1][:, rules]
        last = last + counts[j][:, p].min()
        later = later + (counts[j][:, p, None] - lost).min(axis=0)
        first = counts[j][:, rules].min(axis=0)
        best = np.maximum(best, path[j].slack + unit * (last - later - first))
    return best
