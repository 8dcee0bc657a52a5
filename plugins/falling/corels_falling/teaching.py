"""The search in plain Python, to be read beside the paper; for small data.

Costs and proportions are exact fractions, sets of points are Python integers (bit i = point i).
`exact` is a depth-first branch and bound with the paper's prefix bounds and the dominance of
prefixes that leave the same points: a generator that yields once a prefix, so that the search can
be driven from outside.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from corels.problem import Problem
from corels.problem.captures import pack, weight_planes
from corels_falling.setting import Setting


@dataclass(frozen=True, slots=True)
class Prefix:
    """A prefix e: its antecedents, the points left, its least proportion and its own cost."""

    rules: tuple[int, ...]
    left: int
    least: Fraction
    cost: Fraction  # L(e) or L~(e): captured points, rules and violations


class Data:
    """Points as bits. `count(points)` gives the positives and negatives among them."""

    def __init__(self, problem: Problem) -> None:
        self.captures = _as_integers(problem.masks)
        (self.everything,) = _as_integers(pack(problem.weights.any(axis=0)[None]))
        self._planes = [_as_integers(weight_planes(row)) for row in problem.weights]

    def count(self, points: int) -> tuple[int, int]:
        """(positives, negatives): weights are added up digit by digit."""
        negatives, positives = (
            sum((points & plane).bit_count() << digit for digit, plane in enumerate(planes))
            for planes in self._planes
        )
        return positives, negatives


def _as_integers(words: NDArray[np.uint64]) -> list[int]:
    """Each row of packed bits as one number."""
    return [int.from_bytes(row.astype("<u8").tobytes(), "little") for row in words]


@dataclass
class Teaching:
    """The state of a search, and the best list so far."""

    data: Data
    setting: Setting
    max_rules: int
    best: tuple[Fraction, tuple[int, ...]] | None = None
    expanded: int = 0
    children: int = 0
    open: list[Fraction] = field(default_factory=list)  # bounds of the prefixes that wait
    settled: float = 0.0  # the share of the first rules
    prefixes: list[tuple[int, ...]] = field(default_factory=list)  # expanded, in order

    def root(self) -> Prefix:
        """The empty prefix: alpha_last = alpha_min = 1."""
        return Prefix((), self.data.everything, Fraction(1), Fraction(0))

    def extend(self, e: Prefix, antecedent: int) -> Prefix | None:
        """e + antecedent; None where the rule captures nothing or all, or (hard) cannot be used."""
        captured = e.left & self.data.captures[antecedent]
        if captured in (0, e.left):
            return None
        positives, negatives = self.data.count(captured)
        proportion = Fraction(positives, positives + negatives)
        if not self.setting.soft and not self._falls(e, captured, proportion):
            return None
        self.children += 1
        return Prefix(
            (*e.rules, antecedent),
            e.left & ~captured,
            min(e.least, proportion),
            e.cost
            + self.setting.block(positives, negatives)
            + self.setting.rule_cost
            + self.setting.violation(proportion, e.least),
        )

    def extensions(self, e: Prefix) -> list[Prefix]:
        """e + each antecedent that can be used."""
        extended = (self.extend(e, j) for j in range(len(self.data.captures)))
        return [child for child in extended if child is not None]

    def _falls(self, e: Prefix, captured: int, proportion: Fraction) -> bool:
        """In order, above the threshold (Corollary 4.5), completable (Proposition 4.2)."""
        return self._rest(e.left & ~captured) <= proportion <= e.least and (
            proportion > self.setting.threshold
        )

    def _rest(self, left: int) -> Fraction:
        positives, negatives = self.data.count(left)
        return Fraction(positives, positives + negatives)

    def closed(self, e: Prefix) -> Fraction:
        """L or L~ of e with its else."""
        positives, negatives = self.data.count(e.left)
        rest = Fraction(positives, positives + negatives)
        return (
            e.cost
            + self.setting.block(positives, negatives)
            + self.setting.violation(rest, e.least)
        )

    def offer(self, e: Prefix) -> None:
        """Keep e with its else if it is better than the best."""
        cost = self.closed(e)
        if self.best is None or cost < self.best[0]:
            self.best = (cost, e.rules)

    def longer(self, e: Prefix) -> Fraction:
        """A lower bound on every list that extends e by at least one rule (Theorems 4.6, 5.2)."""
        positives, negatives = self.data.count(e.left)
        rows = self.setting.rows
        if self.setting.violation_cost is None:
            rest = (1 / e.least - 1) * self.setting.false_positive_cost * positives / rows
        else:
            rest = self._soft_rest(Fraction(positives, positives + negatives), positives, e.least)
        return e.cost + self.setting.rule_cost + rest

    def _soft_rest(self, rest: Fraction, positives: int, least: Fraction) -> Fraction:
        """The highest proportion b that is still to come is at least max(least, rest).

        Either b <= tau and every positive left costs w, or all blocks have at least (1/b - 1)
        negatives for a positive. Both with a violation of b - least.
        """
        rows, price = self.setting.rows, self.setting.violation_cost
        assert price is not None
        lowest = max(least, rest)
        all_zero = self.setting.missed_cost * positives / rows + price * (lowest - least)
        start = max(lowest, self.setting.threshold)
        share = self.setting.false_positive_cost * positives / rows
        falling = _lowest_of_g(share, price, least, start)
        return min(all_zero, falling) if lowest <= self.setting.threshold else falling


def _lowest_of_g(share: Fraction, price: Fraction, least: Fraction, start: Fraction) -> Fraction:
    """inf over b in [start, 1] of (1/b - 1) share + price (b - least), rounded downwards.

    The parabola's arithmetic is convex in b with its minimum at b* = sqrt(share / price), where it
    is 2 sqrt(share price) - share - price least.
    """

    def g(b: Fraction) -> Fraction:
        return (1 / b - 1) * share + price * (b - least)

    if share >= price:
        return g(Fraction(1))
    if share <= price * start * start:
        return g(start)
    return 2 * _root(share * price) - share - price * least


def _root(x: Fraction) -> Fraction:
    """The square root, rounded downwards to a multiple of 2^-40."""
    return Fraction(math.isqrt(x.numerator * 4**40 // x.denominator), 2**40)


def exact(search: Teaching, use: Sequence[str]) -> Iterator[None]:
    """Depth first; a child waits only if its extensions may beat the best list."""
    seen: dict[int, list[Prefix]] = {}
    root = search.root()
    search.offer(root)
    first = 0
    stack = [(search.longer(root) if "prefix" in use else Fraction(0), root)]
    while stack:
        bound, e = stack.pop()
        search.open = [b for b, _ in stack]
        assert search.best is not None
        if (
            bound >= search.best[0]
            or len(e.rules) == search.max_rules
            or ("dominance" in use and _dominated(seen, e))
        ):
            continue
        waiting = _expand(search, e, use)
        first = first or len(waiting)
        stack += waiting
        search.open = [b for b, _ in stack]
        begun = sum(len(c.rules) == 1 for _, c in stack)
        below = any(len(c.rules) > 1 for _, c in stack)
        search.settled = (first - begun - below) / first if first else 1.0
        yield


def _expand(search: Teaching, e: Prefix, use: Sequence[str]) -> list[tuple[Fraction, Prefix]]:
    """The children of e that wait, each with its bound; the most promising one last."""
    waiting = []
    for child in search.extensions(e):
        search.offer(child)
        bound = search.longer(child) if "prefix" in use else child.cost
        assert search.best is not None
        if bound < search.best[0]:
            waiting.append((bound, child))
    search.expanded += 1
    search.prefixes.append(e.rules)
    return sorted(waiting, key=lambda entry: entry[0], reverse=True)


def _dominated(seen: dict[int, list[Prefix]], e: Prefix) -> bool:
    """Does a visited prefix leave the same points and is no worse? If not, remember e."""
    others = seen.setdefault(e.left, [])
    if any(_no_worse(o, e) for o in others):
        return True
    others.append(e)
    return False


def _no_worse(o: Prefix, e: Prefix) -> bool:
    return o.cost <= e.cost and o.least >= e.least and len(o.rules) <= len(e.rules)
