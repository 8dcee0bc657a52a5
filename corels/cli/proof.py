"""`corels proof`: trim a proof or look into it, whatever its family."""

from __future__ import annotations

from typing import Annotated

import typer

from corels.checking.opening import opened
from corels.checking.watch import Watch
from corels.cli.apply import (
    BuiltIn,
    DataFile,
    Json,
    LabelColumn,
    LabelsFile,
    WeightColumn,
    labels_of,
    read_columns,
    weights_of,
)
from corels.cli.exits import emit
from corels.cli.outputs import put
from corels.cli.proof_findings import progress
from corels.errors import OptionError
from corels.model.documents import to_json
from corels.options import unknown
from corels.proof import Table, format_of
from corels.run.output import OutputFile
from corels.tables.files import read_raw

ACTIONS = ("show", "trim")


def proof(
    action: Annotated[str, typer.Argument(metavar="show|trim", help="Show the proof, or trim it.")],
    file: Annotated[str, typer.Argument(metavar="FILE", help="A file of `corels run --proof`.")],
    data: DataFile = None,
    labels: LabelsFile = None,
    *,
    dataset: BuiltIn = None,
    label: LabelColumn = None,
    weight: WeightColumn = None,
    prefix: Annotated[
        list[str] | None,
        typer.Option(help="show: rules that follow a rule with this antecedent (repeatable)."),
    ] = None,
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="trim: the file to be written.")
    ] = None,
    json: Json = False,
) -> None:
    """Show what a proof says, or keep only the part that its conclusion needs.

    show: prints each rule that may come first (or next after --prefix), and the least cost of the
    lists with this rule; for rule sets, the bounds and the cost of each clause. trim: writes only
    the claims that the conclusion needs to --output, and checks these claims.

    $ corels proof show run.proof people.csv
    $ corels proof show run.proof people.csv --prefix smoker
    $ corels proof trim run.proof people.csv -o small.proof
    """
    if action not in ACTIONS:
        raise OptionError(unknown("action", action, ACTIONS))
    target = _target(action, output)
    content = opened(read_raw(file), file)
    own, watch = format_of(content), Watch(report=progress)
    columns = read_columns(data, dataset, content.header)
    stated = str(content.header.get("label"))
    true, _ = labels_of(columns, data, labels, dataset, label, stated)
    table = Table(columns, true, weights_of(columns, weight))
    if target is not None:
        written, kept = own.trim(content, table, watch)
        put(target, written)
        emit(f"{kept} are kept in {target.path}")
    else:
        shown = own.describe(content, table, prefix or [], watch)
        emit(to_json(shown.to_json()) if json else "\n".join(shown.lines()))


def _target(action: str, output: str | None) -> OutputFile | None:
    """What `trim` writes, tried before anything is counted; None for `show`."""
    if action == "show":
        if output is not None:
            raise OptionError(
                "--output is for `corels proof trim`; `corels proof show` only prints"
            )
        return None
    if output is None:
        raise OptionError("trim needs --output FILE")
    return OutputFile(output)
