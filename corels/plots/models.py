"""Pictures of models: a row's way through one, and the columns of numbers that it cuts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

import numpy as np
from numpy.typing import NDArray

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

    Bins hold what is above their lower edge up to their upper one, as a condition `<=` does, and
    every cut stands on an edge: all rows to its left meet the condition, and no other.

    places: where the B bins begin and end on the picture's axis, B + 1. counts: weight of each
    class in each bin. cuts: where the model cuts the column, and their places. ends: the least
    value and the greatest. beyond: which values are counted in the outermost bins though they are
    not there. values: of a column with few, the one of each bin; its places are whole numbers.
    missing: weight of each class of the rows without a value.
    """

    column: str
    places: tuple[float, ...]
    counts: tuple[tuple[int, ...], ...]
    cuts: tuple[tuple[float, float], ...]
    ends: tuple[float, float]
    missing: tuple[int, ...]
    values: tuple[float, ...] = ()
    beyond: str = ""

    def heights(self) -> list[list[float]]:
        """Of each class in each bin, so that the area is the weight: bins differ in width."""
        usual = (self.places[-1] - self.places[0]) / (len(self.places) - 1)
        widths = np.diff(self.places) / usual
        return [(np.array(counts) / widths).tolist() for counts in self.counts]

    def place(self, value: float) -> float:
        """Where a value stands on the axis."""
        if self.values:
            return float(np.searchsorted(self.values, value)) + 0.5
        return min(max(value, self.places[0]), self.places[-1])

    def panel(self, classes: Sequence[object], value: float | None = None) -> Panel:
        """Its axes. value: of a row, marked where it is given."""
        heights = self.heights()
        top = 1.08 * max(map(max, heights))
        series = [
            Series(str(name), self.places, [*one, one[-1]], "step")
            for name, one in zip(classes, heights, strict=True)
        ]
        series += [
            Series(f"cut at {cut:g}", [place, place], [0.0, top], dashed=True)
            for cut, place in self.cuts
        ]
        if value is not None:
            series.append(Series(f"this row: {value:g}", [self.place(value)], [0.0], "points"))
        ticks = [(place + 0.5, f"{one:g}") for place, one in enumerate(self.values)]
        note = "; ".join(filter(None, [self.beyond, missing_text(sum(self.missing))]))
        return Panel(f"{self.column} by class", note, "rows", series, ticks=ticks)


def missing_text(rows: int) -> str:
    """'171 rows have no value'; "" of none."""
    return f"{rows:,} {'row has' if rows == 1 else 'rows have'} no value" if rows else ""


def distributions(
    model: Model,
    columns: Mapping[str, Column],
    truth: Sequence[object],
    weights: Sequence[int] | None = None,
) -> list[Distribution]:
    """Of each column of numbers that a model cuts, in its order.

    columns: name -> N values. truth: N classes; others than the model's are left out.
    """
    cuts: dict[str, set[float]] = {}
    for antecedent in model.antecedents:
        for one in antecedent.conditions:
            if one.operator in ("<=", ">") and isinstance(one.value, (int, float)):
                cuts.setdefault(one.column, set()).add(float(one.value))
    places = {str(label): place for place, label in enumerate(model.classes)}
    codes = np.array([places.get(str(label), -1) for label in truth])
    weight = np.ones(len(codes), np.int64) if weights is None else np.array(weights, np.int64)
    by_class = np.where(codes == np.arange(len(places))[:, None], weight, 0)
    found = (_distribution(columns[name], sorted(at), by_class) for name, at in cuts.items())
    return [one for one in found if one is not None]


def _distribution(
    column: Column, cuts: Sequence[float], by_class: NDArray[np.int64]
) -> Distribution | None:
    """None where nothing can be drawn. by_class: int64[C, N], the weight of a row in its class."""
    if column.categories is not None or not np.issubdtype(column.values.dtype, np.number):
        return None
    values = column.values.astype(np.float64)
    there = ~column.missing & np.isfinite(values) & (by_class.sum(axis=0) > 0)
    if not there.any():
        return None
    missing, ends = by_class[:, ~there], (float(values[there].min()), float(values[there].max()))
    few, beyond = np.unique(values[there]), ""
    if len(few) <= BINS:
        bins, edges = np.searchsorted(few, values[there]), np.arange(len(few) + 1.0)
        at = np.searchsorted(few, cuts, side="right").astype(float)
    else:
        few = few[:0]
        with np.errstate(over="ignore", invalid="ignore"):
            shown = _shown(values[there], cuts)
            edges = _edges(*shown, cuts, ends)
        if not (np.diff(edges) > 0).all():  # numbers too near to each other, or too far apart
            return None
        beyond, at = _beyond(ends, shown), np.clip(cuts, edges[0], edges[-1])
        inside = np.searchsorted(edges, values[there], side="left") - 1
        bins = inside.clip(0, len(edges) - 2)
    counts = np.zeros((len(by_class), len(edges) - 1), np.int64)
    for each, weights in zip(counts, by_class[:, there], strict=True):
        np.add.at(each, bins, weights)
    return Distribution(
        column.name,
        tuple(edges.tolist()),
        tuple(map(tuple, counts.tolist())),
        tuple(zip(cuts, at.tolist(), strict=True)),
        ends,
        tuple(missing.sum(axis=1).tolist()),
        tuple(few.tolist()),
        beyond,
    )


def _edges(
    low: float, high: float, cuts: Sequence[float], ends: tuple[float, float]
) -> NDArray[np.float64]:
    """Of bins about equally wide, with every cut among them: the edge next to a cut moves there. A
    cut at an end gets a bin for the values on its other side."""
    edges = np.linspace(low, high, BINS + 1).tolist()
    for cut in cuts:
        if low < cut < high:
            free = [edge for edge in edges[1:-1] if edge not in cuts]
            if free and cut not in edges:
                edges.remove(min(free, key=lambda edge: abs(edge - cut)))
            edges = sorted({*edges, cut})
    wide = (high - low) / BINS
    before = [low - wide] if low in cuts else []
    behind = [high + wide] if high in cuts and ends[1] > high else []
    return np.array([*before, *edges, *behind])


def _beyond(ends: tuple[float, float], shown: tuple[float, float]) -> str:
    first = [f"the first bin also counts what is below, down to {ends[0]:g}"] * (ends[0] < shown[0])
    last = [f"the last bin also counts what is above, up to {ends[1]:g}"] * (ends[1] > shown[1])
    return "; ".join(first + last)


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
