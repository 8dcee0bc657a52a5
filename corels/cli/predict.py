"""`corels predict` and `corels explain-row`: what a model says of new rows, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from corels.cli.apply import BUILT_IN, DATA, ENCODED, JSON, MODEL, OUTPUT, tell_unseen
from corels.cli.at_hand import AtHand
from corels.cli.outputs import opened_output, put
from corels.cli.parameters import command
from corels.cli.rereading import Columns
from corels.cli.streams import emit, say
from corels.errors import InputError, OptionError
from corels.export.explaining import explain_row
from corels.model import Model
from corels.model.documents import csv_text, open_model, read_document, to_json
from corels.model.rows import sums_of
from corels.model.weighing import Behind
from corels.options import Option, unknown
from corels.tables.column import row_count

CHANGES = Option.whole("changes", "list up to so many changes of a row", 1, low=1, high=4)
WANTED = Option.text("wanted", "changes give this class, not any other one", metavar="CLASS")
KEEP = Option(
    "keep",
    "columns",
    (),
    "also this column of DATA, such as an id, as it is written there (repeatable)",
    metavar="COLUMN",
)


@command(
    (MODEL, DATA),
    (
        BUILT_IN,
        ENCODED,
        Option.switch("proba", "also the share of each class behind a prediction, and of the "
                      "predicted one the rows and the ends of its .95 interval"),
        Option.switch("reasons", "also the rule that decides each row, the conditions that force "
                      "its outcome, and the smallest change that gives another one"),
        CHANGES,
        WANTED,
        KEEP,
        Option.switch("strict", "refuse rows with values that training never saw"),
        OUTPUT,
        JSON,
    ),
)  # fmt: skip
def predict(asked: Any) -> None:
    """Predict the class of each row of DATA.

    Prints one class a line, in the order of the rows; with --proba, --reasons or --keep a CSV
    table. Values that training never saw are counted on stderr; with --strict they are an error.

    $ corels predict model.json new.csv
    $ corels predict model.json new.csv --reasons --proba -o reasons.csv
    $ corels predict model.json new.csv --reasons --changes 4 --wanted yes
    """
    for name, usual in (("changes", 1), ("wanted", None)):
        if not asked.reasons and getattr(asked, name) != usual:
            value = getattr(asked, name)
            raise OptionError(f"--{name} {value} is for reasons: give --reasons, too")
    found = read_document(asked.model)
    loaded = open_model(asked.model, found)
    target = opened_output(asked.output, (".csv", ".txt", ".json"))
    rows = AtHand.of(found, vars(asked), path=asked.model, kept=asked.keep, empty=True)
    columns = rows.all_columns
    with rows.naming():
        tell_unseen(found, columns, strict=asked.strict)
        if asked.proba and row_count(columns):  # of its own table the shares are counted
            rows.is_of_model()
        table = {"prediction": _predicted(loaded, columns)}
        if asked.reasons:
            table |= _reasons(loaded, columns, asked)
        if asked.proba:
            table |= _shares(loaded, found, columns)
        if both := [name for name in asked.keep if name in table]:
            raise OptionError(f"--keep {both[0]}: the answers have a column of this name")
        table = {**_kept(columns, asked.keep), **table}
        _tell_unanswered(loaded, columns, table["prediction"])
    if asked.json:
        text = to_json(table)
    elif len(table) > 1:
        text = csv_text([table, *zip(*table.values(), strict=True)])
    else:
        text = "\n".join(map(str, table["prediction"]))
    put(target, text)


def _predicted(model: Model, columns: Columns) -> list[Any]:
    """The class of each row as the model prints it: an array of 1.5 and 2 has floats."""
    printed = {outcome: outcome for outcome in model.says}
    return [printed.get(one, one) for one in model.predict(columns).tolist()]


def _kept(columns: Columns, names: Sequence[str]) -> dict[str, list[Any]]:
    for name in names:
        if name not in columns:
            raise InputError(f"--keep: {unknown('column', name, list(columns))}")
    return {name: columns[name].cells() for name in names}


def _reasons(model: Model, columns: Columns, asked: Any) -> dict[str, list[Any]]:
    """The rule, the reason and the changes of each row, and the points that it has."""
    from corels.export.reason_words import reasons_table, row_reasons

    how = {"changes": asked.changes, "wanted": asked.wanted}
    rows = row_reasons(model, columns, **how)
    table = reasons_table(rows, asked.changes)
    if asked.json:
        parts = [one.to_document() for one in rows]
        table = {name: [part[name] for part in parts] for name in ("rule", "because", "change")}
        table["smallest"] = [one.smallest for one in rows]
    for number, sums in sums_of(model, columns).items():
        of = "" if number == 0 else f" of {number + 1}"
        table[f"points{of}"] = sums.tolist()
    if _other(model) is not None:  # a prediction may be the other model's
        said = [model.says[decider.outcome] for decider in model.deciders()]
        table["rule says"] = [said[one.rule - 1] for one in rows]
    return table


def _shares(model: Model, document: Mapping[str, Any], columns: Columns) -> dict[str, list[Any]]:
    """The share of each class, and what is behind the predicted one."""
    behind, caught = Behind.of(model, document), model.capturing(columns).tolist()
    shares = [behind.shares(number) for number in range(len(behind.counts))]
    weights: list[float] = [*behind.weights]
    if behind.unit != 1:
        weights = [float(weight * behind.unit) for weight in behind.weights]
    ends = [behind.interval(number) or (None, None) for number in range(len(behind.counts))]
    table = {
        f"share of {label}": [shares[number][place] for number in caught]
        for place, label in enumerate(model.classes)
    }
    return table | {
        behind.what: [weights[number] for number in caught],
        "low": [ends[number][0] for number in caught],
        "high": [ends[number][1] for number in caught],
    }


def _other(model: Model) -> int | None:
    """The outcome by which rules hand over to another model; None if they do not."""
    kinds = () if model.outcomes is None else model.outcomes.kinds
    return kinds.index("defer") if "defer" in kinds else None


def _tell_unanswered(model: Model, columns: Columns, said: Sequence[Any]) -> None:
    """Say how many rows are handed over to a model whose answers the data does not have."""
    handed = _other(model)
    if handed is None or model.outcomes is None or model.outcomes.asked in columns:
        return
    if number := said.count(model.says[handed]):
        rows, then = ("1 row is", "it is") if number == 1 else (f"{number:,} rows are", "they are")
        say(
            f"note: {rows} handed over to {model.outcomes.asked!r}, and the data has no such "
            f"column: {then} {str(model.says[handed])!r}"
        )


ROW = Option.whole("rows", "the number of a row, from 1", 1, low=1)


@command(
    (MODEL, DATA, Option.names("rows", "numbers of rows, from 1 (default: 1)")),
    (BUILT_IN, ENCODED, JSON),
)
def explain(asked: Any) -> None:
    """Say which rule decides a row of DATA, why no earlier rule did, and what would change it.

    $ corels explain-row model.json new.csv 1
    $ corels explain-row model.json new.csv 2 3
    $ corels explain-row model.json new.csv 1 --json
    """
    document = read_document(asked.model)
    loaded = open_model(asked.model, document)
    wanted, data = [*asked.rows], asked.data
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
