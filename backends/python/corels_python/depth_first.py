"""Depth-first: the recursion over sets of points, with a memo.

What can follow a prefix depends only on the set S of points that the prefix leaves:

    f(S) = min( unit * errors of one class for all of S,
                min over rules r:  rule_cost + unit * errors of r + f(S without what r captures) )

`solve` is this recursion. It need not know f(S) exactly: behind a prefix of some cost, only what
costs less than `need` = incumbent - cost is of use. So `solve` returns a lower bound of f(S), and
has either met the need or found a better list on the way; and the memo keeps the bound for every
other prefix that leaves the same set. The C engine has the same steps in
backends/c/src/search/depth_first; docs/internals/search-loop.md reads both.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

import numpy as np

from corels.search import Children, Kind, Role
from corels.search.calls import claimed, kept
from corels_python.expand import Prefix
from corels_python.masks import Mask
from corels_python.node import Node
from corels_python.path import Path
from corels_python.start import start


class DepthFirst(Path):
    """The path from the root holds sets; the memo holds what was proved of all others."""

    def work(self) -> Iterator[None]:
        """The search for the optimum: a walk from all points."""
        self.load()
        if self._parts.start == "beam":
            yield from start(self)
        self.begin()
        yield from self.walk(self.root_node(self.root()))

    def root_node(self, prefix: Prefix) -> Node:
        """Where a walk begins."""
        return Node(prefix, 0, self.rules_left(0), cost=0, need=self.need(0), above=None)

    def walk(self, root: Node) -> Iterator[None]:
        """Call `solve` on a stack of our own, which a step can leave and enter again."""
        self.path.append(root)
        calls = [self.solve(root)]
        while calls:
            try:
                self.path.append(next(calls[-1]))
                calls.append(self.solve(self.path[-1]))
            except StopIteration as settled:
                calls.pop()
                self.settle_child(self.path.pop(), settled.value)
            yield

    def walk_from(self, points: Mask, need: int) -> int:
        """A lower bound of what completing these points by at least one rule costs: no less than
        `need`, or else some completion costs less than that. For a search without `max_rules`.

        The same walk from another root, with `need` as the cost of an incumbent that no list need
        have. What it proves about sets stays in the memo and helps later questions.
        """
        if not hasattr(self, "masks"):
            self.load()
        self.best_objective = need + self.instance.base
        root = self.root_node(self.root()._replace(remaining=points))
        root.asked = True
        for _ in self.walk(root):
            if self.need(0) < need:
                self.path.clear()
                return 0
        return root.least

    def settle_child(self, child: Node, least: int) -> None:
        """The set above knows it before the search can stop: else a proof would leave it out."""
        if (above := child.above) is not None:
            above.least = min(above.least, child.cost - above.cost + least)

    def solve(self, node: Node) -> Generator[Node, None, int]:
        """A lower bound of f(S). `yield child` settles a child, which lowers `node.least`."""
        if self.too_dear(node) or self.remembered(node):
            return node.least
        node.counted = self.count(node.prefix.remaining)
        self.claims.name(node)
        if self.remembered(node):
            return node.least
        self.enter(node)
        if not self.closed(node):
            self.list_children(node)
        while (child := self.next_child(node)) is not None:
            yield child
        self.leave(node)
        return node.least

    def need(self, cost: int) -> int:
        """What the rest of a list must cost less than, to beat the incumbent."""
        return self.best_objective - self.instance.base - cost

    def too_dear(self, node: Node) -> bool:
        """Whether nothing behind it can meet the need, which has shrunk since it was listed."""
        room = self.rule_cost if Role.LOOKAHEAD in self.roles else 0
        if node.above is None or node.need > room:
            return False
        node.least = self.rule_cost  # its own list is scored: every other one has a rule more
        part = self.roles.get(Role.LOOKAHEAD, self.roles[Role.HIERARCHICAL])
        self.pruned_by[self.bounds[part].name] += 1
        self.tell(Kind.PRUNE, node, part=part)
        return True

    def remembered(self, node: Node) -> bool:
        """Whether the memo has what is needed of the set."""
        if self.one_rule_closes(node):
            return False  # such sets are not kept
        node.least = self.claims.find(node)
        if node.least < node.need:
            return False
        self.claims.note(node)
        self.merged += 1
        self.tell(Kind.MERGE, node, proved=node.least)
        return True

    def one_rule_closes(self, node: Node) -> bool:
        """Whether there is room for one rule more at most: a count closes the set."""
        few = Role.ONE_RULE in self.roles and node.need <= 2 * self.rule_cost
        return few or node.left in (0, 1)

    def enter(self, node: Node) -> None:
        """The set will be expanded."""
        node.began = self.expanded
        self.emit_fine(Kind.POP, node.serial, length=node.length, lower_bound=node.lower_bound)

    def closed(self, node: Node) -> bool:
        """Score the lists that end with one more rule; whether longer ones are out (one_rule)."""
        every = np.arange(self.instance.n_antecedents)
        self.improve(node.serial, node.prefix, node.counted, every)
        node.need = self.need(node.cost)
        node.none = self.unit * int(node.counted.totals.min())
        node.least = node.none
        if node.left:
            closing = int(node.counted.closing.min(initial=self.instance.total))
            one = self.rule_cost + self.unit * closing
            node.least = one if node.asked else min(node.none, one)
        if not self.one_rule_closes(node):
            return False
        node.least = min(node.least, node.need)  # what is known without a count, too
        part = self.roles.get(Role.ONE_RULE)
        if part is None:
            return True  # there was no rule left, and no bound was asked
        self.pruned_by[self.bounds[part].name] += 1
        self.emit_fine(
            Kind.PRUNE,
            node.serial,
            part=part,
            length=node.length,
            lower_bound=node.lower_bound + 2 * self.rule_cost,
        )
        return True

    def list_children(self, node: Node) -> None:
        """Apply the bounds in order, then sort what is left by the policy."""
        capturing = np.flatnonzero(node.counted.regrets.any(axis=0))
        children = self.children(node.prefix, node.counted, capturing)
        self.count_expanded(node.length)
        self.generated += len(children)
        children = self.prune(node, children)
        children, priorities = self.order(children, self.next_serial)
        self.next_serial += len(children)
        self.emit_pushes(node.serial, children)
        node.fill(children, np.argsort(priorities, kind="stable"))

    def prune(self, node: Node, children: Children) -> Children:
        """What the bounds leave; and what they prove of the children that they drop."""
        incumbent = node.lower_bound + node.need
        for part, bound in enumerate(self.bounds):
            if part == self.roles.get(Role.ONE_RULE) or not len(children):
                continue
            keep = kept(bound, children, incumbent)
            dropped, children = children.where(~keep), children.where(keep)
            self.count_pruned(node.serial, part, dropped)
            if len(dropped) and (least := claimed(bound, dropped, incumbent)) is not None:
                node.least = min(node.least, least - node.lower_bound)
        return children

    def next_child(self, node: Node) -> Node | None:
        """The next child of a set, with the need that it has by now."""
        if (row := node.take()) is None:
            return None
        prefix = self.extend(node.prefix, node.table, row)
        cost, left = prefix.lower_bound - self.instance.base, node.table.rules_left
        need, serial = self.need(cost), int(node.table.serial[row])
        child = Node(prefix, serial, left, cost, need, node)
        self.claims.guess(child)
        return child

    def leave(self, node: Node) -> None:
        """Every child is settled: what has been proved of the set goes into the memo."""
        self.emit_fine(
            Kind.SETTLE,
            node.serial,
            antecedent=node.antecedent,
            length=node.length,
            lower_bound=node.lower_bound + node.least,
        )
        if effort := self.expanded - node.began:
            self.record(node.prefix.antecedents, node.least)
            self.claims.prove(node, effort)
