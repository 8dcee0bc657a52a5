"""Pictures of models: a row's way through one, and the columns of numbers that it cuts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

import numpy as np

from corels.export.explaining import Answer, RowExplanation
from corels.export.words import decider_text, heading, outcome
from corels.model import Model
from corels.plots.figure import Figure, Panel, Series
from corels.tables.column import Column
from corels.tables.condition import value_text

NARROW = 390  # pixels: the width at which a way is written, that of a telephone
LETTERS, MOST_REASONS, BINS = 46, 4, 24
KINDS = (BEFORE, HERE, AFTER) = ("does not hold", "decides", "not asked")
FENCE = 3.0  # quartile distances from the quartiles: beyond are Tukey's far outliers
LINE, EDGE = 0.15, 0.5  # inches: a line of text, and what a panel needs beside its lines


@dataclass(frozen=True)
class Distribution:
    """How the rows of each class are spread over a column of numbers.

    edges: of the B bins of equal width, B + 1. counts: weight of each class in each bin. cuts:
    where the model cuts the column. ends: the least value and the greatest: the first bin and the
    last also count the values beyond the edges.
    """

    column: str
    edges: tuple[float, ...]
    counts: tuple[tuple[int, ...], ...]
    cuts: tuple[float, ...]
    ends: tuple[float, float]

    def panel(self, classes: Sequence[object], value: float | None = None) -> Panel:
        """Its axes. value: of a row, marked where it is given."""
        top = 1.08 * max(map(max, self.counts))
        series = [
            Series(str(name), self.edges, [*map(float, counts), float(counts[-1])], "step")
            for name, counts in zip(classes, self.counts, strict=True)
        ]
        series += [
            Series(f"cut at {cut:g}", [cut, cut], [0.0, top], dashed=True) for cut in self.cuts
        ]
        if value is not None:
            series.append(Series(f"this row: {value:g}", [value], [0.0], "points"))
        return Panel(f"{self.column} by class", self.beyond(), "rows", series)

    def beyond(self) -> str:
        """Which values are counted in the outermost bins though they are not there; "" of none."""
        below, above = self.ends[0] < self.edges[0], self.ends[1] > self.edges[-1]
        first = [f"the first bin also counts what is below, down to {self.ends[0]:g}"] * below
        last = [f"the last bin also counts what is above, up to {self.ends[1]:g}"] * above
        return "; ".join(first + last)


def distributions(
    model: Model,
    columns: Mapping[str, Column],
    truth: Sequence[object],
    weights: Sequence[int] | None = None,
) -> list[Distribution]:
    """Of each column of numbers that a model cuts, in its order; without missing values.

    columns: name -> N values. truth: N classes; others than the model's are left out.
    """
    cuts: dict[str, list[float]] = {}
    for antecedent in model.antecedents:
        for one in antecedent.conditions:
            if one.operator in ("<=", ">") and isinstance(one.value, (int, float)):
                cuts.setdefault(one.column, []).append(float(one.value))
    places = {str(label): place for place, label in enumerate(model.classes)}
    codes = np.array([places.get(str(label), -1) for label in truth])
    weight = np.ones(len(codes), np.int64) if weights is None else np.array(weights, np.int64)
    found = []
    for name, at in cuts.items():
        column = columns[name]
        if column.categories is not None or not np.issubdtype(column.values.dtype, np.number):
            continue
        values = column.values.astype(np.float64)
        there = ~column.missing & np.isfinite(values) & (codes >= 0)
        if not there.any():
            continue
        with np.errstate(over="ignore", invalid="ignore"):
            try:
                edges = np.histogram_bin_edges(values[there], BINS, _shown(values[there], at))
            except ValueError:  # numbers too near to each other, or too far apart, for bins
                continue
        ends = float(values[there].min()), float(values[there].max())
        inside = values.clip(edges[0], edges[-1])
        rows = [there & (codes == place) for place in range(len(places))]
        spread = (np.histogram(inside[some], edges, weights=weight[some])[0] for some in rows)
        counts = tuple(tuple(each.tolist()) for each in spread)
        cut = tuple(sorted(set(at)))
        found.append(Distribution(name, tuple(edges.tolist()), counts, cut, ends))
    return found


def _shown(values: Any, cuts: Sequence[float]) -> tuple[float, float]:
    """From where to where bins are: the values within Tukey's outer fences, so that a few great
    ones do not push all others into one bin, and every cut among the values. Where half of the
    values are the same one, the fences are those of the others."""
    first, third = np.quantile(values, [0.25, 0.75])
    others = values[values != first] if first == third else values[:0]
    if len(others):
        between = np.quantile(others, [0.25, 0.75])
        first, third = min(first, between[0]), max(third, between[1])
    beyond = FENCE * (third - first)
    inside = values[(values >= first - beyond) & (values <= third + beyond)]
    least, most = values.min(), values.max()
    shown = np.array([inside.min(), inside.max(), *(cut for cut in cuts if least <= cut <= most)])
    return float(shown.min()), float(shown.max())


def way_figure(rows: Sequence[RowExplanation], spread: Sequence[Distribution] = ()) -> Figure:
    """The ways of some rows through their model; of a single row also its place in columns."""
    panels = [_ways(rows)]
    for one in spread:
        seen = [a for found in rows for asked in found.asked for a in asked]
        values = {a.value for a in seen if a.condition.column == one.column and len(rows) == 1}
        value = values.pop() if len(values) == 1 else None
        panels.append(one.panel(rows[0].model.classes, None if value is None else float(value)))
    return Figure("", panels)


def _ways(rows: Sequence[RowExplanation]) -> Panel:
    """Each decider in a box: those that do not hold, the one that decides, those after it.

    All rows in one panel, each under its title: axes of its own for each row take a minute.
    """
    series: dict[str, tuple[list[float], list[str]]] = {kind: ([], []) for kind in (*KINDS, "")}
    line = 0
    for found in rows:
        title = f"row {found.row + 1}: {found.model.label_name} = {found.prediction}"
        for kind, text in [("", title), *_steps(found)]:
            lines = [part for whole in text.splitlines() for part in wrap(whole, LETTERS) or [""]]
            places, notes = series[kind]
            places.append(-float(line))
            notes.append("\n".join(lines))
            line += len(lines) + 1
    boxes = [
        Series(kind, [0.0] * len(notes), places, "texts", kind == AFTER, notes)
        for kind, (places, notes) in series.items()
    ]
    return Panel("", "", "", boxes, height=LINE * line + EDGE)


def _steps(found: RowExplanation) -> Iterator[tuple[str, str]]:
    """Of each decider what became of it, and its text."""
    asked = iter(found.asked)
    model = found.model
    for number, decider in enumerate(model.deciders()):
        lead = f"{number + 1}. {'if ' if decider.clauses else ''}{decider_text(decider)}"
        if number > found.captured_by:
            yield AFTER, f"{lead}\n{AFTER}"
            continue
        asks = next(asked) if decider.clauses or decider.quantity else ()
        hit = number == found.captured_by
        said = f"{HERE}: {heading(model)} = {outcome(model, decider)}" if hit else "no"
        yield (HERE if hit else BEFORE), f"{lead}\n{said}{_why(asks, hit)}"


def _why(asked: Sequence[Answer], hit: bool) -> str:
    """What the row has where it settles the answer."""
    values = {
        a.condition.column: "missing" if a.value is None else value_text(a.value)
        for a in asked
        if a.holds is hit
    }
    settling = [f"{column}: {value}" for column, value in values.items()]
    more = f", and {len(settling) - MOST_REASONS} more" if len(settling) > MOST_REASONS else ""
    return f" ({', '.join(settling[:MOST_REASONS])}{more})" if settling else ""
