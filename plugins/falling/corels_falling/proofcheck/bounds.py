"""What must follow a prefix costs at least so much: one prefix at a time, in exact numbers.

Every bound is about the lists that extend a prefix by one rule or more. P, Q: positives and
negatives left; m: the least proportion of the prefix. Proofs: docs/internals/falling.md,
under the same names.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cached_property

from corels_falling.proofcheck.costs import Cost, Costs, State

GRID = 4096  # proportions at which the cases of a softly falling list are cut


class RestCosts:
    """The points that a prefix leaves, counted once for all bounds."""

    def __init__(self, costs: Costs, state: State) -> None:
        self.costs, self.state = costs, state
        self.positives, self.negatives, self.classes = state.counts

    @cached_property
    def groups(self) -> list[tuple[Fraction | int, int, int]]:
        """Beyond the first one: its edge, positives and negatives."""
        left, costs = self.state.left, self.costs
        pairs = zip(costs.edges[1:], costs.groups[1:], strict=True)
        return [(edge, *costs.count(left & group)) for edge, group in pairs]

    def rows(self, highest: Fraction) -> Cost:
        """The least cost of these points if no block has a higher proportion: the maximum of
        prefix, classes and lagrangian. Whole if all costs are."""
        costs = self.costs
        if not highest:
            return costs.positive * self.positives
        ratio = costs.negative * (1 / highest - 1)  # what a positive called positive costs at least
        if ratio >= costs.positive:
            return costs.positive * self.positives
        best = max(ratio * self.positives, Fraction(self.classes))
        for edge, positives, negatives in self.groups:
            mixed = (costs.positive - ratio) * costs.negative * negatives
            mixed += (edge - costs.positive) * ratio * positives
            rest = costs.positive * (self.positives - positives)
            best = max(best, mixed / (edge - ratio) + rest)
        return best if costs.violation is not None else math.ceil(best)

    def reach(self, total: Cost) -> bool:
        """Does every list with one more rule or more cost `total`?"""
        costs, state = self.costs, self.state
        need = total - state.paid - costs.rule
        if not self.positives or not self.negatives:
            return costs.closed(state) >= total  # no two classes are left
        if self.classes >= need:
            return True
        if costs.violation is None:
            return self.rows(state.least) >= need
        return self._closed_form(need) or self._cells(need)

    # Softly falling: some block has the highest proportion b that is still to come. If b is above m
    # it pays violation (b - m); and all blocks have b or less.

    @property
    def _lowest(self) -> Fraction:
        return max(self.state.least, self.state.proportion)

    def _closed_form(self, need: Cost) -> bool:
        """prefix and classes for every b, solved: violation (b - m) and the rows cost `need`."""
        costs, low, violation = self.costs, self._lowest, self.costs.violation
        assert violation is not None
        raised = need + violation * self.state.least
        if low <= costs.threshold and violation * low + costs.positive * self.positives < raised:
            return False
        start, end = max(low, costs.threshold), Fraction(1)
        if violation * start + self.classes >= raised:
            return True
        worth = costs.negative * self.positives
        root = raised + worth
        if root <= 0 or 4 * worth * violation >= root**2:
            return True  # violation b + worth (1/b - 1) is at least 2 sqrt(worth violation) - worth
        if violation:  # from `end` on the penalty and the classes suffice
            end = min(end, Fraction(raised - self.classes, violation))
        if worth <= violation * start**2:  # it rises from `start` on
            at = start
        elif worth >= violation * end**2:  # it falls up to `end`
            at = end
        else:
            return False
        return violation * at + worth * (1 / at - 1) >= raised

    def _cells(self, need: Cost) -> bool:
        """All bounds, for every cell of proportions: the penalty at its low end, the rows at its
        high end."""
        costs, m, low = self.costs, self.state.least, self._lowest
        assert costs.violation is not None
        if low == m and self.rows(m) < need:
            return False
        todo = [(math.floor(low * GRID), GRID)]
        while todo:
            first, last = todo.pop()
            if first >= last:
                continue
            penalty = costs.violation * (max(low, Fraction(first, GRID)) - m)
            if penalty + self.rows(Fraction(last, GRID)) >= need:
                continue
            if last - first == 1:
                return False
            middle = (first + last) // 2
            todo += [(first, middle), (middle, last)]
        return True
