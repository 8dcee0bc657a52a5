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
from corels.search import BEST_FIRST, DEPTH_FIRST
from corels.standard.presets import PRESETS
from corels.workbench.comparing import FIGURES, KEYS, compare
from corels.workbench.experiment import Data, How
from corels.workbench.table import Table, shown

FULL = "full search"


def ablations(options: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Name -> options: the full search first, then without each of its parts."""
    preset = PRESETS[options.get("preset", "fast")]
    search = options.get("search") or (BEST_FIRST if options.get("policy") else preset.search)
    base = {**options, "search": search}
    found: dict[str, dict[str, Any]] = {FULL: base}
    kept = [name for name in preset.bounds[search] if name not in options.get("no_bound", ())]
    for name in (*kept, *(b for b in options.get("bound", ()) if isinstance(b, str))):
        if search == DEPTH_FIRST and name in ("hierarchical", "equivalent_points"):
            continue  # they are part of every cost there
        added = [b for b in options.get("bound", ()) if b != name]
        without = (*options.get("no_bound", ()), *((name,) if name in kept else ()))
        found[f"without {name}"] = {**base, "bound": added, "no_bound": without}
    if (options.get("map") or preset.map[search]) != "none":
        found[f"without {options.get('map') or preset.map[search]}"] = {**base, "map": "none"}
    if (options.get("start") or preset.start) != "none":
        found["without start"] = {**base, "start": "none"}
    policy = options.get("policy") or preset.policy
    for name in registry().names("policy"):
        if name != policy and registry().get("policy", name).__module__.startswith("corels."):
            found[f"policy {name}"] = {**base, "policy": name}
    return found


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
        ablations(options or {}),
        regularizations=regularizations,
        repeats=repeats,
        time_limit=time_limit,
        how=how,
    )
    return replace(table, about={**table.about, "command": "ablate"})


def summary(table: Table) -> Table:
    """Medians and slow-downs against the full search; ">" marks runs that hit a limit."""
    medians = table.medians(KEYS, FIGURES)
    full = {(r["data"], r["regularization"]): r for r in medians.rows if r["configuration"] == FULL}
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
