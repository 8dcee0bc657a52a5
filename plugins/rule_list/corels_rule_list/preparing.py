"""A search whose instance is still to be prepared, piece by piece, under the clock of the run.

To collapse and reorder a large problem takes longer than anybody waits for Ctrl-C. So the solver
answers at once with this search; `corels.solve` calls `prepare` until it is done, and looks at the
clock and at the signals in between. Until then, the best list is the one without rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.model import Model
from corels.model.rulelist import RuleList, rule_list
from corels.problem import Problem
from corels.problem.instance import Preparation
from corels.search import EVENT, Backend, Parts, Progress, Search, Status


class Preparing(Search):
    """Hands everything on to the backend's search, once there is one."""

    def __init__(self, problem: Problem, parts: Parts, backend: Backend, *, captured: bool) -> None:
        """captured: keep the points without regret, which parts in original weights read."""
        self._problem, self._parts, self._backend = problem, parts, backend
        self.bounds = parts.bounds  # for who tells the search's story
        self.max_rules = parts.max_rules
        self._preparation = Preparation(problem, captured=captured)
        self._offered: Model | None = None
        self._inner: Search | None = None
        self._interrupted = False

    def prepare(self, seconds: float) -> bool:
        """Prepare the instance; whether the backend's search is there."""
        if self._inner is None:
            instance = self._preparation.step(seconds)
            if instance is None:
                return False
            self._inner = self._backend.search(self._problem, instance, self._parts)
            if self._offered is not None:
                self._inner.offer(self._offered)
            if self._interrupted:
                self._inner.interrupt()
        return True

    @property
    def inner(self) -> Search:
        """The backend's search; prepares it where nobody has called `prepare`."""
        while self._inner is None:
            self.prepare(1.0)
        return self._inner

    def offer(self, model: Model) -> bool:
        """Keep a known model for the backend's search; whether it is better than no rules."""
        if not isinstance(model, RuleList):
            return False
        model = self._cut(model)
        if self._inner is not None:
            return self._inner.offer(model)
        nothing = rule_list(self._problem, [])
        if model.cost(self._problem) >= nothing.cost(self._problem):
            return False
        self._offered = model
        return True

    def _cut(self, model: RuleList) -> RuleList:
        """The list's first rules, as many as a list may have."""
        most = self.max_rules
        if most is None or len(model) <= most:
            return model
        numbers = {antecedent: n for n, antecedent in enumerate(self._problem.antecedents)}
        rules = [rule.antecedent for rule in model.rules[:most]]
        known = [numbers[one] for one in rules if one in numbers]
        return rule_list(self._problem, known if len(known) == len(rules) else [])

    def step(self, budget: int) -> Status:
        """One step of the backend's search."""
        return self.inner.step(budget)

    def interrupt(self) -> None:
        """Let the step return, or the next one; a piece of the preparation is short."""
        self._interrupted = True  # for a search that is not there yet
        if self._inner is not None:
            self._inner.interrupt()

    def events(self) -> NDArray[Any]:
        """None before the search has begun."""
        return np.empty(0, dtype=EVENT) if self._inner is None else self._inner.events()

    def progress(self) -> Progress:
        """Before the search has begun: the best list that is known, and no bound."""
        if self._inner is not None:
            return self._inner.progress()
        return Progress(objective=self.model().cost(self._problem))  # type: ignore[attr-defined]

    def model(self) -> Model:
        """Before the search has begun: what was offered, or the list without rules."""
        if self._inner is not None:
            return self._inner.model()
        return self._offered or rule_list(self._problem, [])

    def pruned(self) -> Mapping[str, int]:
        """Nothing before the search has begun."""
        return {} if self._inner is None else self._inner.pruned()

    def levels(self) -> tuple[int, ...]:
        """Nothing before the search has begun."""
        return () if self._inner is None else self._inner.levels()

    def describe(self) -> Mapping[str, str]:
        """The parts, as far as they are known before the search has begun."""
        if self._inner is not None:
            return self._inner.describe()
        parts = self._parts
        return {
            "backend": self._backend.name,
            "search": parts.search,
            "policy": parts.policy.name,
            "map": parts.map,
            "bounds": " ".join(bound.name for bound in parts.bounds),
            "start": parts.start,
            "seed": str(parts.seed),
        }

    def prove(self) -> str | None:
        """Write a proof from now on; why that cannot be, or None."""
        return self.inner.prove()

    def proof(self, *, last: bool = False) -> bytes:
        """The records of the proof since the last call; none before the search has begun."""
        return b"" if self._inner is None else self._inner.proof(last=last)

    def learn(self, rules: Sequence[int], value: int, left: int | None = None) -> bool:
        """A claim of an earlier proof."""
        return self.inner.learn(rules, value, left)

    def hurry(self, stages: int) -> None:
        """Build what an earlier search had built."""
        self.inner.hurry(stages)

    def foreign(self) -> tuple[str, ...]:
        """Parts from outside this distribution."""
        return () if self._inner is None else self._inner.foreign()

    def origin(self) -> NDArray[np.int32] | None:
        """The problem's index of each antecedent that events name."""
        return None if self._inner is None else self._inner.origin()

    def close(self) -> None:
        """Give back what the search holds."""
        if self._inner is not None:
            self._inner.close()
