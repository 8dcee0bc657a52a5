"""The memo and its keys: how the depth-first search remembers what was proved of a set of points.

A key stands for one set exactly. The set itself is such a key. If there are fewer antecedents
than points, a shorter one is the *closure mask*: the antecedents that capture nothing of the set.
Two prefixes leave the same points exactly if their closure masks agree (docs/internals/memo.md).

The closure mask is known once the set has been counted. Before it is counted there is a *guess*,
the closure mask of the set above and the new rule. It stands for the same set, for what lies
outside these antecedents is exactly the set; most often it is the closure mask already. So what is
proved is kept under both names, and looked up under the guess, then under the closure mask.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import index

import numpy as np

from corels.errors import blamed
from corels.problem import Instance
from corels.search import Memo
from corels_python.ledger import size
from corels_python.masks import Mask, key, members
from corels_python.node import Node

ENTRY_BYTES = 200  # what one entry takes in CPython beside its key, measured with tracemalloc
BOUND_BITS = 48  # of the C engine's entries; of larger bounds both keep the leading digits


class Claims:
    """What was proved, f(S) >= bound, by the keys of the sets. Without a memo it keeps nothing."""

    def __init__(
        self, memo: Memo | None, instance: Instance, largest: int, most: int | None
    ) -> None:
        """largest: a cost that no bound exceeds. most: rules that a list may have, None: any."""
        self._memo, self._most, self._rule_cost = memo, most, instance.rule_cost
        self._by_closure = -(-instance.n_antecedents // 64) < -(-instance.n_points // 64)
        self._shift = max(0, largest.bit_length() - BOUND_BITS)
        self._key_bytes = 0

    def guess(self, node: Node) -> None:
        """Name a set before it is counted."""
        if self._by_closure and node.above is not None:
            node.guess = node.above.key.bit_set(node.antecedent)
        else:
            node.guess = node.prefix.remaining

    def name(self, node: Node) -> None:
        """Name a set that has been counted."""
        node.key = node.prefix.remaining
        if self._by_closure:
            node.key = members(np.flatnonzero(~node.counted.regrets.any(axis=0)))

    def find(self, node: Node) -> int:
        """What is known of a set; -1: nothing."""
        if self._memo is None or node.above is None:
            return -1
        name = self._bytes(node.guess if node.key is None else node.key)
        return max(self._said(name, left, node.left) for left in self._lefts())

    def _lefts(self) -> Iterable[int]:
        """Numbers of rules left that a claim may be about; -1: any number."""
        return (-1,) if self._most is None else range(-1, self._most + 1)

    def _said(self, name: bytes, left: int, wanted: int) -> int:
        """What a claim about completions by at most `left` rules says of those by `wanted`: of
        fewer the same, and of more what so many rules cost, if that is less."""
        with blamed("memo", self._memo):
            found = index(self._memo.find(self._of(name, left)))
        found = found << self._shift if found >= 0 else found
        if left < 0 or 0 <= wanted <= left:
            return found
        return min(found, (left + 1) * self._rule_cost)

    def _of(self, name: bytes, left: int) -> bytes:
        """The key of a set and of how many rules may complete it."""
        return name if self._most is None else b"%d:" % left + name

    def prove(self, node: Node, effort: int) -> None:
        """Remember what was proved of a set by so many expansions."""
        if self._memo is None:
            return
        least = min(node.least, node.none)
        for name in {node.key, node.guess if node.above is not None else node.key}:
            self._keep(name, node.left, least, effort)

    def note(self, node: Node) -> None:
        """A set was found after it was counted: next time it need not be counted."""
        if self._memo is not None and node.key not in (None, node.guess):
            self._keep(node.guess, node.left, node.least, 1)

    def _keep(self, name: Mask, left: int, least: int, effort: int) -> None:
        with blamed("memo", self._memo):
            self._memo.prove(self._of(self._bytes(name), left), least >> self._shift, effort)

    def _bytes(self, name: Mask) -> bytes:
        self._key_bytes = max(self._key_bytes, name.bit_length() // 8)
        return key(name)

    def bytes(self) -> int:
        """About what the memo takes."""
        return len(self) * (ENTRY_BYTES + self._key_bytes)

    def __len__(self) -> int:
        return 0 if self._memo is None else size(self._memo)

    @property
    def kept(self) -> bool:
        """Whether there is a memo."""
        return self._memo is not None
