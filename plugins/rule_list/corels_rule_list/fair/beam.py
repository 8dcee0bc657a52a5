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

    def search(self, multipliers: Multipliers, best: Listed | None) -> Iterator[Listed | None]:
        """A list that keeps to the constraints and is better than all before, or None, after each
        piece of the work: a prefix, or all of a length."""
        prices, problem = self._prices, self._prices.problem
        weights = np.array([1.0, *(p / (prices.q * prices.d) for p in multipliers)]) * problem.unit
        cost = float("inf") if best is None else float(best.cost)
        everything = np.ones(problem.n_points, dtype=np.bool_)
        begun = prices.begun()[:WIDTH]
        beam = [
            _Prefix(
                everything & problem.behind_first,
                np.array([one.cost, *one.sums], np.float64),
                one.antecedents,
                one.said,
            )
            for one in begun
        ]
        for length in range(1 + len(problem.first), self._longest + 1):
            counted = []
            for prefix in beam:
                of_points = prefix.left[:, None] * self._columns
                counted.append((self._captures @ of_points, of_points.sum(0)))
                yield None
            captures, paid, whole = self._followed(beam, counted)
            may = np.array(True) if prices.barred is None else ~prices.barred[:, None]
            can = captures[:, :, None] & may
            keeps = prices.within(whole[..., 1:]) & can[..., None]
            costs = np.where(keeps, problem.unit * whole[..., 0], np.inf)
            antecedent, number, *said = map(int, np.unravel_index(costs.argmin(), costs.shape))
            found = None
            if float(costs.min()) + float(problem.rule_cost * length) < cost:
                prefix = beam[number]
                found = prices.listed((*prefix.rules, antecedent), (*prefix.said, *said))
                cost = float(found.cost)
            score = (whole @ weights).min(axis=3)
            score = np.where(can, score, np.inf)
            beam = self._kept(beam, paid, score)
            yield found
            if not beam:
                return

    def _followed(
        self, beam: list[_Prefix], counted: list[tuple[Floats, Floats]]
    ) -> tuple[NDArray[np.bool_], Floats, Floats]:
        """bool[M, B], which antecedents capture something behind each prefix; what it has paid with
        each, [M, B, rules' O, 1 + K], and with a default rule, too, [M, B, rules' O, O, 1 + K].

        counted: of a prefix [M, O * (1 + K)], what each antecedent captures, and the same of all.
        """
        shape = (-1, len(beam), self._outcomes, self._width)
        parts = zip(*counted, strict=True)
        cells, total = (np.stack(part, axis=-2).reshape(shape) for part in parts)
        behind = np.stack([prefix.left for prefix in beam])  # [B, P]
        paid = np.stack([prefix.paid for prefix in beam])[:, None]
        paid = paid + cells[:, :, list(self._prices.of_rules)]
        whole = paid[:, :, :, None] + (total - cells)[:, :, None]
        return self._captures @ behind.T > 0, paid, whole

    def _kept(self, beam: list[_Prefix], paid: Floats, score: Floats) -> list[_Prefix]:
        """The cheapest prefixes, of those that leave as much and pay as much one."""
        kept: dict[tuple[Any, ...], _Prefix] = {}
        for flat in score.reshape(-1).argsort(kind="stable")[: 8 * WIDTH].tolist():
            antecedent, number, said = map(int, np.unravel_index(flat, score.shape))
            if not np.isfinite(score[antecedent, number, said]) or len(kept) == WIDTH:
                break
            prefix, own = beam[number], paid[antecedent, number, said]
            left = prefix.left & ~self._prices.captures[antecedent]
            rules = (*prefix.rules, antecedent)
            outcomes = (*prefix.said, said)
            kept.setdefault((left.tobytes(), *own), _Prefix(left, own, rules, outcomes))
        return list(kept.values())
