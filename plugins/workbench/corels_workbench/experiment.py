"""What all commands of the workbench share: data sets by name, the results file, the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from corels.problem import Problem
from corels.tables import Dataset
from corels_workbench.cells import Cell, How, run_cells
from corels_workbench.measure import about_here
from corels_workbench.results import ResultsFile
from corels_workbench.table import Table

__all__ = ["Data", "How", "problems", "run"]

Data = Dataset | Problem | Sequence[Dataset | Problem] | Mapping[str, Dataset | Problem]


def problems(data: Data) -> dict[str, Problem]:
    """Data sets as problems by name. A name that comes twice is numbered."""
    if isinstance(data, Mapping):
        named = list(data.items())
    else:
        listed = [data] if isinstance(data, (Dataset, Problem)) else list(data)
        named = [(one.name or "data", one) for one in listed]
    found: dict[str, Problem] = {}
    for name, one in named:
        free, number = name, 1
        while free in found:
            number += 1
            free = f"{name} ({number})"
        found[free] = one if isinstance(one, Problem) else Problem.from_dataset(one)
    return found


def run(
    command: str,
    settings: Mapping[str, Any],
    cells: Sequence[Cell],
    stated: Mapping[str, Any],
    how: How,
) -> Table:
    """Run what has no result yet; the table of all cells that have one, in the cells' order.

    stated: name of the data -> what is learned from it: a statement of the problem, or a hash.
    """
    experiment = {"command": command, **settings, "data": dict(stated)}
    results = ResultsFile(how.results, experiment, fresh=how.fresh)
    complete = run_cells(cells, results, how)
    rows = [dict(results.rows[cell.key]) for cell in cells if cell.key in results.rows]
    for row in rows:
        row.pop("key", None)
    about = {**about_here(), "command": command, **settings, "cells at a time": how.jobs}
    return Table(tuple(rows), about, complete)
