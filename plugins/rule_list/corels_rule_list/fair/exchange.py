"""Exchanges of single rules, for a better list that keeps to the constraints.

A list that is cheapest at some multipliers mostly misses the constraints by a little, or keeps to
them by more than is needed. So from such a list, rules are put in, taken out and replaced one at a
time, as long as that makes it cheaper, if what it misses costs some times its price. Of all
lists on the way the cheapest that keeps to the constraints is a candidate. It proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from corels_rule_list.fair.prices import STEEPEST, Listed, Multipliers, Prices

DEARER = 3  # times the multiplier, for what a list misses
MOST_CHANGES = 100
MOST_CELLS = 1 << 24  # of a table of numbers that is worth its memory

Floats = NDArray[np.float64]


class Counts:
    """What antecedents capture, by what outcomes cost and add there; sums as floats."""

    def __init__(self, prices: Prices) -> None:
        problem = prices.problem
        values = [one.values for one in problem.constraints]
        self._columns = np.stack([prices.amounts, *values]).astype(np.float64)  # [1 + K, O, P]
        self._captures = prices.captures.astype(np.float64)
        different, self._place = np.unique(  # many count the same: mistakes, and what recall counts
            self._columns.transpose(1, 0, 2).reshape(-1, problem.n_points),
            axis=0,
            return_inverse=True,
        )
        self._different = different.T
        self._shape = (len(self._captures), len(prices.amounts), len(self._columns))

    def captured(self, points: NDArray[np.bool_]) -> Floats:
        """Of points bool[P], what each antecedent captures of them, [M, O, 1 + K]."""
        cells = self._captures @ (self._different * points[:, None])
        return np.asarray(cells[:, self._place].reshape(self._shape))

    def said(self, points: NDArray[np.bool_], outcomes: NDArray[np.intp]) -> Floats:
        """[M, 1 + K]: the same, as something is said of each point; outcomes: intp[P]."""
        said = self._columns[:, outcomes, np.arange(len(outcomes))]
        return np.asarray(self._captures @ (said * points).T)


class Exchanges:
    """`of` at multipliers, from one list after another, one at a time; from none twice. most: rules
    of a list."""

    def __init__(self, prices: Prices, most: int) -> None:
        self._prices, self._most = prices, most
        self._begun = set[tuple[object, ...]]()  # lists and multipliers

    @cached_property
    def _counts(self) -> Counts:
        return Counts(self._prices)

    def of(self, start: Listed | None, multipliers: Multipliers) -> Iterator[Listed | None]:
        """Better and better lists, or None after a piece of the work that found none; nothing on
        the largest problems, whose tables are not worth their memory."""
        prices = self._prices
        problem, cells = prices.problem, (1 + len(prices.low)) * len(prices.amounts)
        large = max(problem.n_antecedents, cells) * problem.n_points > MOST_CELLS
        if large or start is None or (start[:2], multipliers) in self._begun:
            return
        self._begun.add((start[:2], multipliers))
        sizes = DEARER * np.abs(multipliers) + np.array(prices.steepest) / STEEPEST
        self._missed = sizes / (prices.q * prices.d)
        now, first, idle, changes = self._relabelled(start), len(problem.first), 0, 0
        place = first
        yield now
        while idle <= len(now.antecedents) and changes < MOST_CHANGES:
            place = place if place <= len(now.antecedents) else first
            changed = min(self._changes(now, place), key=self._score, default=now)
            place, idle, better = place + 1, idle + 1, self._score(changed) < self._score(now)
            if better:
                now, idle, changes = self._relabelled(changed), 0, changes + 1
            yield now if better else None

    def _relabelled(self, one: Listed) -> Listed:
        """The best list with these antecedents, if not too many are to be tried."""
        return min([one, *self._prices.relabelled(one.antecedents)], key=self._score)

    def _changes(self, now: Listed, place: int) -> Iterator[Listed]:
        """The best list with another rule put in at a place, and in the place of the rule there;
        and the list without that."""
        rules, said = now.antecedents, now.said
        if len(rules) < self._most:
            yield self._with_rule(now, place)
        if place < len(rules):
            without = self._prices.listed(
                (*rules[:place], *rules[place + 1 :]), (*said[:place], *said[place + 1 :])
            )
            yield without
            yield self._with_rule(without, place)

    def _with_rule(self, rest: Listed, place: int) -> Listed:
        """The best list with one more rule at a place: what it captures of what earlier rules leave
        is said anew."""
        prices = self._prices
        left = np.asarray(~prices.captures[list(rest.antecedents[:place])].any(axis=0))
        outcomes = prices.outcomes(rest.antecedents, rest.said)
        anew = self._counts.captured(left)[:, : len(prices.of_rules)]
        before = self._counts.said(left, outcomes)
        paid = np.array([(rest.cost - self._rules(rest)) / prices.problem.unit, *rest.sums])
        whole = paid + anew - before[:, None]
        scores = np.where(prices.may, self._scores(whole), np.inf)
        antecedent, outcome = map(int, np.unravel_index(scores.argmin(), scores.shape))
        rules, said = rest.antecedents, rest.said
        return prices.listed(
            (*rules[:place], antecedent, *rules[place:]), (*said[:place], outcome, *said[place:])
        )

    def _rules(self, one: Listed) -> int:
        return self._prices.problem.rule_cost * len(one.antecedents)

    def _score(self, one: Listed) -> float:
        """What a list costs, and what it misses."""
        return float(one.cost + self._penalty(np.array(one.sums, dtype=np.float64)))

    def _scores(self, whole: Floats) -> Floats:
        """The same without the price of rules; whole: [..., 1 + K]."""
        return np.asarray(self._prices.problem.unit * whole[..., 0] + self._penalty(whole[..., 1:]))

    def _penalty(self, sums: Floats) -> NDArray[np.float64]:
        low, high = (np.array(b, np.float64) for b in (self._prices.low, self._prices.high))
        missed = np.maximum(0, low - sums) + np.maximum(0, sums - high)
        return np.asarray(missed @ self._missed) * self._prices.problem.unit
