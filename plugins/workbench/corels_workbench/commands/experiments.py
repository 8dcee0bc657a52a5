"""`corels compare`, `ablate` and `evaluate`, on the user's own data."""

from __future__ import annotations

import inspect
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from corels import tables as data
from corels.cli.exits import Exit, written
from corels.cli.outputs import put_picture
from corels.cli.parameters import checked, given, refuse_unable, signature, tables_of
from corels.cli.progress_lines import ProgressLines
from corels.cli.source import DEMANDS, SOURCE, TABLE, deadline_of, of_search, read_source
from corels.cli.streams import emit, notice, say
from corels.errors import OptionError
from corels.installed import install_command
from corels.model.printable import printable
from corels.options import Option, check_all
from corels.plots.draw import opened
from corels.plugins import DEFAULT_SOLVER, registry
from corels.problem import exact_regularization
from corels.problem.rates import demands_of
from corels.run.limits import LIMITS
from corels.run.output import OutputFile
from corels.tables import Dataset, TableOptions
from corels.tables.column import row_count
from corels.tables.files import file_and_sheet
from corels.tables.labelled import labelled_rows, labels_of
from corels.tables.options import (
    ANTECEDENT_OPTIONS,
    COLUMN_OPTIONS,
    COST_OPTIONS,
    OPTIONS,
    costs_asked,
    named,
)
from corels.tables.positive import check_positive
from corels.tables.use import ColumnUse
from corels_workbench.experiment import How
from corels_workbench.table import FORMS, Table, form_of

Saved = Callable[[Table, Table], bool]
DATA = (Option.names("data", "files: tables (with --label), or .out files with their .label"),)
BUILT_IN = Option.names("dataset", "a built-in data set (repeatable)")
FROM = (BUILT_IN, *(option for option in SOURCE if option.name == "label"))
READ = named("drop_unlabelled", "encoding", "positive")
RUNNING = (
    Option.text("results", "file that keeps finished runs, to continue from"),
    Option.whole("jobs", "runs at a time; times are comparable only with 1", 1, low=1, high=256),
    Option.names("output", f"write the table: {', '.join(FORMS)} (repeatable)"),
    Option.text("plot", "draw to .svg, .png or .pdf; - draws in the terminal"),
    Option.switch("all_runs", "print a row for each run instead of medians"),
    Option.switch("quiet", "print nothing but errors on stderr"),
)
WHAT = (
    Option.text("solver", "the kind of model to learn", DEFAULT_SOLVER),
    Option.names("regularization", "lambda (repeatable)", ("0.01",)),
    Option.whole("repeats", "runs of each configuration", 3, low=1, high=1000),
    Option.time_limit("seconds for each run", 60.0),
)
COMPARED = (
    Option.names("policy", "policies to compare (repeatable)"),
    Option.names("search", "searches to compare (repeatable)"),
    Option.names(
        "config", 'a named configuration to compare: "NAME: option=value option=value" (repeatable)'
    ),
)
JUDGED = (
    Option.names(
        "model",
        "a model to measure: a solver, as `corels plugins` names it, or a baseline such as "
        "CART (repeatable; default: all that are installed)",
    ),
    Option.whole("folds", "held-out folds", 10, low=2, high=1000),
    Option.whole(
        "inner_folds", "folds inside each training fold, to choose lambda", 5, low=2, high=100
    ),
    Option.text("low", "the least lambda", "0.005"),
    Option.text("group", "show the rates for each value of this column"),
    replace(
        OPTIONS["constraints"],
        help="what the models that can do so keep to, as of `corels run`, by at most one column "
        "(repeatable); what every model reaches is shown",
    ),
    Option.text("fold_column", "a column with the fold of each row"),
    Option.whole(
        "max_rules",
        "the most rules in a list of corels (default: any number)",
        low=0,
        high=2**31 - 2,
    ),
    Option.time_limit("seconds for each model on all folds of a table", 60.0),
    Option.whole("seed", "seed of the folds and of random models", 0, low=0, high=2**31),
)
BY_SIZE = Option.switch(
    "by_size",
    "measure lists of every lambda and trees of every size instead, and print the accuracy by "
    "number of rules or splits",
)
SHOWN = (*RUNNING, BY_SIZE)


def _signature(what: Sequence[Option], exclude: Sequence[str]) -> inspect.Signature:
    panels = {
        "Data": FROM,
        "Antecedents from a table": TABLE,
        "Constraints": DEMANDS,
        "What is run": what,
        "How it is run": RUNNING,
    }
    return signature(DATA, panels, _tables(exclude), DEFAULT_SOLVER)


def _tables(exclude: Sequence[str]) -> dict[str, Sequence[Option]]:
    return {
        solver: [option for option in table if option.name not in exclude]
        for solver, table in tables_of("solver").items()
    }


EXCLUDED = ("policy", "search")  # of the solver's options, if several are compared
compare_signature = partial(_signature, (*WHAT, *COMPARED), EXCLUDED)
ablate_signature = partial(_signature, WHAT, ())


def compare(**values: Any) -> int:
    """Search DATA with several policies, searches or configurations, and compare the runs.

    Prints the time to the certificate, how far the runs differ, how that compares with the first
    ("about the same" if it may be chance), the time to the optimum, the work and the memory:
    medians over the repeats. A run of less than half a second is repeated by itself. Runs go one at
    a time unless --jobs says otherwise. With --results, an interrupted command that is given again
    continues with the runs that are not finished.

    $ corels compare --dataset titanic --policy objective --policy bfs
    $ corels compare people.csv --label ill --repeats 1 -o runs.csv
    $ corels compare --dataset titanic --config "no prices: no_bound=prices"
    """
    from corels_workbench.comparing import compare as run

    typed = given(values)
    settings = checked((*WHAT, *COMPARED, *RUNNING), typed)
    options = _options(settings["solver"], typed, (*WHAT, *COMPARED), EXCLUDED)
    chosen = _configurations(settings, options)
    return _searched(partial(run, configurations=chosen), settings, typed)


def ablate(**values: Any) -> int:
    """Search DATA with all parts, then leave out or change one part in each run.

    Parts: each bound, the map or memo, the start, the policy. Prints for each search its time, how
    far its runs differ, how that compares with the full search ("about the same" if it may be
    chance), when the optimum was found, and its work. Runs go one at a time unless --jobs says
    otherwise.

    $ corels ablate --dataset titanic -r 0.05
    $ corels ablate people.csv --label ill --repeats 1 -o parts.md
    $ corels ablate --dataset titanic --results kept.jsonl --plot parts.svg
    """
    from corels_workbench.comparing import ablate as run

    typed = given(values)
    settings = checked((*WHAT, *RUNNING), typed)
    options = _options(settings["solver"], typed, WHAT, ())
    return _searched(partial(run, options=options), settings, typed)


def _searched(
    run: Callable[..., Table], settings: Mapping[str, Any], typed: Mapping[str, Any]
) -> int:
    """Run `compare` or `ablate`; the exit code."""
    from corels_workbench.comparing import summary

    saved, how = _how(settings)
    for penalty in settings["regularization"]:
        exact_regularization(penalty, costed=bool(costs_asked(typed)))
    what = {name: settings[name] for name in ("repeats", "time_limit", "solver")}
    table = run(_read(typed), regularizations=settings["regularization"], **what, how=how)
    medians = summary(table)
    if not settings["quiet"] and any(row["runs"] > settings["repeats"] for row in medians.rows):
        say("runs of less than half a second were timed several times: `runs` counts them all")
    return _printed(table, medians, settings, saved)


EVALUATED = {
    "Data": (*FROM, *READ, *COLUMN_OPTIONS),
    "Antecedents of our models": ANTECEDENT_OPTIONS,
    "What outcomes cost": COST_OPTIONS,
    "What is measured": JUDGED,
    "How it is run": SHOWN,
}
evaluate_signature = partial(signature, DATA, EVALUATED, {}, DEFAULT_SOLVER)


def evaluate(**values: Any) -> int:
    """Measure models and baselines on the same held-out rows of DATA.

    Prints accuracy with its spread, balanced accuracy, AUC, true and false positive rates, size and
    time; if outcomes have costs, first what a row costs on average. Lambda of the rule lists is
    chosen inside each training fold, so no held-out row takes part in the choice. With --results,
    an interrupted command that is given again continues with the runs that are not finished.

    $ corels evaluate --dataset titanic --model rule-list --folds 3
    $ corels evaluate --dataset titanic --model CART --group sex -o rates.tex
    $ corels evaluate --dataset titanic --model CART --folds 2 --cost fp=2,fn=1
    """
    from corels_workbench.evaluating import by_size, summary
    from corels_workbench.evaluating import evaluate as run

    typed = given(values)
    settings = checked([option for panel in EVALUATED.values() for option in panel], typed)
    exact_regularization(settings["low"], "low", costed=bool(costs_asked(typed)))
    tables = _labelled(typed, settings)
    saved, how = _how(settings)
    if not settings["quiet"]:
        _name_the_packages(settings["model"], settings["constraints"])
    read = ("model", "group", "fold_column")
    chosen = {one.name: settings[one.name] for one in JUDGED if one.name not in read}
    chosen["antecedents"] = checked(ANTECEDENT_OPTIONS, typed)
    sized = settings["by_size"]
    table = run(tables, models=settings["model"], **chosen, by_size=sized, how=how)
    return _printed(table, (by_size if sized else summary)(table), settings, saved)


def _name_the_packages(asked: Sequence[str], kept: Sequence[str]) -> None:
    """Which packages the baselines come from, and which of them are not there and are missed: none
    if models are named, as these are there; those that keep to constraints only if there are
    some."""
    from corels_workbench.baselines import learners, missing, versions

    known = learners()
    say("baselines from " + ", ".join(f"{name} {found}" for name, found in versions().items()))
    for name, package in missing().items():
        if not asked and (not known[name].grouped or known[name].keeps(kept)):
            extra = known[name].extra
            say(f"{name} is left out: it needs {package} ({install_command(extra)})")


def _labelled(typed: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Every table that is named, with its own columns."""
    from corels_workbench.labelled import Labelled

    label, found = settings["label"], {}
    special = {"group": _group(settings), "fold": settings["fold_column"]}
    special["positive"] = settings["positive"]
    special |= {one.name: settings[one.name] for one in (*COST_OPTIONS, *COLUMN_OPTIONS)}
    how = (*COLUMN_OPTIONS, *named("cuts", "missing", "encoding"))
    reading = TableOptions(**checked(how, typed)).reading
    for path in typed.get("data", []):
        if label is None:
            raise OptionError(f"{path}: name the column to predict with --label")
        file, sheet = file_and_sheet(path)
        name = Path(file).name.partition(".")[0] + ("" if sheet is None else f"#{sheet}")
        if name in found:
            raise OptionError(f"{path}: another table is called {name!r}, too")
        columns = data.columns_of(path, deadline_of({}), reading=reading)
        if settings["drop_unlabelled"] and label in columns:
            columns = labelled_rows(columns, label)
        for column in columns.values():
            use = ColumnUse(column.name, column.form or "numbers", 0, odd=column.odd())
            if line := use.oddities(row_count(columns)):
                notice("note", line)
        found[name] = Labelled.of(columns, label, path, **special)
        if len(set(found[name].labels.tolist())) == 2:
            classes = labels_of(columns[label], path, settings["positive"]).classes
            asked = TableOptions(constraints=settings["constraints"], positive=settings["positive"])
            check_positive(asked, classes)
            if not settings["quiet"]:
                say(printable(f"note: the positive class of {name} is {label} = {classes[-1]}"))
    for name in typed.get("dataset", []):
        columns, predicted = data.load_columns(name)
        found[name] = Labelled.of(columns, predicted, name, **special)
    if not found:
        raise OptionError("no data: expected files with --label, or --dataset")
    return found


def _group(settings: Mapping[str, Any]) -> str | None:
    """The one column of groups: --group, or that of the constraints."""
    by = [name for one in demands_of(settings["constraints"]) for name in one.by]
    names = list(dict.fromkeys([*by, *filter(None, [settings["group"]])]))
    if len(names) > 1:
        raise OptionError(
            f"groups of {' and '.join(names)}: expected one column, also of --constraint"
        )
    return names[0] if names else None


def _options(
    solver: str, typed: Mapping[str, Any], what: Sequence[Option], exclude: Sequence[str]
) -> dict[str, Any]:
    """The options of the search that were typed."""
    own = (*DATA, *FROM, *DEMANDS, *RUNNING, *what)
    found = of_search(solver, typed, own, _tables(exclude))
    return {name: value for name, value in found.items() if name != "time_limit"}


def _configurations(
    settings: Mapping[str, Any], options: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """Every search with every policy, and what --config adds; the default if nothing is said."""
    found: dict[str, dict[str, Any]] = {}
    for search in settings["search"] or (None,):
        for policy in settings["policy"] or (None,):
            parts = {k: v for k, v in (("search", search), ("policy", policy)) if v is not None}
            if parts or not settings["config"]:
                found[" ".join(parts.values()) or "default"] = {**options, **parts}
    for text in settings["config"]:
        name, colon, rest = text.partition(":")
        if not colon or not name.strip():
            raise OptionError(f'--config is {text!r}: expected "NAME: option=value option=value"')
        if name.strip() in found:
            raise OptionError(f"--config {name.strip()} is given twice: expected another name")
        found[name.strip()] = {**options, **_parsed(name, rest)}
    for name, parts in found.items():
        solver = str(parts.get("solver", settings["solver"]))
        registry().get("solver", solver)
        own = {option: value for option, value in parts.items() if option != "solver"}
        check_all((*tables_of("solver")[solver], *LIMITS), own, f"configuration {name!r}")
        try:
            refuse_unable(solver, {}, own)
        except OptionError as error:
            raise OptionError(f"configuration {name!r}: {error}") from error
    return found


def _parsed(name: str, text: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for word in text.split():
        key, equals, value = word.partition("=")
        if not equals:
            raise OptionError(f"--config {name}: {word!r} is given: expected option=value")
        option = key.replace("-", "_")
        if option in found:
            raise OptionError(
                f"--config {name}: {key} is given twice; several values stand in one, with commas: "
                f"{key}={found[option]},{value}"
            )
        found[option] = value
    return found


def _how(settings: Mapping[str, Any]) -> tuple[Saved, How]:
    """What writes the outputs, and how the runs go, which is said on stderr.

    Files that cannot be written are refused before the runs.
    """
    saved, quiet = _opened(settings), settings["quiet"]
    if settings["results"] and not quiet:
        say(f"results are kept in {settings['results']}")
    if settings["jobs"] > 1 and not quiet:
        say("several runs at a time: their times are not comparable")
    report = None if quiet else partial(_report, ProgressLines())
    return saved, How(settings["results"], settings["jobs"], report)


def _opened(settings: Mapping[str, Any]) -> Saved:
    """Open where a table and its picture go. Returns what writes and draws a table, as it is and as
    it is shown: whether no file was lost. Raises OptionError or OutputError for a name of --output
    or --plot that will not do."""
    for name in settings["output"]:
        form_of(name)
    outputs = list(map(OutputFile, settings["output"]))
    picture = None if settings["plot"] is None else opened(settings["plot"])

    def saved(table: Table, shown: Table) -> bool:
        writes: list[Callable[[], object]] = [partial(shown.write, output) for output in outputs]
        if picture is not None:
            writes.append(lambda: put_picture(table.figure(), picture))
        return written(*writes)

    return saved


def _printed(table: Table, medians: Table, settings: Mapping[str, Any], saved: Saved) -> int:
    """Print, write and draw a table; the exit code."""
    shown = (table if settings["all_runs"] else medians).in_words()
    whole = saved(table, shown)
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    emit(shown.to_text(width))
    if not table.complete:
        again = "the same command continues" if settings["results"] else "--results FILE keeps runs"
        say(f"interrupted: {again}")
        return Exit.INTERRUPTED
    if not whole:
        return Exit.NOT_WRITTEN
    return Exit.STOPPED if any("error" in row for row in table.rows) else Exit.CERTIFIED


def _read(typed: Mapping[str, Any]) -> list[Dataset]:
    """Every file and every built-in data set that is named."""
    about = {k: v for k, v in typed.items() if k in {o.name for o in (*SOURCE, *TABLE, *DEMANDS)}}
    names = about.pop("dataset", [])
    paths, deadline = typed.get("data", []), deadline_of({})
    found = [read_source({**about, "data": path}, deadline) for path in paths]
    foreign = {k: v for k, v in about.items() if k != "label"}
    found += [read_source({**foreign, "dataset": name}) for name in names]
    return found or [read_source({})]


def _report(lines: ProgressLines, done: int, total: int, row: Mapping[str, Any] | None) -> None:
    if row is not None and "error" in row:
        say(f"{row['key']} failed: {row['error']}")
    lines("runs", done, total)
