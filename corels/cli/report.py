"""`corels report`: a model as one offline HTML file."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from corels.cli.apply import (
    BuiltIn,
    DataFile,
    ModelFile,
    read_columns,
    source_files,
    true_labels,
)
from corels.cli.exits import say
from corels.cli.interrupts import undisturbed
from corels.cli.models import open_model
from corels.data.files import decode, read_bytes
from corels.errors import OptionError
from corels.model import Model
from corels.model.documents import load_certificate, read_document
from corels.page import Further, report
from corels.page.groups import groups
from corels.page.others import read_near, read_path
from corels.run.output import OutputFile, refuse_overwriting
from corels.run.trace import read_trace


def write_report(
    model: ModelFile,
    data: DataFile = None,
    *,
    output: Annotated[
        str, typer.Option("--output", "-o", help="The HTML file to write.")
    ] = "report.html",
    dataset: BuiltIn = None,
    group: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="Compare the groups of this column.")
    ] = None,
    label: Annotated[
        str | None, typer.Option(help="The column with the true class (default: the model's).")
    ] = None,
    trace: Annotated[
        str | None,
        typer.Option(metavar="RUN.jsonl", help="How it was found: a coarse trace of the run."),
    ] = None,
    steps: Annotated[
        str | None,
        typer.Option(metavar="FINE.jsonl", help="Step by step: a fine trace of a small run."),
    ] = None,
    near: Annotated[
        str | None,
        typer.Option(metavar="NEAR.jsonl", help="Other good lists: JSON lines of `corels near`."),
    ] = None,
    path: Annotated[
        str | None,
        typer.Option(
            metavar="PATH.json", help="Price of simplicity: the output of `corels path --json`."
        ),
    ] = None,
) -> None:
    """Write a model as one HTML file that anybody can open, without a network.

    What the options do not name is not on the page. Needs the extra `page`.
    """
    read = [name for name in (trace, steps, near, path) if name is not None]
    refuse_overwriting([output], [*source_files(model, data), *read])
    found = read_document(model)
    loaded = open_model(model, found)
    given = data is not None or dataset is not None
    if group is not None and not given:
        raise OptionError("--group needs the data: give DATA or --dataset NAME")
    if given and group is None:
        columns = read_columns(data, dataset)
        loaded.predict_indices(columns)  # the data has what the model asks, or it is said now
    further = Further(
        data=str(found.get("data", {}).get("name", "")),
        check=_check(model, found, data, dataset),
        groups=None
        if group is None
        else _groups(loaded, found, data, dataset, label=label, group=group),
        trace=None if trace is None else read_trace(trace),
        steps=None if steps is None else read_trace(steps),
        near=None if near is None else read_near(near, decode(near, read_bytes(near))),
        path=None if path is None else read_path(path, decode(path, read_bytes(path))),
    )
    page = report(loaded, load_certificate(model, found), further)
    target = OutputFile(output)
    try:
        with undisturbed():
            target.write(page.html)
            target.commit()
    finally:
        target.discard()
    say(f"wrote {output}: open it in a browser")


def _groups(
    model: Model,
    found: Mapping[str, Any],
    data: str | None,
    dataset: str | None,
    *,
    label: str | None,
    group: str,
) -> dict[str, Any]:
    columns = read_columns(data, dataset)
    truth, _ = true_labels(found, columns, data, None, dataset=dataset, label=label)
    return groups(model, columns, truth, group)


def _check(model: str, found: Mapping[str, Any], data: str | None, dataset: str | None) -> str:
    """The command that recounts the model; the data as it was named, or as the file names it."""
    if dataset is not None:
        source = f"--dataset {shlex.quote(dataset)}"
    else:
        source = "DATA" if data is None else shlex.quote(data)
    return f"corels check {shlex.quote(model)} {source}"
