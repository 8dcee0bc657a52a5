"""The checker of the weights that a proof gives as data: docs/internals/leaves.md.

It shares nothing with the search. All leaves are gone through here.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.check.verdict import FalseDataError

MOST_CONDITIONS = 6  # of a leaf
EXACT = 1 << 53  # sums of whole numbers below are exact as floats

Bools = NDArray[np.bool_]
Whole = NDArray[np.int64]


class Leaves:
    """Points keep so much that no leaf keeps more than a rule costs and it errs as another class.

    A leaf is what an antecedent captures and some others do not, or, the default rule's, what some
    do not: at most `longest` conditions. To predict class `role` for all loses their regrets, and
    one leaf that predicts another class wins back at most what its points do not keep, and the
    cost of a rule. So what some rules leave costs at least what it keeps; or, if all
    leaves predict other classes, a rule less, and what the best other class of each point errs and
    the rules cost.
    """

    def __init__(self, table: Any, numbers: Sequence[int], tell: Any = None) -> None:
        """table: a `corels_rule_list.proofcheck.plain.Table`. numbers: the record's: longest, role,
        how many parts make a mistake, then a point and what it keeps, in turn. tell: is called with
        what is done. Raises FalseDataError if the weights do not hold."""
        if len(numbers) < 3 or len(numbers) % 2 == 0:
            raise FalseDataError("a record of leaves ends in the middle of a row")
        self.table = table
        self.longest, role, self.scale = (int(number) for number in numbers[:3])
        rows = np.array(numbers[3:], np.int64).reshape(-1, 2)
        places = table.kept[rows[:, 0]]
        total = self.scale * int(table.regrets.sum())
        classes, points = table.regrets.shape
        known = role < classes > 1 and 1 <= self.longest <= MOST_CONDITIONS
        if not known or not 0 < self.scale < EXACT or total >= EXACT:
            raise FalseDataError("weights of leaves name no class, or numbers that are too large")
        others = [c for c in range(classes) if c != role]
        self.least_other = table.regrets[others].min(axis=0)
        self.kept = np.zeros(points, np.int64)
        self.kept[places] = rows[:, 1]
        too_much = self.kept > self.scale * table.regrets[role]
        alone = len(np.unique(places)) == len(places) and places.min(initial=0) >= 0
        if too_much.any() or not alone:
            raise FalseDataError("weights of leaves give points that they may not, or too much")
        self.most = self.scale * table.rule_cost // table.unit
        self.captured = table.captures.T.astype(np.float64)
        everywhere = np.ones(points, np.bool_)
        for other in others:
            self._verify(everywhere, other, 0, self.longest, tell or (lambda *_: None))

    @staticmethod
    def sets(numbers: Sequence[int], antecedents: int) -> int:
        """How many sets of points are looked at before the record is believed."""
        longest = min(numbers[0], antecedents + 1) if numbers else 0
        return sum(comb(antecedents, k) for k in range(longest))

    def _verify(self, left: Bools, other: int, first: int, more: int, tell: Any) -> None:
        """No leaf of one to `more` further conditions, which negate antecedents from `first` on,
        gains more than `most` in these points with class `other`. A part of points that keep
        no more does not either. If only the default rule may say `other`, its leaf is what some
        antecedents leave."""
        kept = np.where(left, self.kept, 0)
        gains = kept - np.where(left, self.scale * self.table.regrets[other], 0)
        of_rules, total = gains @ self.captured, int(gains.sum())
        highest = (total - of_rules[first:]).max(initial=0)
        if other < self.table.for_rules:
            highest = max(highest, of_rules.max(initial=0))
        if highest > self.most:
            raise FalseDataError("weights of leaves let a leaf gain more than a rule costs")
        behind = kept.sum() - kept @ self.captured[:, first:]
        for r in first + np.flatnonzero((behind > self.most) & (more > 1)):
            if first == 0 and more == self.longest:
                tell("leaves, by their first antecedents", int(r), self.captured.shape[1])
            self._verify(left & ~self.table.captures[r], other, int(r) + 1, more - 1, tell)

    def least(self, sets: Bools, left: Any, before: Any) -> Whole:
        """What one rule or more cost at least in what `before` rules leave: of short lists, and
        if longer ones may follow, no more than the rules that these have.

        sets: bool[n, P]. left: how many rules may follow at most. Returns int64[n].
        """
        unit, rule_cost = self.table.unit, self.table.rule_cost
        kept = -(-unit * (sets @ self.kept) // self.scale)
        all_other = unit * (sets @ self.least_other) + rule_cost
        short = np.minimum(kept, np.maximum(kept - rule_cost, all_other))
        longer = rule_cost * np.maximum(0, self.longest - before + 1)
        return np.asarray(np.where(left + before <= self.longest, short, np.minimum(short, longer)))
