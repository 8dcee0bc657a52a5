"""What stands for a search while its instance is prepared, piece by piece, under the run's clock.

To collapse and reorder a large problem takes longer than anybody waits for Ctrl-C. So the solver
answers at once with this; `corels.solve` calls `prepare` until it hands out the backend's search,
and looks at the clock and at the signals in between. Until then the best list is the one that is
known, or the one without rules, and nothing is proved.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from corels.model import Model
from corels.problem import Problem
from corels.problem.instance import Preparation
from corels.proof.log import ProofLog
from corels.search import Backend, Parts, Progress, Search, Status
from corels.search.calls import foreign, refuse_unknown
from corels_rule_list.model import RuleList


class Waiting(Search):
    """Prepares an instance; its `prepare` returns the search of the backend."""

    def __init__(self, problem: Problem, parts: Parts, backend: Backend, *, captured: bool) -> None:
        """captured: keep the points without regret, which parts in original weights read."""
        self._problem, self._parts, self._backend = problem, parts, backend
        self.bounds = parts.bounds  # for who tells the search's story
        self.max_rules = parts.max_rules
        self._preparation = Preparation(problem, captured=captured)
        self._offered: Model | None = None

    def prepare(self, seconds: float) -> Search | None:
        instance = self._preparation.step(seconds)
        if instance is None:
            return None
        search = self._backend.search(self._problem, instance, self._parts)
        if self._offered is not None:
            search.offer(self._offered)
        return search

    def offer(self, model: Model) -> bool:
        """Keep a known model for the backend's search; whether it is better than no rules."""
        if not isinstance(model, RuleList):
            return False
        known, most = model, self.max_rules
        if most is not None and len(model) > most:  # its first rules, as many as a list may have
            first = model.numbers(self._problem)[:most]
            known = RuleList.of(self._problem, [] if -1 in first else first)
        if known.cost(self._problem) >= self._nothing.cost(self._problem):
            return False
        self._offered = known
        return True

    def start_log(self, log: ProofLog) -> None:
        """The backend's search is told for itself; here it is said whether it could write one."""
        refuse_unknown(self._parts)

    def step(self, budget: int) -> Status:
        """There is nothing to step yet."""
        raise RuntimeError("the search is not prepared: call `prepare` until it returns one")

    def progress(self) -> Progress:
        """The best list that is known, and no bound."""
        return Progress(objective=self.model().cost(self._problem))  # type: ignore[attr-defined]

    def model(self) -> Model:
        """What was offered, or the list without rules."""
        return self._offered or self._nothing

    @cached_property
    def _nothing(self) -> RuleList:
        """The list without rules. To count it takes as long as a piece of the preparation."""
        return RuleList.of(self._problem, [])

    def pruned(self) -> Mapping[str, int]:
        """No bound has removed anything yet."""
        return {bound.name: 0 for bound in self._parts.bounds}

    def foreign(self) -> tuple[str, ...]:
        return foreign(self._parts)

    def describe(self) -> Mapping[str, str]:
        return self._parts.describe(self._backend.name)
