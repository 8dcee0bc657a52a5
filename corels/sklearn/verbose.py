"""`verbose` of the estimators, as a sink of the event stream."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from corels.model.certificate_text import provided
from corels.problem import Problem
from corels.run.certifying import best_so_far
from corels.run.result import Result
from corels.search import Context, Kind, Search, Sink


class VerboseSink(Sink):
    """One line on stderr for each better list, and one at the end."""

    name = "verbose"

    def __init__(self, problem: Problem, solver: str) -> None:
        self._problem, self._solver = problem, solver

    @classmethod
    def open(cls, context: Context, options: Mapping[str, Any]) -> Sink:
        return cls(context.problem, context.solver)

    def events(self, records: NDArray[Any], search: Search) -> None:
        if (records["kind"] == Kind.INCUMBENT).any():
            snapshot = search.progress()
            objective, lower_bound = best_so_far(snapshot, self._problem, search)
            self._say(f"objective {objective:.6f}  lower bound {lower_bound:.6f}")

    def finish(self, result: Result) -> None:
        found = result.certificate
        state = "certified optimal" if found.optimal else f"{found.why_stopped}, gap {found.gap}"
        if given := provided(found):
            state += f", {given}"
        self._say(
            f"objective {float(found.objective):.6f}  {state}  "
            f"({found.expanded} prefixes, {found.seconds:.3f} s)"
        )

    def _say(self, line: str) -> None:
        print(f"[{self._solver}] {line}", file=sys.stderr)
