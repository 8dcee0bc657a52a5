"""The search in the words of the old program, on standard output."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from corels.model import Stopped
from corels.problem import Problem
from corels.run.result import Result
from corels.search import Kind, Search, Sink


class OldWords(Sink):
    """A line for each better list, and the result."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem

    def start(self, search: Search) -> None:
        per_class = self._problem.weights.sum(axis=1)  # the list without rules is the first
        self._best = 1 - int(per_class.max()) / self._problem.total
        self._cached = 0

    def events(self, records: NDArray[Any], search: Search) -> None:
        for record in records[records["kind"] == Kind.INCUMBENT]:
            objective = float(self._problem.objective(int(record["objective"])))
            print(
                f"min(objective): {self._best:.5f} -> {objective:.5f}, "
                f"length: {record['length']}, cache size: {search.progress().cached}"
            )
            self._best = objective
        self._cached = search.progress().cached

    def finish(self, result: Result) -> None:
        found = result.certificate
        full = found.stopped in (Stopped.CACHE_LIMIT, Stopped.NODE_LIMIT)
        if found.optimal or full:
            why = "max number of nodes in the tree was reached" if full else "queue empty"
            print(f"Exited because {why}")
        print(f"\nminimum objective: {float(found.objective):.10f}\n")
        accuracy = 1 - result.model.errors / result.model.training_weight
        print(f"final num_nodes: {self._cached}")
        print(f"final num_evaluated: {found.children}")
        print(f"final min_objective: {float(found.objective):.5f}")
        print(f"final accuracy: {accuracy:.5f}")
        print(f"final total time: {found.seconds:.6f}")
