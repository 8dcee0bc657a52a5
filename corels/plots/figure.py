"""A figure as data: panels with series, which any of several libraries can draw.

Every picture of numbers is described here, whatever makes it; `corels.plots.draw` hands it to
matplotlib (SVG, PNG, PDF) or plotille (the terminal).

One palette is for all pictures, also those of the page and of the documentation: blue and orange
first, which colour-blind people tell apart and which differ in grey, too; from the third colour on
a hatch tells what grey does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

COLOURS = {
    "light": (
        "#0a4d8c", "#de8512", "#1f8a6d", "#d58ab5", "#6b2c6b", "#7fc4ea",
        "#8a8a1a", "#6f6f6f", "#b0413e", "#c9b458", "#0f5f3c", "#4b2a12",
    ),
    "dark": (
        "#4f9fe3", "#ffcf87", "#3fbf9a", "#f0b3d6", "#b07fc4", "#bfe4fa",
        "#c9c95a", "#a8a8a8", "#e0807c", "#efe0a0", "#6fcf97", "#c98a5a",
    ),
}  # fmt: skip
HATCHES = ("", "", "///", "...", "\\\\\\", "xxx", "---", "++", "oo", "|||", "**", "OO")


@dataclass(frozen=True)
class Series:
    """x and y of equal length. kind: "line", "bar" or "points"; "step" holds each value until the
    next; "area" is stacked; "band" is what lies between y and `top`, in steps. colour: which of the
    palette's, so that what belongs together has one; None: the next one."""

    label: str
    x: Sequence[float | str]
    y: Sequence[float]
    kind: str = "line"
    dashed: bool = False
    notes: Sequence[str] = ()  # a word at each point, or none
    marks: bool = False  # a mark at each point of a line
    spread: Sequence[float] = ()  # how far each point may be off, up and down, or none
    top: Sequence[float] = ()  # of a band
    colour: int | None = None


@dataclass(frozen=True)
class Panel:
    """One pair of axes."""

    title: str
    x_label: str
    y_label: str
    series: Sequence[Series] = field(default_factory=tuple)
    log_x: bool = False


@dataclass(frozen=True)
class Figure:
    """Panels from top to bottom."""

    title: str
    panels: Sequence[Panel]


class Drawn:
    """What has a figure, and so can be drawn."""

    def figure(self) -> Figure:
        """As data of a picture."""
        raise NotImplementedError

    def plot(self, axes: Any = None) -> Any:
        """Draw it on matplotlib's axes, one a panel, or on new ones; returns them."""
        from corels.plots.draw import on_axes

        return on_axes(self.figure(), axes)
