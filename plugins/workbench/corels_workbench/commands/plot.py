"""`corels plot`: the pictures of one search, or of several overlaid, from their traces."""

from __future__ import annotations

from typing import Annotated

import typer

from corels.cli.exits import emit
from corels.errors import InputError, OptionError
from corels.plots.draw import STYLES, draw
from corels.plots.searches import trace_figure
from corels.run.trace import read_trace


def plot(
    traces: Annotated[
        list[str], typer.Argument(metavar="RUN.jsonl ...", help="coarse traces of `corels run`")
    ],
    output: Annotated[
        str,
        typer.Option(
            "--output", "-o", help="a file: .svg, .png, .pdf or .html; - draws in the terminal"
        ),
    ] = "-",
    style: Annotated[
        str, typer.Option(metavar="|".join(STYLES), help="colours of the picture")
    ] = "light",
    width: Annotated[
        str, typer.Option(metavar="N", help="width of the picture in pixels, for files")
    ] = "",
) -> None:
    """Draw searches over time: objective, bound, remaining search space, open nodes, prunings.

    Traces come from `corels run --trace RUN.jsonl`. Several traces are drawn into one picture.

    $ corels plot run.jsonl
    $ corels plot run.jsonl -o run.svg
    $ corels plot run.jsonl other.jsonl --style dark -o both.png
    """
    if style not in STYLES:
        raise OptionError(f"--style is {style!r}: expected one of {', '.join(STYLES)}")
    if width and not (width.isdecimal() and 100 <= int(width) <= 10_000):
        raise OptionError(f"--width is {width!r}: expected a whole number from 100 to 10000")
    read = {path: read_trace(path) for path in traces}
    for path, trace in read.items():
        if trace.header.get("level") != "coarse":
            raise InputError(
                f"{path}: this is a fine trace, which holds no times: expected a coarse one"
            )
    text = draw(trace_figure(read), output, style=style, width=int(width) if width else None)
    if text is not None:
        emit(text)
