"""The best rule set so far, and a local search that finds good ones in milliseconds."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from corels.problem.captures import Captures
from corels.problem.costs import summed
from corels_colgen.columns import Columns
from corels_colgen.instance import Bools, Clause, Instance, Ints, complexity

LARGEST_TABLE = 4_000_000
"""Entries of the coverage table that the local search works on."""


class Incumbent:
    """The best rule set so far; its cost is counted from the data, never taken from a solver."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self.clauses: list[Clause] = []
        self.cost = instance.empty_cost

    def offer(self, clauses: Iterable[Clause]) -> None:
        """Take a rule set if it keeps the budget and is better: costs less, or as much with less
        complexity."""
        distinct = sorted(set(clauses))
        size = complexity(distinct)
        if self._instance.budgeted and size > self._instance.budget:
            return
        cost = self._instance.cost(distinct)
        if (cost, size) < (self.cost, complexity(self.clauses)):
            self.clauses, self.cost = distinct, cost


def merged_points(cover: Bools, weights: Ints) -> tuple[Bools, Ints]:
    """Points that the same clauses cover, as one point with their weights together."""
    group, first = Captures.of(cover).groups()
    (merged,) = summed(weights[None], group, len(first))
    return np.ascontiguousarray(cover[:, first]), merged


class LocalSearch:
    """Add, drop and exchange clauses of a list until nothing helps, then shake and go on.

    Each move looks at every exchange of one chosen clause for one other: with the coverage as a
    matrix of floats (exact: costs stay below 2^53), that is one sum of products.
    """

    def __init__(
        self, instance: Instance, columns: Columns, preferred: NDArray[np.float64], seed: int = 0
    ) -> None:
        keep = max(10, LARGEST_TABLE // max(1, columns.cover.shape[1]))
        self._names = np.sort(np.argsort(-preferred, kind="stable")[:keep])
        self._size = columns.complexity[self._names].astype(np.float64)
        self._budget = float(instance.budget) if instance.budgeted else np.inf
        # Of two rule sets of equal cost the less complex one is better.
        self._cost = columns.cost[self._names] + self._size / (2 * instance.budget + 2)
        cover, weights = merged_points(columns.cover[self._names], instance.positive_weights)
        self._cover, self._weights = cover.astype(np.float64), weights.astype(np.float64)
        self._random = np.random.default_rng(seed)

    def run(self, start: Sequence[int], rounds: int) -> Iterator[list[int] | None]:
        """Search from a start, which may break the budget.

        Yields after each look at all exchanges: None, or column numbers that are the best so far.
        """
        place = {int(name): k for k, name in enumerate(self._names)}
        best = self._with([], [place[k] for k in start if k in place])
        best_cost = np.inf
        for round_ in range(rounds + 1):
            chosen = yield from self._climb(self._shaken(best) if round_ else best)
            cost = self._total(chosen)
            if cost < best_cost:
                yield [int(self._names[k]) for k in chosen]
            if cost <= best_cost:
                best, best_cost = chosen, cost

    def _with(self, kept: list[int], others: Sequence[int]) -> list[int]:
        """And with those of the others that there is room for, one after another."""
        for k in others:
            if k not in kept and self._size[kept].sum() + self._size[k] <= self._budget:
                kept.append(k)
        return kept

    def _shaken(self, chosen: list[int]) -> list[int]:
        """Without one or two of the chosen, and with one other where there is room."""
        kept = list(chosen)
        for _ in range(min(len(kept), int(self._random.integers(1, 3)))):
            kept.pop(int(self._random.integers(len(kept))))
        return self._with(kept, [int(self._random.integers(len(self._names)))])

    def _climb(self, chosen: list[int]) -> Generator[None, None, list[int]]:
        current = self._total(chosen)
        while True:
            move, cost = self._best_move(chosen)
            yield
            if cost >= current:
                return chosen
            chosen, current = move, cost

    def _best_move(self, chosen: list[int]) -> tuple[list[int], float]:
        """The best of: add one, or take one out and add one or none."""
        count = self._cover[chosen].sum(axis=0)
        kept = np.concatenate([count[None, :], count - self._cover[chosen]])
        open_weight = np.where(kept > 0.5, 0.0, self._weights)
        base = open_weight.sum(axis=1)
        base[0] += self._cost[chosen].sum()
        base[1:] += self._cost[chosen].sum() - self._cost[chosen]
        room = self._budget - self._size[chosen].sum() + np.append(0.0, self._size[chosen])
        # einsum and not a product of matrices: a threaded BLAS waits for its threads, which on a
        # busy machine takes a hundred times as long as the work.
        saved = np.einsum("rp,kp->rk", open_weight, self._cover)
        totals = base[:, None] + self._cost - saved
        totals[self._size > room[:, None]] = np.inf
        totals[:, chosen] = np.inf
        stay = np.append(base, totals.min(axis=1) if totals.size else base)
        at = int(stay.argmin())
        out, added = at % len(base), at >= len(base)
        move = [k for i, k in enumerate(chosen) if i != out - 1]
        if added:
            move.append(int(totals[out].argmin()))
        return move, float(stay[at])

    def _total(self, chosen: list[int]) -> float:
        covered = self._cover[chosen].any(axis=0)
        return float(self._cost[chosen].sum() + self._weights[~covered].sum())
