"""The lists that a proof at prices does not rule out: all are gone through here.

A proof under constraints bounds what lists cost at the prices of its multipliers. A list that keeps
to the constraints and costs less than the header claims costs less than a `limit` there. So
`Completions` goes through all lists that do, by the sets of points that their rules leave, and
finds one or shows that there is none. It rests on the claims of the proof, and on nothing that a
search has found otherwise (docs/internals/proof.md). All numbers are whole.

    grow     the sets that prefixes below the limit leave, the largest first
    settle   what completions of each cost at least, the smallest first
    search   prefixes by what they leave, cost and add to constraints, the largest sets first
"""

from __future__ import annotations

import heapq
import math
from fractions import Fraction
from itertools import compress
from typing import Any, NamedTuple

import numpy as np

from corels.check.verdict import Watch
from corels_rule_list.proofcheck.plain import FAR, Bools, Demanded, Plain, Table, Whole

MOST_NUMBERS = 1 << 25  # of all sets
MOST_PREFIXES = 1 << 20
EXACT = 1 << 53  # smaller whole numbers are exact as floats
Key = tuple[bytes, int]  # a set, and if lists are limited how many rules came before


class TooManyError(Exception):
    """There are more sets or prefixes than are gone through."""


class Prefix(NamedTuple):
    """What it costs at prices (beyond the base) and without, and its sums."""

    priced: int
    cost: int
    sums: tuple[int, ...]


class Node:
    """A set that prefixes of `before` rules leave.

    cells: int64[M, O, 2 + K] and whole: int64[O, 2 + K], of what each antecedent captures of it and
    of the set: costs at prices, amounts, and values, by outcome. behind: antecedent -> what it
    leaves, if that is not ruled out. reached, least: what prefixes and completions cost at least,
    at prices. lows, highs: what completions add to each sum at least and at most.
    """

    def __init__(self, left: Bools, before: int) -> None:
        self.left, self.before, self.reached, self.least = left, before, FAR, 0
        self.size = int(left.sum())
        self.cells: Whole
        self.whole: Whole
        self.lows: list[int]
        self.highs: list[int]
        self.behind: dict[int, Key] = {}
        self.prefixes: dict[Any, Prefix] = {}


class Completions:
    """checker: its claims hold. claim: an objective. most: lists have at most so many rules."""

    def __init__(
        self, table: Table, checker: Plain, claim: Fraction, most: int, watch: Watch
    ) -> None:
        assert table.demanded is not None
        self._of: Demanded = table.demanded
        self._table, self._checker, self._watch = table, checker, watch
        first = self._of.first
        self._most = most if most == FAR else most - len(first)  # behind the first rules
        self._behind: Bools = np.asarray(~self._of.captures[first].any(axis=0))
        # A list with this cost at prices, or a greater one, does not cost less than the claim.
        self._limit = math.ceil(claim * table.scale - table.offset - table.base)
        self._target = claim * table.whole
        self._some = table.kept >= 0  # the points of the checker
        of = self._of
        stacked = np.array([of.priced, of.amounts, *of.values])  # [2 + K, O, P]
        if np.abs(stacked).sum() >= EXACT:
            raise TooManyError
        self._stacked = stacked.astype(np.float64)
        self._captures = of.captures.astype(np.float64)
        self._extremes = [[sign * (sign * v).min(axis=0) for v in of.values] for sign in (1, -1)]
        self._bounds: dict[Key, int] = {}
        self.nodes: dict[Key, Node] = {}

    def cheaper(self) -> Fraction | None:
        """The objective of a list that keeps to the constraints and costs less than the claim; None
        if there is none. Raises TooManyError, EndedError."""
        self._grow(self._behind)
        self._settle()
        return self._search(self._key(self._behind, 0))

    def _key(self, left: Bools, before: int) -> Key:
        return np.packbits(left).tobytes(), 0 if self._most == FAR else before

    def _counted(self, node: Node) -> None:
        held = self._stacked * node.left
        outcomes, parts = held.shape[1], len(held)
        sums = held.reshape(parts * outcomes, -1) @ self._captures.T
        cells = sums.astype(np.int64).reshape(parts, outcomes, -1)
        node.cells = cells.transpose(2, 1, 0)
        node.whole = held.sum(axis=2).astype(np.int64).T
        node.lows, node.highs = (
            [int(v[node.left].sum()) for v in extreme] for extreme in self._extremes
        )

    def _rules(self, node: Node) -> tuple[Any, Whole]:
        """The antecedents that capture something, and what a rule costs at prices with each."""
        some = np.flatnonzero((self._of.captures & node.left).any(axis=1))
        if node.before >= self._most:
            some = some[:0]
        errors = np.where(self._table.may_say[some], node.cells[some, :, 0], FAR).min(axis=1)
        return some, self._table.rule_cost + self._table.unit * errors

    def _least(self, sets: Bools, stop: Whole, reached: Whole, before: int) -> Whole:
        """What completions of sets cost at least at prices, by the claims, as far as this decides
        whether they are gone through. stop: of the sets themselves; reached: of prefixes."""
        left = self._most - before
        if left <= 0:
            return stop
        small, least = sets[:, self._some], np.minimum(stop, self._table.rule_cost)
        for reason in self._checker.reasons:
            (asked,) = np.nonzero((reached + stop >= self._limit) & (reached + least < self._limit))
            if not len(asked):
                break
            shown = np.minimum(stop[asked], reason(small[asked], left, before))
            least[asked] = np.maximum(least[asked], shown)
        return least

    def _grow(self, everything: Bools) -> None:
        root = Node(everything, 0)
        root.reached = 0
        start = self._key(everything, 0)
        self.nodes[start] = root
        heap = [(-root.size, start)]
        while heap:
            _, key = heapq.heappop(heap)
            node = self.nodes[key]
            self._watch.tell("sets that the claims leave open", len(self.nodes) - len(heap))
            self._counted(node)
            if len(self.nodes) * node.cells.size > MOST_NUMBERS:
                raise TooManyError
            rules, costs = self._rules(node)
            sets = node.left & ~self._of.captures[rules]
            keys = [self._key(left, node.before + 1) for left in sets]
            new = [k for k, one in enumerate(keys) if one not in self._bounds]
            stop = self._table.unit * (node.whole - node.cells[rules[new]])[:, :, 0].min(axis=1)
            reached = node.reached + costs[new]
            least = self._least(sets[new], stop, reached, node.before + 1).tolist()
            self._bounds.update(zip((keys[k] for k in new), least, strict=True))
            for rule, left, one, cost in zip(
                rules.tolist(), sets, keys, costs.tolist(), strict=True
            ):
                node.behind[rule] = one
                reached = node.reached + cost
                if reached + self._bounds[one] >= self._limit:
                    continue
                if one not in self.nodes:
                    self.nodes[one] = Node(left, node.before + 1)
                    heapq.heappush(heap, (-self.nodes[one].size, one))
                self.nodes[one].reached = min(self.nodes[one].reached, reached)

    def _settle(self) -> None:
        for node in sorted(self.nodes.values(), key=lambda node: node.size):
            rules, costs = self._rules(node)
            node.least = self._table.unit * int(node.whole[:, 0].min())
            for rule, cost in zip(rules.tolist(), costs.tolist(), strict=True):
                key = node.behind[rule]
                known = self.nodes.get(key)
                least = cost + (self._bounds[key] if known is None else known.least)
                node.least = min(node.least, least)
                if node.reached + least >= self._limit:
                    del node.behind[rule]

    def _search(self, start: Key) -> Fraction | None:
        of, taken = self._of, 0
        self.nodes[start].prefixes = dict(enumerate(self._begun()))
        for node in sorted(self.nodes.values(), key=lambda node: -node.size):
            taken += len(node.prefixes)
            self._watch.tell("prefixes that the claims leave open", taken)
            if taken > MOST_PREFIXES:
                raise TooManyError
            whole, cells = node.whole.tolist(), {r: node.cells[r].tolist() for r in node.behind}
            for prefix in node.prefixes.values():
                for _, amount, *values in whole:
                    cost = prefix.cost + of.unit * amount
                    sums = [a + b for a, b in zip(prefix.sums, values, strict=True)]
                    bounds = zip(of.low, sums, of.high, strict=True)
                    if cost < self._target and all(low <= g <= high for low, g, high in bounds):
                        return Fraction(cost, self._table.whole)
                for rule, key in node.behind.items():
                    for said in compress(cells[rule], self._table.may_say[rule]):
                        self._follow(prefix, said, self.nodes[key])
            node.prefixes = {}
        return None

    def _begun(self) -> list[Prefix]:
        """What the first rules may say together; one prefix without rules if there are none."""
        of, table, left = self._of, self._table, np.ones(len(self._behind), np.bool_)
        found = [Prefix(0, of.rule_cost * len(of.first), (0,) * len(of.low))]
        for rule in of.first:
            held, left = left & of.captures[rule], left & ~of.captures[rule]
            said = np.flatnonzero(table.may_say[rule])
            cells = np.stack([of.priced, of.amounts, *of.values])[:, said][:, :, held].sum(axis=2)
            lowest = min(cells[0])
            found = [
                Prefix(
                    one.priced + table.unit * int(priced - lowest),
                    one.cost + of.unit * int(amount),
                    tuple(a + int(b) for a, b in zip(one.sums, values, strict=True)),
                )
                for one in found
                for priced, amount, *values in cells.T.tolist()
            ]
        return found

    def _follow(self, prefix: Prefix, said: list[int], node: Node) -> None:
        """One rule more: what it adds; node: what it leaves."""
        of, (paid, amount, *values) = self._of, said
        priced = prefix.priced + self._table.rule_cost + self._table.unit * paid
        if priced + node.least >= self._limit:
            return
        cost = prefix.cost + of.rule_cost + of.unit * amount
        sums = tuple(a + b for a, b in zip(prefix.sums, values, strict=True))
        alike: list[int] = []  # of prefixes that the same completions make keep to the constraints
        for g, low, high, least, most in zip(
            sums, of.low, of.high, node.lows, node.highs, strict=True
        ):
            if g + least > high or g + most < low:
                return
            alike += (max(g, high - most), min(g, low - least))
        known = node.prefixes.get(tuple(alike))
        if known is None or cost < known.cost:
            node.prefixes[tuple(alike)] = Prefix(priced, cost, sums)
