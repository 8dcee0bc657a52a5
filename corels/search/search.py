"""One running search, and what it reports. `corels.solve` drives it from outside."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from corels.model.model import Model

if TYPE_CHECKING:
    from corels.search.events import Sink


class Status(Enum):
    """What `Search.step` reports."""

    RUNNING = "running"
    DONE = "done"  # proved: no model is better
    ENDED = "ended"  # nothing more will be tried, but nothing is proved (random searches)


@dataclass(frozen=True, slots=True)
class Progress:
    """A snapshot of a running search. Costs are scaled integers; `lower_bound` is proven.

    work_left: how much more work the search expects, in the unit of `extra["counts"]` (inf: it
    cannot tell yet, NaN: it never can). building: the share of the tables under way that is done,
    0 to 1, while the search makes tables; NaN otherwise.

    The run that drives the search adds what follows, NaN where it cannot be told; see
    `corels.run.left`. seconds_left: an estimate. seconds_left_least, seconds_left_most: the range
    that people are shown; least alone: it takes longer than that. limit_left: seconds until the
    time limit, inf where there is none.
    """

    expanded: int = 0
    children: int = 0  # bound evaluations
    queued: int = 0
    cached: int = 0
    merged: int = 0
    objective: int = 0
    lower_bound: int = 0
    memory: int = 0  # bytes held now
    peak_memory: int = 0
    work_left: float = math.nan
    building: float = math.nan
    seconds_left: float = math.nan
    seconds_left_least: float = math.nan
    seconds_left_most: float = math.nan
    limit_left: float = math.inf
    remaining: Callable[[], float] = field(default=lambda: math.nan, compare=False)
    extra: Mapping[str, float | int | str] = field(default_factory=dict)

    @property
    def log10_remaining(self) -> float:
        """log10 of the remaining search space (Theorem 7); valid until the next step.

        It is counted when it is asked for, because it looks at every queued prefix.
        """
        return self.remaining()


class Search(ABC):
    """One running search. `corels.solve` drives it: step, drain events, look, step again.

    resumable: whether a search of this family can go on from the proof of an earlier one.
    max_rules: it looks for models of at most so many rules; None: of any number.
    """

    resumable: ClassVar[bool] = True
    max_rules: int | None = None

    def offer(self, model: Model) -> bool:
        """A warm start: take a known model as incumbent and look only for better ones.

        Called before the first step, with a model of the same problem. Returns whether it was
        taken; a search that cannot, or that knows a better one, begins as usual.
        """
        return False

    def prepare(self, seconds: float) -> bool:
        """Work for about so many seconds on what comes before the first step; whether it is done.

        Called again and again before anything else but `offer`, `progress` and `model`.
        """
        return True

    def prove(self) -> str | None:
        """Write a proof from now on (docs/internals/proof.md); why that cannot be, or None.

        Called before the first step.
        """
        return "this search has none (the searches for rule lists have)"

    def proof(self, *, last: bool = False) -> bytes:
        """The records of the proof since the last call.

        last: the search has ended or stops here: also what is known of what it leaves open.
        """
        return b""

    def resume(self, content: bytes, name: str) -> bytes | None:
        """Learn what the file of an earlier search of another family than rule lists says.

        Called before the first step, where the search is `resumable`. Returns the records to begin
        the next proof with; None: the family is rule lists. Raises InputError where the file is no
        proof of this problem, OptionError where this search cannot go on from one.
        """
        return None

    def proof_sink(self, path: str, records: bytes = b"") -> Sink | None:
        """The listener that writes the proof of another family than rule lists to `path`.

        Called before the first step. records: those that come first, of an earlier proof. None: the
        family is rule lists. Raises OptionError where the
        search can write none, OutputError where the file cannot be written.
        """
        return None

    def learn(self, rules: Sequence[int], value: int, left: int | None = None) -> bool:
        """A claim of an earlier proof: what follows these antecedents costs at least `value`.

        left: if it has at most so many rules; None: any number.

        Called before the first step, with the problem's numbers; whether the search could use it.
        """
        return False

    def hurry(self, stages: int) -> None:  # noqa: B027 - most searches build nothing
        """Build what an earlier search had built, so many stages, before the first step's walk.

        What it ruled out by such tables is no claim, and would be searched without them.
        """

    @abstractmethod
    def step(self, budget: int) -> Status:
        """Do at most `budget` units of work (expansions) and return.

        A part's exception is raised from here, and the search can still report its best model.
        """

    def interrupt(self) -> None:  # noqa: B027 - a search whose steps are short needs none
        """Let the running step, or else the next one, return as soon as it can.

        May be called from any thread at any time. What was found and proved stays valid, and the
        search can go on with the next step.
        """

    @abstractmethod
    def events(self) -> NDArray[Any]:
        """The events since the last call, as a structured array (dtype `corels.search.EVENT`)."""

    @abstractmethod
    def progress(self) -> Progress:
        """A cheap snapshot."""

    def levels(self) -> tuple[int, ...]:
        """How many nodes are still open, by the length of their prefix from 0 on.

        Best-first: queued prefixes; depth-first: children on the stack. Empty where it is not
        known. It may look at every one of them.
        """
        return ()

    @abstractmethod
    def pruned(self) -> Mapping[str, int]:
        """How many children each bound has removed."""

    @abstractmethod
    def model(self) -> Model:
        """The best model so far. There is always one."""

    @abstractmethod
    def describe(self) -> Mapping[str, str]:
        """Backend, kernel and parts by name, for the certificate."""

    def foreign(self) -> tuple[str, ...]:
        """Parts from outside this distribution on which the proof rests, and where they are from.

        Such as "bound my-bound of my-package 1.0"; empty where there are none.
        """
        return ()

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
