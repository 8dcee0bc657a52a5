"""Drawing a figure: to a file by the ending of its name, or into the terminal.

    .svg .png .pdf   matplotlib        .html   plotly, one file that needs no network
    -                plotille, as text

Each library is imported when it is asked for; one that is missing is named with its extra.
"""

from __future__ import annotations

import io
import math
import shutil
from collections.abc import Iterator, Sequence
from html import escape
from itertools import chain, pairwise
from pathlib import Path
from textwrap import wrap
from typing import Any

from numpy import ravel

from corels.errors import OptionError
from corels.installed import need
from corels.plots.figure import Figure, Panel, Series
from corels.run.output import OutputFile, save

WIDTH, HEIGHT = 7.2, 2.9  # inches of one panel
HTML_HEIGHT, GAP = 3.6, 70  # inches of one panel, pixels between two: a title, names of an axis
STYLES = ("light", "dark")
MATPLOTLIB = (".svg", ".png", ".pdf")
ENDINGS = (*MATPLOTLIB, ".html")
MARKERS = "*o+x#@%&"


def opened(name: str) -> str | OutputFile:
    """Where a picture goes, known before anybody waits for it: a file, or "-", the terminal.

    Raises OptionError for an ending that is not known or a library that is not installed,
    OutputError where the file cannot be written.
    """
    ending = Path(name).suffix.lower()
    if name == "-":
        need("plotille", "pictures in the terminal need plotille", "workbench")
        return name
    if ending not in ENDINGS:
        known = ", ".join(ENDINGS)
        raise OptionError(f"{name}: expected a name that ends in {known}, or - for the terminal")
    if ending == ".html":
        need("plotly", "interactive pictures need plotly", "workbench")
    else:
        need("matplotlib", "pictures need matplotlib", "plot")
    return OutputFile(name)


def draw(
    figure: Figure, output: str | OutputFile, *, style: str = "light", width: int | None = None
) -> str | None:
    """Write a figure to a file; for the output "-" return it as text for a terminal.

    width: in pixels, for files. Raises what `opened` raises.
    """
    target = opened(output) if isinstance(output, str) else output
    if isinstance(target, str):
        return in_terminal(figure)
    ending = Path(target.path).suffix.lower()
    if ending == ".html":
        save(target, to_html(figure, style=style))
    else:
        picture = io.BytesIO()
        about = {"Date": None} if ending == ".svg" else None
        to_matplotlib(figure, style=style, width=width).savefig(
            picture, format=ending[1:], dpi=100, metadata=about
        )
        save(target, picture.getvalue())
    return None


def to_matplotlib(figure: Figure, *, style: str = "light", width: int | None = None) -> Any:
    """matplotlib's figure."""
    need("matplotlib", "pictures need matplotlib", "plot")
    import matplotlib.pyplot as plt
    from matplotlib.figure import Figure as Canvas

    columns, tall = figure.columns, figure.heights(HEIGHT)
    size = (WIDTH * columns if width is None else width / 100, sum(tall) + 0.4)
    with plt.style.context("dark_background" if style == "dark" else "default"):
        canvas = Canvas(figsize=size, layout="constrained")
        canvas.suptitle(figure.title, fontsize="medium")
        axes = canvas.subplots(
            len(tall), columns, squeeze=False, gridspec_kw={"height_ratios": tall}
        ).ravel()
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
    if _of_texts(panel):
        _matplotlib_texts(panel, axes)
        return
    areas = [series for series in panel.series if series.kind == "area"]
    if areas:
        axes.stackplot(areas[0].x, *(s.y for s in areas), labels=[s.label for s in areas])
    for series in panel.series:
        line = {"linestyle": "--" if series.dashed else "-", "label": series.label}
        if series.kind == "step":
            axes.step(series.x, series.y, where="post", **line)
        elif series.kind == "bar":
            axes.barh(series.x, series.y, label=series.label)
        elif series.kind == "points":
            axes.plot(series.x, series.y, "o", label=series.label)
        elif series.kind == "line":
            line["marker"] = "o" if series.marks else ""
            axes.errorbar(series.x, series.y, series.spread or None, capsize=3, **line)
        for x, y, note in _apart(series, panel):
            axes.annotate(note, (x, y), textcoords="offset points", xytext=(3, 3), fontsize="small")
    if panel.log_x:
        axes.set_xscale("log")
    if panel.log_y:
        axes.set_yscale("log")
    letters = int(10 * axes.figure.get_size_inches()[0])  # that fit into the width
    axes.set_xlabel(panel.x_label, parse_math=False)
    axes.set_ylabel(panel.y_label, parse_math=False)
    axes.set_title("\n".join(wrap(panel.title, letters)), fontsize="medium", parse_math=False)
    if sum(bool(series.label) for series in panel.series) > 1:
        beside = {"loc": "center left", "bbox_to_anchor": (1, 0.5)} if areas else {}
        for text in axes.legend(fontsize="small", **beside).get_texts():
            text.set_parse_math(False)


def _of_texts(panel: Panel) -> bool:
    return bool(panel.series) and all(series.kind == "texts" for series in panel.series)


def _matplotlib_texts(panel: Panel, axes: Any) -> None:
    for number, series in enumerate(panel.series):
        box = {"boxstyle": "round,pad=0.3", "facecolor": "none", "edgecolor": f"C{number}"}
        box["linestyle"] = ":" if series.dashed else "-"
        size, boxed = (8.5, box) if series.label else ("medium", None)
        for x, y, note in zip(series.x, series.y, series.notes, strict=True):
            axes.text(x, y, note, va="top", fontsize=size, bbox=boxed, parse_math=False)
    axes.set(xlim=(-0.02, 1), ylim=_lines(panel))
    axes.axis("off")


def _lines(panel: Panel) -> tuple[float, float]:
    """From below the last text of a panel, which has about two lines, to above its first."""
    return min(chain.from_iterable(series.y for series in panel.series)) - 2.5, 0.5


def _apart(series: Series, panel: Panel) -> Iterator[tuple[float, float, str]]:
    """The notes that have room: of several at about the same place the last is written."""
    if not series.notes:
        return
    places = [math.log10(float(x)) if panel.log_x else float(x) for x in series.x]
    room = 0.04 * (max(places) - min(places))
    noted = list(zip(places, series.x, series.y, series.notes, strict=False))
    for (place, x, y, note), after in zip(noted, [*noted[1:], None], strict=True):
        if after is None or after[0] - place >= room:
            yield float(x), y, note


def to_html(figure: Figure, *, style: str = "light") -> str:
    """An interactive page in one file, plotly's script included."""
    text: str = to_plotly(figure, style=style).to_html(include_plotlyjs=True, full_html=True)
    return text


def to_plotly(figure: Figure, *, style: str = "light") -> Any:
    """plotly's figure."""
    import plotly.graph_objects as go
    from plotly.subplots import make_subplots

    columns, tall = figure.columns, [100 * inches for inches in figure.heights(HTML_HEIGHT)]
    whole = sum(tall) + GAP * len(tall)
    titles = [panel.title for panel in figure.panels]
    page = make_subplots(
        len(tall), columns, subplot_titles=titles, row_heights=tall, vertical_spacing=GAP / whole
    )
    for at, panel in enumerate(figure.panels):
        place = {"row": at // columns + 1, "col": at % columns + 1}
        if _of_texts(panel):
            _plotly_texts(page, panel, place)
            continue
        for series in panel.series:
            page.add_trace(_plotly_trace(go, series), **place)
        kinds = ("log" if panel.log_x else None, "log" if panel.log_y else None)
        page.update_xaxes(title_text=panel.x_label, type=kinds[0], **place)
        page.update_yaxes(title_text=panel.y_label, type=kinds[1], **place)
    template = "plotly_dark" if style == "dark" else "plotly_white"
    page.update_layout(title_text=figure.title, template=template, height=whole + 2 * GAP)
    return page


def _plotly_texts(page: Any, panel: Panel, place: dict[str, int]) -> None:
    """A text of plotly knows a few tags, so that what looks like one is escaped."""
    from plotly.colors import qualitative

    page.add_scatter(x=[None], y=[None], showlegend=False, **place)  # axes need a trace
    axes = {"xref": page.data[-1].xaxis, "yref": page.data[-1].yaxis}
    corner = {"xanchor": "left", "yanchor": "top", "align": "left", "showarrow": False}
    found = list(page.layout.annotations)
    for number, series in enumerate(panel.series):
        box = {"bordercolor": qualitative.D3[number], "borderpad": 4} if series.label else {}
        for x, y, note in zip(series.x, series.y, series.notes, strict=True):
            text = escape(note, quote=False).replace("\n", "<br>")
            found.append({"x": x, "y": y, "text": text, **axes, **corner, **box})
    page.update_layout(annotations=found)
    page.update_xaxes(visible=False, range=[-0.02, 1], **place)
    page.update_yaxes(visible=False, range=_lines(panel), **place)


def _plotly_trace(go: Any, series: Series) -> Any:
    x, y = list(series.x), list(series.y)
    if series.kind == "bar":
        return go.Bar(x=y, y=x, orientation="h", name=series.label)
    mode = "markers" if series.kind == "points" else "lines+markers" if series.marks else "lines"
    line = {"shape": "hv" if series.kind == "step" else "linear"}
    if series.dashed:
        line["dash"] = "dash"
    stack = "stack" if series.kind == "area" else None
    notes = list(series.notes) or None
    found = go.Scatter(
        x=x, y=y, mode=mode, line=line, name=series.label, stackgroup=stack, hovertext=notes
    )
    return found.update(error_y={"array": list(series.spread)}) if series.spread else found


def in_terminal(figure: Figure) -> str:
    """Text of the terminal's width, without colours."""
    import plotille

    drawn = (_in_text(plotille, panel) for panel in figure.panels)
    return "\n\n".join(filter(None, [figure.title, *drawn]))


def _in_text(plotille: Any, panel: Panel) -> str:
    if all(series.kind == "bar" for series in panel.series):
        return f"{panel.title}\n" + "\n".join(_bars(panel.series))
    if _of_texts(panel):
        placed = [pair for s in panel.series for pair in zip(s.y, s.notes, strict=True)]
        return "\n".join(note for _, note in sorted(placed, reverse=True))
    canvas = plotille.Figure()
    canvas.width = max(30, min(100, shutil.get_terminal_size().columns) - 22)
    canvas.height = 14
    canvas.with_colors = False
    canvas.x_label, canvas.y_label = panel.x_label, panel.y_label
    canvas.x_ticks_fkt = lambda low, _: f"{10**low if panel.log_x else low:.3g}"
    canvas.y_ticks_fkt = lambda low, _: f"{low:.3g}"
    heights = [y for series in panel.series for y in series.y if math.isfinite(y)]
    if heights and min(heights) >= 0 and max(heights) > 0:
        canvas.set_y_limits(min_=0, max_=1.05 * max(heights))  # no room below zero
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
