"""The Python search behind the core's `Search` interface."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from numpy.typing import NDArray

from corels.search import Kind, Progress, Status, event_records
from corels_falling.common import FallingSearch
from corels_falling.proof import tell
from corels_falling.setting import root_bound
from corels_falling.teaching import Data, Prefix, Teaching, exact


class TeachingSearch(FallingSearch):
    """Drives the generator behind the core's interface."""

    backend = "python"

    def __post_init__(self) -> None:
        super().__post_init__()
        problem = self.problem
        most = problem.n_antecedents if self.max_rules is None else self.max_rules
        search = self._search = Teaching(Data(problem), self.setting, most)
        self._use = tuple(name for name in self._use if name in ("prefix", "dominance"))
        self._run = exact(search, self._use)
        self._root = root_bound(problem, self.setting, self._scale)
        self._records: list[dict[str, int]] = [{"kind": Kind.START, "count": problem.n_antecedents}]
        self._told: tuple[int, ...] | None = None

    def step(self, budget: int) -> Status:
        for _ in range(budget):
            if next(self._run, self) is self:
                self._status = Status.DONE
                break
        grown, self._search.prefixes = self._search.prefixes, []
        if self.log is not None:
            tell(self.log, self.path(), [(len(e), e[-1]) for e in grown if e])
        return self._status

    def events(self) -> NDArray[Any]:
        """START and INCUMBENT."""
        records, self._records = self._records, []
        best = self._search.best
        if best is not None and best[1] != self._told:
            self._told = best[1]
            cost = self._cost(best[0])
            records.append({"kind": Kind.INCUMBENT, "length": len(best[1]), "objective": cost})
        return event_records(*records)

    def take(self, path: Sequence[int]) -> bool:
        prefix: Prefix | None = self._search.root()
        before = self._search.best
        for number in path:
            prefix = prefix and self._search.extend(prefix, number)
        if prefix is not None:
            self._search.offer(prefix)
        return self._search.best != before

    def _cost(self, objective: Fraction) -> int:
        return math.ceil(objective * self.scale())

    def progress(self) -> Progress:
        """A snapshot; costs on the scale of `objective`."""
        search = self._search
        best = search.best[0] if search.best else search.closed(search.root())
        lower = min([best, *search.open]) if search.expanded else min(best, self._root)
        if self._status is Status.DONE:
            lower = best
        return Progress(
            expanded=search.expanded,
            children=search.children,
            queued=len(search.open),
            objective=self._cost(best),
            lower_bound=self._cost(best) if lower == best else math.floor(lower * self.scale()),
            **self._further(search.settled, search.expanded),
        )

    def path(self) -> tuple[int, ...]:
        return self._search.best[1] if self._search.best else ()
