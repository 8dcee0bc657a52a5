"""What a backend does for `corels.near`: the graph of all lists within a budget; and what is summed
up over lists one by one (`OneByOne`), which is slow and simple: it serves backends that have
nothing quicker, subsets of the lists that no graph describes, and tests.

Costs here are scaled integers without `base`, the unavoidable errors that every list pays.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, zip_longest

import numpy as np
from numpy.typing import NDArray

from corels.errors import CorelsError
from corels.problem import Problem
from corels.problem.captures import WORD, pack, supports, unpack, weight_planes

Antecedents = tuple[int, ...]
Said = Sequence[int] | None
"""What the rules of a list say, the default rule last; None: each what costs least in its cell."""


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

    instance: the points. memory: bytes that it may hold, 0: no limit.
    """

    instance: NearInstance
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
        """What the rules of list `number` say, the default rule last, or None (`Said`)."""
        return None

    @property
    def count(self) -> int:
        """How many lists there are."""
        levels = self.levels()
        return levels[-1].upto if levels else 0

    def all_lists(self) -> Iterator[tuple[Antecedents, Said]]:
        """Those of `lists`, with what their rules say."""
        count = self.count
        return zip(self.lists(0, count), map(self.said, range(count)), strict=True)

    @abstractmethod
    def graph(self) -> NearGraph:
        """The sets that some list passes."""

    def shares(self) -> Shares:
        """Sums over all lists."""
        return OneByOne(self.instance).shares(self.all_lists())

    def range(self, scores: NDArray[np.int32]) -> tuple[int, int, Antecedents, Antecedents]:
        """Least and greatest score of a list, and a list for each.

        scores: int32[C, bits], not negative; a list's score is the sum over the points of that of
        the class it predicts there.
        """
        return OneByOne(self.instance).range(self.all_lists(), scores)

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


DEFAULT = -1  # in place of an antecedent
AT_ONCE = 256  # lists that are summed up together
FAR = 1 << 62  # more than anything costs


class OneByOne:
    """The lists of one instance."""

    def __init__(self, instance: NearInstance) -> None:
        regrets = np.zeros((len(instance.regrets), instance.bits), dtype=np.int64)
        regrets[:, : instance.front] = instance.regrets
        self._all = instance.point >= 0
        # What each antecedent's rule may not say; in the last row, if there is no rule, nothing.
        rules, outcomes = len(instance.masks), np.arange(len(instance.regrets))
        self._barred = np.zeros((rules + 1, len(outcomes)), dtype=np.bool_)
        self._barred[:rules] = outcomes >= instance.for_rules
        if instance.may_say is not None:
            self._barred[:rules] |= ~instance.may_say
        # Packed sets; the last one, number DEFAULT, is empty: there is no rule.
        nothing = np.zeros_like(instance.masks[:1])
        self._packed = np.concatenate([instance.masks, nothing])
        (self._points,) = pack(self._all[None])
        self._planes = [weight_planes(row) for row in regrets]
        self._digits = np.arange(max(1, (len(regrets) - 1).bit_length()), dtype=np.int16)

    def _cells(
        self, lists: Sequence[Antecedents], said: Sequence[Said]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], list[NDArray[np.uint64]]]:
        """[n, longest], the antecedents of lists, DEFAULT behind the last; [n, longest + 1], what
        the rules say; and for each place uint64[n, words], what a rule there captures of the rest.
        The default rules have the last place."""
        longest = max(map(len, lists), default=0)
        rules = np.full((len(lists), longest), DEFAULT)
        says = np.full((len(lists), longest + 1), -1)
        for row, (one, chosen) in enumerate(zip_longest(lists, said)):
            rules[row, : len(one)] = one
            if chosen is not None:
                says[row, : len(one)], says[row, longest] = chosen[:-1], chosen[-1]
        left, cells = np.tile(self._points, (len(lists), 1)), list[NDArray[np.uint64]]()
        for place in range(longest):
            cells.append(left & self._packed[rules[:, place]])
            left &= ~cells[-1]
        cells.append(left)
        for place, cell in enumerate(cells):
            costs = np.array([supports(cell, planes) for planes in self._planes])
            if place < longest:
                costs[self._barred[rules[:, place]].T] = FAR
            says[:, place] = np.where(says[:, place] < 0, np.argmin(costs, axis=0), says[:, place])
        return rules, says, cells

    def predicted(
        self, lists: Sequence[Antecedents], said: Sequence[Said] = ()
    ) -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
        """uint64[n, digits, words]: which points have each binary digit of the class that each list
        predicts; bool[n]: whether leaving any rule out, the others as they are, changes some
        prediction of the list.

        said: of each list; none at all: as None for each.
        """
        rules, says, cells = self._cells(lists, said)
        digits = (says[:, :, None] >> self._digits & 1).astype(np.uint64)
        everywhere = -digits[..., None]  # [n, places, digits, 1]: all bits, or none
        found = everywhere[:, -1] & self._points  # what the rules behind a place predict
        matter = np.ones(len(lists), dtype=np.bool_)
        for place in reversed(range(len(cells) - 1)):
            other = found ^ (everywhere[:, place] & self._points)
            differs = (other & cells[place][:, None]).any(axis=(1, 2))
            matter &= differs | (rules[:, place] == DEFAULT)
            found ^= other & self._packed[rules[:, place]][:, None]
        return found, matter

    def labels(self, rules: Antecedents, said: Said = None) -> NDArray[np.int16]:
        """The class that a list predicts for each bit; 0 if there is no point."""
        found, _ = self.predicted([rules], [said])
        held = unpack(found[0], len(self._all)).astype(np.int16)
        return np.asarray((held << self._digits[:, None]).sum(axis=0, dtype=np.int16))

    def shares(self, lists: Iterable[tuple[Antecedents, Said]]) -> Shares:
        """How many of the lists use a rule, begin with it, predict a class at a bit."""
        classes, left = len(self._planes), iter(lists)
        uses = np.zeros((len(self._packed) - 1, classes), dtype=np.int64)
        first = np.zeros(len(uses), dtype=np.int64)
        predicted = np.zeros((classes, len(self._all)), dtype=np.int64)
        while some := list(islice(left, AT_ONCE)):
            rules, says, cells = self._cells(*zip(*some, strict=True))
            for place, cell in enumerate(cells):
                for label in range(classes):
                    held = unpack(cell[says[:, place] == label], len(self._all))
                    predicted[label] += held.sum(axis=0)
            used = rules != DEFAULT
            np.add.at(uses, (rules[used], says[:, :-1][used]), 1)
            np.add.at(first, rules[used.any(axis=1), :1], 1)
        return Shares(uses.tolist(), first.tolist(), predicted.tolist())

    def range(
        self, lists: Iterable[tuple[Antecedents, Said]], scores: NDArray[np.int32]
    ) -> tuple[int, int, Antecedents, Antecedents]:
        """Least and greatest score: the sum over points of that of the class predicted there."""
        points = np.flatnonzero(self._all)
        found = [
            (int(scores[self.labels(*one)[points], points].sum(dtype=np.int64)), one[0])
            for one in lists
        ]
        low, high = min(found), max(found)
        return low[0], high[0], low[1], high[1]
