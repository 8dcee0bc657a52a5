"""`corels monitor`: a model on new rows, beside what it did before."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from corels.check.model import counted_again
from corels.check.points import Table
from corels.check.recount import Counts
from corels.cli.apply import DATA, ENCODED, JSON, LABEL, MODEL, WEIGHT
from corels.cli.exits import Exit
from corels.cli.outputs import opened_output, put
from corels.cli.parameters import command
from corels.cli.rereading import Reread
from corels.cli.streams import emit
from corels.errors import CorelsError, InfeasibleError, InputError, OptionError
from corels.model import Model
from corels.model.documents import csv_text, family_of, open_model, read_document, to_json
from corels.monitor.report import Report, monitor
from corels.options import Option
from corels.problem.captures import Captures
from corels.problem.weights import ExactWeights
from corels.tables import is_rule_file

LEVEL = Option(
    "level", "float", 0.05, "of all tests together: how often chance may raise an alarm",
    low=0.0, high=1.0,
)  # fmt: skip


@command(
    (MODEL, DATA),
    (
        Option.text("reference", "compare with these rows, which took no part in learning",
                    metavar="TABLE"),
        LABEL,
        WEIGHT,
        Option.text("by", "a window for each value of a column, or each month, quarter or year of "
                    "a date: signup:month", metavar="COLUMN"),
        LEVEL,
        Option.number("again", "search these rows for so many seconds: the most that learning "
                      "again could gain", low=0.1),
        Option.text("save", "write the model with the counts of these rows as held out",
                    metavar="MODEL"),
        ENCODED,
        Option.text("output", "also write it: .csv has a row for each window and rule, or .json"),
        JSON,
    ),
)  # fmt: skip
def watch(asked: Any) -> int:
    """Say what a model does on new rows, and what differs more than chance allows.

    Shares of rules are tested against the rows that the model was learned from, or against
    --reference; error rates, if DATA has the label, against --reference or held-out counts only.
    Exit code 7 if something differs.

    $ corels monitor model.json new.csv
    $ corels monitor model.json people.csv --reference new.csv
    $ corels monitor model.json people.csv -o windows.csv
    """
    document = read_document(asked.model)
    model = open_model(asked.model, document)
    table = opened_output(asked.output, (".csv", ".json"))
    saved = opened_output(asked.save, (".json",))
    rows = Reread.of(document, vars(asked))
    with rows.naming():
        report = _monitored(asked, document, model, rows)
    emit(to_json(report.to_document()) if asked.json else report.to_text())
    if table is not None:
        as_csv = str(asked.output).lower().endswith(".csv")
        put(table, csv_text(report.to_rows()) if as_csv else to_json(report.to_document()))
    if saved is not None:
        put(saved, to_json({**document, "held_out": report.held_out()}))
    return Exit.DIFFERS if report.differing else Exit.CERTIFIED


def _monitored(asked: Any, document: Mapping[str, Any], model: Model, rows: Reread) -> Report:
    """The report, with what is asked for besides."""
    truth, weights = _truth(rows, needed=asked.save or asked.again), _weights(rows, asked)
    reference = None
    if asked.reference is not None:
        other = replace(rows, data=asked.reference)
        with other.naming():
            reference = (other.columns, _truth(other), _weights(other, asked))
    report = monitor(
        model,
        rows.columns,
        truth,
        sample_weight=weights,
        reference=reference,
        by=asked.by,
        level=asked.level,
        document=document,
        name=os.path.basename(rows.where),
    )
    if reference is not None:
        named = replace(report.before, name=os.path.basename(asked.reference))
        report = replace(report, before=named)
    further = [*_constraints(document, rows, truth, weights)]
    if asked.again is not None:
        further += _again(asked, document, model, rows)
    return replace(report, further=tuple(further))


def _truth(rows: Reread, needed: Any = False) -> list[Any] | None:
    """The true classes; None if the table does not have them and nothing needs them."""
    if not needed and rows.data is not None and is_rule_file(rows.data):
        try:
            return rows.truth
        except InputError:  # a label file need not be there
            return None
    if not needed and (rows.label or str(rows.document.get("label"))) not in rows.all_columns:
        if rows.label is not None:
            raise OptionError(f"--label {rows.label}: {rows.where} has no such column")
        return None
    return rows.truth


def _weights(rows: Reread, asked: Any) -> ExactWeights | None:
    """The weights; none if only Python knew them and other rows are the reference."""
    try:
        return rows.weighed
    except InputError:
        if asked.reference is None or asked.weight is not None:
            raise
        return None


def _constraints(
    document: Mapping[str, Any], rows: Reread, truth: list[Any] | None, weights: ExactWeights | None
) -> Iterator[str]:
    """Each constraint of the model, counted on the new rows."""
    if truth is None or not document.get("certificate", {}).get("constraints"):
        return
    family = family_of("the model", document)
    try:
        weighed = None if weights is None else weights.values.tolist()
        table = Table(rows.columns, truth, weighed, rows.costs)
        model = family.load(document)
        counts = Counts(model.deciders(), model.classes, table, model.outcomes)
        yield from counted_again(document, counts)
    except CorelsError as error:
        yield f"Constraints are not counted any further: {error}."


def _again(asked: Any, document: Mapping[str, Any], model: Model, rows: Reread) -> Iterator[str]:
    """What the best model of these rows costs at least, beside what this one costs."""
    from corels.model.certificate_text import kept_to, limited
    from corels.problem import Problem
    from corels.run.solve import solve

    data = rows.again()
    own = dict.fromkeys(model.antecedents)  # cuts of these rows may be others
    more = [one for one in own if one not in set(data.antecedents)]
    held = np.array([one.evaluate(rows.columns) for one in more], np.bool_)
    captures = np.vstack([data.captures.unpack(), held.reshape(len(more), data.n_rows)])
    data = replace(data, antecedents=(*data.antecedents, *more), captures=Captures.of(captures))
    problem = Problem.from_dataset(data, rows.stated.get("regularization", "0.01"))
    family = family_of(asked.model, document)
    known = {option.name for option in family.options}
    options = (document.get("data") or {}).get("options") or {}
    options = {n: v for n, v in options.items() if n in known and n not in ("proof", "resume")}
    options["time_limit"] = asked.again
    refused = ""
    try:
        try:
            found = solve(problem, family, incumbent=model, **options)
        except OptionError as error:  # it breaks the constraints, or the search takes no incumbent
            refused, found = str(error), solve(problem, family, **options)
    except InfeasibleError as error:
        yield f"On these rows, {error}."
        return
    certificate = found.certificate
    limits, best = certificate.limits, float(certificate.lower_bound)
    which = limited(limits, model.family) if limits else model.family
    least = f"On these rows no {which}{kept_to(certificate)} costs less than {best:.4g}"
    if not family.regularized or model.piece != "rule" or model.deciders()[0].stated is not None:
        yield f"{least}."  # the family counts in its own way what a model costs
        return
    here = float(problem.objective(problem.count(model.plain_rules()).cost))
    if refused and problem.constraints:
        yield f"{least}; this one costs {here:.4g}: {refused}."
        return
    yield (
        f"{least}; this one costs {here:.4g}: learning again can gain at most "
        f"{max(0.0, here - best):.4g} there, luck included."
    )
