"""`corels export`: a model in another language."""

from __future__ import annotations

from typing import Annotated

import typer

from corels.cli.apply import ModelFile
from corels.cli.exits import emit
from corels.cli.outputs import put
from corels.errors import OptionError
from corels.model.documents import load_certificate, read_document
from corels.options import Option
from corels.run.models import open_model
from corels.run.output import OutputFile

FUNCTIONS = ("python", "c", "javascript", "r")
FORMATS = (*FUNCTIONS, "onnx", "sql", "html", "latex", "markdown")


def export(
    model: ModelFile,
    *,
    to: Annotated[
        str,
        typer.Option("--to", "--format", metavar="|".join(FORMATS), help="The language to write."),
    ] = "python",
    function: Annotated[
        str | None,
        typer.Option(help="The name of the function (default: predict; R: predict_rows)."),
    ] = None,
    dialect: Annotated[
        str | None, typer.Option(metavar="ansi|mysql", help="SQL: how to quote (default: ansi).")
    ] = None,
    table: Annotated[
        str | None, typer.Option(help="SQL: a table name to put before every column.")
    ] = None,
    booleans: Annotated[
        str | None,
        typer.Option(metavar="number|boolean", help="SQL: columns of 0 and 1 (default: number)."),
    ] = None,
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="Write to a file, not to stdout.")
    ] = None,
) -> None:
    """Write a model as Python, C, JavaScript, R, ONNX, SQL, HTML, LaTeX or Markdown.

    $ corels export model.json --format sql --table people
    $ corels export model.json --format c --function risk -o risk.c
    $ corels export model.json --format html -o model.html
    """
    form = Option.text("language", "", "python", choices=FORMATS).check(to)
    if form == "onnx" and output is None:
        raise OptionError("--to onnx needs --output FILE: it is no text")
    found = read_document(model)
    target = None if output is None else OutputFile(output)
    loaded = open_model(model, found)
    options = {"function": function, "dialect": dialect, "table": table, "booleans": booleans}
    chosen = {name: value for name, value in options.items() if value is not None}
    for name in chosen:
        fitting = FUNCTIONS if name == "function" else ("sql",)
        if form not in fitting:
            raise OptionError(f"--{name} is for --to {' or '.join(fitting)}, not for --to {form}")
    if form == "html":
        from corels import Further, report

        about = Further(data=str(found.get("data", {}).get("name", "")))
        text = report(loaded, load_certificate(model, found), about).html
    else:
        text = getattr(loaded, f"to_{form}")(**chosen)
    if target is None:
        emit(text)
        return
    if isinstance(text, bytes):
        put(target, text)
        return
    put(target, text if text.endswith("\n") else text + "\n")
