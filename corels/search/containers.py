"""The containers of a search. Best-first has a worklist, a prefix tree and a symmetry map;
depth-first has a memo.

They hold state and belong to a backend; a plugin may register others for the Python backend.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from corels.registry import Part


class Queue(Part):
    """The worklist: node numbers by priority, lowest first, ties by node number."""

    @abstractmethod
    def push(self, priorities: NDArray[np.float64], ids: Sequence[int]) -> None:
        """Add nodes by their numbers, each with its priority; the smallest comes out first."""

    @abstractmethod
    def pop(self) -> int:
        """Remove and return the first node. Raises IndexError when empty."""

    @abstractmethod
    def retain(self, alive: frozenset[int] | set[int]) -> None:
        """Forget every node that is not alive (garbage collection)."""

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def ids(self) -> Sequence[int]:
        """The queued nodes, in any order."""


class Cache(Part):
    """The prefix tree: nodes are numbered by insertion and name their parent; 0 is the root."""

    @property
    @abstractmethod
    def next_id(self) -> int:
        """The number that the next node gets. Numbers are never given twice."""

    @abstractmethod
    def add(self, parent: int, antecedents: Sequence[int], lower_bounds: Sequence[int]) -> range:
        """Append children to a node; returns their numbers."""

    @abstractmethod
    def path(self, node: int) -> tuple[int, ...]:
        """The antecedents of the prefix, first rule first."""

    @abstractmethod
    def lower_bound(self, node: int) -> int:
        """The bound with which a node was added, a scaled cost."""

    @abstractmethod
    def drop(self, node: int) -> None:
        """Forget a node without children, and every ancestor that thereby becomes childless."""

    @abstractmethod
    def __len__(self) -> int: ...


KEYS = ("remaining", "antecedents", "")


class SymmetryMap(Part):
    """Prefixes that leave the same points are worth one: the cheapest (Theorem 15).

    `key` says what a key is made of: "remaining" (the set of points that a prefix leaves),
    "antecedents" (its sorted antecedents), or "" if no keys are wanted.
    """

    key: ClassVar[str] = "remaining"

    @abstractmethod
    def admit(self, keys: Sequence[bytes], lower_bounds: Sequence[int]) -> NDArray[np.bool_]:
        """True for each prefix that is the cheapest so far with its key, and remember it."""

    @abstractmethod
    def stale(self, key: bytes, lower_bound: int) -> bool:
        """Whether a cheaper prefix with this key has been admitted since."""

    @abstractmethod
    def __len__(self) -> int: ...


class Memo(Part):
    """What was proved of sets of points: whatever follows a prefix that leaves S costs at least v.

    A key stands for one set exactly; two sets with one key would make a wrong certificate.
    Forgetting an entry costs time and never truth.
    """

    @abstractmethod
    def find(self, key: bytes) -> int:
        """The best bound proved for the set of this key, or -1."""

    @abstractmethod
    def prove(self, key: bytes, bound: int, effort: int) -> None:
        """Remember that a bound was proved by `effort` expansions."""

    @abstractmethod
    def __len__(self) -> int: ...
