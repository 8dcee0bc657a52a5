"""The parts of a search, as abstract classes. A part has one name in every backend.

    Policy       in which order prefixes are explored
    Bound        which children need not be explored
    SymmetryMap  which prefixes capture the same, so that one of them is enough
    Queue        the worklist
    Cache        the prefix tree
    Search       one running search; always driven from outside, by `corels.solve`
    Backend      builds the Search of a rule list from an Instance and named parts
    Solver       builds the Search of a model family from a Problem and its options

Parts are batch-first: a table of children goes in, an array comes out.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from corels.children import ORIGINAL_COLUMNS, SETS, Children
from corels.errors import OptionError
from corels.instance import Instance
from corels.model import Model
from corels.options import Option
from corels.problem import Problem

if TYPE_CHECKING:
    from corels.data import Dataset


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


class Queue(ABC):
    """The worklist: node numbers by priority, lowest first, ties by node number."""

    name: ClassVar[str]
    summary: ClassVar[str]

    @abstractmethod
    def push(self, priorities: NDArray[np.float64], ids: Sequence[int]) -> None: ...

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


class Cache(ABC):
    """The prefix tree: nodes are numbered by insertion and name their parent; 0 is the root."""

    name: ClassVar[str]
    summary: ClassVar[str]

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
    def lower_bound(self, node: int) -> int: ...

    @abstractmethod
    def drop(self, node: int) -> None:
        """Forget a node without children, and every ancestor that thereby becomes childless."""

    @abstractmethod
    def __len__(self) -> int: ...


class SymmetryMap(ABC):
    """Prefixes that leave the same points are worth one: the cheapest (Theorem 15).

    `key` says what a key is made of: "antecedents" (the sorted antecedents of a prefix),
    "remaining" (the set of points that it leaves), or "" where no keys are wanted.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    key: ClassVar[str]

    @abstractmethod
    def admit(self, keys: Sequence[bytes], lower_bounds: Sequence[int]) -> NDArray[np.bool_]:
        """True for each prefix that is the cheapest so far with its key, and remember it."""

    @abstractmethod
    def stale(self, key: bytes, lower_bound: int) -> bool:
        """Whether a cheaper prefix with this key has been admitted since."""

    @abstractmethod
    def __len__(self) -> int: ...


class Status(Enum):
    """What `Search.step` reports."""

    RUNNING = "running"
    DONE = "done"  # proved: no model is better
    ENDED = "ended"  # nothing more will be tried, but nothing is proved (random searches)


@dataclass(frozen=True, slots=True)
class Progress:
    """A snapshot of a running search. Costs are scaled integers; `lower_bound` is proven."""

    expanded: int = 0
    children: int = 0  # bound evaluations
    queued: int = 0
    cached: int = 0
    merged: int = 0
    objective: int = 0
    lower_bound: int = 0
    memory: int = 0  # bytes held now
    peak_memory: int = 0
    remaining: Callable[[], float] = field(default=lambda: math.nan, compare=False)
    extra: Mapping[str, float | int | str] = field(default_factory=dict)

    @property
    def log10_remaining(self) -> float:
        """log10 of the remaining search space (Theorem 7); valid until the next step.

        It is counted when it is asked for, because it looks at every queued prefix.
        """
        return self.remaining()


class Search(ABC):
    """One running search. `corels.solve` drives it: step, drain events, look, step again."""

    def offer(self, model: Model) -> bool:
        """A warm start: take a known model as incumbent and look only for better ones.

        Called before the first step, with a model of the same problem. Returns whether it was
        taken; a search that cannot, or that knows a better one, begins as usual.
        """
        return False

    @abstractmethod
    def step(self, budget: int) -> Status:
        """Do at most `budget` units of work (expansions) and return.

        A part's exception is raised from here, and the search can still report its best model.
        """

    @abstractmethod
    def events(self) -> NDArray[Any]:
        """The events since the last call, as a structured array (dtype `corels.events.EVENT`)."""

    @abstractmethod
    def progress(self) -> Progress:
        """A cheap snapshot."""

    @abstractmethod
    def pruned(self) -> Mapping[str, int]:
        """How many children each bound has removed."""

    @abstractmethod
    def model(self) -> Model:
        """The best model so far. There is always one."""

    @abstractmethod
    def describe(self) -> Mapping[str, str]:
        """Backend, kernel and parts by name, for the certificate."""

    def scale(self) -> int | None:
        """Objective = scaled cost / scale; None: the problem's own scale and regularization."""
        return None

    def objective(self, cost: int) -> Fraction | None:
        """The objective that a scaled cost stands for; None: as the problem says."""
        scale = self.scale()
        return None if scale is None else Fraction(cost, scale)

    def origin(self) -> NDArray[np.int32] | None:
        """The problem's index of each antecedent that events name by number.

        int32[m]; None where events use the problem's own numbers.
        """
        return None

    def close(self) -> None:  # noqa: B027 - a search in pure Python holds nothing
        """Give back what the search holds. Calling it twice does no harm."""


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


class Backend(ABC):
    """Where a rule-list search runs.

    `loops` are the loops it has (see Policy); `fastest`, where it has more than the queue, names
    the parts with which it certifies soonest: what the preset `fast` means there.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    loops: ClassVar[frozenset[str]] = frozenset({"queue"})
    fastest: ClassVar[Preset | None] = None

    @abstractmethod
    def refuses(self, parts: Parts, problem: Problem) -> str | None:
        """Why this combination cannot run here, naming what can; None if it can."""

    @abstractmethod
    def search(self, problem: Problem, instance: Instance, parts: Parts) -> Search:
        """A search that has not begun."""


class ModelPath(Protocol):
    """Models of one family by rising complexity, as `corels path` shows them."""

    @property
    def certified(self) -> bool: ...

    @property
    def interrupted(self) -> bool: ...

    def to_text(self) -> str: ...

    def models_text(self) -> str:
        """Every model, in words."""
        ...

    def to_rows(self) -> list[dict[str, Any]]: ...

    def to_document(self) -> dict[str, Any]: ...

    def plot(self, axes: Any = None) -> Any:
        """Draw it with matplotlib; returns the axes."""
        ...


class Solver(ABC):
    """What is learned: a model family with its own options."""

    name: ClassVar[str]
    summary: ClassVar[str]
    options: ClassVar[tuple[Option, ...]]
    regularized: ClassVar[bool] = True
    """Whether the problem's regularization is part of what is minimised."""
    path_options: ClassVar[tuple[Option, ...]] = ()  # further ones of its `path`, if it has one

    @abstractmethod
    def search(
        self,
        problem: Problem,
        options: Mapping[str, Any],
        *,
        fine_events: bool = False,
        memory_limit: int | None = None,
    ) -> Search:
        """A search that has not begun; `options` holds a checked value for each declared option.

        fine_events: somebody listens to every pop and prune. memory_limit: bytes that the search
        should stay under if it can; `corels.solve` stops it where it does not.
        """

    def path(
        self, data: Dataset, settings: Mapping[str, Any], report: Callable[[str], None] | None
    ) -> ModelPath:
        """The family's models of rising complexity, for `corels path`; not every family has one.

        settings: a checked value for each of `options`, `path_options` and the limits, which
        count for each search. report: told a line after each search.
        """
        raise OptionError(f"the solver {self.name!r} has no path")

    @abstractmethod
    def load(self, document: Mapping[str, Any]) -> Model:
        """The model of a JSON document that this family has written."""
