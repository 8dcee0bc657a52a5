"""A local search that finds good rule sets in milliseconds."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from corels_colgen.columns import Columns, merged_points
from corels_colgen.instance import Instance

LARGEST_TABLE = 4_000_000
"""Entries of the coverage table that the local search works on."""

Floats = NDArray[np.float64]


class _Moves(NamedTuple):
    """All exchanges of a rule set. open: float64[X, P], what is left uncovered without the clause
    taken out, the first row without any; chosen: float64[X], what the clauses that stay cost;
    allowed: bool[X, K], those that the budget has room for."""

    open: Floats
    chosen: Floats
    allowed: NDArray[np.bool_]


class LocalSearch:
    """Add, drop and exchange clauses of a list until nothing helps, then shake and go on.

    Each move looks at every exchange of one chosen clause for one other: with the coverage as a
    matrix of floats (exact: costs stay below 2^53), that is one sum of products. Under constraints
    a move is the best at their prices. saved: float64[P], what it saves to catch a point.
    """

    def __init__(
        self, instance: Instance, columns: Columns, preferred: Floats, saved: Floats, seed: int = 0
    ) -> None:
        keep = max(10, LARGEST_TABLE // max(1, columns.cover.shape[1]))
        self._names = np.sort(np.argsort(-preferred, kind="stable")[:keep])
        self._size = columns.complexity[self._names].astype(np.float64)
        self._budget = float(instance.budget) if instance.budgeted else np.inf
        # Of two rule sets of equal cost the less complex one is better.
        self._cost = columns.cost[self._names] + self._size / (2 * instance.budget + 2)
        cover, (self._saved,) = merged_points(columns.cover[self._names], saved)
        self._cover = cover.astype(np.float64)
        self._random = np.random.default_rng(seed)

    def run(self, start: Sequence[int], rounds: int) -> Iterator[list[int] | None]:
        """Search from a start, which may break the budget.

        Yields after each look at all exchanges: None, or column numbers, perhaps the best so far.
        """
        place = {int(name): k for k, name in enumerate(self._names)}
        best = self._with([], [place[k] for k in start if k in place])
        best_cost = np.inf
        for round_ in range(rounds + 1):
            chosen = yield from self._climb(self._shaken(best) if round_ else best)
            cost = self._total(chosen)
            if cost < best_cost:
                yield self._named(chosen)
            if cost <= best_cost:
                best, best_cost = chosen, cost

    def _named(self, chosen: Sequence[int]) -> list[int]:
        return [int(self._names[k]) for k in chosen]

    def _with(self, kept: list[int], others: Sequence[int]) -> list[int]:
        """And with those of the others that there is room for, one after another."""
        for k in others:
            if k not in kept and self._size[kept].sum() + self._size[k] <= self._budget:
                kept.append(k)
        return kept

    def _shaken(self, chosen: list[int]) -> list[int]:
        """Without one or two of the chosen, and with one other if there is room."""
        kept = list(chosen)
        for _ in range(min(len(kept), int(self._random.integers(1, 3)))):
            kept.pop(int(self._random.integers(len(kept))))
        return self._with(kept, [int(self._random.integers(len(self._names)))])

    def _climb(self, chosen: list[int]) -> Generator[list[int] | None, None, list[int]]:
        current = self._total(chosen)
        while True:
            moves = self._moves(chosen)
            move, cost = self._best(chosen, moves)
            yield None
            if cost >= current:
                return chosen
            chosen, current = move, cost

    def _moves(self, chosen: list[int]) -> _Moves:
        count = self._cover[chosen].sum(axis=0)
        kept = np.concatenate([count[None, :], count - self._cover[chosen]])
        room = self._budget - self._size[chosen].sum() + np.append(0.0, self._size[chosen])
        allowed = self._size <= room[:, None]
        allowed[:, chosen] = False
        cost = self._cost[chosen].sum() - np.append(0.0, self._cost[chosen])
        return _Moves((kept < 0.5).astype(np.float64), cost, allowed)

    def _best(self, chosen: list[int], moves: _Moves) -> tuple[list[int], float]:
        """The best of: add one, or take one out and add one or none."""
        open_weight = moves.open * self._saved
        base = open_weight.sum(axis=1) + moves.chosen
        # einsum and not a product of matrices: a threaded BLAS waits for its threads, which on a
        # busy machine takes a hundred times as long as the work.
        totals = base[:, None] + self._cost - np.einsum("rp,kp->rk", open_weight, self._cover)
        totals[~moves.allowed] = np.inf
        stay = np.append(base, totals.min(axis=1) if totals.size else base)
        at = int(stay.argmin())
        out, added = at % len(base), at >= len(base)
        move = [k for i, k in enumerate(chosen) if i != out - 1]
        if added:
            move.append(int(totals[out].argmin()))
        return move, float(stay[at])

    def _total(self, chosen: list[int]) -> float:
        covered = self._cover[chosen].any(axis=0)
        return float(self._cost[chosen].sum() + self._saved[~covered].sum())
