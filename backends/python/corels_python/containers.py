"""Queue, cache, symmetry maps and memo in plain Python: the reference for every faster one."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from corels import Cache, Queue, SymmetryMap
from corels.search import Memo


class HeapQueue(Queue):
    """A binary heap of (priority, node). Node numbers grow, so ties go to the oldest."""

    name = "heap"
    summary = "binary heap"

    def __init__(self) -> None:
        self._heap: list[tuple[float, int]] = []

    def push(self, priorities: NDArray[np.float64], ids: Sequence[int]) -> None:
        for priority, node in zip(priorities.tolist(), ids, strict=True):
            heapq.heappush(self._heap, (priority, node))

    def pop(self) -> int:
        return heapq.heappop(self._heap)[1]

    def retain(self, alive: frozenset[int] | set[int]) -> None:
        self._heap = [entry for entry in self._heap if entry[1] in alive]
        heapq.heapify(self._heap)

    def __len__(self) -> int:
        return len(self._heap)

    def ids(self) -> Sequence[int]:
        return [node for _, node in self._heap]


class TreeCache(Cache):
    """The prefix tree: for each node its parent, its last antecedent and its lower bound.

    A node lives while it is queued or has a living child; `drop` removes it and then its
    ancestors for as long as they have become childless. The root (node 0) always lives.
    """

    name = "tree"
    summary = "prefix tree in a dictionary"

    def __init__(self) -> None:
        self._nodes: dict[int, tuple[int, int, int]] = {0: (-1, -1, 0)}
        self._children: dict[int, int] = {0: 0}
        self._next = 1

    @property
    def next_id(self) -> int:
        return self._next

    def add(self, parent: int, antecedents: Sequence[int], lower_bounds: Sequence[int]) -> range:
        ids = range(self._next, self._next + len(antecedents))
        for node, antecedent, bound in zip(ids, antecedents, lower_bounds, strict=True):
            self._nodes[node] = (parent, antecedent, bound)
            self._children[node] = 0
        self._children[parent] += len(ids)
        self._next = ids.stop
        return ids

    def path(self, node: int) -> tuple[int, ...]:
        antecedents = []
        while node:
            node, antecedent, _ = self._nodes[node]
            antecedents.append(antecedent)
        return tuple(reversed(antecedents))

    def lower_bound(self, node: int) -> int:
        return self._nodes[node][2]

    def drop(self, node: int) -> None:
        while node and self._children.get(node) == 0:
            parent, _, _ = self._nodes.pop(node)
            del self._children[node]
            self._children[parent] -= 1
            node = parent

    def __len__(self) -> int:
        return len(self._nodes)


class _DictionaryMap(SymmetryMap):
    """Key -> the least lower bound with which it was admitted."""

    def __init__(self) -> None:
        self._best: dict[bytes, int] = {}

    def admit(self, keys: Sequence[bytes], lower_bounds: Sequence[int]) -> NDArray[np.bool_]:
        admitted = np.zeros(len(keys), dtype=np.bool_)
        for i, (key, bound) in enumerate(zip(keys, lower_bounds, strict=True)):
            best = self._best.get(key)
            if best is None or bound < best:
                self._best[key] = bound
                admitted[i] = True
        return admitted

    def stale(self, key: bytes, lower_bound: int) -> bool:
        return self._best.get(key, lower_bound) < lower_bound

    def __len__(self) -> int:
        return len(self._best)


class NoMap(_DictionaryMap):
    name = "none"
    summary = "merges no prefixes"
    key = ""

    def admit(self, keys: Sequence[bytes], lower_bounds: Sequence[int]) -> NDArray[np.bool_]:
        return np.ones(len(lower_bounds), dtype=np.bool_)


class PermutationMap(_DictionaryMap):
    name = "permutation"
    summary = "keeps the cheapest of the prefixes with the same antecedents (Corollary 16)"
    key = "antecedents"


class CapturedMap(_DictionaryMap):
    name = "captured"
    summary = "keeps the cheapest of the prefixes that capture the same points (Theorem 15)"
    key = "remaining"


class SetMemo(Memo):
    """Key -> the best bound that was proved. It forgets nothing, so `effort` is of no interest."""

    name = "memo"
    summary = "remembers what was proved about each set of points, in a dictionary"

    def __init__(self) -> None:
        self._bounds: dict[bytes, int] = {}

    def find(self, key: bytes) -> int:
        return self._bounds.get(key, -1)

    def prove(self, key: bytes, bound: int, effort: int) -> None:
        self._bounds[key] = max(bound, self.find(key))

    def __len__(self) -> int:
        return len(self._bounds)


CONTAINERS = (HeapQueue, TreeCache, NoMap, PermutationMap, CapturedMap, SetMemo)
