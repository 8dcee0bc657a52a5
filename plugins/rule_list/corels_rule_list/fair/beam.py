"""A beam search for lists that keep to the constraints, at multipliers that a search has tried.

At good multipliers, lists that keep to the constraints and lists that do not cost nearly the same,
so the best one there mostly misses them by a little. The beam keeps many prefixes, each with what
its rules say: the cheapest ones at these multipliers, with the cheapest default rule. Every list
that it meets on the way and that keeps to the constraints is a candidate. It proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corels_rule_list.fair.prices import Listed, Multipliers, Prices

WIDTH = 32  # prefixes of a length
LONGEST = 12  # rules
MOST_CELLS = 1 << 24  # of a table of numbers that is worth its memory

Floats = NDArray[np.float64]


class _Prefix(NamedTuple):
    """left: bool[P], the points behind it. paid: [1 + K], what its rules cost and add."""

    left: NDArray[np.bool_]
    paid: Floats
    rules: tuple[int, ...]
    said: tuple[int, ...]


class Beam:
    """`search` at multipliers, again and again. On the largest problems it finds nothing."""

    def __init__(self, prices: Prices, max_rules: int | None) -> None:
        self._prices = prices
        self._longest = LONGEST if max_rules is None else min(LONGEST, max_rules)
        problem = prices.problem
        self._width, self._outcomes = 1 + len(prices.low), len(prices.amounts)
        cells = WIDTH * self._width * self._outcomes
        widest = max(problem.n_antecedents, cells) * problem.n_points
        longer = problem.n_antecedents * cells * len(prices.of_rules)
        if max(widest, longer) > MOST_CELLS:
            self._longest = 0
            return
        values = [one.values for one in problem.constraints]
        columns = np.stack([prices.amounts, *values])  # [1 + K, O, P]
        self._captures = prices.captures.astype(np.float64)
        self._columns = columns.transpose(2, 1, 0).reshape(problem.n_points, -1).astype(np.float64)
        self._low, self._high = np.array(prices.low), np.array(prices.high)

    def search(self, multipliers: Multipliers, best: Listed | None) -> Iterator[Listed | None]:
        """A list that keeps to the constraints and is better than all before, or None, after each
        piece of the work: a prefix, or all of a length."""
        prices, problem = self._prices, self._prices.problem
        weights = np.array([1.0, *(p / (prices.q * prices.d) for p in multipliers)]) * problem.unit
        cost = float("inf") if best is None else float(best.cost)
        everything = np.ones(problem.n_points, dtype=np.bool_)
        beam = [_Prefix(everything, np.zeros(self._width), (), ())]
        for length in range(1, self._longest + 1):
            rule = float(problem.rule_cost * length)
            counted = []
            for prefix in beam:
                counted.append(self._counted(prefix))
                yield None
            found, beam = self._longer(beam, counted, weights, rule, cost)
            if found is not None:
                cost = float(found.cost)
            yield found
            if not beam:
                return

    def _counted(self, prefix: _Prefix) -> tuple[Floats, Floats]:
        """[M, O, 1 + K], of what each antecedent captures behind a prefix, and [O, 1 + K], of what
        the prefix leaves."""
        of_points = prefix.left[:, None] * self._columns
        shape = (self._outcomes, self._width)
        return (self._captures @ of_points).reshape(-1, *shape), of_points.sum(0).reshape(shape)

    def _longer(
        self,
        beam: list[_Prefix],
        counted: list[tuple[Floats, Floats]],
        weights: Floats,
        rule: float,
        cost: float,
    ) -> tuple[Listed | None, list[_Prefix]]:
        """The cheapest list with one rule more that keeps to the constraints, and the next beam."""
        says = list(self._prices.of_rules)
        behind = np.stack([prefix.left for prefix in beam])  # [B, P]
        cells = np.stack([captured for captured, _ in counted], axis=1)
        rest = np.stack([left for _, left in counted]) - cells  # [M, B, O, 1 + K]
        paid = np.stack([prefix.paid for prefix in beam])[:, None] + cells[:, :, says]
        whole = paid[:, :, :, None] + rest[:, :, None]  # [M, B, rules' O, O, 1 + K]
        captured = (self._captures @ behind.T) > 0  # [M, B]
        best = self._cheapest(beam, whole, captured, rule, cost)
        score = (whole @ weights).min(axis=3)
        score[~captured] = np.inf
        return best, self._kept(beam, paid, score)

    def _cheapest(
        self, beam: list[_Prefix], whole: Any, captured: Any, rule: float, cost: float
    ) -> Listed | None:
        sums = whole[..., 1:]
        keeps = ((sums >= self._low) & (sums <= self._high)).all(axis=-1)
        costs = self._prices.problem.unit * whole[..., 0] + rule
        costs[~(keeps & captured[:, :, None, None])] = np.inf
        place = np.unravel_index(costs.argmin(), costs.shape)
        if costs[place] >= cost:
            return None
        antecedent, number, said, default = map(int, place)
        prefix = beam[number]
        outcomes = (*prefix.said, self._prices.of_rules[said], default)
        return self._prices.listed((*prefix.rules, antecedent), outcomes)

    def _kept(self, beam: list[_Prefix], paid: Any, score: Any) -> list[_Prefix]:
        """The cheapest prefixes, of those that leave as much and pay as much one."""
        kept: dict[tuple[Any, ...], _Prefix] = {}
        for flat in score.reshape(-1).argsort(kind="stable")[: 8 * WIDTH].tolist():
            antecedent, number, said = map(int, np.unravel_index(flat, score.shape))
            if not np.isfinite(score[antecedent, number, said]) or len(kept) == WIDTH:
                break
            prefix, own = beam[number], paid[antecedent, number, said]
            left = prefix.left & ~self._prices.captures[antecedent]
            rules = (*prefix.rules, antecedent)
            outcomes = (*prefix.said, self._prices.of_rules[said])
            kept.setdefault((left.tobytes(), *own), _Prefix(left, own, rules, outcomes))
        return list(kept.values())
