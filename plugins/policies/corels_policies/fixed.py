"""Policies that are a formula over the table of children, and remember nothing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from corels import Children, Policy


class Dive(Policy):
    """Depth first: few prefixes are open at a time, so the queue stays small.

    `dfs` breaks ties by age, which explores antecedents in the order of the columns; here the
    most promising of the longest prefixes comes first. The objective is scaled to less than one
    rule, so it never outweighs the length.
    """

    name = "dive"
    summary = "longest prefixes first; of equal lengths, the prefix with the best list"

    def priority(self, children: Children) -> NDArray[np.float64]:
        above = children.unit * children.total + children.rule_cost * (children.n_antecedents + 1)
        share: NDArray[np.float64] = children.objective / (above + 1)
        return share - children.length


class Midpoint(Policy):
    """Between `lower_bound`, which proves early, and `objective`, which finds early."""

    name = "midpoint"
    summary = "least (lower bound + objective) / 2 first"

    def priority(self, children: Children) -> NDArray[np.float64]:
        middle: NDArray[np.float64] = (children.lower_bound + children.objective) / 2
        return middle
