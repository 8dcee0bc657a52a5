"""One search: it runs in a thread, is watched through snapshots, and can be stopped.

What the thread writes and the server reads is one dictionary, replaced as a whole, never changed.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from corels.cli.at_hand import check_command
from corels.cli.rereading import Reread
from corels.cli.source import notes_on
from corels.clock import Clock
from corels.errors import OF_PLUGINS, CorelsError
from corels.learning.flow import Learning
from corels.model.documents import finite, to_json
from corels.model.model import Model
from corels.plots.models import Distribution, distributions
from corels.plugins import defect
from corels.problem import Problem
from corels.run.certifying import best_so_far
from corels.run.result import Result
from corels.run.sinks import purpose
from corels.run.time_left import time_left_text
from corels.search import Progress, Search, Sink
from corels.tables import Dataset, TableOptions
from corels.tables.column import Column
from corels.tables.labelled import columns_dataset, labelled_rows
from corels.tables.template import template
from corels.tables.unseen import as_learned, measured_by
from corels_page.deciders import listed
from corels_page.document import Further, page_document, visible
from corels_page.form import Request, in_words
from corels_page.render import Page, render
from corels_page.words import today

MOST_MOMENTS = 1000
Columns = Mapping[str, Column]
OVER = ("done", "failed")  # the phases after which nothing changes
MODEL_FILE = "model.json"  # the name under which a browser saves a model


class Job(Sink):
    """A search in a thread, which listens to it. number: counts the searches, from 1.

    page: the report as HTML; saved: the model's file as `corels run --output` writes it; both
    once the search has ended with a model. description: of the columns, every cut written out.
    """

    name = "live"

    def __init__(self, wanted: Request, number: int) -> None:
        self.number = number
        self._wanted = wanted
        self._table = wanted.loaded.size()
        self._lock = threading.Lock()  # around the search, which another thread interrupts
        self._search: Search | None = None
        self.problem: Problem | None = None
        self._clock = Clock()
        self._best: int | None = None
        self.state: dict[str, Any] = {"phase": "reading"}  # JSON-ready: not to be changed
        self._moments: list[dict[str, Any]] = []
        self._stopping = False
        self.page: str | None = None
        self.saved: str | None = None
        self.description: str | None = None
        self._spread: list[Distribution] = []
        self._said: list[str] = []  # what the command line says as notes and warnings
        self._thread = threading.Thread(target=self._run, name="corels-search", daemon=True)
        self._thread.start()

    def shown(self) -> dict[str, Any]:
        """What the page says of it, JSON-ready; while it goes on also its course: seconds,
        objective and bound of each moment so far."""
        state, names = self.state, ("seconds", "objective", "bound")
        if self.running:
            state = {**state, "course": [[one[n] for one in self._moments] for n in names]}
        kept = {"number": self.number, "table": self._table, "form": self._wanted.form}
        return {**kept, "state": state}

    @property
    def running(self) -> bool:
        """Whether the search goes on."""
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
            self.page = self._report(result).html
            self._put(phase="done", stopped=result.certificate.why_stopped)
        except CorelsError as error:
            self._fail(visible(in_words(" ".join(str(error).split()))))
        except KeyboardInterrupt:
            self._fail("stopped before there was a result")
        except OF_PLUGINS as error:  # a defect must not leave the browser waiting
            self._fail(visible(defect(error)))
        finally:  # the history keeps what was asked for, not the table
            without = self._wanted.loaded.forgotten()
            self._wanted, self.problem = replace(self._wanted, loaded=without), None

    def _solved(self) -> Result:
        wanted, name = self._wanted, self._wanted.loaded.name
        asked = _Asked(self, wanted)
        options = TableOptions(**asked.read_with(wanted.table))
        columns = wanted.loaded.read(options.reading)
        data = columns_dataset(columns, wanted.label, options, name, name)
        self.note(*([data.use.line()] if data.use and data.use.columns else []), *notes_on(data))
        if data.use is not None:
            about = options.described, data.label_name, data.classes, name
            self.description = template(data.use, *about)
        result = asked.learned(data)
        assert self.problem is not None
        advice = asked.family.advice(self.problem, result, wanted.options)
        self.note(*result.warnings, *advice)
        if options.drop_unlabelled:
            columns = labelled_rows(columns, wanted.label)
        self._spread = _spread(result.model, columns, data)
        return result

    def note(self, *lines: str) -> None:
        """Notes and warnings, as the command line has them, in the words of the form."""
        self._said += [visible(in_words(line)) for line in lines]
        self._put(notes=list(dict.fromkeys(self._said)))

    def _before(self) -> bool:
        """Whether a search is one of those before the search that was asked for, which are to
        choose lambda. Raises KeyboardInterrupt if it is to stop."""
        if (what := purpose()) and what != self.state.get("doing"):
            self._put(doing=what)
        if what and self._stopping:
            raise KeyboardInterrupt
        return bool(what)

    def _report(self, result: Result) -> Page:
        certificate = result.certificate
        course = {
            "columns": {n: [one[n] for one in self._moments] for n in self._moments[0]},
            "pruned": [[n, c] for n, c in certificate.pruned.items() if c],
            "stopped": certificate.why_stopped,
            "expanded": certificate.expanded,
        }
        loaded = self._wanted.loaded
        source = Reread({}, None if loaded.dataset else loaded.name, loaded.dataset or None)
        further = Further(
            result.data,
            "The search has counted them",
            check_command(MODEL_FILE, source),
            history=course,
            spread=self._spread,
            made=today(),
        )
        found = page_document(result.model, certificate, further)
        remarks = [*found["remarks"], *(line.removesuffix(".") for line in self._said)]
        return render({**found, "remarks": list(dict.fromkeys(remarks))})

    def _put(self, **values: Any) -> None:
        self.state = {**self.state, **values}

    def _fail(self, error: str) -> None:
        """A failure has no numbers and no model: those on the way there prove nothing."""
        self._moments, self.saved, self.page = [], None, None
        self.state = {"phase": "failed", "error": error}

    # What `solve` tells it, as a sink.

    def start(self, search: Search) -> None:
        if self._before():
            return
        self._clock.restart()
        with self._lock:
            self._search = search

    def progress(self, snapshot: Progress, search: Search) -> None:
        if self._before():
            return
        assert self.problem is not None
        objective, bound = best_so_far(snapshot, self.problem, search)
        digits = snapshot.log10_remaining
        remaining = digits if math.isfinite(digits) else None
        better = snapshot.objective != self._best
        self._best = snapshot.objective
        model, left = search.model() if better else None, time_left_text(snapshot)
        self._seen(model, objective, bound, remaining, left)

    def finish(self, result: Result) -> None:
        if purpose():
            return
        self.close()
        found = result.certificate
        self._seen(result.model, float(found.objective), float(found.lower_bound))

    def close(self) -> None:
        with self._lock:
            self._search = None

    def _seen(
        self,
        model: Model | None,
        objective: float,
        bound: float,
        remaining: float | None = None,
        left: str | None = None,
    ) -> None:
        """One more moment; model: if there is a better one."""
        costs = {"objective": objective, "bound": bound, "remaining": remaining, "left": left}
        moment = {"seconds": round(self._clock.elapsed, 3), **costs}
        self._moments = [*self._moments, moment]
        if len(self._moments) > MOST_MOMENTS:
            self._moments = [self._moments[0], *self._moments[2::2]]
        better = {} if model is None else {"model": visible(finite(listed(model)))}
        self._put(phase="searching", moment=moment, **better)
        if self._stopping and self._search is not None:
            raise KeyboardInterrupt  # `solve` ends with the best model so far


def _spread(model: Model, columns: Columns, data: Dataset) -> list[Distribution]:
    """The columns of numbers that a model cuts, as it reads them."""
    conditions = (one.to_json() for asked in model.antecedents for one in asked.conditions)
    read = as_learned(columns, measured_by(conditions, model.reading), model.reading)
    truth = np.array(data.classes)[data.labels].tolist()
    weights = None if data.weights is None else data.weights.tolist()
    return distributions(model, read, truth, weights)


class _Asked(Learning):
    """What a browser asks for; the job hears of it."""

    def __init__(self, job: Job, wanted: Request) -> None:
        self._job, options = job, dict(wanted.options)
        how: dict[str, Any] = {"more": {"sinks": [job]}, "listening": (job,)}
        clock, cost = Clock(options["time_limit"]), wanted.table.get("cost")
        super().__init__(wanted.solver, options, wanted.regularization, clock, cost=cost, **how)

    def begun(self, problem: Problem) -> None:
        self._job.problem = problem
        self._job.note(*([] if self.choice is None else [self.choice.to_text()]))

    def warn(self, sentence: str) -> None:
        self._job.note(sentence)
