"""Compare: the same problems searched with other parts. Ablate: the full search, and one without
each bound, without the map, without the start (the paper's Tables 4 and 5 on the user's own data).

Times of cells that run at once are not comparable, so cells run one at a time unless `jobs` says
otherwise, and the table says so.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.clock import Clock
from corels.plugins import DEFAULT_SOLVER, registry
from corels.problem import Problem
from corels.run.certifying import objective_of
from corels.run.solve import solve
from corels.search import Kind, Progress, Search, Sink
from corels.search.calls import answered
from corels_workbench.experiment import Cell, Data, How, problems, run, whole
from corels_workbench.searches import gap_figure
from corels_workbench.table import Table

MOST_MOMENTS = 200  # of the series that a picture is drawn from
# A shorter search is run again, for its time alone, until so much time or so many runs are used.
SHORT, MOST_RUNS = 0.5, 20


class Watcher(Sink):
    """Notes when the last incumbent came, how the bound rose, and how large the frontier grew."""

    name = "watcher"

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._clock = Clock()
        self.last = 0.0  # seconds
        self.moments: list[tuple[float, float, float]] = []  # seconds, objective, lower bound
        self.largest: int | None = None  # unknown until there is a report of a search under way

    def start(self, search: Search) -> None:
        self._clock.restart()

    def events(self, records: NDArray[Any], search: Search) -> None:
        if (records["kind"] == Kind.INCUMBENT).any():
            self.last = self._clock.elapsed

    def progress(self, snapshot: Progress, search: Search) -> None:
        if snapshot.expanded:
            self.largest = max(self.largest or 0, snapshot.queued)
        objective = float(objective_of(snapshot.objective, self._problem, search))
        bound = float(objective_of(snapshot.lower_bound, self._problem, search))
        self.moments.append((self._clock.elapsed, objective, bound))
        if len(self.moments) > 2 * MOST_MOMENTS:
            del self.moments[1::2]  # half as often from now on


@whole()
def measure(
    problem: Problem,
    regularization: Fraction | str,
    options: Mapping[str, Any],
    solver: str = "rule-list",
) -> dict[str, Any]:
    """Run one search and give its figures; a short search is run several times.

    seconds: the median of `times`, which has the seconds of each run. seconds_to_optimum: when the
    last better model came in the first run, which is the optimum if `certified`. series:
    [seconds, objective, lower bound] now and then in the first run, for pictures.
    """
    problem = problem.with_regularization(regularization)
    watcher = Watcher(problem)
    result = solve(problem, solver, sinks=[watcher], **options)
    certificate = result.certificate
    times = [certificate.seconds]
    while certificate.optimal and sum(times) < SHORT and len(times) < MOST_RUNS:
        again = solve(problem, solver, sinks=[Watcher(problem)], **options)
        times.append(again.certificate.seconds)
    objective, bound = float(certificate.objective), float(certificate.lower_bound)
    return {
        "objective": objective,
        "lower_bound": bound,
        "gap": float(certificate.gap),
        "certified": certificate.optimal,
        "stopped": str(certificate.stopped),
        "seconds": statistics.median(times),
        "times": times,
        "seconds_to_optimum": min(watcher.last, certificate.seconds),
        "expanded": certificate.expanded,
        "evaluated": certificate.children,
        "largest_frontier": watcher.largest,
        "peak_memory": certificate.peak_memory,
        "rules": len(getattr(result.model, "rules", ())),
        **{f"extra_{name}": value for name, value in certificate.extra.items()},
        "pruned": dict(certificate.pruned),
        "parts": dict(certificate.parts),
        "series": [*watcher.moments, (certificate.seconds, objective, bound)],
    }


KEYS = ("data", "regularization", "configuration")
FIGURES = (
    "seconds_to_optimum", "expanded", "evaluated", "extra_longest", "extra_inserted",
    "largest_frontier", "peak_memory", "objective", "gap",
)  # fmt: skip


def compare(
    data: Data,
    configurations: Mapping[str, Mapping[str, Any]],
    *,
    regularizations: Sequence[Fraction | str] = ("0.01",),
    repeats: int = 3,
    time_limit: float | None = 60.0,
    solver: str = "rule-list",
    how: How | None = None,
) -> Table:
    """Search every problem with every configuration, several times.

    data: data sets or problems, one or several, or by name. configurations: name -> options of
    `corels.solve`, with "solver" among them for another family than `solver`. Returns a row for
    each run; `summary(table)` has their medians. Raises OptionError for options that do not exist.
    """
    known, how, cells = problems(data), how or How(), []
    every = product(range(repeats), known.items(), regularizations, configurations.items())
    for repeat, (name, problem), penalty, (label, options) in every:
        names = dict(zip(KEYS, (name, str(penalty), label), strict=True)) | {"repeat": repeat}
        limited = {**options, "time_limit": time_limit}
        of = limited.pop("solver", solver)
        arguments = {"problem": problem, "regularization": penalty, "options": limited}
        cells.append(Cell(names, measure, {**arguments, "solver": of}))
    settings = {
        "configurations": json.loads(json.dumps(dict(configurations), default=str)),
        "regularizations": [str(penalty) for penalty in regularizations],
        "repeats": repeats,
        "time_limit": time_limit,
        "solver": solver,
    }
    stated = {n: p.statement(regularized=False, short=True) for n, p in known.items()}
    table = run("compare", settings, cells, stated, how)
    return replace(table, draw=gap_figure)


def summary(table: Table) -> Table:
    """A row for each configuration of each problem: medians over its runs, and the spread of times.

    `beside` says in words how the time compares with that of the first configuration.
    """
    groups: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in table.rows:
        groups.setdefault(tuple(row.get(name) for name in KEYS), []).append(row)
    rows, firsts = [], dict[tuple[Any, ...], Times]()
    for key, runs in groups.items():
        seconds = tuple(one for run in runs for one in run.get("times", ()))
        times = Times(seconds, all(run.get("certified", False) for run in runs))
        first = firsts.setdefault(key[:2], times)
        found = {
            **dict(zip(KEYS, key, strict=True)),
            "seconds": times.median,
            "spread": times.spread,
            "beside": "the first" if first is times else times.beside(first),
            **{name: _median([run.get(name) for run in runs]) for name in FIGURES},
            "runs": len(seconds),
            "certified": times.ended,
        }
        failed = [{"error": run["error"]} for run in runs if "error" in run]
        rows.append({**found, **(failed[0] if failed else {})})
    return Table(tuple(rows), table.about, table.complete, table.draw, heads=len(KEYS))


def _median(values: Sequence[Any]) -> float | None:
    numbers = [value for value in values if isinstance(value, (int, float))]
    return statistics.median(numbers) if numbers else None


SAME = "about the same"


@dataclass(frozen=True, slots=True)
class Times:
    """The seconds of each run of one configuration. ended: no run was stopped by a limit."""

    seconds: tuple[float, ...]
    ended: bool

    @property
    def median(self) -> float | None:
        """None if no run has a time."""
        return statistics.median(self.seconds) if self.seconds else None

    @property
    def _middle(self) -> tuple[float, float]:
        low, high = np.quantile(self.seconds, (0.1, 0.9)).tolist()
        return low, high

    @property
    def spread(self) -> str:
        """The middle four fifths: "0.69 to 0.84"; of one run nothing is known."""
        if len(self.seconds) < 2:
            return "one run" if self.seconds else ""
        low, high = self._middle
        return f"{low:.3g} to {high:.3g}"

    def beside(self, first: Times) -> str:
        """How long these runs are, compared with those of the first configuration."""
        if not (self.seconds and first.seconds and (self.ended or first.ended)):
            return "both were stopped" if self.seconds and first.seconds else ""
        ratio = statistics.median(self.seconds) / max(statistics.median(first.seconds), 1e-9)
        times = f"{ratio:.3g}" if ratio < 100 else f"{ratio:.0f}"
        said = f"{times} times as long"
        if not self.ended:
            return f"at least {said}"
        if not first.ended:
            return f"at most {said}"
        if min(len(self.seconds), len(first.seconds)) < 2:
            return f"{said}, in one run"
        (low, high), (first_low, first_high) = self._middle, first._middle
        return SAME if low <= first_high and first_low <= high else said


def ablate(
    data: Data,
    *,
    options: Mapping[str, Any] | None = None,
    regularizations: Sequence[Fraction | str] = ("0.01",),
    repeats: int = 1,
    time_limit: float | None = 60.0,
    solver: str = DEFAULT_SOLVER,
    how: How | None = None,
) -> Table:
    """Search with everything, and without each part; a row a run. A run that reaches a limit is not
    certified, and shows what it had by then."""
    family = registry().get("solver", solver)()
    without = family.ablations(options or {})
    table = compare(
        data,
        answered(family, "ablations", without, Mapping, "a mapping of configurations"),
        regularizations=regularizations,
        repeats=repeats,
        time_limit=time_limit,
        solver=solver,
        how=how,
    )
    return replace(table, about={**table.about, "command": "ablate"})
