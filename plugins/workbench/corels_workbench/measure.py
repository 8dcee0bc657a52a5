"""One search as a row of figures: what `compare` and `ablate` run in every cell."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from numpy.typing import NDArray

from corels.clock import Clock
from corels.model import Stopped
from corels.problem import Problem
from corels.run.certifying import objective_of
from corels.run.result import Result
from corels.run.solve import solve
from corels.search import Kind, Progress, Search, Sink
from corels_workbench.experiment import InterruptedCellError

MOST_MOMENTS = 200  # of the series that a picture is drawn from
# A shorter search is run again, for its time alone, until so much time or so many runs are used.
SHORT, MOST_RUNS = 0.5, 20


class Watcher(Sink):
    """Notes when incumbents came, how the bound rose, and how large the frontier grew."""

    name = "watcher"

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._clock = Clock()
        self.incumbents: list[tuple[float, float]] = []  # seconds, objective
        self.moments: list[tuple[float, float, float, int]] = []  # ..., lower bound, queued
        self.largest: int | None = None  # unknown until there is a report of a search under way

    def start(self, search: Search) -> None:
        self._clock.restart()

    def events(self, records: NDArray[Any], search: Search) -> None:
        for record in records[records["kind"] == Kind.INCUMBENT]:
            objective = float(objective_of(int(record["objective"]), self._problem, search))
            self.incumbents.append((self._clock.elapsed, objective))

    def progress(self, snapshot: Progress, search: Search) -> None:
        if snapshot.expanded:
            self.largest = max(self.largest or 0, snapshot.queued)
        objective = float(objective_of(snapshot.objective, self._problem, search))
        bound = float(objective_of(snapshot.lower_bound, self._problem, search))
        self.moments.append((self._clock.elapsed, objective, bound, snapshot.queued))
        if len(self.moments) > 2 * MOST_MOMENTS:
            del self.moments[1::2]  # half as often from now on


def measure(
    problem: Problem,
    regularization: Fraction | str,
    options: Mapping[str, Any],
    solver: str = "rule-list",
) -> dict[str, Any]:
    """Run one search and give its figures; a short search is run several times.

    seconds: the median of `times`, which has the seconds of each run. seconds_to_optimum: when the
    last better model came in the first run, which is the optimum if `certified`. series:
    [seconds, objective, lower bound, queued] now and then in the first run, for pictures.
    """
    problem = problem.with_regularization(regularization)
    watcher = Watcher(problem)
    result = _uninterrupted(problem, solver, watcher, options)
    certificate = result.certificate
    times = [certificate.seconds]
    while certificate.optimal and sum(times) < SHORT and len(times) < MOST_RUNS:
        again = _uninterrupted(problem, solver, Watcher(problem), options)
        times.append(again.certificate.seconds)
    objective, bound = float(certificate.objective), float(certificate.lower_bound)
    last = watcher.incumbents[-1][0] if watcher.incumbents else 0.0
    return {
        "objective": objective,
        "lower_bound": bound,
        "gap": float(certificate.gap),
        "certified": certificate.optimal,
        "stopped": str(certificate.stopped),
        "seconds": statistics.median(times),
        "times": times,
        "seconds_to_optimum": min(last, certificate.seconds),
        "expanded": certificate.expanded,
        "evaluated": certificate.children,
        "largest_frontier": watcher.largest,
        "peak_memory": certificate.peak_memory,
        "rules": len(getattr(result.model, "rules", ())),
        **{f"extra_{name}": value for name, value in certificate.extra.items()},
        "pruned": dict(certificate.pruned),
        "parts": dict(certificate.parts),
        "series": [*watcher.moments, (certificate.seconds, objective, bound, 0)],
    }


def _uninterrupted(
    problem: Problem, solver: str, watcher: Watcher, options: Mapping[str, Any]
) -> Result:
    result = solve(problem, solver, sinks=[watcher], **options)
    if result.certificate.stopped is Stopped.INTERRUPTED:
        raise InterruptedCellError
    return result
