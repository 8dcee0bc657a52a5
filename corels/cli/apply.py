"""`corels show`, and what the commands that use a model file share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corels.cli.parameters import command
from corels.cli.rereading import Columns
from corels.cli.streams import emit, notice
from corels.errors import InputError
from corels.model.certificate_text import certificate_text
from corels.model.documents import load_certificate, open_model, read_document, to_json
from corels.options import Option
from corels.run.result import Result
from corels.tables.learned import learned_in
from corels.tables.unseen import columns_asked, unseen_values

MODEL = Option("model", "text", None, "a model file of `corels run --output`")
DATA = Option.text("data", "a .out file, or a CSV, TSV or Parquet table")
LABELS = Option.text("labels", "the .label file, if not beside the .out file")
LABEL = Option.text("label", "the column with the true class (default: the model's)")
WEIGHT = Option.text("weight", "the column with the weight of a row")
ENCODED = Option.text(
    "encoding", "encoding of a CSV file that is not UTF-8 (default: as in training)"
)
BUILT_IN = Option.text("dataset", "a built-in data set instead of DATA")
JSON = Option.switch("json", "print JSON, for other programs")
OUTPUT = Option.text("output", "write to a file, not to stdout")


@command((MODEL,), (JSON,))
def show(asked: Any) -> None:
    """Show a model and its certificate.

    $ corels show model.json
    $ corels show model.json --json
    $ corels export model.json --to latex
    """
    found = read_document(asked.model)
    loaded = open_model(asked.model, found)
    text = to_json(found) if asked.json else loaded.to_text()
    certificate = load_certificate(asked.model, found)
    if certificate is not None and not asked.json:
        about = Result(loaded, certificate, data=found.get("data", {})).about()
        about.append(("numbers", "as the model file states: `corels check` counts them again"))
        text += "\n\n" + certificate_text(certificate, loaded.family, about)
    emit(text)
    for remark in loaded.remarks():
        notice("warning", remark)


def tell_unseen(document: Mapping[str, Any], columns: Columns, *, strict: bool = False) -> None:
    """Say which values of the data the model never saw; refuse them if that was asked for."""
    for unseen in unseen_values(columns, columns_asked(document), learned_in(document)):
        if strict:
            raise InputError(f"{unseen} (--strict)")
        notice("warning", unseen)
