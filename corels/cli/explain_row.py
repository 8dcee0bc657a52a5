"""`corels explain-row`: why this prediction."""

from __future__ import annotations

from typing import Any

from corels.cli.apply import BUILT_IN, DATA, ENCODED, JSON, MODEL, tell_unseen
from corels.cli.at_hand import AtHand
from corels.cli.exits import emit, say
from corels.cli.parameters import command
from corels.export.explaining import explain_row
from corels.model.documents import open_model, read_document, to_json
from corels.options import Option

ROW = Option.whole("row", "the number of a row, from 1", 1, low=1)


@command(
    (MODEL, DATA, Option.names("rows", "numbers of rows, from 1 (default: 1)")),
    (Option.names("row", "the same as ROWS (repeatable)"), BUILT_IN, ENCODED, JSON),
)
def explain(asked: Any) -> None:
    """Say which rule decides a row of DATA, why no earlier rule did, and what would change it.

    $ corels explain-row model.json new.csv 1
    $ corels explain-row model.json new.csv 2 3
    $ corels explain-row model.json new.csv 1 --json
    """
    document = read_document(asked.model)
    loaded = open_model(asked.model, document)
    wanted, data = [*asked.rows, *asked.row], asked.data
    if asked.dataset is not None and data is not None and data.isdecimal():  # DATA is not named
        wanted.insert(0, data)
        data = None
    rows = AtHand.of(document, vars(asked), path=asked.model, data=data)
    columns = rows.all_columns
    tell_unseen(document, columns)
    found = [explain_row(loaded, columns, ROW.check(number) - 1) for number in wanted or ["1"]]
    if not rows.is_of_model():
        say(f"note: numbers of training rows are as {asked.model} states them: these rows are new")
    documents = [one.to_document() for one in found]
    emit(to_json(documents) if asked.json else "\n\n".join(map(str, found)))
