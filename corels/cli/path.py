"""`corels path`: a family's models by rising complexity, by the solver's own `path`."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from corels.cli.exits import Exit, ended, written
from corels.cli.outputs import opened_output, put, put_picture
from corels.cli.parameters import checked, given
from corels.cli.source import data_signature, deadline_of, during, of_search, read_source
from corels.cli.streams import emit, say
from corels.errors import OptionError
from corels.model.documents import csv_text, to_json
from corels.options import Option
from corels.plots.draw import opened
from corels.plugins import DEFAULT_SOLVER, registry
from corels.problem import Problem
from corels.run.limits import LIMITS
from corels.run.sinks import searching_for
from corels.search import ModelPath, Solver

PATH_OPTIONS = (
    Option.text("solver", "the kind of model to learn", DEFAULT_SOLVER),
    Option.switch("json", "print JSON, for other programs"),
    Option.switch("lists", "also print every model in the text"),
    Option.text("output", "also save the path, as JSON, or as CSV if the name ends in .csv"),
    Option.text("plot", "draw the path to .svg, .png or .pdf; - draws in the terminal"),
    Option.switch("quiet", "print nothing but errors on stderr"),
)


def path_signature() -> inspect.Signature:
    """Every parameter of `corels path`, which offers the solvers that have one."""
    tables = _tables()
    solver, *others = PATH_OPTIONS
    panels = {
        "Path": (replace(solver, choices=tuple(tables)), *others),
        "Limits of each search": LIMITS,
    }
    return data_signature(panels, tables)


def _tables() -> dict[str, Sequence[Option]]:
    """The options of each solver that has a path, those of the path included."""
    names = registry().names("solver")
    kinds: dict[str, type[Solver]] = {name: registry().get("solver", name) for name in names}
    return {n: (*k.options, *k.path_options) for n, k in kinds.items() if k.has_path()}


def path(**values: Any) -> int:
    """Find the best rule list for every lambda of an interval, each certified.

    Prints for which lambda each list is the best. The breakpoints between lists are exact, and the
    path needs only a few searches. With --over, something else changes along the path: how much
    groups may differ, or what it costs not to decide a row. Other families have paths of their own
    (--solver).

    $ corels path people.csv --label ill
    $ corels path --dataset titanic --low 0.005 --lists
    $ corels path people.csv --label ill --folds 2 -o path.json
    """
    typed = given(values)
    settings = checked(PATH_OPTIONS, typed)
    plotted = None if settings["plot"] is None else opened(settings["plot"])
    output = opened_output(settings["output"], (".json", ".csv"))
    found = _found(settings["solver"], typed, quiet=settings["quiet"])
    drawn = plotted is None or written(partial(put_picture, found.figure(), plotted))
    saved = True
    if output is not None:
        as_table = output.path.lower().endswith(".csv")
        saved = written(partial(put, output, _csv(found) if as_table else _json(found)))
    if not saved:
        say("What could not be saved:\n" + _json(found))
    lists = f"\n\n{found.models_text()}" if settings["lists"] else ""
    emit(_json(found) if settings["json"] else found.to_text() + lists)
    if not (drawn and saved):
        return Exit.NOT_WRITTEN
    certified = found.certified and not found.interrupted  # folds may have been, after the path
    return ended(certified=certified, interrupted=found.interrupted)


def _found(solver: str, typed: Mapping[str, Any], *, quiet: bool) -> ModelPath:
    """What the solver's `path` finds. --total-time counts from here: reading is part of it."""
    family: Solver = registry().get("solver", solver)()
    tables = _tables()
    if solver not in tables:
        known = ", ".join(tables)
        raise OptionError(f"the solver {solver!r} has no path (there is one of: {known})")
    of_search(solver, typed, PATH_OPTIONS, tables)
    chosen = checked((*tables[solver], *LIMITS), typed)
    total = chosen.get("total_time")
    deadline = deadline_of(typed if total is None else {"time_limit": total}, quiet=quiet)
    data = read_source(typed, deadline)
    penalty = chosen.get("regularization", 0)
    problem = Problem.from_dataset(data, penalty, check=during(deadline))
    if total is not None:
        chosen["total_time"] = deadline.left()
    report, sinks = (None, ()) if quiet else (say, ("progress",))
    with searching_for("one search of the path"):
        return family.path(problem, data, chosen, report=report, sinks=sinks)


def _json(found: ModelPath) -> str:
    return to_json(found.to_document())


def _csv(found: ModelPath) -> str:
    rows = found.to_rows()
    return csv_text([rows[0], *([row.get(name) for name in rows[0]] for row in rows)])
