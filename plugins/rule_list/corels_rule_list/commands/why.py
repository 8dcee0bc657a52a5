"""`corels why` and `corels explain-row`: why this list, and why this prediction."""

from __future__ import annotations

import inspect
from typing import Annotated, Any

import typer

from corels.cli.apply import BuiltIn, DataFile, Json, ModelFile, read_columns
from corels.cli.certificate_text import verdict
from corels.cli.exits import Exit, emit
from corels.cli.export import load_rule_list
from corels.cli.interrupts import stopping_signals
from corels.cli.parameters import checked, given, signature, solver_tables
from corels.cli.progress import SearchProgress
from corels.cli.source import ARGUMENTS, SOURCE, TABLE, pace_of
from corels.model import RuleList, Stopped
from corels.model.documents import to_json
from corels.options import Option
from corels.run.solve import LIMITS, solve
from corels_rule_list.commands.path import SOLVER, search_options
from corels_rule_list.commands.saved import MODEL, data_and_result
from corels_rule_list.explain.why import explain_row, why

WHY_OPTIONS = (
    Option("regularization", "text", "0.01", "lambda, the price of a rule as a share of the rows"),
    MODEL,
    Option(
        "exact",
        "flag",
        False,
        "if the best list has no rule, also certify below which lambda a list with rules is better",
    ),
)

ROW = Option("row", "int", 1, "the number of a row, from 1", low=1)


def why_signature() -> inspect.Signature:
    """Every parameter of `corels why`."""
    panels = {
        "Data": SOURCE,
        "Antecedents from a table": TABLE,
        "Explanation": WHY_OPTIONS,
        "Limits": LIMITS,
    }
    return signature(ARGUMENTS, panels, {SOLVER: solver_tables()[SOLVER]}, SOLVER)


def explain_list(**values: Any) -> int:
    """Explain the best rule list of DATA: what each rule gains, or why the list has no rule."""
    typed = given(values)
    settings = checked(WHY_OPTIONS, typed)
    pace = pace_of(typed)
    _, problem, known = data_and_result(typed, settings, pace, _of_searches(settings["exact"]))
    options = search_options(typed)
    if pace.left() is not None:  # what reading and mining took is gone
        options["time_limit"] = pace.left()
    with stopping_signals() as signals:
        result = known or solve(problem, SOLVER, sinks=(SearchProgress,), **options)
        certificate = result.certificate
        assert isinstance(result.model, RuleList)
        exact = settings["exact"] and certificate.optimal
        found = why(problem, result.model, exact=exact, **options)
    unsettled = exact and found.unsettled
    said = [str(result.model), str(found)]
    if not certificate.optimal:
        said.insert(1, verdict(certificate, result.model.family))
    if unsettled:
        said.append("Whether several rules together pay was not settled: a search was stopped.")
    emit("\n\n".join(said))
    if certificate.optimal and not unsettled:
        return Exit.CERTIFIED
    if signals:
        return 128 + signals[0]
    return Exit.INTERRUPTED if certificate.stopped is Stopped.INTERRUPTED else Exit.STOPPED


def _of_searches(exact: bool) -> list[Option]:
    """The options that have no use where a saved list is explained and nothing is searched."""
    limits = [option for option in LIMITS if option.name != "time_limit"]  # reading has it, too
    return [] if exact else [*solver_tables()[SOLVER], *limits]


def explain(
    model: ModelFile,
    data: DataFile = None,
    *,
    row: Annotated[
        list[str] | None, typer.Option(help="The number of a row, from 1 (repeatable; default: 1).")
    ] = None,
    dataset: BuiltIn = None,
    json: Json = False,
) -> None:
    """Say which rule decides a row of DATA, and why no earlier rule did."""
    loaded = load_rule_list(model)
    columns = read_columns(data, dataset)
    numbers = [checked((ROW,), {"row": number})["row"] for number in (row or ["1"])]
    found = [explain_row(loaded, columns, number - 1) for number in numbers]
    emit(to_json([one.to_document() for one in found]) if json else "\n\n".join(map(str, found)))
