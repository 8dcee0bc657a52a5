"""Pictures of searches: what a trace says over time, and runs beside each other.

The shapes are those of the paper's Figures 14 to 18: objective and lower bound over time with the
length of each incumbent, the remaining search space, open nodes by length, children pruned by
bound. Everything here makes a `Figure`; `corels.plots.draw` draws it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from corels.plots.figure import Figure, Panel, Series
from corels.run.trace import Trace
from corels.search import Kind

LEAST_SECONDS = 1e-4  # where a logarithmic time axis begins
SECONDS = "seconds"


def trace_figure(traces: Mapping[str, Trace]) -> Figure:
    """One run, or several overlaid. traces: name -> a coarse trace."""
    panels = [_objectives(traces), _remaining(traces)]
    if len(traces) == 1:
        (trace,) = traces.values()
        panels += [_levels(trace), _pruned(trace)]
    kept = [panel for panel in panels if panel is not None and panel.series]
    title = ", ".join(sorted({str(trace.header.get("name", "")) for trace in traces.values()}))
    return Figure(f"search of {title}" if title else "search", kept)


def _times(values: Sequence[float]) -> list[float]:
    return [max(float(value), LEAST_SECONDS) for value in values]


def _objectives(traces: Mapping[str, Trace]) -> Panel | None:
    """Objective, with the length of each incumbent, and the proven lower bound."""
    series = []
    for name, trace in traces.items():
        label = f"{name}: " if len(traces) > 1 else ""
        found = trace.events[trace.events["kind"] == Kind.INCUMBENT]
        end = float(trace.end.get("seconds", math.nan))
        if len(found) and math.isfinite(end):
            heights = trace.objective(found["objective"]).tolist()
            series.append(
                Series(
                    f"{label}objective",
                    _times([*found["seconds"].tolist(), end]),
                    [*heights, heights[-1]],
                    "step",
                    notes=[str(length) for length in found["length"].tolist()],
                )
            )
        if len(trace.progress):
            bounds = trace.objective(trace.progress["lower_bound"]).tolist()
            last = int(trace.end["lower_bound"]) / float(trace.header["scale"])
            series.append(
                Series(
                    f"{label}lower bound",
                    _times([*trace.progress["seconds"].tolist(), end]),
                    [*bounds, last],
                    "step",
                    dashed=True,
                )
            )
    title = "objective (with the number of rules) and proven lower bound"
    return Panel(title, SECONDS, "objective", series, log_x=True)


def _remaining(traces: Mapping[str, Trace]) -> Panel | None:
    series = []
    for name, trace in traces.items():
        left = [float(value) for value in trace.progress["log10_remaining"].tolist()]
        known = [(s, y) for s, y in zip(_seconds(trace), left, strict=True) if math.isfinite(y)]
        if known:
            xs, ys = zip(*known, strict=True)
            series.append(Series(name, xs, ys, "step"))
    return Panel("remaining search space", SECONDS, "log10 of lists", series, log_x=True)


def _seconds(trace: Trace) -> list[float]:
    return _times(trace.progress["seconds"].tolist())


def _levels(trace: Trace) -> Panel | None:
    longest = max((len(level) for level in trace.levels), default=0)
    series = [
        Series(
            f"length {length}",
            _seconds(trace),
            [float(level[length]) if length < len(level) else 0.0 for level in trace.levels],
            "area",
        )
        for length in range(longest)
    ]
    return Panel("open nodes by length of their prefix", SECONDS, "nodes", series)


def _pruned(trace: Trace) -> Panel | None:
    removed = {k: v for k, v in trace.end.get("pruned", {}).items() if v}
    names = sorted(removed, key=lambda name: removed[name])
    series = Series("children", names, [float(removed[name]) for name in names], "bar")
    return Panel("children removed by each bound", "children", "", [series] if names else [])


def gap_figure(rows: Sequence[Mapping[str, Any]]) -> Figure:
    """The gap of each configuration over time, a panel for each problem."""
    panels: dict[str, list[Series]] = {}
    for row in rows:
        if "series" not in row:
            continue
        moments = row["series"]
        problem = f"{row['data']}, lambda {row['regularization']}"
        panels.setdefault(problem, []).append(
            Series(
                str(row["configuration"]),
                _times([moment[0] for moment in moments]),
                [max(0.0, moment[1] - moment[2]) for moment in moments],
                "step",
            )
        )
    drawn = [Panel(name, SECONDS, "gap", series, log_x=True) for name, series in panels.items()]
    return Figure("gap over time", drawn)
