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
    labels_of,
    read_columns,
    source_files,
    weights_of,
)
from corels.cli.exits import say
from corels.cli.interrupts import undisturbed
from corels.cli.models import open_model
from corels.cli.proof import same_list
from corels.data.files import decode, read_bytes, read_raw
from corels.errors import InputError, OptionError
from corels.model import Model
from corels.model.documents import load_certificate, read_document
from corels.page import Further, report
from corels.page.groups import groups
from corels.page.others import read_near, read_path
from corels.proof.table import next_rules
from corels.proofcheck import read_proof
from corels.proofcheck.table import read_table
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
    proof: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="First rules and their costs: `corels run --proof`."),
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
    read = [name for name in (trace, steps, proof, near, path) if name is not None]
    refuse_overwriting([output], [*source_files(model, data), *read])
    found = read_document(model)
    loaded = open_model(model, found)
    given = data is not None or dataset is not None
    for flag, wanted in (("--group", group), ("--proof", proof)):
        if wanted is not None and not given:
            raise OptionError(f"{flag} needs the data: give DATA or --dataset NAME")
    source = _Source(found, data, dataset, label) if given else None
    if source is not None:
        loaded.predict_indices(source.columns)  # it has what the model asks, or it is said now
    further = Further(
        data=str(found.get("data", {}).get("name", "")),
        check=_check(model, data, dataset, proof),
        groups=_groups(loaded, source, group),
        claims=_claims(found, source, proof),
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


class _Source:
    """The data, where it is given: its columns, and the true classes when they are asked for."""

    def __init__(
        self, found: Mapping[str, Any], data: str | None, dataset: str | None, label: str | None
    ) -> None:
        self.columns = read_columns(data, dataset)
        self._named = (data, None, dataset, label, str(found.get("label")))

    def truth(self) -> list[Any]:
        return labels_of(self.columns, *self._named)[0]


def _groups(model: Model, source: _Source | None, group: str | None) -> dict[str, Any] | None:
    if source is None or group is None:
        return None
    return groups(model, source.columns, source.truth(), group)


def _claims(
    found: Mapping[str, Any], source: _Source | None, path: str | None
) -> list[tuple[str, float | None, str]] | None:
    """What a proof says of each first rule. Raises InputError for the proof of another list."""
    if source is None or path is None:
        return None
    proof = read_proof(read_raw(path), path)
    same = "rules" in found and bool(proof.lists) and same_list(proof, found).holds
    if not same:
        raise InputError(f"{path}: this is the proof of another list")
    weight = found.get("data", {}).get("reading", {}).get("weight")
    weights = weights_of(source.columns, weight if isinstance(weight, str) else None)
    table = read_table(proof.header, source.columns, source.truth(), weights)
    _, rows = next_rules(table, proof)
    names = [str(antecedent["name"]) for antecedent in proof.header["antecedents"]]
    whole = table.unit * table.total
    return [
        (
            names[row.antecedent],
            None if row.least is None else (row.least + table.base) / whole,
            row.why,
        )
        for row in rows
    ]


def _check(model: str, data: str | None, dataset: str | None, proof: str | None) -> str:
    """The command that recounts the model; DATA stands for data that was not named."""
    source = "DATA" if data is None else shlex.quote(data)
    if dataset is not None:
        source = f"--dataset {shlex.quote(dataset)}"
    proved = "" if proof is None else f" --proof {shlex.quote(proof)}"
    return f"corels check {shlex.quote(model)} {source}{proved}"
