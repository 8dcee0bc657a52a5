"""Cuts that are refined where the best model uses them: what comes before a search on all cuts.

`cuts="auto"` makes every cut an antecedent, and such a search may find good models late. So
it is offered one at its start. This is found by searches of the same problem with few of its
cuts: first some of each column, evenly spread over the rows, then also some on both sides of each
cut that the best model uses, halfway to the neighbours and so on, until these neighbours leave no
other cut in between. Each search is given so many expansions, so runs repeat; what it proves says
nothing about all cuts and is dropped. The model may use no cut that all cuts have not, so it is
one of theirs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np
from numpy.typing import NDArray

from corels.clock import Clock
from corels.model import Model
from corels.problem import PlainRules, Problem
from corels.run.certifying import objective_of
from corels.run.steps import STEP_SECONDS, Steps
from corels.search import Search, Status
from corels.tables.column import Scalar
from corels.tables.condition import Antecedent

EXPANSIONS = 20_000  # of each search
MOST_ROUNDS = 20
SIDES = ("<=", ">")


class Cuts:
    """The cuts of a problem, column by column, and which of them are in use.

    Attributes:
        places: column -> cut -> its place among the column's cuts, rising.
        below: column -> int64, the weight of what is on the lower side of each.
        used: column -> the places in use.
    """

    def __init__(self, problem: Problem, first: int) -> None:
        """first: so many of each column are in use at first."""
        self._antecedents, self._some = problem.antecedents, max(1, first)
        low: dict[str, dict[Scalar, int]] = {}
        weights = problem.weights.sum(axis=0)
        supports = problem.captures.supports(weights).tolist()
        for antecedent, support in zip(problem.antecedents, supports, strict=True):
            for column, cut, side in _cuts_of(antecedent):
                known = low.setdefault(column, {})
                if len(antecedent.conditions) > 1:
                    known.setdefault(cut, 0)
                else:
                    known[cut] = support if side == "<=" else problem.total - support
        self.places: dict[str, dict[Scalar, int]] = {}
        self.below: dict[str, NDArray[np.int64]] = {}
        self.used: dict[str, set[int]] = {}
        for column, known in low.items():
            ordered = sorted(known)
            self.places[column] = {cut: at for at, cut in enumerate(ordered)}
            self.below[column] = np.maximum.accumulate([known[cut] for cut in ordered])
            self.used[column] = set()
            self._take_between(column, -1, len(ordered), 0, problem.total)

    def _take_between(self, column: str, low: int, high: int, least: int, most: int) -> bool:
        """Use a few cuts, evenly spread over the rows, of those after `low` and before `high`."""
        inside = self.below[column][low + 1 : high]
        if not len(inside):
            return False
        steps = np.arange(1, self._some + 1) / (self._some + 1)
        wanted = np.searchsorted(inside, least + steps * (most - least))
        self.used[column].update((low + 1 + np.minimum(wanted, len(inside) - 1)).tolist())
        return True

    def refine(self, model: Model) -> bool:
        """Use some on both sides of each cut of the model; whether there were any left."""
        found = {
            (column, self.places[column][cut])
            for antecedent in model.antecedents
            for column, cut, _ in _cuts_of(antecedent)
        }
        more = False
        for column, at in sorted(found):
            below, used = self.below[column], self.used[column]
            low = max((place for place in used if place < at), default=-1)
            high = min((place for place in used if place > at), default=len(below))
            used.add(at)
            least = int(below[low]) if low >= 0 else 0
            most = int(below[high]) if high < len(below) else int(below[-1])
            more |= self._take_between(column, low, at, least, int(below[at]))
            more |= self._take_between(column, at, high, int(below[at]), most)
        return more

    def in_use(self) -> list[int]:
        """The antecedents whose cuts are all in use."""
        return [
            number
            for number, antecedent in enumerate(self._antecedents)
            if all(
                self.places[column][cut] in self.used[column]
                for column, cut, _ in _cuts_of(antecedent)
            )
        ]


def _cuts_of(antecedent: Antecedent) -> Iterator[tuple[str, Scalar, str]]:
    for condition in antecedent.conditions:
        if condition.operator in SIDES:
            yield condition.column, condition.value, condition.operator  # type: ignore[misc]


@dataclass(eq=False)
class Refining:
    """The searches with few cuts, piece by piece.

    begin: makes the search of a problem. found: is given each better model, without its numbers.
    most: expansions of all of them together.
    rounds: searches that are over. antecedents: of the last of them.
    """

    problem: Problem
    begin: Callable[[Problem], Search]
    found: Callable[[PlainRules], object]
    most: float = math.inf

    def __post_init__(self) -> None:
        self._before = 0  # expansions of the searches that are over
        self._best: tuple[Fraction, Model] | None = None
        self._search: Search | None = None
        self.rounds = 0
        self.antecedents = 0
        self._pieces = self._work()

    @property
    def objective(self) -> float | None:
        """Of the best model so far."""
        return None if self._best is None else float(self._best[0])

    @property
    def expanded(self) -> int:
        """Expansions of all searches so far."""
        return self._before + (self._search.progress().expanded if self._search else 0)

    def step(self, seconds: float = STEP_SECONDS) -> bool:
        """Work for about so many seconds; whether there is more to do."""
        clock = Clock(seconds)
        while next(self._pieces, False) is not False:
            if clock.expired():
                return True
        return False

    def interrupt(self) -> None:
        """End the step that runs; called from another thread."""
        search = self._search
        if search is not None:
            search.interrupt()

    def close(self) -> None:
        """Free the search that is under way."""
        self._before = self.expanded
        search, self._search = self._search, None
        if search is not None:
            search.close()

    def extra(self) -> Mapping[str, int]:
        """For the certificate."""
        return {
            "refined_rounds": self.rounds,
            "refined_antecedents": self.antecedents,
            "refined_expanded": self.expanded,
        }

    def _work(self) -> Iterator[None]:
        cuts = Cuts(self.problem, self.problem.first_cuts)
        yield
        for _ in range(MOST_ROUNDS):
            kept = sorted({*cuts.in_use(), *self.problem.first})
            if not kept or len(kept) == self.problem.n_antecedents or self.expanded >= self.most:
                return
            problem = yield from self.problem.restricted_in_pieces(kept)
            yield from self._searched(problem)
            self.rounds, self.antecedents = self.rounds + 1, len(kept)
            if self._best is None or not cuts.refine(self._best[1]):
                return

    def _searched(self, problem: Problem) -> Iterator[None]:
        """One search, to its end or for so many expansions."""
        most = min(EXPANSIONS, self.most - self.expanded)
        search = self._search = self.begin(problem)
        if self._best is not None:
            search.offer(self._best[1].plain_rules())
        while (ready := search.prepare(STEP_SECONDS)) is None:
            yield
        search = self._search = ready
        steps, status = Steps(), Status.RUNNING
        while status is Status.RUNNING and (left := most - search.progress().expanded) > 0:
            status = steps.take(partial(_step, search, left))
            yield
        objective = objective_of(search.progress().objective, problem, search)
        if self._best is None or objective < self._best[0]:
            self._best = objective, search.model()
            self.found(self._best[1].plain_rules())
        self.close()


def _step(search: Search, left: float, budget: int) -> Status:
    """A step that expands no more than is left."""
    return search.step(int(min(budget, left)))
