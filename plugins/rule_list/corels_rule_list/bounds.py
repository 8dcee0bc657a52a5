"""The built-in bounds that read columns. Each is one function over the table of children.

Bounds are asked by rank, those of equal rank in the order below. Costs are scaled integers:
lambda * N weighs `rule_cost` if one unit of weight weighs `unit`.

A bound of ours has one method more than a plugin's, `least`: what every proper extension of the
children that it dropped costs at least, for the memo of depth-first. None says that these children
do not count, because a list through another child, or a shorter list, is as good.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from corels.search import Bound, Children, Role

Keep = NDArray[np.bool_]


class _Local(Bound):
    """A reason that lies in the rule itself: some list without it is as good."""

    scope = "set"

    def least(self, dropped: Children, incumbent: int) -> int | None:
        """The children that were dropped do not count."""
        return None


class _Cost(Bound):
    """A reason that lies in what the child costs: its own list is scored, every other list that
    begins like this has one more rule to pay for."""

    scope = "set"

    def least(self, dropped: Children, incumbent: int) -> int | None:
        """The least cost of a dropped child and one more rule."""
        return int(dropped.lower_bound.min()) + dropped.rule_cost


class Support(_Local):
    name = "support"
    summary = "drops a child if its new rule captures less than lambda * N"
    theorem = "Theorem 10"
    monotone = True
    reads = frozenset({"support"})

    def keep(self, children: Children, incumbent: int) -> Keep:
        return children.unit * children.support >= children.rule_cost


class AccurateSupport(_Local):
    name = "accurate_support"
    summary = "drops a child if its new rule classifies less than lambda * N correctly"
    theorem = "Theorem 11"
    monotone = True
    reads = frozenset({"correct"})

    def keep(self, children: Children, incumbent: int) -> Keep:
        return children.unit * children.correct >= children.rule_cost


class UpperSupport(_Local):
    name = "upper_support"
    summary = "drops a child if its new rule leaves less than lambda * N to the rules behind it"
    theorem = "Theorem 21"
    monotone = True
    reads = frozenset({"captured"})

    def keep(self, children: Children, incumbent: int) -> Keep:
        return children.unit * (children.total - children.captured) >= children.rule_cost


class ReducedSupport(_Local):
    name = "reduced_support"
    summary = "drops a child if deleting its new rule costs no more than the rule's price"
    theorem = "docs/internals/bounds.md#reduced-support"
    monotone = True

    def keep(self, children: Children, incumbent: int) -> Keep:
        return children.unit * (children.worst - children.errors) > children.rule_cost


class Hierarchical(_Cost):
    name = "hierarchical"
    summary = "drops a child if its prefix already costs as much as the incumbent"
    theorem = "Theorem 1"
    role = Role.HIERARCHICAL

    def keep(self, children: Children, incumbent: int) -> Keep:
        return children.lower_bound < incumbent


class Lookahead(_Cost):
    name = "lookahead"
    summary = "drops a child if its prefix and one more rule cost as much as the incumbent"
    theorem = "Lemma 2"
    role = Role.LOOKAHEAD

    def keep(self, children: Children, incumbent: int) -> Keep:
        return children.lower_bound + children.rule_cost < incumbent


class PrefixLength(Bound):
    name = "prefix_length"
    summary = "drops a child if there is no room for one more rule below the incumbent"
    theorem = "Theorems 4 and 6"

    def keep(self, children: Children, incumbent: int) -> Keep:
        longest = children.n_antecedents
        if children.rule_cost > 0:
            longest = min(longest, incumbent // children.rule_cost)
        room = incumbent - children.lower_bound >= children.rule_cost
        return (children.length < longest) & room


class Switch(Bound):
    """A bound that the search itself, or an engine by its tables, applies; as a filter it drops
    nothing."""

    def keep(self, children: Children, incumbent: int) -> Keep:
        return np.ones(len(children), dtype=np.bool_)


class Rejection(Switch):
    name = "rejection"
    summary = "drops a child if an ancestor has rejected its antecedent for support"
    theorem = "Theorem 12"
    role = Role.REJECTION


class EquivalentPoints(Switch):
    name = "equivalent_points"
    summary = "drops nothing itself: every list pays for equal points with different labels"
    theorem = "Theorem 20"
    scope = "set"
    role = Role.EQUIVALENT_POINTS


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
