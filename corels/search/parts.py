"""What a user chooses of a search: the policy and the bounds, and the chosen parts together.

    Policy  in which order prefixes, or the children of a set, are explored
    Bound   which children need not be explored
    Parts   the parts of one search;  Preset  parts that belong together, by name
    SEARCHES  the two searches of every backend, which share everything but their order
    Queue, Cache, SymmetryMap, Memo  what a search keeps

Policies and bounds are batch-first: a table of children goes in, an array comes out. Both may
carry `native`, the address of a C function of the signature in `include/corels/part.h` (cffi,
ctypes and Numba's `cfunc` all give such an address): the C engine then calls that function and
never Python, and `corels.testing` compares it with the Python method.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corels.plugins import Part
from corels.search.children import ORIGINAL_COLUMNS, SETS, Children

BEST_FIRST, DEPTH_FIRST = "best-first", "depth-first"

SEARCHES: Mapping[str, str] = {
    DEPTH_FIRST: "a stack of sets of points, with a memo of what was proved of each: the fastest",
    BEST_FIRST: "a queue of prefixes in the order of the policy, as in the paper",
}


class Policy(Part):
    """The order of exploration.

    In the search `best-first` a policy orders the whole queue; in `depth-first` it orders the
    children of each set. `reads` names the columns of Children that are counted in original
    weights and that the policy needs (`support`, `correct`, `captured`); all others are always
    there.
    """

    reads: ClassVar[frozenset[str]] = frozenset()
    native: int | None = None
    """Address of a `corels_priority_call` with the same result as `priority`, or None."""

    def start(self, seed: int) -> None:
        """Called once before a search, with its seed."""

    @abstractmethod
    def priority(self, children: Children) -> NDArray[np.float64]:
        """A finite float64 for each child: the lowest is explored first, ties by serial number."""


class Role(Enum):
    """What a search itself does for a bound of ours, beside or instead of asking `keep`; the C
    engine has the same (`bound_role` in backends/c/src/bounds/bounds.h)."""

    HIERARCHICAL = auto()  # best-first: garbage collection goes by it
    LOOKAHEAD = auto()  # the same; depth-first looks once more when a child's turn comes
    EQUIVALENT_POINTS = auto()  # every list pays `base` from the start
    REJECTION = auto()  # monotone rejections hold for descendants
    ONE_RULE = auto()  # sets with room for one rule are closed by the best one


class Bound(Part):
    """A reason not to explore a child. Sound, with a proof in docs/internals, or it must not ship.

    Attributes:
        summary: when the bound drops a child, as the end of a sentence: "drops a child if ...".
        theorem: the theorem's number, or the page of docs/internals with the proof.
        scope: "set" if the reason lies in the set of points that the prefix leaves and in the
            need (the incumbent less what the prefix costs) alone; it works in both searches.
            "prefix" if it looks at the prefix itself; such a bound works in `best-first` only,
            because what `depth-first` proves of a set must hold for every prefix that leaves it.
        monotone: what the bound rejects for a prefix it rejects for every extension, too: the bound
            `rejection` (Theorem 12) then does not offer it to the descendants.
        rank: bounds of lower rank are asked first: 0 reads columns, 1 compares sets, 2 counts.
        reads: columns in original weights, as a policy's, and "sets" for `Children.expansion`.
        backends: the backends that have the bound; empty if `keep` says all there is to say.
        role: what the search itself does for it (see `Role`); None for a plugin's bound.
        by_name: the backends whose presets leave the bound out; there it is used only by its name.
        joins: an option; if it is given, the default preset takes the bound up.
        tables: address of a `corels_table_bound` (`include/corels/tables.h`) for the C engine, by
            which it drops no child that it may not drop; or None.
        checker: "module:name" of the class that checks the records of the bound's tables in a
            proof (docs/how-to/bound-tables.md); empty if they write none.
    """

    theorem: ClassVar[str]
    scope: ClassVar[str] = "prefix"
    monotone: ClassVar[bool] = False
    rank: ClassVar[int] = 0
    reads: ClassVar[frozenset[str]] = frozenset()
    backends: ClassVar[frozenset[str]] = frozenset()
    role: ClassVar[Role | None] = None
    by_name: ClassVar[frozenset[str]] = frozenset()
    joins: ClassVar[str] = ""
    checker: ClassVar[str] = ""
    tables: int | None = None
    native: int | None = None
    """Address of a `corels_keep_call` with the same result as `keep`, or None."""

    @abstractmethod
    def keep(self, children: Children, incumbent: int) -> NDArray[np.bool_]:
        """False if no extension of the child, itself included, can cost less than `incumbent`.

        More exactly: dropping the child must leave at least one optimal list reachable, unless
        the incumbent is optimal already. The child's own list has been scored before. In
        `depth-first`, `incumbent` is the cost up to which the set is being proved, which may lie
        above the cost of the best list so far.
        """


SCOPES = ("set", "prefix")


class Preset(NamedTuple):
    """Parts that belong together; every one can be changed by its own option.

    map: the symmetry map or memo, and bounds: names of bounds, for each search that the preset is
    for; `search` is the one that it means if the user names none. joined: bounds that join
    with an option (`Bound.joins`) do.
    """

    search: str
    policy: str
    map: Mapping[str, str]
    bounds: Mapping[str, tuple[str, ...]]
    start: str = "none"
    joined: bool = False


@dataclass(frozen=True)
class Parts:
    """The chosen parts of a search over prefixes. `bounds` are in the order of evaluation.

    search: "depth-first" or "best-first". map, queue, cache: names; classes: the class behind each
    of these names that is not the backend's own, by kind ("map", "queue", "cache"). tune: tuning
    values of the backend (`Backend.tuning`) that are not the default ones, by name.
    """

    policy: Policy
    map: str
    bounds: tuple[Bound, ...]
    search: str = "best-first"
    queue: str = "heap"
    cache: str = "tree"
    start: str = "none"
    seed: int = 0
    threads: int = 1
    max_rules: int | None = None  # of a list; None: any number
    memory_limit: int | None = None
    fine_events: bool = False
    classes: Mapping[str, type[Any]] = field(default_factory=dict)
    tune: Mapping[str, float] = field(default_factory=dict)

    def describe(self, backend: str, **more: str) -> dict[str, str]:
        """The parts by name, for the certificate, and the tuning values that were changed."""
        return {
            "backend": backend,
            **more,
            "search": self.search,
            "policy": self.policy.name,
            "map": self.map,
            "bounds": " ".join(bound.name for bound in self.bounds),
            "start": self.start,
            "seed": str(self.seed),
            **({"tune": self.tuned} if self.tune else {}),
        }

    @property
    def tuned(self) -> str:
        """The tuning values that were changed, as text."""
        return " ".join(f"{name}={value:g}" for name, value in sorted(self.tune.items()))

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
        return frozenset(self.policy.reads).union(*(bound.reads for bound in self.bounds))


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
