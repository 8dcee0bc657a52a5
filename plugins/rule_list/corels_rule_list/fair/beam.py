"""A beam search for lists that keep to the constraints, at multipliers that a search has tried.

At good multipliers, lists that keep to the constraints and lists that do not cost nearly the same,
so the best one there mostly misses them by a little. The beam keeps many prefixes, each with what
its rules say: the cheapest ones at these multipliers, with the cheapest default rule. Every list
that it meets on the way and that keeps to the constraints is a candidate. It proves nothing; the
cheapest lists at the multipliers say where better ones may be (`hull.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corels_rule_list.fair.prices import Listed, Multipliers, Prices

WIDTH = 32  # prefixes of a length
LONGEST = 12  # rules
IDLE = 3  # lengths in a row without a better list, after which it ends
MOST_CELLS = 1 << 24  # of a table of numbers that is worth its memory
PIECE = 1 << 22  # cells that are counted at once

Floats = NDArray[np.float64]


class _Prefix(NamedTuple):
    """left: bool[P], the points behind it. paid: [1 + K], what its rules cost and add."""

    left: NDArray[np.bool_]
    paid: Floats
    rules: tuple[int, ...]
    said: tuple[int, ...]


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
        self._shape = (len(prices.amounts), len(self._columns))

    def captured(self, sets: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """Of sets bool[P, B]: what each antecedent captures in them, [M, B, O, 1 + K], and the same
        of all their points, [B, O, 1 + K]."""
        of_points = sets[:, :, None] * self._different[:, None]
        flat = self._captures @ of_points.reshape(len(sets), -1)
        cells = flat.reshape(len(flat), *of_points.shape[1:])
        found = (one[..., self._place] for one in (cells, of_points.sum(axis=0)))
        of_antecedents, of_all = (one.reshape(*one.shape[:-1], *self._shape) for one in found)
        return of_antecedents, of_all

    def said(self, points: NDArray[np.bool_], outcomes: NDArray[np.intp]) -> Floats:
        """[M, 1 + K]: the same of the points that antecedents capture, as something is said of
        each; points: bool[P], outcomes: intp[P]."""
        said = self._columns[:, outcomes, np.arange(len(outcomes))]
        return np.asarray(self._captures @ (said * points).T)

    def any_of(self, sets: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """bool[M, B]: whether each antecedent captures a point of the sets bool[B, P]."""
        return np.asarray(self._captures @ sets.T > 0)

    def __len__(self) -> int:
        """How many columns are counted."""
        return int(self._different.shape[1])


def counts_of(prices: Prices) -> Counts | None:
    """None on the largest problems, whose tables are not worth their memory."""
    problem, outcomes = prices.problem, len(prices.amounts)
    cells = WIDTH * (1 + len(prices.low)) * outcomes
    widest = max(problem.n_antecedents, cells) * problem.n_points
    longer = problem.n_antecedents * cells * len(prices.of_rules)
    return None if max(widest, longer) > MOST_CELLS else Counts(prices)


class Beam:
    """`search` at multipliers, again and again."""

    def __init__(self, prices: Prices, counts: Counts, max_rules: int | None) -> None:
        self._prices, self._counts = prices, counts
        self._longest = LONGEST if max_rules is None else min(LONGEST, max_rules)

    def search(self, multipliers: Multipliers, best: Listed | None) -> Iterator[list[Listed]]:
        """After each piece of the work the lists that are worth knowing: of each length the
        cheapest at the multipliers, and the best so far that keeps to the constraints."""
        prices, problem = self._prices, self._prices.problem
        weights = np.array([1.0, *(p / (prices.q * prices.d) for p in multipliers)]) * problem.unit
        cost = float("inf") if best is None else float(best.cost)
        beam, idle, least = self._begun(), 0, float("inf")
        for length in range(1 + len(problem.first), self._longest + 1):
            counted = []
            for piece in self._counted(beam):
                counted.append(piece)
                yield []
            captures, paid, whole = self._followed(beam, counted)
            may = np.array(True) if prices.barred is None else ~prices.barred[:, None]
            can = captures[:, :, None] & may
            keeps = prices.within(whole[..., 1:]) & can[..., None]
            costs = np.where(keeps, problem.unit * whole[..., 0], np.inf)
            priced = np.where(can[..., None], whole @ weights, np.inf)
            if not np.isfinite(priced).any():
                return
            found, rules, idle = [self._listed(beam, priced)], problem.rule_cost * length, idle + 1
            if float(costs.min()) + float(rules) < cost:
                found.append(self._listed(beam, costs))
                cost, idle = float(found[-1].cost), 0
            if float(priced.min()) + float(rules) < least:
                least, idle = float(priced.min()) + float(rules), 0
            beam = self._kept(beam, paid, priced.min(axis=3))
            yield found
            if idle == IDLE:
                return

    def _begun(self) -> list[_Prefix]:
        """The first rules, with all that they may say."""
        left = np.ones(self._prices.problem.n_points, np.bool_) & self._prices.problem.behind_first
        return [
            _Prefix(left, np.array([one.cost, *one.sums], np.float64), one.antecedents, one.said)
            for one in self._prices.begun()[:WIDTH]
        ]

    def _listed(self, beam: list[_Prefix], costs: Floats) -> Listed:
        """The cheapest list; costs: [M, B, rules' O, O]."""
        antecedent, number, *said = map(int, np.unravel_index(costs.argmin(), costs.shape))
        prefix = beam[number]
        return self._prices.listed((*prefix.rules, antecedent), (*prefix.said, *said))

    def _counted(self, beam: list[_Prefix]) -> Iterator[tuple[Floats, Floats]]:
        """What antecedents capture behind some prefixes at once, as `Counts.captured` has it."""
        some = max(1, PIECE // (self._prices.problem.n_points * len(self._counts)))
        for at in range(0, len(beam), some):
            sets = np.stack([prefix.left for prefix in beam[at : at + some]], axis=1)
            yield self._counts.captured(sets)

    def _followed(
        self, beam: list[_Prefix], counted: list[tuple[Floats, Floats]]
    ) -> tuple[NDArray[np.bool_], Floats, Floats]:
        """bool[M, B], which antecedents capture something behind each prefix; what it has paid with
        each, [M, B, rules' O, 1 + K], and with a default rule, too, [M, B, rules' O, O, 1 + K].

        counted: as of `_counted`.
        """
        parts = zip(*counted, strict=True)
        cells, total = (np.concatenate(part, axis=-3) for part in parts)
        behind = np.stack([prefix.left for prefix in beam])  # [B, P]
        paid = np.stack([prefix.paid for prefix in beam])[:, None]
        paid = paid + cells[:, :, list(self._prices.of_rules)]
        whole = paid[:, :, :, None] + (total - cells)[:, :, None]
        return self._counts.any_of(behind), paid, whole

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
