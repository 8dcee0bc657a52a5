"""The least and greatest value of a metric over all lists, exactly, and lists that attain them.

*Shares* of a fixed number of rows: one sum over the graph, without listing anything. *Ratios* a/b
of two sums: for a number t, the least a - t b over all lists is one sum over the graph. Begin with
t = a/b of some list; if the least is below 0, its list has a smaller ratio, which is the next t; if
it is 0, no list has a smaller one. Each round is exact, and a few are enough (Dinkelbach, On
nonlinear fractional programming, Management Science 13, 1967).

*Rows that are like no training row*: the graph knows nothing of them, so lists are gone through one
by one, MOST_ONE_BY_ONE at most; and so they are for the difference of two ratios. Lists that keep
to constraints are gone through, too, however many there are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import OptionError
from corels.search.good_lists import Antecedents
from corels.search.one_by_one import OneByOne
from corels_rule_list.model import RuleList
from corels_rule_list.near.group_rates import GroupRates
from corels_rule_list.near.metrics import Count, metric_named, table_of
from corels_rule_list.near.rows import UnknownRowError, bits_of_rows

if TYPE_CHECKING:
    from corels_rule_list.near.result import NearList, NearOptimal

MOST_ONE_BY_ONE = 20_000
Scores = NDArray[np.int64]  # [C, bits]


@dataclass(frozen=True)
class Range:
    """The least and greatest value, a list that attains each, and the rows it is about.

    weight: rows below the line of a share; of the group, where those depend on the list. Lists for
    which the metric is a share of no rows (precision where nobody is predicted positive) have no
    value and do not count.
    """

    low: Fraction
    high: Fraction
    low_list: RuleList
    high_list: RuleList
    weight: int

    def __str__(self) -> str:
        return f"{float(self.low):.4f} to {float(self.high):.4f}"


def ranges_of(found: NearOptimal, metric: str, rates: GroupRates, data: Any) -> dict[Any, Range]:
    """For each group the metric's range; groups of which no row counts are left out."""
    chosen, bits = metric_named(metric), _bits(found, data)
    if bits is None:
        return _one_by_one(found, rates, metric)
    counted = {}
    for number, value in enumerate(rates.groups):
        above, below = (
            _scores(found, rates, number, count, bits) for count in (chosen.above, chosen.below)
        )
        one = _share(found, above, below) if chosen.fixed else _ratio(found, above, below)
        if one:
            weight = int(below.max(axis=0).sum()) if chosen.fixed else rates.rows[value]
            counted[value] = _made(found, one, weight)
    return counted


def gap(
    found: NearOptimal,
    metric: str,
    group: Sequence[Any],
    pair: tuple[Any, Any],
    *,
    data: Any,
    positive: Any,
) -> Range:
    """The range of the difference between two groups, the first less the second."""
    rates, chosen = GroupRates(found.problem, data, group, positive), metric_named(metric)
    for value in pair:
        if value not in rates.groups:
            raise OptionError(f"no row of group {value!r} counts for {metric}")
    slow = "" if chosen.fixed else f"the difference of two groups' {metric} has no quick range"
    bits = _bits(found, data, slow)
    if bits is None:
        return _gap_one_by_one(found, rates, metric, pair)
    return _share_gap(found, metric, rates, pair, bits)


def _share_gap(
    found: NearOptimal,
    metric: str,
    rates: GroupRates,
    pair: tuple[Any, Any],
    bits: NDArray[np.intp],
) -> Range:
    """Two shares are brought to one number of rows; their difference is one sum."""
    chosen, parts, weights = metric_named(metric), list[Scores](), list[int]()
    for value in pair:
        number = rates.groups.index(value)
        parts.append(_scores(found, rates, number, chosen.above, bits))
        weights.append(int(_scores(found, rates, number, chosen.below, bits).max(axis=0).sum()))
        if not weights[-1]:
            raise OptionError(f"no row of group {value!r} counts for {metric}")
    a, b = weights
    common = math.gcd(a, b)
    low, high, *lists = found.score_range(parts[0] * (b // common) - parts[1] * (a // common))
    weight = a * b // common
    return _made(found, (Fraction(low, weight), Fraction(high, weight), lists[0], lists[1]), weight)


Extremes = tuple[Fraction, Fraction, Antecedents, Antecedents]


def _made(found: NearOptimal, one: Extremes, weight: int) -> Range:
    low, high, first, second = one
    low_list, high_list = (RuleList.of(found.problem, rules) for rules in (first, second))
    return Range(low, high, low_list, high_list, weight)


def _scores(
    found: NearOptimal, rates: GroupRates, group: int, count: Count, bits: NDArray[np.intp]
) -> Scores:
    """What a prediction adds at each bit, for the rows of one group."""
    table = table_of(count, len(found.problem.classes), rates.positive)
    by_pattern = table.T @ rates.weights[group]
    scores = np.zeros((len(table), found.instance.bits), dtype=np.int64)
    bit = np.zeros(by_pattern.shape[1], dtype=np.intp)
    bit[rates.pattern] = bits
    for predicted in range(len(table)):
        np.add.at(scores[predicted], bit, by_pattern[predicted])
    return scores


def _share(found: NearOptimal, above: Scores, below: Scores) -> Extremes | None:
    weight = int(below.max(axis=0).sum())
    if not weight:
        return None
    low, high, first, second = found.score_range(above)
    return Fraction(low, weight), Fraction(high, weight), first, second


def _ratio(found: NearOptimal, above: Scores, below: Scores) -> Extremes | None:
    """None where no list has any row below the line."""
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


def _bits(found: NearOptimal, data: Any, why: str = "") -> NDArray[np.intp] | None:
    """The bit of each row; None where lists are gone through one by one: those that keep to
    constraints, for rows that are like no training row, and where `why` says a reason.

    Raises OptionError where these are too many.
    """
    if found.problem.constraints:  # they are kept one by one anyhow
        return None
    try:
        bits = bits_of_rows(found.problem, found.instance, data)
    except UnknownRowError as unknown_row:
        why = str(unknown_row)
    if not why:
        return bits
    if found.count > MOST_ONE_BY_ONE:
        raise OptionError(
            f"{why}: such a range goes through the lists one by one, {MOST_ONE_BY_ONE:,} at most, "
            f"and here are {found.count:,}"
        )
    if not found.count:
        raise OptionError("no list is left to take a range of")
    return None


def _widen(
    found: NearOptimal, value: Callable[[NearList], Fraction | None]
) -> tuple[Fraction, Fraction, RuleList, RuleList] | None:
    """The least and the greatest value, and the first list of each; None where no list has one."""
    each = ((value(one), one.number) for one in found.lists())
    known = [(here, number) for here, number in each if here is not None]
    if not known:
        return None
    (low, first), (high, last) = min(known), max(known, key=lambda one: one[0])
    return low, high, found[first - 1].rule_list, found[last - 1].rule_list


def _one_by_one(found: NearOptimal, rates: GroupRates, metric: str) -> dict[Any, Range]:
    chosen, counted = metric_named(metric), {}
    table = table_of(chosen.below, len(found.problem.classes), rates.positive)

    def value_in(group: Any) -> Callable[[NearList], Fraction | None]:
        return lambda listed: rates.values(listed, [metric])[group][metric]

    for number, group in enumerate(rates.groups):
        one = _widen(found, value_in(group))
        if one:
            below = int(table.max(axis=1) @ rates.weights[number].sum(axis=1))
            counted[group] = Range(*one, below if chosen.fixed else rates.rows[group])
    return counted


def _gap_one_by_one(
    found: NearOptimal, rates: GroupRates, metric: str, pair: tuple[Any, Any]
) -> Range:
    def difference(one: NearList) -> Fraction | None:
        values = rates.values(one, [metric])
        first, second = (values[value][metric] for value in pair)
        return None if first is None or second is None else first - second

    one = _widen(found, difference)
    if one is None:
        raise OptionError(f"no list has a {metric} in both groups")
    return Range(*one, sum(rates.rows[value] for value in pair))
