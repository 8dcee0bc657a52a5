"""`corels report`: a model as one offline HTML file."""

from __future__ import annotations

import os
import shlex
from typing import Annotated

import typer

from corels.cli.apply import BuiltIn, DataFile, ModelFile
from corels.cli.exits import say
from corels.cli.outputs import put
from corels.cli.parameters import checked
from corels.errors import OptionError
from corels.model import Model
from corels.model.documents import load_certificate, read_document
from corels.options import Option
from corels.run.models import open_model
from corels.run.output import OutputFile
from corels.run.trace import read_trace
from corels.tables.files import decode, read_bytes
from corels_page import Further, check_page, report
from corels_page.commands.report_parts import Source
from corels_page.others import read_path
from corels_page.words import read_description, template_text

Html = Annotated[str, typer.Option("--output", "-o", help="The HTML file to write.")]
Group = Annotated[
    str | None, typer.Option(metavar="COLUMN", help="Compare the groups of this column.")
]
Row = Annotated[
    str | None,
    typer.Option(metavar="N", help="My case: begin with this row of the data, from 1."),
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
HeldOut = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="On new rows: a table that took no part in learning."),
]
Folds = Annotated[
    str | None,
    typer.Option(metavar="K", help="On new rows: learn again without each of K folds of the data."),
]
Seconds = Annotated[
    str | None,
    typer.Option(metavar="S", help="Seconds for all folds together (default: no limit)."),
]
Describe = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Title, author, readable names: TOML, or JSON."),
]
Template = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Write a file for --describe, to fill in, and no report."),
]
NUMBERS = (
    Option.whole("row", "", low=1),
    Option.whole("folds", "", low=2, high=1000),
    Option.number("time_limit", "", low=0),
)


def write_report(
    model: ModelFile,
    data: DataFile = None,
    *,
    output: Html = "report.html",
    dataset: BuiltIn = None,
    group: Group = None,
    row: Row = None,
    label: Label = None,
    trace: Coarse = None,
    steps: Fine = None,
    proof: ProofFile = None,
    near: NearFile = None,
    path: PathFile = None,
    held_out: HeldOut = None,
    folds: Folds = None,
    time_limit: Seconds = None,
    describe: Describe = None,
    describe_template: Template = None,
) -> None:
    """Write a model as one HTML file that anybody can open, without a network.

    Besides the model and its certificate, the page has the parts that the options ask for. Needs
    the extra `page`.

    $ corels report model.json
    $ corels report model.json people.csv --group gender
    $ corels report model.json people.csv --proof run.proof -o report.html
    """
    typed = {"row": row, "folds": folds, "time_limit": time_limit}
    numbers = checked(NUMBERS, {name: value for name, value in typed.items() if value is not None})
    if folds is None and time_limit is not None:
        raise OptionError(f"--time-limit {time_limit} is for learning again: give --folds K, too")
    found = read_document(model)
    loaded = open_model(model, found)
    if describe_template is not None:
        _write_template(loaded, model, describe_template)
        return
    check_page()
    target = OutputFile(output)
    source = Source(model, loaded, found, data, dataset, label)
    words = None if describe is None else read_description(describe, loaded, source.columns)
    further = Further(
        data=str(found.get("data", {}).get("name", "")),
        check=_check(model, data, dataset, proof),
        groups=None if group is None else source.groups(group),
        case=None if row is None else source.case(numbers["row"]),
        claims=None if proof is None else source.claims(proof),
        trace=None if trace is None else read_trace(trace),
        steps=None if steps is None else read_trace(steps),
        points=None if steps is None else source.points(steps),
        near=None if near is None else source.near(near, group),
        path=None if path is None else read_path(path, decode(path, read_bytes(path))),
        held_out=None if held_out is None else source.held_out(held_out),
        folds=None if folds is None else source.folds(numbers["folds"], numbers["time_limit"]),
        spread=source.spread(),
        description=words,
    )
    put(target, report(loaded, load_certificate(model, found), further).html)
    say(f"wrote {output}: open it in a browser")


def _write_template(model: Model, name: str, target: str) -> None:
    """Refuses to replace a file: somebody may have filled it in."""
    if os.path.isfile(target):
        raise OptionError(f"{target} is there already, maybe filled in: expected another name")
    put(OutputFile(target), template_text(model, os.path.basename(name)))
    say(f"wrote {target}: fill it in, and give it with --describe {shlex.quote(target)}")


def _check(model: str, data: str | None, dataset: str | None, proof: str | None) -> str:
    """The command that recounts the model; DATA stands for data that was not named.

    Files by their names alone: the page leaves this machine, whose folders mean nothing elsewhere.
    """
    source = "DATA" if data is None else _name(data)
    if dataset is not None:
        source = f"--dataset {shlex.quote(dataset)}"
    proved = "" if proof is None else f" --proof {_name(proof)}"
    return f"corels check {_name(model)} {source}{proved}"


def _name(path: str) -> str:
    """The name of a file as a shell takes it: one word, and no option."""
    name = os.path.basename(path)
    return shlex.quote(f"./{name}" if name.startswith("-") and name != "-" else name)
