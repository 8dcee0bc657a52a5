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

from corels.plugins import DEFAULT_SOLVER, registry
from corels.search.calls import answered
from corels_workbench.experiment import Cell, Data, How, problems, run
from corels_workbench.measure import measure
from corels_workbench.searches import gap_figure
from corels_workbench.table import Table

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
        return SAME if self._overlaps(first) else said

    def _overlaps(self, other: Times) -> bool:
        (low, high), (other_low, other_high) = self._middle, other._middle
        return low <= other_high and other_low <= high


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
