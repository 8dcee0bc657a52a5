"""No rule set of some clauses that keeps to the constraints costs less than u: an exact search.

With duals mu and nu, lambda, budget C and `base` (priced.py), every rule set within the budget that
keeps to the constraints satisfies

    scale * cost >= base + sum over its clauses of rc + sum over the points left of (max(0, s) - mu)
                    + sum over the points covered of
                          max(0, -s) + mu * (times covered - 1) - nu * (complexity that covers it)
                    + lambda * (C - complexity),

and no term is negative. So the *slack* scale * (u - 1) - base has to pay for all of them. The
search takes the point with the fewest ways to treat it, and covers it by each clause in turn, or
leaves it; what that adds to the sum at least (with nu times all complexity that may still cover the
point) is known at once, and little slack leaves few ways. At the end cost and constraints are
counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import InitVar, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.check.verdict import Watch
from corels_colgen.proofcheck.clauses import TooLargeError
from corels_colgen.proofcheck.costs import Costs, Priced
from corels_colgen.proofcheck.reading import Clause

Numbers = NDArray[Any]


@dataclass(frozen=True)
class _Node:
    """taken: the clauses. extra: what each clause would add to the sum beside nu, if it were taken
    now. fresh: the nu of its points that are not covered; spent: of all that are. usable: clauses
    that may be taken. todo: points that are neither covered nor left. slack, room: what may still
    be added to the sum, and to the complexity."""

    taken: tuple[int, ...]
    extra: Numbers
    fresh: Numbers
    spent: int
    usable: Numbers
    todo: Numbers
    slack: int
    room: int


@dataclass(eq=False)
class Closing:
    """The search, over rule sets of the clauses `found`."""

    costs: Costs
    duals: Priced
    found: InitVar[Sequence[tuple[Clause, int]]]
    slack: int
    nodes: int

    def __post_init__(self, found: Sequence[tuple[Clause, int]]) -> None:
        costs, duals = self.costs, self.duals
        cover = np.array([costs.positives[list(c)].all(axis=0) for c, _ in found], np.bool_)
        cover = cover.reshape(len(found), len(costs.missed))
        reduced = np.array([cost for _, cost in found], np.int64)
        sizes = np.array([1 + len(clause) for clause, _ in found], np.int64)
        own = reduced + cover @ duals.mu - sizes * (cover @ duals.nu + duals.price)  # scaled costs
        keep = _undominated(cover, own, sizes, costs.touched)
        self.clauses = [found[k][0] for k in keep.tolist()]
        dear = np.maximum(-duals.saved, 0)
        leave = np.maximum(duals.saved, 0) - duals.mu
        columns = np.stack([duals.mu, dear, duals.nu, leave])
        self.cover, (self.mu, dear, self.nu, self.leave) = _merged(cover[keep], columns)
        self.sizes, self.again = sizes[keep], self.mu - dear
        self.all_nu = self.cover @ self.nu
        self.extra = reduced[keep] + self.cover @ dear

    def refuted(self, watch: Watch) -> bool:
        """Whether some rule set costs no more than the slack allows. Raises TooLargeError beyond so
        many nodes."""
        points = np.ones(len(self.mu), np.bool_)
        usable = np.ones(len(self.extra), np.bool_)
        done, budget = 0, self.costs.budget
        stack = [_Node((), self.extra, self.all_nu, 0, usable, points, self.slack, budget)]
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
                if self._cheaper(node):
                    return True
                continue
            stack += self._branches(node)
        return False

    def _cheaper(self, node: _Node) -> bool:
        """Whether the clauses taken keep to the constraints and cost less than u, counted."""
        clauses, costs = [self.clauses[k] for k in node.taken], self.costs
        if not costs.sums.kept(costs.covered(clauses)):
            return False
        return self.duals.scale * costs.cost(clauses) - self.duals.base <= self.slack

    def _adds(self, node: _Node) -> Numbers:
        """What each clause would add to the sum, if it were taken now."""
        again = self.all_nu - node.fresh  # the nu of its points that are covered
        return np.asarray(node.extra + self.sizes * (node.spent - again) - node.room * node.fresh)

    def _forced(self, node: _Node) -> _Node | None:
        """Points that no usable clause covers are left; None if the slack cannot pay."""
        usable = node.usable & (self._adds(node) <= node.slack) & (self.sizes <= node.room)
        alone = node.todo & ~self.cover[usable].any(axis=0)
        slack = node.slack - int(self.leave[alone].sum())
        if slack < 0:
            return None
        return replace(node, usable=usable, todo=node.todo & ~alone, slack=slack)

    def _branches(self, node: _Node) -> list[_Node]:
        at = np.flatnonzero(node.usable)
        ways = self.cover[at].sum(axis=0) + (self.leave <= node.slack)
        ways = np.where(node.todo, ways, len(at) + 2)
        point = int(ways.argmin())
        branches, usable = [], node.usable.copy()
        choices = at[self.cover[at, point]]
        adds = self._adds(node)
        for k in choices[np.argsort(adds[choices], kind="stable")].tolist():
            usable[k] = False  # later branches do without it
            newly = self.cover[k] & node.todo
            some = self.cover[:, newly]
            branches.append(
                _Node(
                    (*node.taken, k),
                    node.extra + some @ self.again[newly],
                    node.fresh - some @ self.nu[newly],
                    node.spent + int(self.nu[newly].sum()),
                    usable.copy(),
                    node.todo & ~self.cover[k],
                    node.slack - int(adds[k]),
                    node.room - int(self.sizes[k]),
                )
            )
        if self.leave[point] <= node.slack:
            todo = node.todo.copy()
            todo[point] = False
            slack = node.slack - int(self.leave[point])
            branches.append(replace(node, usable=usable, todo=todo, slack=slack))
        return branches


def _merged(cover: Numbers, columns: Numbers) -> tuple[Numbers, Numbers]:
    """Points that the same clauses cover, as one with the sums of their numbers."""
    keys = [column.tobytes() for column in np.packbits(cover, axis=0).T.copy()]
    place = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    at = np.array([place[key] for key in keys], np.intp)
    sums = np.zeros((len(columns), len(place)), np.int64)
    np.add.at(sums, (slice(None), at), columns)
    merged = np.zeros((len(cover), len(place)), np.bool_)
    merged[:, at] = cover
    return merged, sums


def _undominated(cover: Numbers, costs: Numbers, sizes: Numbers, touched: Numbers) -> Numbers:
    """The clauses but for those that cover no more than another one which neither costs more nor
    is more complex, and covers the same touched points: taking that one instead is no loss."""
    order = np.lexsort((sizes, costs, -cover.sum(axis=1)))
    kept: list[int] = []
    for k in order.tolist():
        rivals = np.array(kept, dtype=np.intp)
        rivals = rivals[(costs[rivals] <= costs[k]) & (sizes[rivals] <= sizes[k])]
        more = (cover[k] ^ cover[rivals]) & (cover[k] | touched)
        if not len(rivals) or more.any(axis=1).all():
            kept.append(k)
    return np.array(kept, dtype=np.intp)
