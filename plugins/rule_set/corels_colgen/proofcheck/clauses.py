"""Every conjunction whose reduced cost is below a limit, found by a search of its own.

The reduced cost of a clause S, in units of 1/scale, is

    rc(S) = scale * caught(S) - mu(S) + first + each * |S|

caught(S): the weight of the negative points that satisfy S; mu(S): the duals of the positive ones;
first, each: penalties and the price of complexity. By errors, (1 + |S|) times the sum of nu over
the positive points that satisfy S takes the place of scale * caught(S). The search goes from a
clause to those with one condition more. At S, conditions are sorted by falling mu(S + k), and below
S + j only conditions before j are added, so that every set comes up once. What is left out, with
all below it:

    too few      first + each (|S| + 1) - mu(S + j) is no less than the limit already
    too many     even the best further conditions keep too many negatives: t more of them take away
                 at most the t largest shares that a single one takes away
    needless     without some condition the clause lets in negatives of weight `spare` at most, and
                 none of the points `apart`, and is then no worse (the caller says for what)
"""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.check.verdict import Watch
from corels_colgen.proofcheck.costs import Costs, Priced
from corels_colgen.proofcheck.reading import Clause

Numbers = NDArray[Any]
Found = list[tuple[Clause, int]]

NODE_CELLS = 20_000  # what a node costs besides its entries, in entries
CHILD_CELLS = 5_000  # the same of a child


class TooLargeError(Exception):
    """More clauses, or more work, than was allowed."""


@dataclass(frozen=True)
class _Node:
    """A clause, the points that satisfy it, the conditions that may be added, and for each of its
    conditions the negative points, and positive ones that are `apart`, which satisfy all others but
    not that one."""

    clause: Clause
    positives: Numbers
    negatives: Numbers
    allowed: Numbers
    private: Numbers
    apart: Numbers


@dataclass(frozen=True)
class Limits:
    """The most clauses that may be found, and entries of the table that may be looked at (None: no
    limit). apart: bool[P], the positive points that clauses must tell from others; None: no one."""

    clauses: int
    cells: int | None
    apart: Numbers | None = None


class Clauses:
    """The search. found: the clauses with rc < limit and their rc, but for needless ones. Raises
    TooLargeError beyond the limits."""

    def __init__(  # noqa: PLR0917
        self, costs: Costs, duals: Priced, limit: int, spare: int, limits: Limits, watch: Watch
    ) -> None:
        self.costs, self.limit, self.spare, self.most = costs, limit, spare, limits.clauses
        self.mu = duals.mu
        none = np.zeros(len(self.mu), np.bool_)
        self.apart = none if limits.apart is None else limits.apart
        self.negatives, self.caught = costs.negatives, costs.caught
        self.scale = duals.scale
        if costs.by_errors:
            self.negatives, self.caught = costs.positives[:, duals.nu > 0], duals.nu[duals.nu > 0]
            self.scale = 0
        self.first = duals.price + duals.scale * costs.clause
        self.each = duals.price + duals.scale * costs.condition
        self.cells, self.most_cells = 0, limits.cells
        self.found: Found = []
        some = np.flatnonzero((self.mu > 0) | self.apart)  # only the first lower a reduced cost
        root = _Node(
            (),
            some,
            np.arange(len(self.caught)),
            np.arange(len(costs.positives)),
            np.zeros((0, len(self.caught)), np.bool_),
            np.zeros((0, len(self.mu)), np.bool_),
        )
        stack = [root]
        extended = 0
        while stack:
            stack += self._children(stack.pop())
            extended += 1
            watch.tell("clauses that were extended", extended)

    def _children(self, node: _Node) -> list[_Node]:
        points = len(node.positives) + len(node.negatives)
        self._work(NODE_CELLS + len(node.allowed) * points)
        costs, size = self.costs, len(node.clause) + 1
        held = costs.positives[np.ix_(node.allowed, node.positives)]
        kept = self.negatives[np.ix_(node.allowed, node.negatives)]
        mu = held @ self.mu[node.positives]
        caught = kept @ self.caught[node.negatives]
        charged = self.first + self.each * size - mu
        away = int(self.caught[node.negatives].sum()) - caught  # taken away by one more
        use = charged < self.limit
        if node.clause:
            use &= (away > self.spare) | ~held[:, self.apart[node.positives]].all(axis=1)
        at = np.flatnonzero(use)
        at = at[np.lexsort((node.allowed[at], -mu[at]))]
        children, eliminated = [], list[int]()
        for place, row in enumerate(at.tolist()):
            cost = int(charged[row]) + self._times(size) * int(caught[row])
            longer = size < costs.longest and place > 0
            if longer:
                longer = (
                    self._least(int(charged[row]), int(caught[row]), eliminated, size) < self.limit
                )
            if cost < self.limit or longer:
                private, apart = self._private(node, row)
                clause = (*node.clause, int(node.allowed[row]))
                if not self._needless(private, apart):
                    self._keep(clause, cost)
                    if longer:
                        some, rest = node.positives[held[row]], node.negatives[kept[row]]
                        allowed = node.allowed[at[:place]]
                        children.append(_Node(clause, some, rest, allowed, private, apart))
            insort(eliminated, -int(away[row]))
        return children

    def _times(self, size: int) -> int:
        """What a negative of weight 1 adds to the reduced cost of so many conditions."""
        return self.scale or 1 + size

    def _needless(self, private: Numbers, apart: Numbers) -> bool:
        """Whether some condition but the last one is."""
        self._work(CHILD_CELLS + private.size + apart.size)
        light = private[:-1] @ self.caught <= self.spare
        return bool((light & ~apart[:-1].any(axis=1)).any())

    def _work(self, cells: int) -> None:
        self.cells += cells
        if self.most_cells is not None and self.cells > self.most_cells:
            raise TooLargeError

    def _private(self, node: _Node, row: int) -> tuple[Numbers, Numbers]:
        """bool[size, Q] and bool[size, P]: the private points behind one more condition, its own
        last."""
        feature = node.allowed[row]
        private = _one_more(node.private, self.negatives[feature], node.negatives)
        apart = _one_more(node.apart, self.costs.positives[feature], node.positives)
        return private, apart & self.apart

    def _keep(self, clause: Clause, cost: int) -> None:
        if cost >= self.limit:
            return
        self.found.append((tuple(sorted(clause)), cost))
        if len(self.found) > self.most:
            raise TooLargeError

    def _least(self, charged: int, caught: int, eliminated: list[int], size: int) -> int:
        """A lower bound of every clause below: t >= 1 further conditions take away at most the t
        largest shares. eliminated: their negatives, rising."""
        best, left = None, caught
        for number, share in enumerate(eliminated[: self.costs.longest - size], 1):
            left = max(0, left + share)
            cost = charged + self.each * number + self._times(size + 1) * left
            best = cost if best is None or cost < best else best
            if not left or -share * self._times(size + 1) <= self.each:
                break
        assert best is not None
        return best


def _one_more(private: Numbers, holds: Numbers, satisfied: Numbers) -> Numbers:
    """With a row for one more condition. holds: bool[points]; satisfied: those that satisfy all
    others."""
    own = np.zeros(len(holds), np.bool_)
    own[satisfied] = ~holds[satisfied]
    return np.concatenate((private & holds, own[None]))
