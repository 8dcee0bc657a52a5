"""The set of all good lists: how many, which, what they share, and if they disagree."""

from __future__ import annotations

import random
import weakref
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import OptionError
from corels.model import Certificate
from corels.problem import Problem
from corels.search.good_lists import Antecedents, NearEngine, NearLimitError, Shares
from corels_rule_list.model import RuleList
from corels_rule_list.near.filtered import gone_through
from corels_rule_list.near.group_rates import GroupRates, bits_of_rows

if TYPE_CHECKING:
    from corels_rule_list.near.extremes import Range

Pause = Callable[[int, int], None]
"""Is called now and then with how many lists were gone through, and of how many; it may raise."""

AT_ONCE = 256
SEEN_BYTES = 100  # what one of a set takes in CPython beside its own bytes
COMPLETE = "complete"


@dataclass(frozen=True)
class NearCertificate:
    """What was proved: no list that counts costs at most `complete_to` and is missing.

    threshold: what was asked for. complete_to: None if a limit came before anything was certain.
    stopped: "complete", or why it ended early. search: the certificate of the optimum. statement:
    of the problem, in short.
    tune: the tuning values that were changed.
    """

    optimum: Fraction
    threshold: Fraction
    complete_to: Fraction | None
    stopped: str
    filters: Mapping[str, Any]
    backend: str
    statement: Mapping[str, Any]
    sets: int
    peak_memory: int
    seconds: float
    search: Certificate
    tune: str = ""

    @property
    def complete(self) -> bool:
        """Whether all that was asked for is there."""
        return self.stopped == COMPLETE

    def to_document(self) -> dict[str, Any]:
        """JSON-ready; fractions as text beside their decimal value."""
        costs = {name: getattr(self, name) for name in ("optimum", "threshold", "complete_to")}
        return {
            "complete": self.complete,
            "stopped": self.stopped,
            **{name: None if cost is None else float(cost) for name, cost in costs.items()},
            "exact": {name: None if cost is None else str(cost) for name, cost in costs.items()},
            "filters": dict(self.filters),
            "backend": self.backend,
            **({"tune": self.tune} if self.tune else {}),
            "sets": self.sets,
            "peak_memory": self.peak_memory,
            "seconds": self.seconds,
            "statement": dict(self.statement),
            "search": self.search.to_document(),
        }


@dataclass(frozen=True)
class NearList:
    """One of the lists: antecedents as indices into the problem, and its exact objective.

    said: what each rule says, the default rule last, if constraints leave that open; None: what
    costs least.
    """

    number: int  # from 1, in order
    antecedents: Antecedents
    objective: Fraction
    problem: Problem = field(repr=False)
    said: tuple[int, ...] | None = None

    @cached_property
    def rule_list(self) -> RuleList:
        """With predictions and counts."""
        return RuleList.of(self.problem, self.antecedents, self.said)

    @property
    def names(self) -> tuple[str, ...]:
        """Of the antecedents, first rule first."""
        return tuple(self.problem.antecedents[i].name for i in self.antecedents)


@dataclass(frozen=True)
class Usage:
    """How many of the lists use an antecedent: in all, as first rule, by predicted class."""

    name: str
    index: int
    lists: int
    share: float
    first: int
    predictions: Mapping[Any, int]


@dataclass(eq=False, repr=False)
class NearOptimal:
    """All lists within a tolerance, in order of cost, then length, then antecedents.

    Numbers are exact, however large. Nothing is listed before it is asked for. `close` gives the
    memory back; so does the end of a `with` block. `len` is `count`,
    if that fits a machine's integer.

    model: the best list that is known, also if a limit came before anything was certain. engine:
    it has counted the lists.
    """

    problem: Problem
    certificate: NearCertificate
    best: int | None
    model: RuleList
    engine: InitVar[NearEngine]

    def __post_init__(self, engine: NearEngine) -> None:
        self._engine, self._levels = engine, engine.levels()
        self.instance = engine.instance
        self.close = weakref.finalize(self, engine.close)

    def __len__(self) -> int:
        return self.count

    def __enter__(self) -> NearOptimal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def count(self) -> int:
        """How many lists there are. Equal antecedents are one antecedent."""
        return self._levels[-1].upto if self._levels else 0

    def classes(self, pause: Pause = lambda *_: None) -> int:
        """How many different predictions the lists make on the data. Goes through all lists.

        pause: learns how many of them, and of how many, and may raise. Raises NearLimitError if
        the predictions need more memory than the limit.
        """
        engine, seen = self._engine, set[bytes]()
        for start, found, _ in gone_through(engine):
            seen.update(row.tobytes() for row in found)
            held = engine.progress().memory + len(seen) * (found[:1].nbytes + SEEN_BYTES)
            if engine.memory and held > engine.memory:
                raise NearLimitError("the predictions of the lists need more memory than the limit")
            pause(start + len(found), self.count)
        return len(seen)

    def lengths(self) -> dict[int, int]:
        """Number of rules -> how many lists."""
        found, before = Counter[int](), 0
        for level in self._levels:
            found[level.rules] += level.upto - before
            before = level.upto
        return dict(sorted((+found).items()))

    def lists(self, start: int = 0, stop: int | None = None) -> Iterator[NearList]:
        """Lists number start + 1 up to stop, in order, as they are asked for."""
        last = self.count if stop is None else min(stop, self.count)
        at, size = start, 8
        while at < last:
            n = min(size, last - at)
            for number, found in enumerate(self._engine.lists(at, n), at + 1):
                yield self._made(number, found)
            at, size = at + n, min(2 * size, AT_ONCE)

    def _made(self, number: int, found: Antecedents) -> NearList:
        said = self._engine.said(number - 1)
        objective = RuleList.of(self.problem, found, said).objective(self.problem.regularization)
        return NearList(number, found, objective, self.problem, said)

    def __iter__(self) -> Iterator[NearList]:
        return self.lists()

    def __getitem__(self, index: int) -> NearList:
        """List number index + 1. Raises IndexError beyond the last."""
        at = index + self.count if index < 0 else index
        if not 0 <= at < self.count:
            raise IndexError(f"there are {self.count} lists")
        return self._made(at + 1, self._engine.lists(at, 1)[0])

    def sample(self, n: int, seed: int = 0) -> Iterator[NearList]:
        """n lists drawn uniformly, with replacement; the same ones for the same seed."""
        generator = random.Random(seed)
        for _ in range(n if self.count else 0):
            yield self[generator.randrange(self.count)]

    @cached_property
    def _shares(self) -> Shares:
        return self._engine.shares()

    def predicted_numbers(self) -> Sequence[Sequence[int]]:
        """[class][bit]: how many of the lists predict that class there."""
        return self._shares.predicted

    def usage(self) -> list[Usage]:
        """For each antecedent that any list uses, how many do; the most used first."""
        found = []
        for index, (uses, first) in enumerate(
            zip(self._shares.uses, self._shares.first, strict=True)
        ):
            if sum(uses):
                says = self.problem.outcomes.names
                by_class = {c: n for c, n in zip(says, uses, strict=True) if n}
                name, lists = self.problem.antecedents[index].name, sum(uses)
                share = lists / self.count
                found.append(Usage(name, index, lists, share, first, by_class))
        return sorted(found, key=lambda usage: (-usage.lists, usage.index))

    def indispensable(self) -> list[str]:
        """The antecedents that every list uses."""
        return [usage.name for usage in self.usage() if usage.lists == self.count]

    def first_rules(self) -> dict[str, int]:
        """Antecedent -> how many lists begin with it, the most frequent first."""
        firsts = {u.name: u.first for u in self.usage() if u.first}
        return dict(sorted(firsts.items(), key=lambda item: -item[1]))

    def predictions(self, data: Any) -> NDArray[np.float64]:
        """float64[N, C]: for each row of `data` the share of the lists that predict each class.

        data: a Dataset or columns whose rows satisfy antecedents as some training row does.
        Raises OptionError if a row does not.
        """
        shares = np.array(self._shares.predicted, dtype=object) / max(self.count, 1)
        return shares.astype(np.float64).T[bits_of_rows(self.problem, self.instance, data)]

    def disagreement(self, data: Any, reference: RuleList | None = None) -> NDArray[np.float64]:
        """float64[N]: for each row the share of the lists that predict otherwise.

        reference: otherwise than which list; the first one, the best, if not given.
        """
        model = self[0].rule_list if reference is None else reference
        shares = self.predictions(data)
        return 1 - shares[np.arange(len(shares)), model.predict_indices(data)]

    def range_of(
        self, metric: str, group: Sequence[Any] | None = None, *, data: Any, positive: Any = None
    ) -> dict[Any, Range]:
        """The least and the greatest value of a metric over all lists, exactly, for each group.

        Args:
            metric: one of `corels_rule_list.near.group_rates.METRICS`.
            group: (N,) values, one a row of `data`; None: one group, "all".
            data: a Dataset with labels. Rows that satisfy antecedents as no training row does
                need all lists one by one: then at most 20,000 lists.
            positive: the class that counts as positive, the last one if not given.
        """
        from corels_rule_list.near.extremes import ranges_of

        return ranges_of(self, metric, self.group_rates(group, data=data, positive=positive), data)

    def group_rates(
        self, group: Sequence[Any] | None, *, data: Any, positive: Any = None
    ) -> GroupRates:
        """Rates by group of single lists, `group_rates(...).values(found[0])`, on any Dataset."""
        return GroupRates(self.problem, data, group, positive)

    def score_range(self, scores: NDArray[np.int64]) -> tuple[int, int, Antecedents, Antecedents]:
        """Least and greatest sum over points of scores[class predicted there][bit]: int64[C, bits].

        Raises OptionError if there is no list, or the sums do not fit 32 bits.
        """
        if not self.count:
            raise OptionError("no list is left to take a range of")
        least = scores.min(axis=0)
        lifted = scores - least
        if int(lifted.sum(axis=1).max()) >= 2**31:
            raise OptionError("the groups are too large for an exact range: more than 2^31")
        narrow = np.ascontiguousarray(lifted, dtype=np.int32)
        low, high, first, second = self._engine.range(narrow)
        offset = int(least.sum())
        return low + offset, high + offset, first, second

    def to_text(self, lists: int = 10) -> str:
        """Certificate, summary, and so many of the lists, the best first."""
        from corels_rule_list.near.text import in_pieces

        return "\n".join(in_pieces(self, self.lists(stop=lists)))

    def __str__(self) -> str:
        return self.to_text()


def count_all(engine: NearEngine, budget: int) -> None:
    """All lists within a budget, in an engine that may have begun with another one."""
    engine.begin(budget)
    while not engine.step(1 << 16):
        pass
