"""`corels predict` and `corels show`: what is done with a model file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from corels.cli.at_hand import is_of
from corels.cli.exits import emit, notice, say
from corels.cli.outputs import opened_output, put
from corels.cli.parameters import command
from corels.cli.rereading import Columns, Reread, naming
from corels.errors import InputError
from corels.export.words import decider_text
from corels.model import Model
from corels.model.certificate_text import certificate_text
from corels.model.documents import (
    FORMATS,
    csv_text,
    load_certificate,
    read_document,
    rendered,
    to_json,
)
from corels.model.rows import sums_of
from corels.model.saved import open_model
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


@command((MODEL,), (Option.text("format", "the format to print", "text", choices=FORMATS), JSON))
def show(asked: Any) -> None:
    """Show a model and its certificate.

    $ corels show model.json
    $ corels show model.json --format latex
    $ corels show model.json --json
    """
    form, model = "json" if asked.json else asked.format, asked.model
    found = read_document(model)
    loaded = open_model(model, found)
    text = rendered(loaded, found, form)
    certificate = load_certificate(model, found)
    if form == "text" and certificate is not None:
        about = Result(loaded, certificate, data=found.get("data", {})).about()
        about.append(("numbers", "as the model file states: `corels check` counts them again"))
        text += "\n\n" + certificate_text(certificate, loaded.family, about)
    emit(text)
    for remark in loaded.remarks():
        notice("warning", remark)


@command(
    (MODEL, DATA),
    (
        BUILT_IN,
        ENCODED,
        Option.switch("proba", "also the share of each class behind a prediction"),
        Option.switch("reasons", "also the rule that decides each row"),
        Option.switch("strict", "refuse rows with values that training never saw"),
        OUTPUT,
        JSON,
    ),
)
def predict(asked: Any) -> None:
    """Predict the class of each row of DATA.

    Prints one class a line, in the order of the rows; with --proba or --reasons a CSV table.
    Values that training never saw are counted on stderr; with --strict they are an error.

    $ corels predict model.json new.csv
    $ corels predict model.json new.csv --reasons --proba -o predictions.csv
    $ corels predict model.json new.csv --strict
    """
    found = read_document(asked.model)
    loaded = open_model(asked.model, found)
    target = opened_output(asked.output, (".csv", ".txt", ".json"))
    rows = Reread(found, asked.data, asked.dataset, encoding=asked.encoding)
    columns = rows.all_columns
    with naming(asked.data):
        tell_unseen(found, columns, strict=asked.strict)
        if asked.proba:  # of its own table the shares are counted; of other rows they are stated
            is_of(asked.model, found, rows)
        table = _predictions(loaded, columns, asked.proba, asked.reasons)
        _tell_unanswered(loaded, columns, table["prediction"])
    if asked.json:
        text = to_json(table)
    elif asked.proba or asked.reasons:
        text = csv_text([table, *zip(*table.values(), strict=True)])
    else:
        text = "\n".join(map(str, table["prediction"]))
    put(target, text)


def tell_unseen(document: Mapping[str, Any], columns: Columns, *, strict: bool = False) -> None:
    """Say which values of the data the model never saw; refuse them where that was asked for."""
    for unseen in unseen_values(columns, columns_asked(document), learned_in(document)):
        if strict:
            raise InputError(f"{unseen} (--strict)")
        notice("warning", unseen)


def _predictions(
    model: Model, columns: Columns, proba: bool, reasons: bool
) -> dict[str, list[Any]]:
    table: dict[str, list[Any]] = {"prediction": model.predict(columns).tolist()}
    if not (proba or reasons):
        return table
    if reasons:
        caught = model.capturing(columns).tolist()
        names = [decider_text(decider) for decider in model.deciders()]
        table["rule"] = [number + 1 for number in caught]
        table["because"] = [names[number] for number in caught]
        for number, sums in sums_of(model, columns).items():
            of = "" if number == 0 else f" of {number + 1}"
            table[f"points{of}"] = sums.tolist()
        if _other(model) is not None:  # a prediction may be the other model's
            said = [model.says[decider.outcome] for decider in model.deciders()]
            table["rule says"] = [said[number] for number in caught]
    if proba:
        shares = model.predict_proba(columns).T.tolist()
        for label, share in zip(model.classes, shares, strict=True):
            table[f"share of {label}"] = share
    return table


def _other(model: Model) -> int | None:
    """The outcome by which rules hand over to another model; None where they do not."""
    kinds = () if model.outcomes is None else model.outcomes.kinds
    return kinds.index("defer") if "defer" in kinds else None


def _tell_unanswered(model: Model, columns: Columns, said: Sequence[Any]) -> None:
    """Say how many rows are handed over to a model whose answers the data does not have."""
    handed = _other(model)
    if handed is None or model.outcomes is None or model.outcomes.asked in columns:
        return
    if number := said.count(model.says[handed]):
        say(
            f"note: {number:,} rows are handed over to {model.outcomes.asked!r}, and the data has "
            f"no such column: they are {str(model.says[handed])!r}"
        )
