"""What a backend does for `corels.near`: the graph of all lists within a budget.

Costs here are scaled integers without `base`, the unavoidable errors that every list pays.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from corels.errors import CorelsError
from corels.problem import Problem
from corels.problem.captures import WORD

Antecedents = tuple[int, ...]


class TooManyListsError(CorelsError, OverflowError):
    """A number of lists that the engine cannot hold: the Python backend can."""


class NearLimitError(CorelsError, MemoryError):
    """The graph of one budget needs more memory than it may hold."""


@dataclass(frozen=True, eq=False)
class NearInstance:
    """The points that weigh something, those with regret first, each group in words of its own.

    The reduction of a search drops points without regret, since they change no cost. Here they
    stay: whether a rule captures something depends on them.

    for_rules: rules predict one of so many classes, the first ones, and the default rule any.
    may_say: of these, what each antecedent's rule may predict, bool[M, C]; None: all.
    masks: uint64[M, W]; regrets: int32[C, front]; point: int32[bits], the problem's point of each
    bit, -1 for the bits between the groups.
    """

    masks: NDArray[np.uint64]
    regrets: NDArray[np.int32]
    point: NDArray[np.int32]
    unit: int
    rule_cost: int
    base: int
    for_rules: int
    may_say: NDArray[np.bool_] | None = None

    @property
    def front(self) -> int:
        """Points with regret."""
        return int(self.regrets.shape[1])

    @property
    def bits(self) -> int:
        """Points, and the unused bits between the two groups."""
        return len(self.point)


@dataclass(frozen=True)
class Wanted:
    """Which lists count, in indices of the problem's antecedents. max_rules: at most so many rules;
    None: any number."""

    begins_with: Antecedents = ()
    must_use: Antecedents = ()
    avoid: Antecedents = ()
    max_rules: int | None = None


@dataclass(frozen=True)
class Level:
    """The lists of one cost and one number of rules; `upto`: with all levels before."""

    cost: int
    rules: int
    upto: int


@dataclass(frozen=True)
class NearProgress:
    """Where the engine is: sets of the graph, those done with, and the memory held, in bytes.

    stages: of the tables of each bound that has any, those that are built. lists: found so far,
    if they are found one by one. expanded: sets, by the search that is asked about those of the
    graph; building: of its tables under way, the share that is done; below 0: none are.
    """

    sets: int
    processed: int
    counted: int
    memory: int
    peak_memory: int
    stages: Mapping[str, int] = field(default_factory=dict)
    lists: int = 0
    expanded: int = 0
    building: float = -1


@dataclass(frozen=True)
class Shares:
    """Numbers of lists: uses[antecedent][class], first[antecedent], predicted[class][bit]."""

    uses: Sequence[Sequence[int]]
    first: Sequence[int]
    predicted: Sequence[Sequence[int]]


@dataclass(frozen=True, eq=False)
class NearGraph:
    """The sets of points that some list within the budget passes, and the rules that it goes on by.

    sets: uint64[S, W], bits as of the instance, the first one that behind `begins_with`. The rules
    of set i are begins[i] to begins[i + 1] - 1 of antecedents and behind, int32[E]: the set that a
    rule leaves; `ENDS`: the list ends behind it; `ONE_MORE`: it may, or goes on by one more rule.
    """

    sets: NDArray[np.uint64]
    begins: NDArray[np.int64]
    antecedents: NDArray[np.int32]
    behind: NDArray[np.int32]


ENDS, ONE_MORE = -1, -2


class NearEngine(ABC):
    """All lists within a budget. `begin`, `step` until it says done, then ask.

    memory: bytes that it may hold, 0: no limit.
    """

    memory = 0

    @abstractmethod
    def begin(self, budget: int) -> None:
        """Forget everything; lists of cost at most `budget` from now on."""

    @abstractmethod
    def step(self, sets: int) -> bool:
        """Work on so many sets; whether all is done. Raises NearLimitError, TooManyListsError."""

    @abstractmethod
    def progress(self) -> NearProgress:
        """Where it is."""

    @abstractmethod
    def levels(self) -> list[Level]:
        """By rising cost, then rules."""

    @abstractmethod
    def lists(self, start: int, count: int) -> list[Antecedents]:
        """Lists number start to start + count - 1, by cost, then rules, then antecedents."""

    def said(self, number: int) -> tuple[int, ...] | None:
        """What the rules of list `number` say, the default rule last; None: each what costs least
        in its cell."""
        return None

    def all_lists(self) -> list[Antecedents]:
        """Those of `lists`."""
        levels = self.levels()
        return self.lists(0, levels[-1].upto if levels else 0)

    @abstractmethod
    def graph(self) -> NearGraph:
        """The sets that some list passes."""

    @abstractmethod
    def shares(self) -> Shares:
        """Sums over all lists."""

    @abstractmethod
    def range(self, scores: NDArray[np.int32]) -> tuple[int, int, Antecedents, Antecedents]:
        """Least and greatest score of a list, and a list for each.

        scores: int32[C, bits], not negative; a list's score is the sum over the points of that of
        the class it predicts there.
        """

    @abstractmethod
    def close(self) -> None:
        """Give the memory back."""


def near_instance(problem: Problem) -> NearInstance:
    """The problem as the walk over good lists has it; unavoidable costs count apart."""
    weights, amounts = problem.weights, problem.amounts
    unavoidable = amounts.min(axis=0)
    regrets = amounts - unavoidable
    has_regret = regrets.any(axis=0)
    front = np.flatnonzero(has_regret)
    worst = regrets[:, front].max(axis=0, initial=0)
    front = front[np.lexsort((-worst, (regrets[:, front] > 0).argmax(axis=0)))]
    behind = np.flatnonzero(~has_regret & (weights.sum(axis=0) > 0))
    gap = -len(front) % WORD if len(behind) else 0
    groups = [  # without the word that captures of no points have
        problem.captures.columns(points).words[:, : -(-len(points) // WORD)]
        for points in (front, behind)
    ]
    point = np.concatenate([front, np.full(gap, -1), behind])
    return NearInstance(
        masks=np.concatenate(groups, axis=1),
        regrets=np.ascontiguousarray(regrets[:, front], dtype=np.int32),
        point=point.astype(np.int32),
        unit=problem.unit,
        rule_cost=problem.rule_cost,
        base=problem.unit * int(unavoidable.sum()),
        for_rules=problem.outcomes.for_rules,
        may_say=problem.may_say,
    )
