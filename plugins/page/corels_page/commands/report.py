"""`corels report`: a model as one offline HTML file."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer

from corels.cli.apply import BuiltIn, DataFile, ModelFile
from corels.cli.exits import say
from corels.cli.outputs import put
from corels.model.documents import load_certificate, read_document
from corels.run.models import open_model
from corels.run.output import OutputFile
from corels.run.trace import read_trace
from corels.tables.files import decode, read_bytes
from corels_page import Further, Page, report
from corels_page.commands.report_parts import Source
from corels_page.others import read_path

Html = Annotated[str, typer.Option("--output", "-o", help="The HTML file to write.")]
Group = Annotated[
    str | None, typer.Option(metavar="COLUMN", help="Compare the groups of this column.")
]
Label = Annotated[
    str | None, typer.Option(help="The column with the true class (default: the model's).")
]
Coarse = Annotated[
    str | None,
    typer.Option(metavar="RUN.jsonl", help="How it was found: a coarse trace of the run."),
]
Fine = Annotated[
    str | None,
    typer.Option(metavar="FINE.jsonl", help="Step by step: a fine trace of a small run."),
]
ProofFile = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="First rules and their costs: `corels run --proof`."),
]
NearFile = Annotated[
    str | None,
    typer.Option(metavar="NEAR.jsonl", help="Other good lists: JSON lines of `corels near`."),
]
PathFile = Annotated[
    str | None,
    typer.Option(
        metavar="PATH.json", help="Price of simplicity: the output of `corels path --json`."
    ),
]


def write_report(
    model: ModelFile,
    data: DataFile = None,
    *,
    output: Html = "report.html",
    dataset: BuiltIn = None,
    group: Group = None,
    label: Label = None,
    trace: Coarse = None,
    steps: Fine = None,
    proof: ProofFile = None,
    near: NearFile = None,
    path: PathFile = None,
) -> None:
    """Write a model as one HTML file that anybody can open, without a network.

    Besides the model and its certificate, the page has the parts that the options ask for. Needs
    the extra `page`.

    $ corels report model.json
    $ corels report model.json people.csv --group gender
    $ corels report model.json people.csv --proof run.proof -o report.html
    """
    found = read_document(model)
    loaded = open_model(model, found)
    source = Source(loaded, found, data, dataset, label)
    further = Further(
        data=str(found.get("data", {}).get("name", "")),
        check=_check(model, data, dataset, proof),
        groups=None if group is None else source.groups(group),
        claims=None if proof is None else source.claims(proof),
        trace=None if trace is None else read_trace(trace),
        steps=None if steps is None else read_trace(steps),
        points=None if steps is None else source.points(steps),
        near=None if near is None else source.near(near, group),
        path=None if path is None else read_path(path, decode(path, read_bytes(path))),
    )
    _write(report(loaded, load_certificate(model, found), further), output)


def _write(page: Page, output: str) -> None:
    """The file, whole or not at all."""
    put(OutputFile(output), page.html)
    say(f"wrote {output}: open it in a browser")


def _check(model: str, data: str | None, dataset: str | None, proof: str | None) -> str:
    """The command that recounts the model; DATA stands for data that was not named."""
    source = "DATA" if data is None else shlex.quote(data)
    if dataset is not None:
        source = f"--dataset {shlex.quote(dataset)}"
    proved = "" if proof is None else f" --proof {shlex.quote(proof)}"
    return f"corels check {shlex.quote(model)} {source}{proved}"
