"""Compare: the same problems searched with other parts.

Times of cells that run at once are not comparable, so cells run one at a time unless `jobs` or a
`scheduler` says otherwise, and the table says which.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from corels.plots.figure import Figure
from corels.plots.searches import gap_figure
from corels_workbench.cells import Cell
from corels_workbench.experiment import Data, How, problems, run
from corels_workbench.measure import measure
from corels_workbench.table import Table

KEYS = ("data", "regularization", "configuration")
FIGURES = (
    "seconds",
    "seconds_to_optimum",
    "expanded",
    "evaluated",
    "extra_longest",
    "extra_inserted",
    "largest_frontier",
    "peak_memory",
    "objective",
    "gap",
)


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
    `corels.solve`. Returns a row for each run; `medians` of it is `summary(table)`. Raises
    OptionError for options that do not exist.
    """
    known, how = problems(data), how or How()
    cells = [
        Cell(
            {
                "data": name,
                "regularization": str(penalty),
                "configuration": label,
                "repeat": repeat,
            },
            measure,
            {
                "problem": problem,
                "regularization": penalty,
                "options": {**options, "time_limit": time_limit},
                "solver": solver,
            },
        )
        for repeat in range(repeats)
        for name, problem in known.items()
        for penalty in regularizations
        for label, options in configurations.items()
    ]
    settings = {
        "configurations": {
            k: json.loads(json.dumps(v, default=str)) for k, v in configurations.items()
        },
        "regularizations": [str(penalty) for penalty in regularizations],
        "repeats": repeats,
        "time_limit": time_limit,
        "solver": solver,
    }
    table = run("compare", settings, cells, {n: p.data_hash for n, p in known.items()}, how)
    return replace(table, draw=figure)


def summary(table: Table) -> Table:
    """Medians over the repeats, and whether every run was certified."""
    medians = table.medians(KEYS, FIGURES)
    for row in medians.rows:
        runs = [r for r in table.rows if all(r.get(k) == row[k] for k in KEYS)]
        row["certified"] = all(r.get("certified", False) for r in runs)
        failed = [r["error"] for r in runs if "error" in r]
        if failed:
            row["error"] = failed[0]
    return medians


def figure(table: Table) -> Figure:
    """The gap of each configuration over time, a panel for each problem."""
    return gap_figure([row for row in table.rows if row.get("repeat", 0) == 0])
