"""`corels export`: a model in another language."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from corels.cli.apply import ModelFile
from corels.cli.exits import emit
from corels.cli.outputs import put
from corels.errors import OptionError
from corels.export.page import page
from corels.model.documents import load_certificate, read_document
from corels.options import Option
from corels.run.models import open_model
from corels.run.output import OutputFile

FORMATS = ("python", "sql", "html", "latex", "markdown")


def export(
    model: ModelFile,
    *,
    to: Annotated[
        str,
        typer.Option("--to", "--format", metavar="|".join(FORMATS), help="The language to write."),
    ] = "python",
    function: Annotated[
        str | None, typer.Option(help="Python: the name of the function (default: predict).")
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
    """Write a model as Python, SQL, HTML, LaTeX or Markdown.

    $ corels export model.json --format sql --table people
    $ corels export model.json --format python -o model.py
    $ corels export model.json --format html -o model.html
    """
    form = Option("language", "text", "python", "", choices=FORMATS).check(to)
    found = read_document(model)
    loaded = open_model(model, found)
    sql = {"dialect": dialect, "table": table, "booleans": booleans}
    settings: dict[str, dict[str, Any]] = {"python": {"function": function}, "sql": sql}
    for language, options in settings.items():
        for name, value in options.items():
            if language != form and value is not None:
                raise OptionError(f"--{name} is for --to {language}, not for --to {form}")
    chosen = {name: value for name, value in settings.get(form, {}).items() if value is not None}
    if form == "html":
        text = page(loaded, load_certificate(model, found))
    else:
        text = getattr(loaded, f"to_{form}")(**chosen)
    if output is None:
        emit(text)
        return
    put(OutputFile(output), text if text.endswith("\n") else text + "\n")
