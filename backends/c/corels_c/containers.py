"""The engine's queue, cache and symmetry maps as parts of the Python loop.

They are the containers that the C search runs, behind the interfaces of the core: a search of the
teaching backend with one of them must equal the search with its own, which holds each of them
against its reference one at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels import Cache, Queue, SymmetryMap
from corels.errors import ResourceError
from corels_c._native import ffi, lib
from corels_c.status import check


def _owned(made: Any, delete: Any) -> Any:
    if made == ffi.NULL:
        raise ResourceError("the container cannot begin: there is not enough memory")
    return ffi.gc(made, delete)


class CQueue(Queue):
    """The engine's binary heap."""

    name = "c_heap"
    summary = "the C engine's binary heap"

    def __init__(self) -> None:
        self._queue = _owned(lib.corels_queue_new(), lib.corels_queue_delete)

    def push(self, priorities: NDArray[np.float64], ids: Sequence[int]) -> None:
        values = ffi.from_buffer("double[]", np.ascontiguousarray(priorities, dtype=np.float64))
        numbers = ffi.from_buffer("int64_t[]", np.array(ids, dtype=np.int64))
        check(lib.corels_queue_push(self._queue, values, numbers, len(ids)), "the queue is full")

    def pop(self) -> int:
        if not len(self):
            raise IndexError("pop from an empty queue")
        return int(lib.corels_queue_pop(self._queue))

    def retain(self, alive: frozenset[int] | set[int]) -> None:
        ids = ffi.from_buffer("int64_t[]", np.array(sorted(alive), dtype=np.int64))
        lib.corels_queue_retain(self._queue, ids, len(alive))

    def __len__(self) -> int:
        return int(lib.corels_queue_count(self._queue))

    def ids(self) -> Sequence[int]:
        ids = np.empty(len(self), dtype=np.int64)
        lib.corels_queue_ids(self._queue, ffi.from_buffer("int64_t[]", ids))
        found: list[int] = ids.tolist()
        return found


class CCache(Cache):
    """The engine's prefix tree; a dictionary turns node numbers, which are never given twice,
    into its slots, which are."""

    name = "c_tree"
    summary = "the C engine's prefix tree"

    def __init__(self) -> None:
        self._cache = _owned(lib.corels_cache_new(), lib.corels_cache_delete)
        self._slots: dict[int, int] = {}
        self._parents: dict[int, int] = {}
        self._next = 0
        self._add(-1, -1, 0)

    def _add(self, parent: int, antecedent: int, lower_bound: int) -> None:
        above = self._slots[parent] if parent >= 0 else -1
        slot = lib.corels_cache_add(self._cache, above, antecedent, lower_bound)
        if slot < 0:
            raise ResourceError("the cache is full: there is not enough memory")
        self._slots[self._next], self._parents[self._next] = slot, parent
        self._next += 1

    @property
    def next_id(self) -> int:
        return self._next

    def add(self, parent: int, antecedents: Sequence[int], lower_bounds: Sequence[int]) -> range:
        first = self._next
        for antecedent, bound in zip(antecedents, lower_bounds, strict=True):
            self._add(parent, antecedent, bound)
        return range(first, self._next)

    def path(self, node: int) -> tuple[int, ...]:
        slot = self._slots[node]
        found = ffi.new("int32_t[]", lib.corels_cache_length(self._cache, slot) + 1)
        lib.corels_cache_path(self._cache, slot, found)
        return tuple(found[0 : lib.corels_cache_length(self._cache, slot)])

    def lower_bound(self, node: int) -> int:
        return int(lib.corels_cache_lower_bound(self._cache, self._slots[node]))

    def drop(self, node: int) -> None:
        """The tree drops upwards by itself; the dictionary follows, ancestor by ancestor."""
        if node not in self._slots:
            return
        before = len(self)
        lib.corels_cache_drop(self._cache, self._slots[node])
        for _ in range(before - len(self)):
            del self._slots[node]
            node = self._parents.pop(node)

    def __len__(self) -> int:
        return int(lib.corels_cache_count(self._cache))


class _CMap(SymmetryMap):
    """The engine's hash table; keys are padded to whole words."""

    def __init__(self) -> None:
        self._map = _owned(lib.corels_map_new(), lib.corels_map_delete)

    def admit(self, keys: Sequence[bytes], lower_bounds: Sequence[int]) -> NDArray[np.bool_]:
        admitted = np.zeros(len(keys), dtype=np.bool_)
        for i, (key, bound) in enumerate(zip(keys, lower_bounds, strict=True)):
            words, count = self._words(key)
            answer = lib.corels_map_admit(self._map, words, count, bound)
            if answer < 0:
                raise ResourceError("the symmetry map is full: there is not enough memory")
            admitted[i] = answer == 1
        return admitted

    def stale(self, key: bytes, lower_bound: int) -> bool:
        words, count = self._words(key)
        return bool(lib.corels_map_stale(self._map, words, count, lower_bound))

    def __len__(self) -> int:
        return int(lib.corels_map_count(self._map))

    @staticmethod
    def _words(key: bytes) -> tuple[Any, int]:
        """The key's length, then its bytes: keys of different length never meet."""
        padded = np.frombuffer(key.ljust(-(-len(key) // 8) * 8, b"\0"), dtype=np.uint64)
        words = np.concatenate([np.array([len(key)], dtype=np.uint64), padded])
        return ffi.from_buffer("uint64_t[]", words), len(words)


class CPermutationMap(_CMap):
    name = "c_permutation"
    summary = "the C engine's map of sorted antecedents, for the Python loop"
    key = "antecedents"


class CCapturedMap(_CMap):
    name = "c_captured"
    summary = "the C engine's map of captured points, for the Python loop"
    key = "remaining"


CONTAINERS = (CQueue, CCache, CPermutationMap, CCapturedMap)
