"""How the rows are spread over the columns of numbers that a model cuts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.model import Model
from corels.tables.column import Column
from corels.tables.dataset import class_numbers

BINS = 24
FENCE = 3.0  # quartile distances from the quartiles: beyond are Tukey's far outliers


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
    codes = class_numbers(model.classes, truth)
    weight = np.ones(len(codes), np.int64) if weights is None else np.array(weights, np.int64)
    by_class = np.where(codes == np.arange(len(model.classes))[:, None], weight, 0)
    found = (_distribution(columns[name], sorted(at), by_class) for name, at in cuts.items())
    return [one for one in found if one is not None]


def _distribution(
    column: Column, cuts: Sequence[float], by_class: NDArray[np.int64]
) -> Distribution | None:
    """None if nothing can be drawn. by_class: int64[C, N], the weight of a row in its class."""
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
    """Of bins about equally wide, with every cut among them: edges near a cut leave it to the cut.
    A cut at an end gets a bin for the values on its other side."""
    wide = (high - low) / BINS
    even = np.linspace(low, high, BINS + 1)[1:-1].tolist()
    free = (edge for edge in even if all(abs(edge - cut) > wide / 2 for cut in cuts))
    edges = sorted({low, high, *free, *(cut for cut in cuts if low < cut < high)})
    before = [low - wide] if low in cuts else []
    behind = [high + wide] if high in cuts and ends[1] > high else []
    return np.array([*before, *edges, *behind])


def _beyond(ends: tuple[float, float], shown: tuple[float, float]) -> str:
    first = [f"the first bin also counts what is below, down to {ends[0]:g}"] * (ends[0] < shown[0])
    last = [f"the last bin also counts what is above, up to {ends[1]:g}"] * (ends[1] > shown[1])
    return "; ".join(first + last)


def _shown(values: Any, cuts: Sequence[float]) -> tuple[float, float]:
    """From where to where bins are: the values within Tukey's outer fences, so that a few great
    ones do not push all others into one bin, and every cut among the values. If half of the
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
