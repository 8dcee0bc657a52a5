"""Pictures of models: a row's way through one, and the columns of numbers that it cuts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING

import numpy as np

from corels.export.words import decider_text, heading, outcome
from corels.plots.figure import Figure, Panel, Series
from corels.tables.condition import value_text

if TYPE_CHECKING:
    from corels.export.explaining import Answer, RowExplanation
    from corels.model import Model
    from corels.tables.column import Column

NARROW = 390  # pixels: the width at which a way is written, that of a telephone
LETTERS, MOST_REASONS, BINS = 46, 4, 24
KINDS = (BEFORE, HERE, AFTER) = ("does not hold", "decides", "not asked")
LINE, EDGE = 0.15, 0.5  # inches: a line of text, and what a panel needs beside its lines


@dataclass(frozen=True)
class Distribution:
    """How the rows of each class are spread over a column of numbers.

    edges: of the B bins of equal width, B + 1. counts: weight of each class in each bin. cuts:
    where the model cuts the column.
    """

    column: str
    edges: tuple[float, ...]
    counts: tuple[tuple[int, ...], ...]
    cuts: tuple[float, ...]

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
        return Panel(f"{self.column} by class", "", "rows", series)


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
                edges = np.histogram_bin_edges(values[there], BINS)
            except ValueError:  # numbers too near to each other, or too far apart, for bins
                continue
        rows = [there & (codes == place) for place in range(len(places))]
        spread = (np.histogram(values[some], edges, weights=weight[some])[0] for some in rows)
        counts = tuple(tuple(each.tolist()) for each in spread)
        found.append(Distribution(name, tuple(edges.tolist()), counts, tuple(sorted(set(at)))))
    return found


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
