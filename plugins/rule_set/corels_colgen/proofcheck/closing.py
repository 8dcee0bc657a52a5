"""No rule set of some clauses costs less than u: an exact search.

With duals mu and lambda, budget C, and L = sum mu - lambda C, every rule set satisfies

    scale * cost = L + sum over its clauses of rc + sum over the points left of (missed - mu)
                     + sum over the points covered of mu * (times covered - 1)
                     + lambda * (C - complexity),

as both sides are the same sum in another order. No term is negative (of a rule set within the
budget). So the *slack* scale * (u - 1) - L has to pay for all of them. The search takes the point
with the fewest ways to treat it, and covers it by each clause in turn, or leaves it; what that adds
to the sum is known at once, and little slack leaves few ways.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import InitVar, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.check.watch import Watch
from corels_colgen.proofcheck.clauses import TooLargeError
from corels_colgen.proofcheck.costs import Costs
from corels_colgen.proofcheck.reading import Clause, Duals

Numbers = NDArray[Any]


@dataclass(frozen=True)
class _Node:
    """extra: what each clause would add to the sum, if it were taken now. usable: clauses that
    may be taken. todo: points that are neither covered nor left. slack, room: what may still be
    added to the sum, and to the complexity."""

    extra: Numbers
    usable: Numbers
    todo: Numbers
    slack: int
    room: int


@dataclass(eq=False)
class Closing:
    """The search, over rule sets of the clauses `found`."""

    costs: Costs
    duals: Duals
    found: InitVar[Sequence[tuple[Clause, int]]]
    slack: int
    nodes: int

    def __post_init__(self, found: Sequence[tuple[Clause, int]]) -> None:
        costs, duals = self.costs, self.duals
        cover = np.array([costs.positives[list(c)].all(axis=0) for c, _ in found], np.bool_)
        cover = cover.reshape(len(found), len(costs.missed))
        reduced = np.array([cost for _, cost in found], np.int64)
        sizes = np.array([1 + len(clause) for clause, _ in found], np.int64)
        keep = _undominated(cover, reduced + cover @ np.array(duals.mu, np.int64), sizes, duals)
        self.cover, self.reduced, self.sizes = cover[keep], reduced[keep], sizes[keep]
        self.mu = np.array(duals.mu, np.int64)
        self.leave = costs.missed * duals.scale - self.mu

    def refuted(self, watch: Watch) -> bool:
        """Whether some rule set costs no more than the slack allows. Raises TooLargeError beyond so
        many nodes."""
        points = np.ones(len(self.mu), np.bool_)
        usable = np.ones(len(self.reduced), np.bool_)
        done = 0
        stack = [_Node(self.reduced, usable, points, self.slack, self.costs.budget)]
        while stack:
            node = self._forced(stack.pop())
            if node is None:
                continue
            self.nodes -= 1
            done += 1
            watch.tell("sets of clauses", done)
            if self.nodes < 0:
                raise TooLargeError
            if not node.todo.any():
                if self.duals.price * node.room <= node.slack:
                    return True
                continue
            stack += self._branches(node)
        return False

    def _forced(self, node: _Node) -> _Node | None:
        """Points that no usable clause covers are left; None where the slack cannot pay."""
        usable = node.usable & (node.extra <= node.slack) & (self.sizes <= node.room)
        alone = node.todo & ~self.cover[usable].any(axis=0)
        slack = node.slack - int(self.leave[alone].sum())
        if slack < 0:
            return None
        return _Node(node.extra, usable, node.todo & ~alone, slack, node.room)

    def _branches(self, node: _Node) -> list[_Node]:
        at = np.flatnonzero(node.usable)
        ways = self.cover[at].sum(axis=0) + (self.leave <= node.slack)
        ways = np.where(node.todo, ways, len(at) + 2)
        point = int(ways.argmin())
        branches, usable = [], node.usable.copy()
        choices = at[self.cover[at, point]]
        for k in choices[np.argsort(node.extra[choices], kind="stable")].tolist():
            usable[k] = False  # later branches do without it
            newly = self.cover[k] & node.todo
            again = self.cover[:, newly] @ self.mu[newly]
            branches.append(
                _Node(
                    node.extra + again,
                    usable.copy(),
                    node.todo & ~self.cover[k],
                    node.slack - int(node.extra[k]),
                    node.room - int(self.sizes[k]),
                )
            )
        if self.leave[point] <= node.slack:
            todo = node.todo.copy()
            todo[point] = False
            branches.append(
                _Node(node.extra, usable, todo, node.slack - int(self.leave[point]), node.room)
            )
        return branches


def _undominated(cover: Numbers, worth: Numbers, sizes: Numbers, duals: Duals) -> Numbers:
    """The clauses but for those that cover no more than another one which neither costs more nor
    is more complex: taking that one instead is no loss. worth: rc + mu = scale * cost + lambda *
    complexity."""
    costs = worth - duals.price * sizes
    order = np.lexsort((sizes, costs, -cover.sum(axis=1)))
    kept: list[int] = []
    for k in order.tolist():
        rivals = np.array(kept, dtype=np.intp)
        rivals = rivals[(costs[rivals] <= costs[k]) & (sizes[rivals] <= sizes[k])]
        if not len(rivals) or (cover[k] & ~cover[rivals]).any(axis=1).all():
            kept.append(k)
    return np.array(kept, dtype=np.intp)
