"""The built-in bounds. Each is one function over the table of children (see corels.search).

The order below is the order of evaluation: what does not depend on the incumbent first. Costs are
scaled integers: lambda * N weighs `rule_cost` where one unit of weight weighs `unit`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from corels.search import Bound, Children

Keep = NDArray[np.bool_]


class Support(Bound):
    name = "support"
    summary = "the new rule captures at least lambda * N"
    source = "Theorem 10"
    stage = "support"
    monotone = True
    reads = frozenset({"support"})

    def keep(self, children: Children, incumbent: int) -> Keep:
        return children.unit * children.support >= children.rule_cost


class AccurateSupport(Bound):
    name = "accurate_support"
    summary = "the new rule classifies at least lambda * N correctly"
    source = "Theorem 11"
    stage = "support"
    monotone = True
    reads = frozenset({"correct"})

    def keep(self, children: Children, incumbent: int) -> Keep:
        return children.unit * children.correct >= children.rule_cost


class UpperSupport(Bound):
    name = "upper_support"
    summary = "the new rule leaves at least lambda * N to the rules behind it"
    source = "Theorem 21"
    stage = "support"
    monotone = True
    reads = frozenset({"captured"})

    def keep(self, children: Children, incumbent: int) -> Keep:
        return children.unit * (children.total - children.captured) >= children.rule_cost


class ReducedSupport(Bound):
    name = "reduced_support"
    summary = "deleting the new rule would cost more than it saves"
    source = "docs/internals/bounds.md#reduced-support"
    stage = "support"
    monotone = True
    loops = frozenset({"queue", "sets"})

    def keep(self, children: Children, incumbent: int) -> Keep:
        return children.unit * (children.worst - children.errors) > children.rule_cost


class Hierarchical(Bound):
    name = "hierarchical"
    summary = "what the prefix costs already is less than the incumbent"
    source = "Theorem 1"
    loops = frozenset({"queue", "sets"})

    def keep(self, children: Children, incumbent: int) -> Keep:
        return children.lower_bound < incumbent


class Lookahead(Bound):
    name = "lookahead"
    summary = "the prefix and one more rule cost less than the incumbent"
    source = "Lemma 2"
    loops = frozenset({"queue", "sets"})

    def keep(self, children: Children, incumbent: int) -> Keep:
        return children.lower_bound + children.rule_cost < incumbent


class PrefixLength(Bound):
    name = "prefix_length"
    summary = "there is room for one more rule below the incumbent"
    source = "Theorems 4 and 6"

    def keep(self, children: Children, incumbent: int) -> Keep:
        longest = children.n_antecedents
        if children.rule_cost > 0:
            longest = min(longest, incumbent // children.rule_cost)
        room = incumbent - children.lower_bound >= children.rule_cost
        return (children.length < longest) & room


class _Switch(Bound):
    """A bound that the search loop itself applies; as a filter it keeps everything."""

    def keep(self, children: Children, incumbent: int) -> Keep:
        return np.ones(len(children), dtype=np.bool_)


class Rejection(_Switch):
    name = "rejection"
    summary = "an antecedent rejected for support is not offered to the prefix's descendants"
    source = "Theorem 12"


class EquivalentPoints(_Switch):
    name = "equivalent_points"
    summary = "every list pays for equal points with different labels"
    source = "Theorem 20"
    loops = frozenset({"queue", "sets"})


BOUNDS: tuple[type[Bound], ...] = (
    Support,
    AccurateSupport,
    UpperSupport,
    ReducedSupport,
    Hierarchical,
    Lookahead,
    PrefixLength,
    Rejection,
    EquivalentPoints,
)
