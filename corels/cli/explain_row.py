"""`corels explain-row`: why this prediction."""

from __future__ import annotations

from typing import Annotated

import typer

from corels.cli.apply import (
    BuiltIn,
    DataFile,
    Encoding,
    Json,
    ModelFile,
    read_columns,
    tell_unseen,
)
from corels.cli.exits import emit
from corels.cli.parameters import checked
from corels.model.documents import read_document, to_json
from corels.model.explaining import explain_row
from corels.options import Option
from corels.run.models import open_model

ROW = Option("row", "int", 1, "the number of a row, from 1", low=1)


def explain(
    model: ModelFile,
    data: DataFile = None,
    rows: Annotated[
        list[str] | None,
        typer.Argument(metavar="ROW", help="Numbers of rows, from 1 (default: 1)."),
    ] = None,
    *,
    row: Annotated[list[str] | None, typer.Option(help="The same as ROW (repeatable).")] = None,
    dataset: BuiltIn = None,
    encoding: Encoding = None,
    json: Json = False,
) -> None:
    """Say which rule decides a row of DATA, and why no earlier rule did.

    $ corels explain-row model.json new.csv 1
    $ corels explain-row model.json new.csv 2 3
    $ corels explain-row model.json new.csv 1 --json
    """
    document = read_document(model)
    loaded = open_model(model, document)
    wanted: list[str] = [*(rows or []), *(row or [])]
    if dataset is not None and data is not None and data.isdecimal():  # DATA is not named
        wanted.insert(0, data)
        data = None
    columns = read_columns(data, dataset, document, encoding)
    tell_unseen(document, columns)
    numbers = [checked((ROW,), {"row": number})["row"] for number in wanted or ["1"]]
    found = [explain_row(loaded, columns, number - 1) for number in numbers]
    emit(to_json([one.to_document() for one in found]) if json else "\n\n".join(map(str, found)))
