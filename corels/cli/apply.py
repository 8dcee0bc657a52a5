"""`corels predict`, `corels show`, `corels check`: what is done with a model file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from corels.cli.exits import Exit, emit, say
from corels.cli.outputs import opened_output, put
from corels.cli.parameters import command
from corels.cli.progress_lines import ProgressLines
from corels.cli.rereading import Columns, Reread, known_of, naming, problem_here, same_data
from corels.clock import Clock
from corels.errors import InputError, OptionError, located
from corels.export.words import decider_text
from corels.model import Model
from corels.model.certificate_text import certificate_text
from corels.model.checker import check_model
from corels.model.documents import (
    FORMATS,
    csv_text,
    load_certificate,
    read_document,
    rendered,
    to_json,
)
from corels.model.printable import printable
from corels.model.recount import Evidence, Finding
from corels.model.schema import document_of
from corels.options import Option, flag_of, whole
from corels.run.models import family_of, open_model
from corels.tables import is_rule_file
from corels.tables.files import read_once
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

NOT_COUNTED = "the objective was not counted: the solver of this family has no count of it"
PIECE = 1 << 15  # rows between two looks at the clock
MANY = 100_000  # rows: to recount so many takes more than a moment


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
        text += "\n\n" + certificate_text(certificate, loaded.family)
    emit(text)
    for remark in loaded.remarks():
        say(f"warning: {remark}")


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
    columns = Reread(found, asked.data, asked.dataset, encoding=asked.encoding).all_columns
    with naming(asked.data):
        tell_unseen(found, columns, strict=asked.strict)
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
    for unseen in unseen_values(columns, columns_asked(document), known_of(document)):
        if strict:
            raise InputError(f"{unseen} (--strict)")
        say(f"warning: {unseen}")


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


@command(
    (MODEL, DATA, LABELS),
    (
        BUILT_IN,
        LABEL,
        WEIGHT,
        Option.text("proof", "a file of `corels run --proof`: also check the proof"),
        Option.text(
            "checker",
            "checker of the proof (default: c for large proofs, if built)",
            metavar="python|c",
        ),
        Option.time_limit("end the check of the proof after so many seconds"),
        Option.whole(
            "threads",
            "threads of the compiled checker, for rule lists (default: 1)",
            low=1,
            high=256,
        ),
        ENCODED,
        JSON,
    ),
)
def check(asked: Any) -> int:
    """Recount a model on the data it was learned from, and compare with its certificate.

    The check is independent of the search: it counts row by row. With --proof it also checks every
    claim of the proof that no model is better. Exit code 6 if something differs, 3 if the time
    limit ends the check.

    $ corels check model.json people.csv
    $ corels check model.json people.csv --proof run.proof
    $ corels check model.json people.csv --json
    """
    found = read_document(asked.model)
    family = family_of(asked.model, found)
    with located(asked.model):  # entries that do not agree are for the check to say
        document_of(found, family.model_type())
    rows = Reread(
        found, asked.data, asked.dataset, asked.labels, asked.label, asked.weight, asked.encoding
    )
    classes, weights = rows.truth, rows.weights
    if len(classes) >= MANY:
        say(f"recounting {len(classes):,} rows, one by one")
    with naming(asked.data):
        watched = _Watched(classes)
        evidence = Evidence(rows.columns, watched, weights, rows.label_name, rows.costs)
        findings = check_model(found, evidence, family)
    again = rows.as_trained is not None or asked.data is None or not read_once(asked.data)
    source = _named_source(asked, rows.label_name)
    problem = cache(lambda: problem_here(found, source, rows.as_trained))
    if again:
        findings += same_data(found, problem)
    unfinished, code = None, Exit.CERTIFIED
    if asked.proof is not None:
        from corels.cli.proof_findings import proof_findings

        if not again:
            raise InputError(f"{asked.data} is read only once, and a proof's check needs it twice")
        here = problem().statement_like(found.get("certificate", {}).get("statement", {}))
        more, unfinished, code = proof_findings(asked, found, rows.table, here)
        findings += more
    else:
        _refuse_without_proof(asked)
    _tell(found, findings, unfinished, json=asked.json)
    return code if all(finding.holds for finding in findings) else Exit.CHECK_FAILED


def _named_source(asked: Any, label: str) -> dict[str, str]:
    """How a command line names its data, as `same_data` takes it."""
    typed = {n: getattr(asked, n) for n in ("data", "labels", "dataset", "encoding")}
    if asked.data is not None and not is_rule_file(asked.data):
        typed["label"] = label
    return {name: value for name, value in typed.items() if value is not None}


def _tell(
    found: Mapping[str, Any], findings: list[Finding], unfinished: str | None, *, json: bool
) -> None:
    """Print what was found; another table is said first."""
    if (other := _another_table(found, findings)) is not None:
        findings.insert(0, other)
    counted = "certificate" not in found or any(f.what == "objective" for f in findings)
    emit(
        to_json(_as_json(findings, unfinished)) if json else _as_text(findings, unfinished, counted)
    )
    if not counted and json:
        say(f"warning: {NOT_COUNTED}")


def _another_table(found: Mapping[str, Any], findings: Sequence[Finding]) -> Finding | None:
    """A finding that says it first, where the data is not what the model was learned from."""
    wrong = {finding.what for finding in findings if not finding.holds}
    if not {"rows", "problem"} <= wrong:
        return None
    name, weight = found["data"]["name"] or "the model's data", found["data"]["weight"]
    rows = found["data"].get("rows", weight)
    detail = f"the model was learned from {name}, {rows:,} rows; what follows compares the two"
    return Finding("this is another table", False, detail)


def _refuse_without_proof(asked: Any) -> None:
    """Raises OptionError for an option that is of a proof."""
    for name in ("checker", "threads", "time_limit"):
        if (value := whole(getattr(asked, name))) is not None:
            raise OptionError(
                f"{flag_of(name)} {value} is for the check of a proof: give --proof FILE, too"
            )


class _Watched(list[Any]):
    """Labels that say, while somebody goes through them, how far that is."""

    def __iter__(self) -> Iterator[Any]:
        clock = Clock(report=ProgressLines())
        for start in range(0, len(self), PIECE):
            clock.tell("rows counted again", start, len(self))
            yield from self[start : start + PIECE]


def _as_json(findings: Sequence[Finding], unfinished: str | None) -> dict[str, Any]:
    told = {
        "holds": all(finding.holds for finding in findings),
        "findings": [{"what": f.what, "holds": f.holds, "detail": f.detail} for f in findings],
    }
    return told if unfinished is None else {**told, "unfinished": unfinished}


def findings_text(findings: Sequence[Finding]) -> str:
    """A line for each."""
    return "\n".join(
        printable(f"{'ok   ' if f.holds else 'WRONG'}  {f.what}: {f.detail}") for f in findings
    )


def _as_text(findings: Sequence[Finding], unfinished: str | None, counted: bool) -> str:
    lines = [findings_text(findings)]
    wrong = sum(not finding.holds for finding in findings)
    if unfinished is not None:
        lines.append(printable(f"open   proof: {unfinished}"))
    if wrong:
        end = (
            f"{wrong} of {len(findings)} checks failed: the model is not what its certificate says"
        )
    elif unfinished is not None:
        end = "what was counted agrees; the proof was not checked to its end"
    elif not counted:
        end = f"what was counted agrees; {NOT_COUNTED}"
    else:
        end = "everything agrees: counted again, row by row"
    return "\n".join([*lines, end])
