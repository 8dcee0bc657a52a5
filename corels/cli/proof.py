"""`corels proof`: what a proof says, whatever its family."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from corels.check.opening import opened
from corels.check.points import Table
from corels.check.proof import format_of
from corels.check.verdict import Watch
from corels.cli.apply import BUILT_IN, DATA, JSON, LABEL, LABELS, WEIGHT
from corels.cli.parameters import command
from corels.cli.progress_lines import ProgressLines
from corels.cli.rereading import Reread
from corels.cli.streams import emit
from corels.errors import InputError, OptionError
from corels.model.documents import read_document, to_json
from corels.options import Option
from corels.problem import Problem
from corels.problem.captures import Captures
from corels.tables import Antecedent, Dataset
from corels.tables.dataset import class_numbers
from corels.tables.files import read_raw


@command(
    (Option("file", "text", None, "a file of `corels run --proof`"), DATA, LABELS),
    (
        BUILT_IN,
        LABEL,
        WEIGHT,
        Option.text(
            "model", "the proof's model, whose file says how the data is read, and what costs"
        ),
        Option.names("prefix", "rules that follow a rule with this antecedent (repeatable)"),
        JSON,
    ),
)
def proof(asked: Any) -> None:
    """Show what a proof of lists says of each rule that may come first, or next after --prefix.

    That is what every list that begins with this rule costs at least.

    $ corels proof run.proof people.csv
    $ corels proof run.proof people.csv --json
    $ corels proof run.proof people.csv --prefix smoker --model model.json
    """
    content = opened(read_raw(asked.file), asked.file)
    own, watch = format_of(content), Watch(report=ProgressLines("checking: "))
    found = content.header if asked.model is None else read_document(asked.model)
    if "outcomes" in content.header and asked.model is None:
        raise OptionError(
            "the proof is about what outcomes cost: name its model's file with --model"
        )
    own_label = {**found, "label": content.header.get("label")}
    table = Reread.of(own_label, vars(asked)).table
    _refuse_other_rows(asked.file, content.header, table)
    shown = own.describe(content, table, asked.prefix, watch)
    emit(to_json(shown.to_json()) if asked.json else "\n".join(shown.lines()))


def _refuse_other_rows(file: str, header: Mapping[str, Any], table: Table) -> None:
    """Raise InputError for rows that the proof is not about: what it says is counted from them.

    Under constraints, whose groups the header does not have, only their weight is compared.
    """
    stated = header["rows"]
    weight = len(table.labels) if table.weights is None else sum(table.weights)
    same = weight == stated["weight"]
    if same and ("constraints" in header or _rows_hash(header, table) == stated["sha256"]):
        return
    raise InputError(
        f"{file}: the proof is about other rows, which weigh {stated['weight']:,}, than these, "
        f"which weigh {weight:,}: expected the same table, read in the same way (--model), with "
        "the column of weights that it had (--weight)"
    )


def _rows_hash(header: Mapping[str, Any], table: Table) -> str:
    """The hash of a table's rows by what the proof's antecedents capture of them."""
    antecedents = tuple(map(Antecedent.from_json, header["antecedents"]))
    held = np.array([one.evaluate(table.columns) for one in antecedents], dtype=np.bool_)
    classes = tuple(header["classes"])
    labels = class_numbers(classes, table.labels)
    if (labels < 0).any():
        return ""
    captures = Captures.of(held.reshape(len(antecedents), len(labels)))
    weights = None if table.weights is None else np.array(table.weights, np.int64)
    data = Dataset(antecedents, captures, labels, classes, weights=weights, costs=table.costs)
    return Problem.from_dataset(data).data_hash
