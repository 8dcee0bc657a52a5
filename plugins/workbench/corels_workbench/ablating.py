"""Ablate: the full search, and one without each bound, without the map, without the start.

The paper's Tables 4 and 5 on the user's own data. A run that reaches a limit shows what it had by
then: its numbers are lower ends, marked ">".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from corels.plugins import registry
from corels.registry import DEFAULT_SOLVER
from corels_workbench.comparing import FIGURES, KEYS, compare
from corels_workbench.experiment import Data, How
from corels_workbench.table import Table, shown


def ablate(
    data: Data,
    *,
    options: Mapping[str, Any] | None = None,
    regularizations: Sequence[Fraction | str] = ("0.01",),
    repeats: int = 1,
    time_limit: float | None = 60.0,
    how: How | None = None,
) -> Table:
    """Search with everything, and without each part; a row a run."""
    table = compare(
        data,
        registry().get("solver", DEFAULT_SOLVER)().ablations(options or {}),
        regularizations=regularizations,
        repeats=repeats,
        time_limit=time_limit,
        how=how,
    )
    return replace(table, about={**table.about, "command": "ablate"})


def summary(table: Table) -> Table:
    """Medians and slow-downs against the full search; ">" marks runs that hit a limit."""
    medians = table.medians(KEYS, FIGURES)
    first = medians.rows[0]["configuration"] if medians.rows else None  # with all its parts
    full = {
        (r["data"], r["regularization"]): r for r in medians.rows if r["configuration"] == first
    }
    rows = []
    for row in medians.rows:
        runs = [r for r in table.rows if all(r.get(k) == row[k] for k in KEYS)]
        stopped = not all(r.get("certified", False) for r in runs)
        base = full.get((row["data"], row["regularization"]), {}).get("seconds")
        slow = row["seconds"] / base if base and row["seconds"] is not None else None
        mark = ">" if stopped else ""
        rows.append(
            {
                **{name: row[name] for name in KEYS},
                "seconds": mark + shown(row["seconds"]),
                "slow-down": mark + shown(slow),
                "seconds to optimum": mark + shown(row["seconds_to_optimum"]),
                "evaluated": mark + shown(row["evaluated"]),
                "expanded": mark + shown(row["expanded"]),
                "longest prefix": shown(row["extra_longest"]),
                "children kept": mark + shown(row["extra_inserted"]),
                "most open": mark + shown(row["largest_frontier"]),
                "objective": row["objective"],
            }
        )
    return Table(tuple(rows), table.about, table.complete)
