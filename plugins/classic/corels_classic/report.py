"""What `verbosity` "progress" prints of the search, on standard output; the wording is ours."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from corels.problem import Problem
from corels.run.result import Result
from corels.search import Kind, Progress, Search, Sink


class SearchReport(Sink):
    """One line for each better list, one now and then, and the result."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem

    def events(self, records: NDArray[Any], search: Search) -> None:
        for record in records[records["kind"] == Kind.INCUMBENT]:
            objective = float(self._problem.objective(int(record["objective"])))
            print(f"min(objective): {objective:.5f}, length: {record['length']}")

    def progress(self, snapshot: Progress, search: Search) -> None:
        objective = float(self._problem.objective(snapshot.objective))
        lower_bound = float(self._problem.objective(snapshot.lower_bound))
        print(
            f"evaluated: {snapshot.expanded}, nodes: {snapshot.cached}, queue: {snapshot.queued}, "
            f"min(objective): {objective:.5f}, lower bound: {lower_bound:.5f}"
        )

    def finish(self, result: Result) -> None:
        found = result.certificate
        print(f"final min_objective: {float(found.objective):.5f}")
        print(f"final lower bound: {float(found.lower_bound):.5f} ({found.why_stopped})")
        print(f"final total time: {found.seconds:.6f}")
