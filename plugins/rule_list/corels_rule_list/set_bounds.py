"""Bounds that compare the sets of points behind the children (see corels.search.Expansion).

They come after the bounds that read costs alone, the cheap ones first. Proofs, and why all bounds
together leave an optimal list reachable, are in docs/internals/bounds.md.
"""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
from numpy.typing import NDArray

from corels.search import SETS, Bound, Children, Expansion, Role
from corels_rule_list.bounds import Switch

Keep = NDArray[np.bool_]
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


class Dominance(SetBound):
    """Of two children, one captures all that the other does, at no more errors.

    Equal errors are the only case, since a superset has no fewer. Of equal sets the lower index
    stays. Children with room for one rule more are not compared: they are closed for less.
    """

    name = "dominance"
    summary = "drops a child if another child captures all its points with no more errors"
    theorem = f"{PROOFS}#dominance"

    def compare(self, children: Children, expansion: Expansion, incumbent: int) -> Keep:
        """Keep the children that no other dominates."""
        captured = expansion.masks[children.antecedent] & expansion.remaining
        size = expansion.counts[:, children.antecedent].sum(axis=0)
        index = np.arange(len(children))
        need = incumbent - expansion.cost - children.rule_cost - children.unit * children.errors
        longer = (need > 2 * children.rule_cost) & (children.rules_left != 1)
        keep = np.ones(len(children), dtype=np.bool_)
        for r in np.flatnonzero(longer):
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
SET_BOUNDS: tuple[type[Bound], ...] = (Dominance, OneRule)
