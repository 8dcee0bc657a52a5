"""A figure as data: panels with series, which any of several libraries can draw.

Every picture of numbers is described here, whatever makes it; `corels.plots.draw` hands it to
matplotlib (SVG, PNG, PDF) or plotille (the terminal).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

KINDS = ("line", "step", "area", "band", "bar", "points")


@dataclass(frozen=True)
class Series:
    """x and y of equal length. kind: "step" holds each value until the next; "area" is stacked;
    "band" is what lies between y and `top`, in steps. colour: which of the palette's, so that what
    belongs together has one; None: the next one."""

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
