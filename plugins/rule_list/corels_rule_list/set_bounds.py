"""Bounds that compare the sets of points behind the children (see corels.search.Expansion).

They come after the bounds that read costs alone, the cheap ones first. Proofs, and why all bounds
together leave an optimal list reachable, are in docs/internals/bounds.md.
"""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
from numpy.typing import NDArray

from corels.search import COUNTS, SETS, Bound, Children, Expansion, Role
from corels_rule_list.bounds import Switch

Keep = NDArray[np.bool_]
Whole = NDArray[np.int64]
PROOFS = "docs/internals/bounds.md"


class SetBound(Bound):
    """If no sets are given (a table without a search), everything is kept."""

    scope = "set"
    reads = frozenset({SETS})
    rank = 1

    def keep(self, children: Children, incumbent: int) -> Keep:
        if children.expansion is None or not len(children):
            return np.ones(len(children), dtype=np.bool_)
        return self.compare(children, children.expansion, incumbent)

    def least(self, dropped: Children, incumbent: int) -> int | None:
        """The children that were dropped do not count: another child is as good."""
        return None

    @abstractmethod
    def compare(self, children: Children, expansion: Expansion, incumbent: int) -> Keep:
        """`keep`, with sets."""


class SecondRule(SetBound):
    """If one more rule fits at most, the best gain of a second rule, by the parent's counts.

    Two classes: of the points that child r leaves, a rule q for class 0 or 1 captures at most
    min(a_q, A) and at least max(0, b_q - b_r).
    """

    reads = frozenset({COUNTS})
    name = "second_rule"
    summary = "drops a child if no second rule behind its new rule can gain enough"
    theorem = f"{PROOFS}#second-rule"

    def compare(self, children: Children, expansion: Expansion, incumbent: int) -> Keep:
        """Keep the children with room for two rules, or with a second rule that gains enough."""
        if len(expansion.counts) != 2:
            return np.ones(len(children), dtype=np.bool_)
        need = incumbent - expansion.cost - children.rule_cost - children.unit * children.errors
        room = need - 1 - children.rule_cost
        enough = self._errors(children, expansion) <= room // children.unit
        longer = (need > 2 * children.rule_cost) & (children.rules_left != 1)
        return np.asarray(longer | ((room >= 0) & enough))

    def least(self, dropped: Children, incumbent: int) -> int | None:
        """One more rule and the errors that it leaves at least, or two more rules."""
        if dropped.expansion is None:
            return incumbent
        one = dropped.unit * self._errors(dropped, dropped.expansion)
        one[incumbent - dropped.lower_bound <= dropped.rule_cost] = 0  # not even one more fits
        if dropped.rules_left != 1:
            one = np.minimum(dropped.rule_cost, one)
        more = dropped.rule_cost + one
        return int((dropped.lower_bound + more).min())

    def _errors(self, children: Children, expansion: Expansion) -> Whole:
        """For each child the fewest errors that one more rule behind it can leave."""
        a, b = expansion.counts[:, children.antecedent]
        left_a, left_b = expansion.totals[0] - a, expansion.totals[1] - b
        rivals = (expansion.counts > children.rule_cost // children.unit).any(axis=0)
        of_a, of_b = expansion.counts[:, rivals]
        ones = left_a - _best_gain(of_a, of_b, left_a, b)
        zeros = left_b - _best_gain(of_b, of_a, left_b, a)
        return np.asarray(np.minimum(ones, zeros))


def _best_gain(gained: Whole, lost: Whole, left: Whole, gone: Whole) -> Whole:
    """For each child the best of min(gained, left) - max(0, lost - gone) over the rivals, or 0."""
    gain = np.minimum(gained, left[:, None]) - np.maximum(0, lost - gone[:, None])
    return np.asarray(gain.max(axis=1, initial=0))


class Dominance(SetBound):
    """Of two children, one captures all that the other does, at no more errors.

    Equal errors are the only case, since a superset has no fewer. Of equal sets the lower index
    stays.
    """

    name = "dominance"
    summary = "drops a child if another child captures all its points with no more errors"
    theorem = f"{PROOFS}#dominance"

    def compare(self, children: Children, expansion: Expansion, incumbent: int) -> Keep:
        """Keep the children that no other dominates."""
        captured = expansion.masks[children.antecedent] & expansion.remaining
        size = expansion.counts[:, children.antecedent].sum(axis=0)
        index = np.arange(len(children))
        keep = np.ones(len(children), dtype=np.bool_)
        for r in index:
            first = (size > size[r]) | ((size == size[r]) & (index < r))
            rivals = first & (children.errors == children.errors[r])
            keep[r] = not (~(captured[r] & ~captured[rivals]).any(axis=1)).any()
        return keep


class OneRule(Bound):
    """Applied by the loop itself: it counts the child's set and offers its best list.

    A child with lower bound b and b + 2 * rule_cost >= incumbent can only be improved by one rule
    more. One count gives the best of them, so the child is closed and never queued.
    """

    name = "one_rule"
    summary = "drops a child, and scores its best list, if there is room for one more rule only"
    theorem = f"{PROOFS}#one-rule"
    scope = "set"
    rank = 2
    role = Role.ONE_RULE

    def keep(self, children: Children, incumbent: int) -> Keep:
        """The children with room for two rules more."""
        longer = children.lower_bound + 2 * children.rule_cost < incumbent
        return longer & (children.rules_left != 1)


class Prices(Switch):
    """What the cheapest lists of small cells of points cost together.

    The C engine's alone (backends/c/src/bounds/tables.h): it builds its tables once a search has
    turned out to be long.
    """

    name = "prices"
    summary = "drops a child if the cheapest lists of small cells of points cost too much together"
    theorem = "docs/internals/prices.md#prices"
    scope = "set"
    reads = frozenset({SETS})
    rank = 0  # it looks tables up, before sets are compared
    backends = frozenset({"c"})


TABLE_BOUNDS: tuple[type[Bound], ...] = (Prices,)
SET_BOUNDS: tuple[type[Bound], ...] = (SecondRule, Dominance, OneRule)
