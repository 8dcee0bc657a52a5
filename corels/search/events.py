"""The event stream: what a search says while it runs.

Engines write fixed-size records; `corels.solve` drains them after each step and hands them to
sinks. Records hold no clock, so the fine events of one search are the same numbers every time and
on every backend. Costs are scaled integers; the price of a constraint is what a difference of 1
adds to the objective, in millionths.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corels.options import Option

if TYPE_CHECKING:
    from corels.problem import Problem
    from corels.run.result import Result
    from corels.search import Progress, Search

LEVELS = ("coarse", "fine")  # how much of the events a listener wants


class Kind(IntEnum):
    """Kinds of records. The fine ones are written only if they are asked for."""

    START = 0  # objective: the list without rules; count: antecedents
    INCUMBENT = 1  # node: parent prefix; antecedent: last rule; objective; length
    COLLECT = 2  # count: queued prefixes that the new incumbent made useless
    DONE = 3  # objective, lower_bound
    POP = 4  # fine. node; length; lower_bound
    PRUNE = 5  # fine. node: parent prefix; antecedent; part: index of the bound; lower_bound
    MERGE = 6  # fine. node: parent prefix; antecedent: captures the same as a cheaper prefix
    PUSH = 7  # fine. node: number given; parent in count; antecedent; length; lower_bound
    STALE = 8  # fine. node: popped, but a cheaper prefix has come since
    BOUND = 9  # lower_bound: what is proven has risen to it
    SETTLE = 11  # fine. node; length; antecedent; lower_bound: what its set was proved to cost
    PRICE = 12  # node: number of a search at prices; part: which constraint's; count: its price
    PRICED = 13  # what it gave. node; lower_bound; objective; count: evaluations; length: 1 if done
    GRAPH = 14  # node: sets; count: labels; lower_bound: of what the graph leaves; objective


_SMALL, _LARGE = "kind part antecedent length", "node count lower_bound objective"
EVENT = np.dtype(
    [*((name, "i4") for name in _SMALL.split()), *((name, "i8") for name in _LARGE.split())]
)


def event_records(*records: Mapping[str, int]) -> NDArray[Any]:
    """Events as a structured array, each from the fields that it has: `kind`, and what else."""
    out = np.zeros(len(records), dtype=EVENT)
    out["part"] = out["antecedent"] = -1
    for row, record in zip(out, records, strict=True):
        for name, value in record.items():
            row[name] = value
    return out


class Context(NamedTuple):
    """What a sink may know before the search begins.

    write: where a sink that tells something to people writes text (stderr on the command line).
    """

    problem: Problem
    solver: str
    write: Callable[[str], None]


class Sink:
    """Something that listens to a search: the live display, a trace file, a test.

    A registered sink has a name, a summary and options of its own, which `--sink NAME:key=value`
    sets on the command line; `open` makes it.
    """

    name: str = ""
    summary: ClassVar[str] = ""
    options: ClassVar[tuple[Option, ...]] = ()
    wants_fine: bool = False

    @classmethod
    def open(cls, context: Context, options: Mapping[str, Any]) -> Sink:
        """The sink for one run; `options` holds a checked value for each declared option."""
        return cls(**options)

    def preparing(self) -> None:
        """The problem is prepared for the search, before `start`; called a few times a second."""

    def start(self, search: Search) -> None:
        """Called before the first step."""

    def events(self, records: NDArray[Any], search: Search) -> None:
        """A batch of records, in order."""

    def progress(self, snapshot: Progress, search: Search) -> None:
        """A snapshot, a few times a second."""

    def finish(self, result: Result) -> None:
        """Called once, when the search has ended or was stopped."""

    def close(self) -> None:
        """Always called last, also after an error."""


class Recorder(Sink):
    """Keeps every record, for tests and notebooks."""

    def __init__(self, *, fine: bool = True) -> None:
        self.wants_fine = fine
        self._batches: list[NDArray[Any]] = []

    def events(self, records: NDArray[Any], search: Search) -> None:
        self._batches.append(records.copy())

    @property
    def records(self) -> NDArray[Any]:
        """All records so far, in order (dtype EVENT)."""
        return np.concatenate(self._batches) if self._batches else np.empty(0, dtype=EVENT)


class ProofLog(ABC):
    """An observer of a search, which hears every claim as soon as it is proved.

    `Search.start_log` gives a search its log, `Search.log`, before the first step. Claims and
    models come as records of the family's proof format, in the order in which one may lean on
    another.
    """

    @abstractmethod
    def proved(self, records: bytes) -> None:
        """Claims, also none."""

    @abstractmethod
    def found(self, record: bytes) -> None:
        """The best model so far; the same one may be reported again."""
