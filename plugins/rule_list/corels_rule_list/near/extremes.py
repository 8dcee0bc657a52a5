"""The least and greatest value of a metric over all lists, exactly, and lists that attain them.

*Shares* of a fixed number of rows: one sum over the graph, without listing anything. *Ratios* a/b
of two sums: for a number t, the least a - t b over all lists is one sum over the graph. Begin with
t = a/b of some list; if the least is below 0, its list has a smaller ratio, which is the next t; if
it is 0, no list has a smaller one. Each round is exact, and a few are enough (Dinkelbach, On
nonlinear fractional programming, Management Science 13, 1967).

*Rows that are like no training row*: the graph knows nothing of them, so lists are gone through one
by one, MOST_ONE_BY_ONE at most. Lists that keep to constraints are gone through, too, however many
there are.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corels.errors import OptionError
from corels.model.weighing import number_in
from corels.problem.rates import RATES, Terms, moves
from corels.search.good_lists import Antecedents, OneByOne
from corels_rule_list.model import RuleList
from corels_rule_list.near.group_rates import GroupRates, UnknownRowError, bits_of_rows, table_of
from corels_rule_list.near.result import NearOptimal

MOST_ONE_BY_ONE = 20_000
Scores = NDArray[np.int64]  # [C, bits]


@dataclass(frozen=True)
class Range:
    """The least and greatest value, a list that attains each, and the rows it is about.

    weight: rows below the line of a share; of the group, if those depend on the list; or their
    weight as it was given. Lists for which the metric is a share of no rows (precision if no row
    is predicted positive) have no value and do not count.
    """

    low: Fraction
    high: Fraction
    low_list: RuleList
    high_list: RuleList
    weight: float

    def __str__(self) -> str:
        return f"{float(self.low):.4f} to {float(self.high):.4f}"


def ranges_of(found: NearOptimal, metric: str, rates: GroupRates, data: Any) -> dict[Any, Range]:
    """For each group the metric's range; a group without a row that counts is left out."""
    rates.check(metric)
    of = _Extremes(found, metric, rates, _bits(found, data))
    ranges = {value: of.range(value) for value in rates.groups}
    return {value: one for value, one in ranges.items() if one is not None}


def _weight(rates: GroupRates, metric: str, group: Any) -> int:
    """Of the rows of a group that count below the line, by at least one prediction."""
    classes = len(rates.problem.classes)
    table = table_of(RATES[metric][1], (classes, classes), rates.positive)
    return int(table.max(axis=1) @ rates.weights[rates.groups.index(group)].sum(axis=1))


Extremes = tuple[Fraction, Fraction, Antecedents, Antecedents]


class _Extremes(NamedTuple):
    """Of one metric. bits: of each row; None: lists are gone through one by one."""

    found: NearOptimal
    metric: str
    rates: GroupRates
    bits: NDArray[np.intp] | None

    def range(self, group: Any) -> Range | None:
        """Of one group; None if no list has a value."""
        found, rates, fixed = self.found, self.rates, not moves(self.metric)
        # A positive rate is a share of all rows of the group.
        weight = _weight(rates, self.metric if fixed else "positive-rate", group)
        if not weight:
            return None
        if self.bits is None:
            return self._one_by_one(group, weight)
        above, below = (self._scores(group, of, self.bits) for of in RATES[self.metric])
        if fixed:  # shares of one number of rows
            least, greatest, *lists = found.score_range(above)
            low, high = Fraction(least, weight), Fraction(greatest, weight)
        elif one := self._ratio(above, below):
            low, high, *lists = one
        else:
            return None
        low_list, high_list = (RuleList.of(found.problem, rules) for rules in lists)
        return Range(low, high, low_list, high_list, number_in(weight, rates.unit))

    def _scores(self, group: Any, terms: Terms, bits: NDArray[np.intp]) -> Scores:
        """What a prediction adds at each bit, for the rows of one group."""
        rates, classes = self.rates, len(self.found.problem.classes)
        table = table_of(terms, (classes, classes), rates.positive)
        by_pattern = table.T @ rates.weights[rates.groups.index(group)]
        scores = np.zeros((len(table), self.found.instance.bits), dtype=np.int64)
        bit = np.zeros(by_pattern.shape[1], dtype=np.intp)
        bit[rates.pattern] = bits
        for predicted in range(len(table)):
            np.add.at(scores[predicted], bit, by_pattern[predicted])
        return scores

    def _ratio(self, above: Scores, below: Scores) -> Extremes | None:
        """None if no list has any row below the line."""
        found = self.found
        _, most, _, some = found.score_range(below)
        if not most:
            return None
        one_by_one = OneByOne(found.instance)

        def ratio(rules: Antecedents) -> Fraction:
            points = np.flatnonzero(found.instance.point >= 0)
            says = one_by_one.labels(rules)[points]
            return Fraction(int(above[says, points].sum()), int(below[says, points].sum()))

        def extreme(end: int) -> tuple[Fraction, Antecedents]:
            best, rules = ratio(some), some
            while True:
                scores = best.denominator * above - best.numerator * below
                low, high, first, second = found.score_range(scores)
                if not (low, high)[end]:
                    return best, rules
                rules = (first, second)[end]
                best = ratio(rules)

        (low, first), (high, second) = extreme(0), extreme(1)
        return low, high, first, second

    def _one_by_one(self, group: Any, weight: int) -> Range | None:
        """The least and the greatest value, and the first list of each; None if no list has
        one."""
        known, found = list[tuple[Fraction, int]](), self.found
        for one in found.lists():
            value = self.rates.values(one, [self.metric])[group][self.metric]
            if value is not None:
                known.append((value, one.number))
        if not known:
            return None
        (low, least), (high, greatest) = min(known), max(known, key=lambda one: one[0])
        lists = found[least - 1].rule_list, found[greatest - 1].rule_list
        return Range(low, high, *lists, number_in(weight, self.rates.unit))


def _bits(found: NearOptimal, data: Any) -> NDArray[np.intp] | None:
    """The bit of each row; None if lists are gone through one by one: those that keep to
    constraints, and for rows that are like no training row.

    Raises OptionError if these are too many.
    """
    if found.problem.constraints:  # they are kept one by one anyhow
        return None
    try:
        return bits_of_rows(found.problem, found.instance, data)
    except UnknownRowError as unknown_row:
        why = str(unknown_row)
    if found.count > MOST_ONE_BY_ONE:
        raise OptionError(
            f"{why}: such a range goes through the lists one by one, {MOST_ONE_BY_ONE:,} at most, "
            f"and here are {found.count:,}"
        )
    if not found.count:
        raise OptionError("no list is left to take a range of")
    return None
