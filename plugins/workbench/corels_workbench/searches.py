"""Pictures of searches: what a trace says over time, and runs beside each other.

The shapes are those of the paper's Figures 14 to 18: objective and lower bound over time with the
length of each incumbent, the remaining search space, open nodes by length, children pruned by
bound. Everything here makes a `Figure`; `corels.plots.draw` draws it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

import numpy as np

from corels.plots.figure import Figure, Panel, Series
from corels.run.trace import Trace
from corels.search import Kind
from corels_workbench.table import Table

LEAST_SECONDS = 1e-4  # where a logarithmic time axis begins
SECONDS = "seconds"


def trace_figure(traces: Mapping[str, Trace]) -> Figure:
    """One run, or several overlaid. traces: name -> a coarse trace."""
    panels = [_objectives(traces), _remaining(traces)]
    if len(traces) == 1:
        (trace,) = traces.values()
        panels += [_levels(trace), _pruned(trace)]
    kept = [panel for panel in panels if panel.series]
    title = ", ".join(sorted({str(trace.header.get("name", "")) for trace in traces.values()}))
    return Figure(f"search of {title}" if title else "search", kept)


def _times(values: Sequence[float]) -> list[float]:
    return [max(float(value), LEAST_SECONDS) for value in values]


def _step(label: str, seconds: Sequence[float], heights: Sequence[float], **style: Any) -> Series:
    """A staircase over time."""
    return Series(label, _times(seconds), heights, "step", **style)


def _objectives(traces: Mapping[str, Trace]) -> Panel:
    """Objective, with the length of each incumbent, and the proven lower bound. A run has one
    colour in every panel."""
    series = []
    for run, (name, trace) in enumerate(traces.items()):
        label = f"{name}: " if len(traces) > 1 else ""
        found = trace.events[trace.events["kind"] == Kind.INCUMBENT]
        end = float(trace.end.get("seconds", math.nan))
        if len(found) and math.isfinite(end):
            heights = trace.objective(found["objective"]).tolist()
            seconds, notes = found["seconds"].tolist(), map(str, found["length"].tolist())
            steps = [*seconds, end], [*heights, heights[-1]]
            series.append(_step(f"{label}objective", *steps, notes=[*notes], colour=run))
        if len(trace.progress):
            bounds = trace.objective(trace.progress["lower_bound"]).tolist()
            last = int(trace.end["lower_bound"]) / float(trace.header["scale"])
            seconds = [*trace.progress["seconds"].tolist(), end]
            drawn = {"dashed": True, "colour": run}
            series.append(_step(f"{label}lower bound", seconds, [*bounds, last], **drawn))
    title = "objective (with the number of rules) and proven lower bound"
    return Panel(title, SECONDS, "objective", series, log_x=True)


def _remaining(traces: Mapping[str, Trace]) -> Panel:
    series = []
    for run, (name, trace) in enumerate(traces.items()):
        known = trace.progress[np.isfinite(trace.progress["log10_remaining"])]
        if len(known):
            seconds, left = known["seconds"].tolist(), known["log10_remaining"].tolist()
            series.append(_step(name, seconds, left, colour=run))
    return Panel("remaining search space", SECONDS, "log10 of lists", series, log_x=True)


def _levels(trace: Trace) -> Panel:
    seconds = _times(trace.progress["seconds"].tolist())
    series = [
        Series(f"length {length}", seconds, [float(count) for count in counts], "area")
        for length, counts in enumerate(zip_longest(*trace.levels, fillvalue=0))
    ]
    return Panel("open nodes by length of their prefix", SECONDS, "nodes", series)


def _pruned(trace: Trace) -> Panel:
    removed = {k: v for k, v in trace.end.get("pruned", {}).items() if v}
    names = sorted(removed, key=lambda name: removed[name])
    series = Series("children", names, [float(removed[name]) for name in names], "bar")
    return Panel("children removed by each bound", "children", "", [series] if names else [])


def gap_figure(table: Table) -> Figure:
    """The gap of each configuration over time in its first run, a panel for each problem."""
    panels: dict[str, list[Series]] = {}
    for row in table.rows:
        if "series" not in row or row.get("repeat", 0):
            continue
        moments = row["series"]
        problem = f"{row['data']}, lambda {row['regularization']}"
        gaps = [max(0.0, objective - bound) for _, objective, bound in moments]
        line = _step(str(row["configuration"]), [moment[0] for moment in moments], gaps, marks=True)
        panels.setdefault(problem, []).append(line)
    drawn = [Panel(name, SECONDS, "gap", series, log_x=True) for name, series in panels.items()]
    return Figure("gap over time", drawn)
