"""The event stream: what a search says while it runs.

Engines write fixed-size records; `corels.solve` drains them after each step and hands them to
sinks. Records hold no clock, so the fine events of one search are the same bytes every time and
on every backend. Costs are scaled integers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from corels.run import Result
    from corels.search import Progress, Search


LEVELS = ("coarse", "fine")  # how much of the events somebody wants


class Kind(IntEnum):
    """Kinds of records. The fine ones are written only where somebody asked for them."""

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
    STEP = 10  # fine. node: iteration; length: rules so far; count: antecedents considered
    SETTLE = 11  # fine. node: set whose children are all solved; lower_bound: proved of its lists


EVENT = np.dtype(
    [
        ("kind", "<i4"),
        ("part", "<i4"),
        ("antecedent", "<i4"),
        ("length", "<i4"),
        ("node", "<i8"),
        ("count", "<i8"),
        ("lower_bound", "<i8"),
        ("objective", "<i8"),
    ]
)


class Sink(ABC):
    """Something that listens to a search: the live display, a trace file, a test."""

    wants_fine: bool = False

    def start(self, search: Search) -> None:  # noqa: B027
        """Called before the first step."""

    @abstractmethod
    def events(self, records: NDArray[Any], search: Search) -> None:
        """A batch of records, in order."""

    def progress(self, snapshot: Progress, search: Search) -> None:  # noqa: B027
        """A snapshot, a few times a second."""

    def finish(self, result: Result) -> None:  # noqa: B027
        """Called once, when the search has ended or was stopped."""

    def close(self) -> None:  # noqa: B027
        """Always called last, also after an error."""


class Recorder(Sink):
    """Keeps every record, for tests and notebooks."""

    def __init__(self, *, fine: bool = True) -> None:
        self.wants_fine = fine
        self._batches: list[NDArray[Any]] = []

    def events(self, records: NDArray[Any], search: Search) -> None:
        """Keep a copy."""
        self._batches.append(records.copy())

    @property
    def records(self) -> NDArray[Any]:
        """All records so far, in order (dtype EVENT)."""
        return np.concatenate(self._batches) if self._batches else np.empty(0, dtype=EVENT)
