"""Drawing a figure: to a file by the ending of its name, or into the terminal.

    .svg .png .pdf   matplotlib
    -                plotille, as text

Each library is imported when it is asked for; one that is missing is named with its extra.
"""

from __future__ import annotations

import io
import math
import shutil
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from pathlib import Path
from textwrap import wrap
from typing import Any

from numpy import ravel

from corels.errors import OptionError
from corels.installed import needed
from corels.plots.figure import COLOURS, HATCHES, Figure, Panel, Series
from corels.run.output import OutputFile, save

WIDTH, HEIGHT = 7.2, 2.9  # inches of one panel
STYLES = ("light", "dark")
ENDINGS = (".svg", ".png", ".pdf")
MARKERS = "*o+x#@%&"


def opened(name: str) -> str | OutputFile:
    """Where a picture goes, known before the work begins: a file, or "-", the terminal.

    Raises OptionError for an ending that is not known or a library that is not installed,
    OutputError if the file cannot be written.
    """
    ending = Path(name).suffix.lower()
    if name == "-":
        needed("plotille", "pictures in the terminal need plotille", "workbench")
        return name
    if ending not in ENDINGS:
        known = ", ".join(ENDINGS)
        raise OptionError(f"{name}: expected a name that ends in {known}, or - for the terminal")
    needed("matplotlib", "pictures need matplotlib", "plot")
    return OutputFile(name)


def draw(figure: Figure, target: str | OutputFile, *, style: str = "light") -> str | None:
    """Write a figure to what `opened` gave; for "-" return it as text for a terminal."""
    if isinstance(target, str):
        return in_terminal(figure)
    form, picture = Path(target.path).suffix.lower()[1:], io.BytesIO()
    dated = {"Date": None} if form == "svg" else None  # equal figures, equal files
    canvas = to_matplotlib(figure, style=style)
    canvas.savefig(picture, format=form, dpi=100, metadata=dated)
    save(target, picture.getvalue())
    return None


def to_matplotlib(figure: Figure, *, style: str = "light") -> Any:
    """A figure of matplotlib, its panels one below the other. style: "light" or "dark"."""
    plt = needed("matplotlib.pyplot", "pictures need matplotlib", "plot")
    from matplotlib.figure import Figure as Canvas

    count = max(1, len(figure.panels))
    with plt.style.context("dark_background" if style == "dark" else "default"):
        canvas = Canvas(figsize=(WIDTH, count * HEIGHT + 0.4), layout="constrained")
        canvas.suptitle(figure.title, fontsize="medium")
        axes = canvas.subplots(count, squeeze=False).ravel()
        for panel, one in zip(figure.panels, axes, strict=False):
            _matplotlib_panel(panel, one)
        for empty in axes[len(figure.panels) :]:
            empty.set_visible(False)
    return canvas


def on_axes(figure: Figure, axes: Any = None) -> Any:
    """The panels on matplotlib's axes, one each, or on new ones; returns the axes."""
    if axes is None:
        axes = to_matplotlib(figure).axes[: len(figure.panels)]
    else:
        for panel, one in zip(figure.panels, ravel(axes), strict=True):
            _matplotlib_panel(panel, one)
    return axes if len(figure.panels) > 1 else ravel(axes)[0]


def _matplotlib_panel(panel: Panel, axes: Any) -> None:
    """Foreign text is not a formula: a dollar is a dollar."""
    from matplotlib.colors import to_rgb

    bright = sum(to_rgb(axes.figure.get_facecolor())) > 1.5
    palette = COLOURS["light" if bright else "dark"]
    areas = [series for series in panel.series if series.kind == "area"]
    if areas:
        _areas(areas, axes, palette)
    for place, series in enumerate(one for one in panel.series if one.kind != "area"):
        colour = palette[(place if series.colour is None else series.colour) % len(palette)]
        _series(series, axes, colour)
    for x, y, note, run in _apart(panel):
        below = (run or 0) % 2  # those of a second run hang below its line
        how = {"textcoords": "offset points", "xytext": (3, -10 if below else 3)}
        axes.annotate(note, (x, y), fontsize="small", color=palette[run or 0], **how)
    _scales(panel, axes)
    letters = int(10 * axes.figure.get_size_inches()[0])  # that fit into the width
    axes.set_xlabel(panel.x_label, parse_math=False)
    axes.set_ylabel(panel.y_label, parse_math=False)
    axes.set_title("\n".join(wrap(panel.title, letters)), fontsize="medium", parse_math=False)
    # The colour of the only line, of several runs, means nothing without a name.
    named = sum(bool(series.label) for series in panel.series)
    if named > 1 or any(series.colour for series in panel.series):
        beside = {"loc": "center left", "bbox_to_anchor": (1, 0.5)} if areas else {}
        for text in axes.legend(fontsize="small", **beside).get_texts():
            text.set_parse_math(False)


def _areas(areas: Sequence[Series], axes: Any, palette: Sequence[str]) -> None:
    """Stacked, each with a hatch of its own: neighbours differ in grey, too."""
    drawn = axes.stackplot(
        areas[0].x,
        *(series.y for series in areas),
        labels=[series.label for series in areas],
        colors=[palette[place % len(palette)] for place in range(len(areas))],
    )
    for place, one in enumerate(drawn):
        one.set(hatch=HATCHES[place % len(HATCHES)], edgecolor=axes.get_facecolor(), linewidth=0.5)


def _series(series: Series, axes: Any, colour: str) -> None:
    """Anything but areas. A band is the shade of a spread, behind its line. Bars have numbers,
    and a logarithmic axis if the least of them would not be seen."""
    style: dict[str, Any] = {"label": series.label, "color": colour}
    line = {**style, "linestyle": "--" if series.dashed else "-", "marker": "o" * series.marks}
    if series.kind == "step":
        axes.step(series.x, series.y, where="post", markersize=4, **line)
    elif series.kind == "line":
        axes.errorbar(series.x, series.y, series.spread or None, capsize=3, **line)
    elif series.kind == "points":
        axes.plot(series.x, series.y, "o", **style)
    elif series.kind == "band":
        shade: Any = {"alpha": 0.25, "linewidth": 0, "step": "post"}
        axes.fill_between(series.x, series.y, series.top, **shade, **style)
    else:
        bars = axes.barh(series.x, series.y, **style)
        axes.bar_label(bars, [f"{value:,.0f}" for value in series.y], padding=3, fontsize="small")
        axes.margins(x=0.15)
        if max(series.y) > 100 * min(series.y) > 0:
            axes.set_xscale("log")


def _scales(panel: Panel, axes: Any) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    if panel.log_x:
        axes.set_xscale("log")
    if axes.get_xscale() == "log":  # few ticks, whose names have room
        low, high = axes.get_xlim()
        few = high < 100 * low
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if few else (1,), numticks=8))
        axes.xaxis.set_major_formatter(
            FuncFormatter(lambda x, _: f"{x:g}" if x < 1e5 else f"{x:.0e}")
        )
        axes.xaxis.set_minor_formatter(NullFormatter())


ROOM = 0.04, 0.08  # of the width and the height of a panel: what a note takes


def _apart(panel: Panel) -> Iterator[tuple[float, float, str, int | None]]:
    """The notes that have room, with their colour: of several at about the same place the last is
    written, of two series that of the first."""
    xs = [_place(x, panel) for one in panel.series for x in one.x if not isinstance(x, str)]
    ys = [y for one in panel.series for y in one.y if math.isfinite(y)]
    if not xs or not ys:
        return
    wide, high = (max(v) - min(v) or 1.0 for v in (xs, ys))
    taken: list[tuple[float, float]] = []
    for series in panel.series:
        shift = -high * ROOM[1] if (series.colour or 0) % 2 else high * ROOM[1]
        noted = list(zip(series.x, series.y, series.notes, strict=False))
        for x, y, note in reversed(noted):
            at = _place(x, panel), y + shift
            if all(
                abs(at[0] - other[0]) >= ROOM[0] * wide or abs(at[1] - other[1]) >= ROOM[1] * high
                for other in taken
            ):
                taken.append(at)
                yield float(x), y, note, series.colour


def _place(x: float | str, panel: Panel) -> float:
    return math.log10(float(x)) if panel.log_x else float(x)


def in_terminal(figure: Figure) -> str:
    """Text of the terminal's width, without colours."""
    import plotille

    drawn = (_in_text(plotille, panel) for panel in figure.panels)
    return "\n\n".join(filter(None, [figure.title, *drawn]))


def _in_text(plotille: Any, panel: Panel) -> str:
    if all(series.kind == "bar" for series in panel.series):
        return f"{panel.title}\n" + "\n".join(_bars(panel.series))
    canvas = plotille.Figure()
    beside = max(len(panel.y_label) + 2, 10) + len(panel.x_label) + 9  # names and arrow of the axes
    canvas.width = max(30, min(100, shutil.get_terminal_size().columns) - beside)
    canvas.height = 14
    canvas.with_colors = False
    canvas.x_label, canvas.y_label = panel.x_label, panel.y_label
    canvas.x_ticks_fkt = lambda low, _: f"{10**low if panel.log_x else low:.3g}"
    canvas.y_ticks_fkt = lambda low, _: f"{low:.3g}"
    heights = [y for series in panel.series for y in series.y if math.isfinite(y)]
    if heights and min(heights) >= 0 and max(heights) > 0:
        canvas.set_y_limits(min_=0, max_=1.05 * max(heights))  # no room below zero
    places = [_place(x, panel) for series in panel.series for x in series.x]
    if places and min(places) < max(places):  # no room before the first point
        canvas.set_x_limits(min_=min(places), max_=max(places))
    for series, marker in zip(panel.series, MARKERS, strict=False):
        xs, ys = _drawable(series, panel)
        if xs:
            canvas.plot(xs, ys, label=series.label, marker=marker)
    left_out = len(panel.series) - len(MARKERS)
    more = f"\n({left_out} further lines are left out)" if left_out > 0 else ""
    return f"{panel.title}\n{canvas.show(legend=True)}{more}"


def _drawable(series: Series, panel: Panel) -> tuple[list[float], list[float]]:
    """Finite points; a step as the corners that it has."""
    points = [(float(x), y) for x, y in zip(series.x, series.y, strict=True) if math.isfinite(y)]
    if series.kind == "step" and points:
        corners = [[(x, before), (x, y)] for (_, before), (x, y) in pairwise(points)]
        points = [points[0], *chain.from_iterable(corners)]
    if panel.log_x:
        points = [(math.log10(x), y) for x, y in points]
    return [x for x, _ in points], [y for _, y in points]


def _bars(group: Sequence[Series]) -> Iterator[str]:
    for series in group:
        names = max((len(str(name)) for name in series.x), default=0)
        most = max(series.y, default=0) or 1
        for name, value in zip(series.x, series.y, strict=True):
            yield f"{name!s:>{names}} {'#' * max(1, round(40 * value / most))} {value:g}"
