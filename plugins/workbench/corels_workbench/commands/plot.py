"""`corels plot`: the pictures of one search, or of several overlaid, from their traces."""

from __future__ import annotations

from typing import Any

from corels.cli.outputs import put_picture
from corels.cli.parameters import command
from corels.errors import InputError
from corels.options import Option
from corels.plots.draw import STYLES, opened
from corels.run.trace import read_trace
from corels_workbench.searches import trace_figure

TRACES = Option("traces", "names", None, "coarse traces of `corels run`", metavar="RUN.jsonl ...")
OPTIONS = (
    Option.text("output", "a file: .svg, .png or .pdf; - draws in the terminal", "-"),
    Option.text("style", "colours of the picture", "light", choices=tuple(STYLES)),
)


@command((TRACES,), OPTIONS)
def plot(asked: Any) -> None:
    """Draw searches over time: objective, bound, remaining search space, open nodes, prunings.

    Traces come from `corels run --trace RUN.jsonl`. Several traces are drawn into one picture.

    $ corels plot run.jsonl
    $ corels plot run.jsonl -o run.svg
    $ corels plot run.jsonl other.jsonl --style dark -o both.png
    """
    target = opened(asked.output)
    read = {path: read_trace(path) for path in asked.traces}
    for path, trace in read.items():
        if trace.header.get("level") != "coarse":
            raise InputError(
                f"{path}: this is a fine trace, which holds no times: expected a coarse one"
            )
    put_picture(trace_figure(read), target, style=asked.style)
