"""`corels path`: the regularization path of rule lists, and the paths of other families."""

from __future__ import annotations

import csv
import inspect
import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from corels.cli.exits import Exit, emit, error, say
from corels.cli.interrupts import interruptible, stopping_signals, undisturbed
from corels.cli.outputs import refuse_ending
from corels.cli.parameters import (
    checked,
    exact_lambda,
    given,
    refuse_foreign,
    signature,
    solver_tables,
)
from corels.cli.progress import SearchProgress
from corels.cli.source import ARGUMENTS, SOURCE, TABLE, during, pace_of, read_source
from corels.errors import OptionError, OutputError
from corels.model import Certificate
from corels.model.documents import to_json
from corels.model.spans import rung_above, span_text
from corels.options import Option
from corels.plugins import registry
from corels.problem import Problem
from corels.run.output import OutputFile
from corels.run.solve import LIMITS
from corels.search import ModelPath
from corels.tables.pace import Pace
from corels_rule_list.model import RuleList
from corels_rule_list.path.cross_validation import cross_validated
from corels_rule_list.path.path import Path, regularization_path

SOLVER = "rule-list"
PATH_OPTIONS = (
    Option("solver", "text", SOLVER, "the kind of model to learn"),
    Option("low", "text", "0.01", "the least lambda of the path; its search is the hardest"),
    Option(
        "high",
        "text",
        None,
        "the largest lambda of the path (default: where rules begin to pay)",
        optional=True,
    ),
    Option("format", "text", "text", "how the path is printed", choices=("text", "csv", "json")),
    Option("json", "flag", False, "the same as --format json"),
    Option("lists", "flag", False, "also print every rule list in the text"),
    Option(
        "output",
        "text",
        None,
        "also save the path: as JSON, or as CSV or text if the name ends in .csv or .txt",
        optional=True,
    ),
    Option("plot", "text", None, "draw the path to a file: .png, .svg, .pdf", optional=True),
    Option("quiet", "flag", False, "print nothing but errors on stderr"),
)


TOTAL = Option(
    "total_time",
    "float",
    None,
    "seconds for all searches together; what is not proved by then shows as a gap",
    low=0,
    optional=True,
)
FOLDS = Option(
    "folds", "int", 0, "how many held-out folds measure the accuracy; 0 for none", low=0, high=1000
)


def path_signature() -> inspect.Signature:
    """Every parameter of `corels path`, which offers the solvers that have one."""
    tables = _tables()
    solver, *others = PATH_OPTIONS
    panels = {
        "Data": SOURCE,
        "Antecedents from a table": TABLE,
        "Path": (replace(solver, choices=tuple(tables)), *others),
        "Limits of each search": LIMITS,
    }
    return signature(ARGUMENTS, panels, tables, SOLVER)


def _tables() -> dict[str, Sequence[Option]]:
    """The options of each solver that has a path, those of the path included."""
    tables: dict[str, Sequence[Option]] = {SOLVER: (*solver_tables()[SOLVER], FOLDS, TOTAL)}
    for name, table in solver_tables().items():
        further = registry().get("solver", name).path_options
        if further:
            tables[name] = (*table, *further)
    return tables


def path(**values: Any) -> int:
    """Find the best rule list for every lambda of an interval, each certified.

    Prints for which lambda each list is the best. The breakpoints between lists are exact, and the
    path needs only a few searches.

    $ corels path people.csv --label ill
    $ corels path --dataset titanic --low 0.005 --lists
    $ corels path people.csv --label ill --folds 2 -o path.json
    """
    typed = given(values)
    settings = checked(PATH_OPTIONS, typed)
    if settings["json"] and typed.get("format", "json") != "json":
        raise OptionError(f"--json and --format {typed['format']} are both given: expected one")
    form = "json" if settings["json"] else settings["format"]
    picture = _picture_name(settings["plot"])
    plotted = None if picture is None else OutputFile(picture)
    if settings["output"] is not None:
        refuse_ending(settings["output"], (".json", ".csv", ".txt"))
    output = None if settings["output"] is None else OutputFile(settings["output"])
    find = _rule_list_path if settings["solver"] == SOLVER else _family_path
    found, whole = find(settings, typed)
    lost = _written(found, output, plotted)
    text = _table_text(found, form)
    emit(f"{text}\n\n{found.models_text()}" if settings["lists"] and form == "text" else text)
    if lost:
        return Exit.NOT_WRITTEN
    if found.interrupted:
        return Exit.INTERRUPTED
    return Exit.CERTIFIED if whole else Exit.STOPPED


def _rule_list_path(settings: Mapping[str, Any], typed: Mapping[str, Any]) -> tuple[Path, bool]:
    """The path of rule lists; whether it and the folds are certified."""
    refuse_foreign(SOLVER, typed, _known(SOLVER), _tables())
    low, high = settings["low"], settings["high"]
    for flag, typed_lambda in (("--low", low), ("--high", high)):
        if typed_lambda is not None:
            exact_lambda(flag, typed_lambda)
    folds, total = checked((FOLDS, TOTAL), typed).values()
    if folds == 1:
        raise OptionError("--folds is 1: expected 0, or at least 2")
    pace = pace_of(typed if total is None else {"time_limit": total}, quiet=settings["quiet"])
    data = read_source(typed, pace)
    problem = Problem.from_dataset(data, check=during(pace))
    report = None if settings["quiet"] else _Told()
    options = search_options(typed)
    sinks = () if settings["quiet"] else (SearchProgress,)
    with stopping_signals():
        found = regularization_path(
            problem, low, high, report=report, sinks=sinks, total_time=_left(pace, total), **options
        )
        if folds and not found.interrupted:
            try:
                with interruptible():
                    held_out = cross_validated(
                        data,
                        low,
                        high,
                        folds=folds,
                        told=None if settings["quiet"] else say,
                        sinks=sinks,
                        total_time=_left(pace, total),
                        **options,
                    )
                found = replace(found, held_out=held_out)
            except KeyboardInterrupt:  # the path is whole; what folds would say of it is not
                found = replace(found, interrupted=True)
    return found, found.certified and (found.held_out is None or found.held_out.certified)


def _known(solver: str) -> Sequence[Option]:
    own = (*ARGUMENTS, *SOURCE, *TABLE, *PATH_OPTIONS, *LIMITS)
    return (*own, *_tables()[solver])


def _family_path(settings: Mapping[str, Any], typed: Mapping[str, Any]) -> tuple[ModelPath, bool]:
    """The path of another family, by the solver's own `path`; whether it is certified."""
    solver = settings["solver"]
    family = registry().get("solver", solver)()
    if solver not in _tables():
        with_path = " and ".join(_tables())
        raise OptionError(f"the solver {solver!r} has no path; {with_path} have one")
    mine = [option for option in _known(solver) if option.name not in ("low", "high")]
    refuse_foreign(solver, typed, mine, _tables())
    chosen = checked((*_tables()[solver], *LIMITS), typed)
    with stopping_signals():
        data = read_source(typed, pace_of(typed, quiet=settings["quiet"]))
        with interruptible():
            found = family.path(data, chosen, None if settings["quiet"] else say)
    return found, found.certified


def search_options(typed: Mapping[str, Any]) -> dict[str, Any]:
    """What was typed for the solver of rule lists and for its limits."""
    names = {option.name for option in (*solver_tables()[SOLVER], *LIMITS)}
    return {name: value for name, value in typed.items() if name in names}


def _left(pace: Pace, total: float | None) -> float | None:
    return None if total is None else pace.left()


class _Told:
    """A line after each search, with the most that may be to come.

    A path from a list of k rules down to none has at most k + 1 segments, and takes at most twice
    as many searches less one; those at its two ends are the first one and one that is not needed.
    """

    def __init__(self) -> None:
        self._most = self._done = 0
        self._longest = 0.0

    def __call__(self, found: RuleList, certificate: Certificate) -> None:
        assert certificate.regularization is not None
        self._longest = max(self._longest, certificate.seconds)
        if not self._done:
            self._most = max(1, 2 * len(found))
        self._done += 1
        more = self._most - self._done
        state = "certified" if certificate.optimal else certificate.why_stopped
        rules = "1 rule" if len(found) == 1 else f"{len(found)} rules"
        rest = f", at most {more} more {'search' if more == 1 else 'searches'}" if more > 0 else ""
        if rest and more * self._longest >= 1:
            rest += f" (under {span_text(rung_above(more * self._longest))} at the pace so far)"
        say(
            f"lambda {float(certificate.regularization):.6f}: {rules}, {state}, "
            f"{certificate.seconds:.3f} s{rest}"
        )


def _written(found: ModelPath, output: OutputFile | None, plotted: OutputFile | None) -> bool:
    """Write the files; whether one was lost. A path that could not be saved is shown as JSON."""
    lost = False
    try:
        _draw(found, plotted)
    except OutputError as failed:
        error(failed)
        lost = True
    try:
        _save(found, output)
    except OutputError as failed:
        error(failed)
        say("What could not be saved:\n" + to_json(found.to_document()))
        lost = True
    return lost


def _save(found: ModelPath, output: OutputFile | None) -> None:
    """Write the file of --output, whole or not at all."""
    if output is None:
        return
    form = {".csv": "csv", ".txt": "text"}.get(output.path[-4:].lower(), "json")
    text = _table_text(found, form)
    with undisturbed():
        output.write(text if text.endswith("\n") else text + "\n")
        output.commit()


def _draw(found: ModelPath, plotted: OutputFile | None) -> None:
    """Write the file of --plot, whole or not at all."""
    if plotted is None:
        return
    picture = io.BytesIO()
    axes = np.ravel(found.plot())  # one of matplotlib's axes, or several of one figure
    axes[0].figure.savefig(picture, format=_ending(plotted.path))
    with undisturbed():
        plotted.write_bytes(picture.getvalue())
        plotted.commit()


def _table_text(found: ModelPath, form: str) -> str:
    if form == "json":
        return to_json(found.to_document())
    if form == "csv":
        text = io.StringIO()
        rows = found.to_rows()
        writer = csv.DictWriter(text, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return text.getvalue()
    return found.to_text()


def _picture_name(name: str | None) -> str | None:
    """The name, if matplotlib is there to draw it: known before the search begins."""
    if name is None:
        return None
    try:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib.figure import Figure

        known = Figure().canvas.get_supported_filetypes()
    except ImportError:
        raise OptionError("--plot needs matplotlib: pip install 'corels[plot]'") from None
    if "." not in name or _ending(name) not in known:
        raise OptionError(f"--plot is {name!r}: expected a name that ends in .png, .svg or .pdf")
    return name


def _ending(name: str) -> str:
    return name.rpartition(".")[2].lower()
