"""`corels export`: a model in another language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from corels.cli.apply import MODEL, OUTPUT
from corels.cli.exits import emit
from corels.cli.outputs import put
from corels.cli.parameters import command
from corels.errors import OptionError
from corels.model.documents import load_certificate, read_document
from corels.options import Option
from corels.run.models import open_model
from corels.run.output import OutputFile

FUNCTIONS = ("python", "c", "javascript", "r")
FORMATS = (*FUNCTIONS, "onnx", "sql", "html", "latex", "markdown")
ENDINGS = (".py", ".c", ".js", ".r", ".onnx", ".sql", ".html", ".tex", ".md")  # of each format


@command(
    (MODEL,),
    (
        Option.text(
            "to",
            "the language to write (default: by the ending of --output, else python)",
            metavar="|".join(FORMATS),
        ),
        Option.text("function", "the name of the function (default: predict; R: predict_rows)"),
        Option.text("dialect", "SQL: how to quote (default: ansi)", metavar="ansi|mysql"),
        Option.text("table", "SQL: a table name to put before every column"),
        Option.text(
            "booleans", "SQL: columns of 0 and 1 (default: number)", metavar="number|boolean"
        ),
        OUTPUT,
    ),
)
def export(asked: Any) -> None:
    """Write a model as Python, C, JavaScript, R, ONNX, SQL, HTML, LaTeX or Markdown.

    $ corels export model.json --format sql --table people
    $ corels export model.json --function risk -o risk.c
    $ corels export model.json -o model.html
    """
    form = Option.text("to", "", choices=FORMATS).check(asked.to) or _by_ending(asked.output)
    if form == "onnx" and asked.output is None:
        raise OptionError("--to onnx needs --output FILE: it is not text")
    found = read_document(asked.model)
    target = None if asked.output is None else OutputFile(asked.output)
    loaded = open_model(asked.model, found)
    names = ("function", "dialect", "table", "booleans")
    chosen = {n: value for n in names if (value := getattr(asked, n)) is not None}
    for name in chosen:
        fitting = FUNCTIONS if name == "function" else ("sql",)
        if form not in fitting:
            raise OptionError(f"--{name} is for --to {' or '.join(fitting)}, not for --to {form}")
    if form == "html":
        from corels import Further, report

        about = Further(data=str(found.get("data", {}).get("name", "")))
        text = report(loaded, load_certificate(asked.model, found), about).html
    else:
        text = getattr(loaded, f"to_{form}")(**chosen)
    if target is None:
        emit(text)
    else:
        put(target, text)


def _by_ending(output: str | None) -> str:
    """The format that a file is called by, compressed or not."""
    ending = Path((output or "").removesuffix(".gz")).suffix.lower()
    return FORMATS[ENDINGS.index(ending)] if ending in ENDINGS else FORMATS[0]
