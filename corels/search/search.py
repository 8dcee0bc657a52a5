"""One running search, and what it reports. `corels.solve` drives it from outside."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import OptionError
from corels.model.model import Model
from corels.problem.counting import PlainRules
from corels.problem.problem import Problem
from corels.search.events import ProofLog, event_records


class Status(Enum):
    """What `Search.step` reports."""

    RUNNING = "running"
    DONE = "done"  # proved: no model is better
    ENDED = "ended"  # nothing more will be tried, but nothing is proved (random searches)


@dataclass(frozen=True, slots=True)
class Progress:
    """A snapshot of a running search. Costs are scaled integers; `lower_bound` is proven.

    settled: the share of the first level, mostly of the first rules, that is settled, 0 to 1; NaN
    if it is not known. building: the share of the tables under way that is done, 0 to 1, while the
    search makes tables; NaN otherwise.

    The run that drives the search adds what follows. seconds_left: NaN if it is not known; see
    `corels.run.time_left`. limit_left: seconds until the time limit, inf without one.
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
    settled: float = math.nan
    building: float = math.nan
    seconds_left: float = math.nan
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

    log: hears what is proved as it is proved; None if no proof is written. resumed: the
    file of the proof that it began with and believed; "" if there was none.
    """

    log: ProofLog | None = None
    resumed: str = ""

    def offer(self, rules: PlainRules) -> bool:
        """A warm start: take a known model as incumbent and look only for better ones.

        rules: what the model asks and says, without numbers; the search counts them on its own
        problem, by `Problem.count` or the count of its family. Called before the first step.
        Returns whether they were taken: not if the search knows a model that is as good. Raises
        OptionError if they are no model of this problem, or the search cannot begin with one.
        """
        raise OptionError("this search takes no incumbent")

    def prepare(self, seconds: float) -> Search | None:
        """Work for about so many seconds on what comes before the first step.

        Returns the search to go on with, mostly this one; None if there is more to prepare.
        Called again and again before anything else but `offer`, `progress` and `model`.
        """
        return self

    def start_log(self, log: ProofLog) -> None:
        """Tell `log` from now on what is proved (docs/internals/proof.md).

        Called before the first step, if the family has a proof format. Raises OptionError if
        this search can write no proof.
        """
        self.log = log

    @abstractmethod
    def step(self, budget: int) -> Status:
        """Do at most `budget` units of work (expansions) and return.

        A part's exception is raised from here, and the search can still report its best model.
        """

    def interrupt(self) -> None:  # noqa: B027 - a search whose steps are short needs none
        """Let the running step, or else the next one, return as soon as it can.

        May be called from any thread at any time, also by the handler of a signal in the midst of a
        step: a lock that it takes has to be an RLock. What was found and proved stays valid, and
        the search can go on with the next step.
        """

    def events(self) -> NDArray[Any]:
        """The events since the last call, as a structured array (dtype `corels.search.EVENT`).

        `corels.search.event_records` makes one. None if a search has nothing to tell.
        """
        return event_records()

    @abstractmethod
    def progress(self) -> Progress:
        """A cheap snapshot."""

    def levels(self) -> tuple[int, ...]:
        """How many nodes are still open, by the length of their prefix from 0 on.

        Best-first: queued prefixes; depth-first: children on the stack. Empty if it is not
        known. It may look at every one of them.
        """
        return ()

    def pruned(self) -> Mapping[str, int]:
        """How many children each bound has removed; empty if there are no bounds."""
        return {}

    @abstractmethod
    def model(self) -> Model:
        """The best model so far. There is always one."""

    def describe(self) -> Mapping[str, str]:
        """Backend, kernel and parts by name, for the certificate."""
        return {}

    def foreign(self) -> tuple[str, ...]:
        """Parts from outside this distribution on which the proof rests, and where they are from.

        Such as "bound my-bound of my-package 1.0"; empty if there are none.
        """
        return ()

    def limits(self) -> Mapping[str, int | str]:
        """What the models keep to among which the best one is looked for; empty for all models.

        {"max_rules": 3}: of at most three rules; the certificate says `max_` and `min_` of
        a name as "at most" and "at least". A model says by `Model.within` whether it keeps to a
        limit. Every option that leaves models out belongs here: the certificate says "no model is
        better" otherwise.
        """
        return {}

    def scale(self) -> int | None:
        """Objective = scaled cost / scale; None: the problem's own scale and regularization."""
        return None

    def objective(self, cost: int) -> Fraction | None:
        """The objective that a scaled cost stands for; None: as the problem says."""
        scale = self.scale()
        return None if scale is None else Fraction(cost, scale)

    def origin(self) -> NDArray[np.int32] | None:
        """The problem's index of each antecedent that events name by number.

        int32[m]; None if events use the problem's own numbers.
        """
        return None

    def constraints(self) -> tuple[Mapping[str, Any], ...]:
        """What the best model reaches of the problem's constraints, for the certificate."""
        return ()

    def close(self) -> None:  # noqa: B027 - a search in pure Python holds nothing
        """Give back what the search holds. Calling it twice does no harm."""


def stated(problem: Problem, search: Search, *, short: bool = False) -> dict[str, Any]:
    """The statement of what a search is about: of its problem, and its limits."""
    return problem.statement(search.limits(), regularized=search.scale() is None, short=short)


def begun(search: Search) -> Search:
    """The same search with everything prepared that comes before its first step."""
    while (ready := search.prepare(1.0)) is None:
        pass
    return ready


def log10_remaining(
    lengths: NDArray[np.int64],
    lower_bounds: NDArray[np.int64],
    *,
    incumbent: int,
    rule_cost: int,
    n_antecedents: int,
) -> float:
    """log10 of the remaining search space (Theorem 7); -inf if nothing is queued.

    A queued prefix of length L with lower bound b can only be extended by f more rules, f =
    min(floor((R - b) / lambda), M - L), where R is the incumbent and M the number of antecedents.
    It stands for sum over k = 0..f of (M - L)! / (M - L - k)! prefixes.

    lengths, lower_bounds: of each queued prefix, scaled costs. Proposition 9 is the same sum with
    the lower bounds replaced by `rule_cost * length`.
    """
    if len(lengths) == 0:
        return -math.inf
    free = n_antecedents - lengths
    extensions = free
    if rule_cost > 0:
        extensions = np.minimum(free, np.maximum(incumbent - lower_bounds, 0) // rule_cost)
    least_free, least = int(free.min()), int(extensions.min())
    width = int(extensions.max()) - least + 1  # few distinct pairs: counting them is linear
    counts = np.bincount((free - least_free) * width + (extensions - least))
    terms = [
        math.log(counts[pair]) + _log_arrangements(pair // width + least_free, pair % width + least)
        for pair in np.flatnonzero(counts).tolist()
    ]
    return _log_sum(terms) / math.log(10)


@lru_cache(maxsize=4096)  # the same few pairs come back at every look at a search
def _log_arrangements(m: int, f: int) -> float:
    """log of sum over k = 0..f of m! / (m - k)!."""
    return _log_sum([math.lgamma(m + 1) - math.lgamma(m - k + 1) for k in range(f + 1)])


def _log_sum(terms: list[float]) -> float:
    largest = max(terms)
    return largest + math.log(sum(math.exp(term - largest) for term in terms))
