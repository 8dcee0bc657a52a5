"""One search as a row of figures: what `compare` and `ablate` run in every cell."""

from __future__ import annotations

import platform
import time
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from numpy.typing import NDArray

from corels.model import Stopped
from corels.problem import Problem
from corels.run.solve import objective_of, solve
from corels.search import Kind, Progress, Search, Sink
from corels_workbench.cells import InterruptedCellError

MOST_MOMENTS = 200  # of the series that a picture is drawn from


class Watcher(Sink):
    """Notes when incumbents came, how the bound rose, and how large the frontier grew."""

    name = "watcher"

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._began = time.perf_counter()
        self.incumbents: list[tuple[float, float]] = []  # seconds, objective
        self.moments: list[tuple[float, float, float, int]] = []  # ..., lower bound, queued
        self.largest = 0

    def start(self, search: Search) -> None:
        """The clock starts with the search."""
        self._began = time.perf_counter()

    def events(self, records: NDArray[Any], search: Search) -> None:
        """Each better model, with its time."""
        for record in records[records["kind"] == Kind.INCUMBENT]:
            objective = float(objective_of(int(record["objective"]), self._problem, search))
            self.incumbents.append((time.perf_counter() - self._began, objective))

    def progress(self, snapshot: Progress, search: Search) -> None:
        """A moment of the series."""
        self.largest = max(self.largest, snapshot.queued)
        objective = float(objective_of(snapshot.objective, self._problem, search))
        bound = float(objective_of(snapshot.lower_bound, self._problem, search))
        seconds = time.perf_counter() - self._began
        self.moments.append((seconds, objective, bound, snapshot.queued))
        if len(self.moments) > 2 * MOST_MOMENTS:
            del self.moments[1::2]  # half as often from now on


def measure(
    problem: Problem,
    regularization: Fraction | str,
    options: Mapping[str, Any],
    solver: str = "rule-list",
) -> dict[str, Any]:
    """Run one search and tell its figures.

    seconds_to_optimum: when the last better model came, which is the optimum where `certified`.
    series: [seconds, objective, lower bound, queued] now and then, for pictures.
    """
    problem = problem.with_regularization(regularization)
    watcher = Watcher(problem)
    result = solve(problem, solver, sinks=[watcher], **options)
    certificate = result.certificate
    if certificate.stopped is Stopped.INTERRUPTED:
        raise InterruptedCellError
    objective, bound = float(certificate.objective), float(certificate.lower_bound)
    last = watcher.incumbents[-1][0] if watcher.incumbents else 0.0
    return {
        "objective": objective,
        "lower_bound": bound,
        "gap": float(certificate.gap),
        "certified": certificate.optimal,
        "stopped": str(certificate.stopped),
        "seconds": certificate.seconds,
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


def about_here() -> dict[str, Any]:
    """Versions and the machine, to be kept beside figures."""
    from corels import __version__

    return {
        "corels": __version__,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()} {platform.processor()}".strip(),
    }
