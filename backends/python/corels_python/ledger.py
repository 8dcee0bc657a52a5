"""Bookkeeping beside the containers of best-first: a part that loses a prefix is found at once.

A queue that forgets a prefix, or a map that refuses one without having a cheaper, makes a search
that ends too early and calls its list optimal. So everything that goes into a container is counted,

    pushed = popped + collected + what is still queued,

and the first difference ends the search with the name of the part.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Sequence, Sized
from operator import index

import numpy as np
from numpy.typing import NDArray

from corels.errors import OF_PLUGINS, PluginError, blamed
from corels.search import Cache, Children, Queue, SymmetryMap
from corels.search.calls import built_in


def size(container: Sized) -> int:
    """0 if it cannot say: a snapshot must not lose what was found."""
    try:
        return len(container)
    except OF_PLUGINS:
        return 0


class Ledger:
    """Calls the queue, the cache and the map, and counts what goes in and comes out."""

    def __init__(self, queue: Queue, cache: Cache, symmetry: SymmetryMap) -> None:
        self._queue, self._cache, self._symmetry = queue, cache, symmetry
        self._in = self._out = 0
        self._watched = not built_in(symmetry)
        self._best: dict[bytes, int] = {}  # what a third party's map has admitted

    def sizes(self) -> tuple[int, int, int]:
        """Of queue, cache and map."""
        return size(self._queue), size(self._cache), size(self._symmetry)

    # The queue.

    def push(self, priorities: NDArray[np.float64], nodes: Sequence[int]) -> None:
        """Queue nodes."""
        with blamed("queue", self._queue):
            self._queue.push(priorities, nodes)
        self._in += len(nodes)
        self._balance()

    def pop(self, alive: Container[int]) -> int | None:
        """The first node: one that was queued and has not left before. None: the queue is empty."""
        with blamed("queue", self._queue):
            if not self._balance():
                return None
            node = index(self._queue.pop())
        self._out += 1
        self._known(node, alive)
        self._balance()
        return node

    def ids(self, alive: Container[int]) -> list[int]:
        """All queued nodes, each once."""
        with blamed("queue", self._queue):
            nodes = [index(node) for node in self._queue.ids()]
        for node in nodes:
            self._known(node, alive)
        if len(set(nodes)) != self._balance():
            raise PluginError(f"queue {self._queue.name!r} does not tell all its nodes once")
        return nodes

    def retain(self, alive: set[int], collected: Collection[int]) -> None:
        """Remove the collected nodes."""
        with blamed("queue", self._queue):
            self._queue.retain(alive)
        self._out += len(collected)
        self._balance()

    def _known(self, node: int, alive: Container[int]) -> None:
        if node not in alive:
            raise PluginError(f"queue {self._queue.name!r} gave out {node}, which is not queued")

    def _balance(self) -> int:
        """pushed = popped + collected + left, or the queue has lost or invented nodes."""
        with blamed("queue", self._queue):
            left = len(self._queue)
        if self._in != self._out + left:
            raise PluginError(
                f"queue {self._queue.name!r} holds {left} prefixes where {self._in} were pushed "
                f"and {self._out} were popped or collected: it has lost or invented some"
            )
        return left

    # The cache.

    def next_id(self) -> int:
        """The number that the next prefix gets."""
        with blamed("cache", self._cache):
            return index(self._cache.next_id)

    def add(self, parent: int, children: Children) -> range:
        """Give the children their numbers in the prefix tree: those that it had announced."""
        expected = children.serial.tolist()
        with blamed("cache", self._cache):
            nodes = self._cache.add(
                parent, children.antecedent.tolist(), children.lower_bound.tolist()
            )
            numbers = list(nodes)
        if numbers != expected:
            raise PluginError(
                f"cache {self._cache.name!r} numbered {len(expected)} new prefixes {nodes!r}: "
                f"expected {expected[0]} to {expected[-1]}, as `next_id` had said"
            )
        return range(expected[0], expected[-1] + 1)

    def check_path(self, node: int, antecedents: tuple[int, ...]) -> None:
        """The cache must know the way to a node that is still needed."""
        with blamed("cache", self._cache):
            path = tuple(self._cache.path(node))
        if path != antecedents:
            raise PluginError(
                f"cache {self._cache.name!r} says that prefix {node} is {path}: it is {antecedents}"
            )

    def drop(self, node: int) -> None:
        """Forget a node, and ancestors that thereby have no children."""
        with blamed("cache", self._cache):
            self._cache.drop(node)

    # The symmetry map.

    def admit(self, keys: Sequence[bytes], bounds: Sequence[int]) -> NDArray[np.bool_]:
        """What the map admits. It may refuse only what costs no less than an admitted equal."""
        with blamed("map", self._symmetry):
            admitted = np.asarray(self._symmetry.admit(keys, bounds))
        if admitted.shape != (len(keys),) or admitted.dtype != np.bool_:
            raise PluginError(
                f"map {self._symmetry.name!r} returned {admitted.dtype} of shape {admitted.shape} "
                f"for {len(keys)} prefixes: expected one truth value for each"
            )
        if self._watched:
            self._check_admitted(keys, bounds, admitted.tolist())
        return admitted

    def _check_admitted(
        self, keys: Sequence[bytes], bounds: Sequence[int], admitted: Sequence[bool]
    ) -> None:
        for key, bound, taken in zip(keys, bounds, admitted, strict=True):
            best = self._best.get(key, bound + 1)
            if not taken and best > bound:
                name = self._symmetry.name
                raise PluginError(f"map {name!r} refused a prefix without having a cheaper one")
            if taken:
                self._best[key] = min(bound, best)

    def stale(self, key: bytes, bound: int) -> bool:
        """Whether the map has admitted a cheaper prefix with this key."""
        with blamed("map", self._symmetry):
            stale = bool(self._symmetry.stale(key, bound))
        if stale and self._watched and self._best.get(key, bound) >= bound:
            name = self._symmetry.name
            raise PluginError(f"map {name!r} called a prefix stale without having a cheaper one")
        return stale
