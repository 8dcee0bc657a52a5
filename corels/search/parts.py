"""What a user chooses of a search: the policy and the bounds, and the chosen parts together.

    Policy  in which order prefixes are explored
    Bound   which children need not be explored
    Parts   the parts of one search;  Preset  parts that belong together, by name

Policies and bounds are batch-first: a table of children goes in, an array comes out.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from corels.search.children import ORIGINAL_COLUMNS, SETS, Children


class Policy(ABC):
    """The order of exploration.

    `reads` names the columns of Children that are counted in original weights and that the
    policy needs (`support`, `correct`, `captured`); all others are always there. `loop` is the
    loop of a backend that the policy orders: "queue" is the one that every backend has.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    reads: ClassVar[frozenset[str]] = frozenset()
    loop: ClassVar[str] = "queue"

    def start(self, seed: int) -> None:  # noqa: B027 - most policies have nothing to prepare
        """Called once before a search, with its seed."""

    @abstractmethod
    def priority(self, children: Children) -> NDArray[np.float64]:
        """A finite float64 for each child: the lowest is explored first, ties by serial number."""


class Bound(ABC):
    """A reason not to explore a child. Sound, with a proof in docs/internals, or it must not ship.

    `stage` "support" bounds come first and do not read the incumbent; "objective" bounds come
    after the incumbent has been improved by the children. A `monotone` bound that rejects an
    antecedent for a prefix rejects it for every extension of the prefix, too: the `rejection`
    bound (Theorem 12) then does not offer it to the descendants. `reads` may name columns, as
    a policy's, and "sets" for `Children.expansion`. `loops` are the loops (see Policy) in which
    the bound works; a `native` bound is written in C and has no twin in Python. Within a stage,
    bounds of lower `rank` come first: 0 reads columns, 1 compares sets, 2 counts again.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    loops: ClassVar[frozenset[str]] = frozenset({"queue"})
    source: ClassVar[str]  # theorem number, or the page of docs/internals with the proof
    stage: ClassVar[str] = "objective"
    monotone: ClassVar[bool] = False
    native: ClassVar[bool] = False
    rank: ClassVar[int] = 0
    reads: ClassVar[frozenset[str]] = frozenset()

    @abstractmethod
    def keep(self, children: Children, incumbent: int) -> NDArray[np.bool_]:
        """False where no extension of the child, itself included, can cost less than `incumbent`.

        More exactly: dropping the child must leave at least one optimal list reachable, unless
        the incumbent is optimal already. The child's own list has been scored before.
        """


@dataclass(frozen=True, slots=True)
class Preset:
    """Parts that belong together; every one can be changed by its own option."""

    policy: str
    map: str
    bounds: tuple[str, ...]
    start: str = "none"


@dataclass(frozen=True)
class Parts:
    """The chosen parts of a rule-list search. `bounds` are in the order of evaluation."""

    policy: Policy
    map: str
    bounds: tuple[Bound, ...]
    queue: str = "heap"
    cache: str = "tree"
    start: str = "none"
    seed: int = 0
    threads: int = 1
    memory_limit: int | None = None
    fine_events: bool = False

    @property
    def bound_names(self) -> frozenset[str]:
        return frozenset(bound.name for bound in self.bounds)

    @property
    def reads(self) -> frozenset[str]:
        """Columns in original weights that some part needs."""
        return self._reads & ORIGINAL_COLUMNS

    @property
    def reads_sets(self) -> bool:
        """Whether some part needs `Children.expansion`."""
        return SETS in self._reads

    @property
    def _reads(self) -> frozenset[str]:
        return self.policy.reads.union(*(bound.reads for bound in self.bounds))
