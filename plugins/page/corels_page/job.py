"""One search of one tab: it runs in a thread, is watched through snapshots, and can be stopped.

What the thread writes and the server reads is one dictionary, replaced as a whole under a lock and
never changed, with a number that grows; a watcher sends it on when the number has changed.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from corels.cli.at_hand import check_command
from corels.cli.auto import least_lambda
from corels.cli.rereading import Reread
from corels.cli.source import notes_on
from corels.clock import Clock
from corels.errors import OF_PLUGINS, CorelsError, OptionError, worded
from corels.learning.auto import chosen
from corels.model import Model
from corels.model.documents import finite, to_json
from corels.model.printable import printable
from corels.options import Option, check_all
from corels.plugins import defect, registry
from corels.problem import Problem, exact_regularization
from corels.run.certifying import best_so_far
from corels.run.limits import LIMITS
from corels.run.purpose import purpose, searching_for
from corels.run.result import Result
from corels.run.solve import solve
from corels.run.time_left import time_left_text
from corels.search import Progress, Search, Sink
from corels.tables import (
    DEMAND_OPTIONS,
    TABLE_OPTIONS,
    Dataset,
    TableOptions,
    as_columns,
    datasets,
    load_columns,
)
from corels.tables.column import Column
from corels.tables.descriptions import Descriptions, parsed
from corels.tables.labelled import columns_dataset
from corels.tables.options import costs_asked
from corels.tables.pricing import is_matrix
from corels.tables.template import template
from corels.threads import started
from corels_page.deciders import listed
from corels_page.document import Further, page_document, visible
from corels_page.render import Page, render
from corels_page.upload import Loaded, size
from corels_page.words import today

MOST_MOMENTS = 1000
OVER = ("done", "failed")  # the phases after which nothing changes
MODEL_FILE = "model.json"  # the name under which a browser saves a model
LONGEST = 3600.0  # seconds: a limit that no browser can lift


# How an upload becomes antecedents; its text is read as UTF-8 when it arrives. A matrix of costs is
# a file, and no text of a form is the name of one.
FILES = ("encoding", "describe", "columns")
UPLOADED = tuple(one for one in (*TABLE_OPTIONS, *DEMAND_OPTIONS) if one.name not in FILES)
NEEDED = ("positive", "cost", "missing", "ignore")  # what most people need, beside the description


class FieldError(OptionError):
    """What is wrong with one field of the form, in the form's words. field: its id."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(sentence)
        self.field = field


def in_form(name: str) -> str:
    """An option as the form calls it."""
    return name.replace("_", " ")


@dataclass(frozen=True)
class Request:
    """What a browser asks for, read and checked before a thread is begun.

    problem is made in the thread, since it may take long. table: the options with which the table
    is read. source: the data, for a command. options: of the solver, and the limits. form:
    what was filled in, as text, so that the form can be filled in again.
    """

    columns: Mapping[str, Column]
    label: str
    name: str
    table: Mapping[str, Any]
    source: Reread
    regularization: Any
    solver: str
    options: Mapping[str, Any]
    form: Mapping[str, Any]


def asked(form: Mapping[str, Any], uploaded: Loaded | None) -> Request:
    """Check what a form says. Raises CorelsError with a sentence for the reader.

    form: dataset ("" for the upload), upload (the number of the table that the page shows), label,
    solver, regularization; and `table`, `options` and `limits`, mappings from the names of options
    to text. uploaded: the table that is loaded.
    """
    dataset, solver = _text(form, "dataset"), _text(form, "solver")
    if solver not in registry().names("solver"):
        raise OptionError(f"there is no solver {solver!r}")
    name, columns, label = _table(form, dataset, uploaded)
    family = registry().get("solver", solver)
    table, told_table = _group(form, "table", UPLOADED, "table")
    options, told_options = _group(form, "options", family.options, f"options-{solver}")
    limits, told_limits = _group(form, "limits", LIMITS, "limits")
    table = check_all(UPLOADED, table, "table")
    check_all(family.options, options, f"solver {solver!r}")
    if (described := form.get("description")) is not None:
        table["columns"] = _described(described)
    options |= check_all(LIMITS, limits, "limits")
    options["time_limit"] = min(options["time_limit"] or LONGEST, LONGEST)
    typed = _text(form, "regularization").strip() or "0.01"
    penalty = _price(typed, solver, bool(costs_asked(table))) if family.regularized else None
    told = {
        **{"table": told_table, "options": told_options, "limits": told_limits},
        **{"dataset": dataset, "upload": None if dataset else form["upload"], "label": label},
        **{"description": described, "solver": solver},
        "regularization": typed if family.regularized else "",
    }
    source = Reread({}, None if dataset else name, dataset or None)
    return Request(columns, label, name, table, source, penalty, solver, options, visible(told))


def _table(
    form: Mapping[str, Any], dataset: str, uploaded: Loaded | None
) -> tuple[str, Mapping[str, Column], str]:
    """The name, the columns and the label of the table that a form means."""
    if dataset:
        if dataset not in {one.name for one in datasets()}:
            raise OptionError(f"there is no built-in table {dataset!r}")
        return dataset, *load_columns(dataset)
    if uploaded is None:
        raise OptionError("choose a built-in table, or a CSV file")
    if form.get("upload") != uploaded.number:
        raise OptionError("this page's table is not loaded any more: choose its file again")
    chosen = _text(form, "label")  # as the page shows it: without hidden marks
    label = {printable(column): column for column in uploaded.columns}.get(chosen, chosen)
    if label not in uploaded.columns:
        why = f"the table has no column {label!r}" if label else "nothing is chosen"
        raise FieldError("label", f"{why}: choose what is predicted")
    return uploaded.name, uploaded.columns, label


def _price(typed: str, solver: str, costed: bool) -> str | Fraction:
    """What a rule costs; the text of `auto`, which is chosen later."""
    try:
        least = least_lambda(typed, solver, costed=costed)
        return exact_regularization(typed, costed=costed) if least is None else least
    except OptionError as error:
        said = error.said(in_form).replace("regularization", "what a rule costs")
        raise FieldError("regularization", said.removeprefix("--")) from None


def _described(given: Any) -> Descriptions:
    """The file that describes the columns: its name and its text."""
    if not isinstance(given, Mapping) or not {str} == {
        type(given.get(k)) for k in ("name", "text")
    }:
        raise OptionError("description is no file")
    try:
        return parsed(printable(given["name"]), given["text"])
    except CorelsError as error:
        raise FieldError("description", printable(str(error))) from None


def _text(form: Mapping[str, Any], name: str) -> str:
    value = form.get(name, "")
    if not isinstance(value, str):
        raise OptionError(f"{name} is not text")
    return value


def _group(
    form: Mapping[str, Any], name: str, options: Sequence[Option], place: str
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options of a group that are filled in, each of which can be read; and as the form has
    them, those that are not as usual. Raises FieldError for the first that cannot be read.

    place: what the ids of the group's fields begin with.
    """
    known, values, told = {one.name: one for one in options}, dict[str, Any](), dict[str, Any]()
    given = form.get(name, {})
    if not isinstance(given, Mapping):
        raise OptionError(f"{name} is not a table of options")
    for field, entry in given.items():
        if field not in known:
            raise OptionError(f"there is no option {field!r} here")
        option = known[field]
        if option.kind != "flag" and not isinstance(entry, str):
            raise OptionError(f"{field} is not text")
        if (value := entry is True if option.kind == "flag" else entry.strip()) == "":
            continue
        if value != option.default:
            told[field] = value
        values[field] = _parts(option, value)
        try:
            option.check(values[field])
        except CorelsError as error:
            said = error.said(in_form).replace(field, in_form(field))
            raise FieldError(f"{place}-{field}", printable(said)) from None
    return values, told


BETWEEN = {"names": ",", "columns": ",", "numbers": ",", "parts": ",", "constraints": ";"}


def _parts(option: Option, value: Any) -> Any:
    """A field as it is checked: several names are separated by commas, and constraints, which may
    name columns, by semicolons."""
    if option.name == "cost" and is_matrix(value):
        raise OptionError("cost is the name of a file: write what each class costs")
    # A description of a column has commas and semicolons.
    mark = "\n" if option.name == "column" else BETWEEN.get(option.kind)
    if mark is None:
        return value
    return [part.strip() for part in value.split(mark) if part.strip()]


class Job(Sink):
    """A search in a thread, which listens to it. number: counts the searches of its tab, from 1.

    page: the report, and saved: the model's file as `corels run --output model.json` writes it,
    once the search has ended with a model. description: of the columns, every cut written out.
    """

    name = "live"

    def __init__(self, wanted: Request, number: int) -> None:
        self.number = number
        self._wanted = wanted
        self._table = size(wanted.name, wanted.columns)
        self._lock = threading.Lock()
        self._search: Search | None = None
        self._problem: Problem | None = None
        self._clock = Clock()
        self._best: int | None = None
        self._state: dict[str, Any] = {"number": 0, "phase": "reading"}
        self._moments: list[dict[str, Any]] = []
        self._stopping = False
        self.page: Page | None = None
        self.saved: str | None = None
        self.description: str | None = None
        self._said: list[str] = []  # what the command line says as notes and warnings
        self._thread = started(
            threading.Thread(target=self._run, name="corels-search", daemon=True)
        )

    @property
    def state(self) -> dict[str, Any]:
        """The last snapshot, JSON-ready: not to be changed."""
        with self._lock:
            return self._state

    @property
    def course(self) -> list[dict[str, Any]]:
        """The moments so far, at most MOST_MOMENTS and one more."""
        with self._lock:
            return list(self._moments)

    def told(self) -> dict[str, Any]:
        """What the history of the tab says of it, JSON-ready."""
        kept = {"number": self.number, "table": self._table, "form": self._wanted.form}
        return {**kept, "state": self.state}

    @property
    def running(self) -> bool:
        """Whether its end has not been told yet."""
        return self.state["phase"] not in OVER

    def stop(self) -> None:
        """End the search as Ctrl-C would: with the best model so far."""
        with self._lock:
            self._stopping = True
            if self._search is not None:
                self._search.interrupt()

    def wait(self, seconds: float) -> None:
        """Wait for the thread to end."""
        self._thread.join(seconds)

    def _run(self) -> None:
        try:
            result = self._solved()
            self.saved = to_json(result.to_document())
            self.page = self._report(result)
            self._put(phase="done", stopped=result.certificate.why_stopped)
        except CorelsError as error:
            self._fail(visible(" ".join(str(error).split())))
        except KeyboardInterrupt:
            self._fail("stopped before there was a result")
        except OF_PLUGINS as error:  # a defect must not leave the browser waiting
            self._fail(visible(defect(error)))
        finally:  # the history keeps what was asked for, not the table
            self._wanted, self._problem = replace(self._wanted, columns={}), None

    def _solved(self) -> Result:
        wanted = self._wanted
        options = TableOptions(**wanted.table)
        columns = as_columns(wanted.columns, reading=options.reading)
        data = columns_dataset(columns, wanted.label, options, wanted.name, wanted.name)
        self._note(*([data.use.line()] if data.use and data.use.columns else []), *notes_on(data))
        if data.use is not None:
            about = options.described, data.label_name, data.classes, wanted.name
            self.description = template(data.use, *about)
        price = wanted.regularization
        if isinstance(price, str):
            price = self._chosen_lambda(data, price)
        self._problem = problem = Problem.from_dataset(data, *(() if price is None else (price,)))
        family = registry().get("solver", wanted.solver)()
        self._note(*family.warnings(problem))
        result = solve(problem, wanted.solver, sinks=[self], **dict(wanted.options))
        self._note(*result.warnings, *family.advice(problem, result, wanted.options))
        return result

    def _chosen_lambda(self, data: Dataset, least: str) -> Fraction:
        """As `corels run -r auto` chooses it: on folds, in half of the time."""
        wanted, family = self._wanted, registry().get("solver", self._wanted.solver)()
        options = {**wanted.options, "sinks": (_OfFold(self),)}
        seconds = wanted.options["time_limit"]
        with searching_for("choosing lambda"):
            found = chosen(data, least, family, options, seconds=seconds)
        self._note(found.to_text())
        return found.regularization

    def _note(self, *lines: str) -> None:
        """Notes and warnings, as the command line has them, in the words of the form."""
        self._said += [visible(worded(line, in_form)) for line in lines]
        self._put(notes=list(dict.fromkeys(self._said)))

    def doing(self, what: str) -> None:
        """What goes on before the search that was asked for. Raises KeyboardInterrupt if it is to
        stop."""
        if what != self.state.get("doing"):
            self._put(doing=what)
        if self._stopping:
            raise KeyboardInterrupt

    def _report(self, result: Result) -> Page:
        certificate = result.certificate
        course = {
            "columns": {n: [one[n] for one in self._moments] for n in self._moments[0]},
            "pruned": [[n, c] for n, c in certificate.pruned.items() if c],
            "stopped": certificate.why_stopped,
            "expanded": certificate.expanded,
        }
        check = check_command(MODEL_FILE, self._wanted.source)
        counted = "The search has counted them"
        further = Further(result.data, counted, check, history=course, made=today())
        found = page_document(result.model, certificate, further)
        remarks = [*found["remarks"], *(line.removesuffix(".") for line in self._said)]
        return render({**found, "remarks": list(dict.fromkeys(remarks))})

    def _put(self, **values: Any) -> None:
        with self._lock:
            number = self._state["number"] + 1
            self._state = {**self._state, **values, "number": number}

    def _fail(self, error: str) -> None:
        """A failure has no numbers and no model: those on the way there prove nothing."""
        with self._lock:
            self._moments = []
            self.saved = self.page = None
            self._state = {"number": self._state["number"] + 1, "phase": "failed", "error": error}

    # What `solve` tells it, as a sink.

    def start(self, search: Search) -> None:
        self._clock.restart()
        with self._lock:
            self._search = search

    def progress(self, snapshot: Progress, search: Search) -> None:
        assert self._problem is not None
        objective, bound = best_so_far(snapshot, self._problem, search)
        left = snapshot.log10_remaining
        remaining = left if math.isfinite(left) else None
        better = snapshot.objective != self._best
        self._best = snapshot.objective
        told = objective, bound, remaining, time_left_text(snapshot), snapshot.queued
        self._seen(search.model() if better else None, *told)

    def finish(self, result: Result) -> None:
        self.close()
        found = result.certificate
        objective, bound = float(found.objective), float(found.lower_bound)
        self._seen(result.model, objective, bound, None, None, 0 if found.optimal else None)

    def close(self) -> None:
        with self._lock:
            self._search = None

    def _seen(self, model: Model | None, *told: Any) -> None:
        """One more moment; model: where there is a better one."""
        names = ("objective", "bound", "remaining", "left", "open")
        moment = dict(zip(names, told, strict=True))
        moment = {"seconds": round(self._clock.elapsed, 3), **moment}
        with self._lock:
            self._moments.append(moment)
            if len(self._moments) > MOST_MOMENTS:
                del self._moments[1::2]
        better = {} if model is None else {"model": visible(finite(listed(model)))}
        self._put(phase="searching", moment=moment, **better)
        if self._stopping and self._search is not None:
            raise KeyboardInterrupt  # `solve` ends with the best model so far


class _OfFold(Sink):
    """Hears the searches that choose lambda: which it is, and whether to stop."""

    name = "fold"

    def __init__(self, job: Job) -> None:
        self._job = job

    def start(self, search: Search) -> None:
        self._job.doing(purpose())

    def progress(self, snapshot: Progress, search: Search) -> None:
        self._job.doing(purpose())
