"""The facade: resolve names, step the search, drain its events, mind the limits, certify.

Limits, Ctrl-C and progress live here and nowhere else; an engine only ever does one step.
"""

from __future__ import annotations

import math
import os
import platform
import sys
import threading
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NoReturn, cast

import numpy as np

from corels.clock import Clock
from corels.errors import (
    OF_PLUGINS,
    CorelsError,
    InfeasibleError,
    InputError,
    OptionError,
    PluginError,
    ResourceError,
    raised_by,
)
from corels.model import Certificate, Model, Stopped
from corels.model.documents import data_entry, typed_options
from corels.options import Option, check_all
from corels.plugins import at_work, defect, registry
from corels.problem import Problem, check_problem
from corels.problem.costs import UNABLE
from corels.registry import DEFAULT_SOLVER
from corels.run.interrupts import CtrlC, handlers, of_a_handler
from corels.run.memory import default_memory, process_memory
from corels.run.sinks import Chosen, open_sink
from corels.run.steps import STEP_SECONDS, Steps
from corels.run.time_left import TimeLeft
from corels.run.watch import LATE, Watch
from corels.search import Context, Progress, Search, Sink, Solver, Status
from corels.search.calls import elsewhere, proof_of

if TYPE_CHECKING:
    from corels.proof.writer import ProofWriter
    from corels.run.refining import Refining

MEMORY_LIMIT = Option.whole(
    "memory_limit",
    "megabytes of memory that the search may use (default: half of the machine's memory)",
    low=1,
    high=2**40,
    unit="megabytes",
)
LIMITS = (
    Option.time_limit("stop after this many seconds"),
    Option.whole("node_limit", "stop after expanding this many prefixes", low=0),
    MEMORY_LIMIT,
    Option.whole("cache_limit", "the most prefixes kept in memory", low=0),
)
COUNTED = ("node_limit", "memory_limit", "cache_limit")  # known from a snapshot only
MEGABYTE = 10**6
PROGRESS_SECONDS = 0.1
QUIET = 1.5  # seconds without progress after which displays say that a step goes on
UNWATCHED = 0.02  # seconds: a thread that watches takes longer to start than most searches last
REFINING_SHARE = 0.5  # of the limits of time and nodes, for searches with few cuts


@dataclass(frozen=True)
class Result:
    """A model and what was proven about it.

    warnings: sinks that failed on the way. data: what it was learned from and how, the entry `data`
    of its file.
    """

    model: Model
    certificate: Certificate
    warnings: tuple[str, ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        """The model and its certificate, as `corels run` prints them."""
        return f"{self.model}\n\n{self.proven()}"

    def proven(self) -> str:
        """The certificate, with what it rests on: costs, the positive class, unused columns."""
        from corels.model.certificate_text import certificate_text

        return certificate_text(self.certificate, self.model.family, self.about())

    def about(self) -> list[tuple[str, str]]:
        """How the model was learned, as its file states it: (name, text)."""
        from corels.model.about import about_rows

        return about_rows(self.model, self.data)

    def to_document(self) -> dict[str, Any]:
        """What its model file holds: the model's own document, the certificate, and the data."""
        proven = {"certificate": self.certificate.to_document()}
        return self.model.to_document() | proven | ({"data": dict(self.data)} if self.data else {})

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the file of `corels run --output`, whole or not at all: JSON, which `corels.load`
        and all commands read, or as the name ends: .tex, .txt, .html (the page).

        Raises OutputError where that cannot be.
        """
        from corels.run.result_file import save_result

        save_result(self, path)

    def learned_with(self, options: Mapping[str, Any]) -> Result:
        """The same, saying that these options were given for the search."""
        return replace(self, data={**self.data, "options": typed_options(options)})

    def report(self) -> Any:
        """The offline page of the model and its certificate (extra `page`): see `corels.report`."""
        from corels import report

        return report(self.model, self.certificate)

    def _repr_html_(self) -> str:
        from corels.export.html import certificate_html

        proven = certificate_html(self.certificate, self.model.family, self.about())
        return f"{self.model.to_html()}\n{proven}"


def solve(
    problem: Problem,
    solver: str | Solver = DEFAULT_SOLVER,
    *,
    sinks: Sequence[Chosen] = (),
    incumbent: Model | None = None,
    proof: str | None = None,
    resume: str | None = None,
    **options: Any,
) -> Result:
    """Learn a model of one family and certify it.

    solver: its name, or a solver. options: those of the solver (see `corels plugins`) and
    `time_limit`, `node_limit`, `memory_limit`, `cache_limit`. A part may be given by its name, as a
    class or as an instance. Ctrl-C or a limit ends the search with the best model and its gap.
    sinks: listeners, as objects, classes, or texts as on the command line
    ("trace:file=run.jsonl"). incumbent: a model of the same problem that is known already; the
    search then looks only for better ones. proof: a file for everything that is proved, for
    `corels check --proof`. resume: the file of an earlier search of the same problem, to go on from
    what it has proved. Raises OptionError on a wrong option, PluginError (with the best result as
    `.result`) where a part fails.
    """
    clock = Clock(first=0.0, every=PROGRESS_SECONDS)
    check_problem(problem, "solve")
    family = solver if isinstance(solver, Solver) else registry().get("solver", solver)()
    solver = family.name
    costs = () if problem.costs is None else problem.costs.kinds
    check_able(family, constrained=bool(problem.constraints), costs=costs)
    chosen = check_all((*family.options, *LIMITS), options, f"solver {solver!r}")
    limits = {option.name: chosen.pop(option.name) for option in LIMITS}
    clock.limit = limits["time_limit"]
    context = Context(problem, solver, to_stderr)
    listeners = [open_sink(sink, context) for sink in sinks]
    known = None if incumbent is None else _known(incumbent)
    writer = _proof_writer(family, problem, proof, resume)
    if limits["memory_limit"] is not None:
        limits["memory_limit"] *= MEGABYTE
    memory = limits["memory_limit"]
    fine = any(sink.wants_fine for sink in listeners)
    with CtrlC() as ctrl_c:  # a large problem takes a moment
        told = {"fine_events": fine, "memory_limit": memory}
        search = _begun(family, problem, chosen, known, **told)
    refining = None
    if problem.first_cuts and not problem.constraints and known is None and resume is None:
        from corels.run.refining import Refining

        nodes = limits["node_limit"]
        refining = Refining(
            problem,
            lambda coarse: _begun(family, coarse, chosen, memory_limit=memory),
            search.offer,
            math.inf if nodes is None else REFINING_SHARE * nodes // 1,
        )
    if writer is not None:
        listeners.append(writer)
    parts = listeners, writer, clock, ctrl_c, refining
    return _Run(problem, family, search, limits, options, *parts).run()


def _begun(
    family: Solver,
    problem: Problem,
    chosen: Mapping[str, Any],
    known: Model | None = None,
    **more: Any,
) -> Search:
    """A family's search that has not taken a step. Raises PluginError where there is none.

    known: a model for it to begin with.
    """
    try:
        search = family.search(problem, chosen, **more)
        if not isinstance(search, Search):
            raise TypeError(f"search gave {search!r}: expected a Search")
        if known is not None:
            search.offer(known)
    except OF_PLUGINS as error:
        if isinstance(error, CorelsError) or of_a_handler(error) is not None:
            raise
        raise raised_by(f"solver {family.name!r}", error) from error
    return search


def check_able(family: Solver | type[Solver], *, constrained: bool, costs: Collection[str]) -> None:
    """Raise OptionError where a family knows no constraints and there are some, or not these kinds
    of costs, those of `corels.problem.costs.UNABLE`."""
    if constrained and not family.constrained:
        raise OptionError(
            f"solver {family.name!r} takes no constraints: expected "
            f"{_solvers(lambda one: one.constrained)}"
        )
    for kind, why in UNABLE.items():
        if kind in costs and not knows(family, [kind]):
            able = _solvers(lambda one: knows(one, costs), "' or '")
            raise OptionError(f"solver {family.name!r} {why}: take solver '{able}'")


def knows(family: Solver | type[Solver], costs: Collection[str]) -> bool:
    """Whether a family knows all of these kinds of costs."""
    known = family.knows_costs
    return known if isinstance(known, bool) else set(costs) <= set(known)


def _solvers(able: Callable[[type[Solver]], bool], between: str = " or ") -> str:
    """The solvers that can do something."""
    known = registry()
    return between.join(name for name in known.names("solver") if able(known.get("solver", name)))


def _proof_writer(
    family: Solver, problem: Problem, proof: str | None, resume: str | None
) -> ProofWriter | None:
    """What writes the proof and reads the one to go on from. Raises OptionError."""
    if proof is None and resume is None:
        return None
    from corels.proof.writer import ProofWriter

    own = proof_of(family)
    if own is None:
        raise OptionError(
            f"solver {family.name!r} has no proofs: none can be written, and none resumed"
        )
    return ProofWriter(proof, resume, problem, own)


def _known(incumbent: Any) -> Model:
    """A warm start. Raises OptionError for what is not a model of the core."""
    if isinstance(incumbent, Model):
        return incumbent
    conversion = getattr(incumbent, "conversion", "")  # what makes a model of it, in words
    convert = f" ({conversion})" if conversion else ""
    raise OptionError(f"incumbent is a {type(incumbent).__name__}: expected a model{convert}")


def to_stderr(text: str) -> None:
    """Wherever that is by then."""
    sys.stderr.write(text)


@dataclass(eq=False)
class _Run:
    """One run of a search, from the first step to the certificate.

    limits: by name, that of memory in bytes. options: as they were given. sinks: the proof among
    them.
    """

    problem: Problem
    family: Solver
    search: Search
    limits: dict[str, Any]
    options: Mapping[str, Any]
    sinks: list[Sink]
    proof: ProofWriter | None
    clock: Clock
    ctrl_c: CtrlC
    refining: Refining | None

    def __post_init__(self) -> None:
        self._memory = self.limits["memory_limit"] or default_memory()
        self._before = process_memory()
        self._warnings: list[str] = []
        self._seconds = 0.0
        self._said: tuple[Progress, Model] | None = None  # what the search said of itself last
        self._begun = False  # whether the sinks know of the search
        self._handlers = handlers()
        self._watch = Watch(self._interrupt, self.clock, self._late, self._still)
        self._told_at = 0.0  # when the sinks have heard of the progress
        self._thread = threading.get_ident()
        self._left = TimeLeft()

    def run(self) -> Result:
        result = None
        try:
            stopped, failure = self._searched()
            try:
                result = self._finished(stopped, str(failure or ""))
                if failure is None:
                    return result
            except OF_PLUGINS as error:  # a search that failed need not know what it has found
                blamed = self._blamed(error)
                failure = failure or blamed
                result = self._remembered(failure)
            self._fail(failure, result)
        finally:
            try:
                self._close_sinks()
            finally:
                try:
                    self.search.close()
                except OF_PLUGINS as error:
                    self._fail(self._blamed(error), result)

    @staticmethod
    def _fail(failure: CorelsError, result: Result | None) -> NoReturn:
        failure.result = result  # type: ignore[attr-defined]
        raise failure from failure.__cause__

    def _searched(self) -> tuple[Stopped, CorelsError | None]:
        """As `_search_on`; and the sinks know the last events."""
        stopped, failure = self._search_on()
        self._seconds = self.clock.elapsed
        try:
            self._drain()
        except OF_PLUGINS as error:  # what a search tells of itself is not what it has found
            blamed = self._blamed(error)
            return Stopped.FAILED, failure or blamed
        return stopped, failure

    def _search_on(self) -> tuple[Stopped, CorelsError | None]:
        """Why the search ended, and the failure if it was one."""
        try:
            with self.ctrl_c, self._watch:
                return self._loop(), None
        except KeyboardInterrupt:
            return Stopped.INTERRUPTED, None
        except OF_PLUGINS as error:  # whatever a solver's search raises
            if isinstance(error, MemoryError) and not isinstance(error, CorelsError):
                return Stopped.OUT_OF_MEMORY, ResourceError("there is not enough memory")
            failure = self._blamed(error)
            if failure is error and not self._begun:  # what was asked for cannot be
                raise
            return Stopped.FAILED, failure

    def _interrupt(self) -> None:
        """Whichever search it is by then."""
        if self.refining is not None:
            self.refining.interrupt()
        self.search.interrupt()

    def _late(self) -> None:
        """A step has not come back. Nothing but a signal ends what runs in Python."""
        if not self.ctrl_c.pressed and not self.clock.expired():
            return  # it was a signal of somebody else's
        plugin = at_work(self._thread)
        who = "the search" if plugin is None else f"plugin {plugin}"
        warnings.warn(
            f"{who} was told to stop {LATE:g} s ago and goes on: Ctrl-C (once more, if you have "
            "pressed it) ends it with the best model so far",
            stacklevel=1,
        )

    def _still(self) -> None:
        """Let the displays say that a step goes on, which no progress was told of for a while."""
        since = self.clock.elapsed - self._told_at
        if not self._begun or since < QUIET:
            return
        for sink in list(self.sinks):
            with suppress(OF_PLUGINS):  # the watch goes on, whatever a display does
                sink.still(since)

    def _pass_on(self, error: BaseException) -> None:
        """Raise Ctrl-C, and what a signal handler of the program has raised, as it is."""
        of_handler = of_a_handler(error, self._handlers)
        if of_handler is not None:
            raise of_handler

    def _blamed(self, error: BaseException) -> CorelsError:
        """The error that names the family, with its cause; never its own, which Dask follows
        without end. Raises as `_pass_on` does."""
        self._pass_on(error)
        if isinstance(error, CorelsError):
            return error
        found = raised_by(f"solver {self.family.name!r}", error)
        found.__cause__ = error
        return found

    def _remembered(self, failure: CorelsError) -> Result | None:
        """The result of a search that cannot tell of itself any more, from what it last told; None
        where that is nothing."""
        from corels.run.remembered import Remembered

        try:
            self._said = self.search.progress(), self.search.model()
        except OF_PLUGINS as error:
            self._pass_on(error)
        if self._said is None:
            return None
        self.search = cast(Search, Remembered(self.search, *self._said))
        try:
            return self._finished(Stopped.FAILED, str(failure))
        except OF_PLUGINS as error:
            self._pass_on(error)
            return None

    def _loop(self) -> Stopped:
        """Step until the search is done or a limit is reached; returns why it ended."""
        stopped = self._prepare()
        if self.proof is not None:
            self.proof.begin(self.search)
        self._begun = True
        self._tell("start", self.search)
        if stopped is not None:
            return stopped
        steps = Steps()
        while (stopped := self._limit_reached()) is None:
            needed = not self.search.comes_back or self.clock.elapsed > UNWATCHED
            if needed and self._watch.begin():
                continue  # Ctrl-C may have come just before
            status = steps.take(lambda budget: self.search.step(self._affordable(budget)))
            self._drain()
            if status is Status.DONE:
                return Stopped.CERTIFIED
            if status is Status.ENDED:
                return Stopped.ENDED
            if status is not Status.RUNNING:
                raise TypeError(f"step gave {status!r}: expected a Status")
        return stopped

    def _prepare(self) -> Stopped | None:
        """What comes before the first step; why the run ended there, or None."""
        if self.refining is not None and (stopped := self._refine(self.refining)) is not None:
            return stopped
        while (ready := self.search.prepare(STEP_SECONDS)) is None:
            if self.clock.due():
                self._tell("preparing")
            if (stopped := self._limit_reached()) is not None:
                return stopped
        self.search = ready
        return None

    def _refine(self, refining: Refining) -> Stopped | None:
        """Search with few cuts; why the run ended there, or None."""
        self._watch.begin()
        with closing(refining):
            while refining.step():
                if self.clock.due():
                    self._tell("refining", refining.rounds, refining.objective)
                stopped = self._limit_reached(REFINING_SHARE)
                if stopped is Stopped.TIME_LIMIT:  # the rest of the time is for all cuts
                    break
                if stopped is not None:
                    return stopped
        if self.limits["node_limit"] is not None:
            self.limits["node_limit"] -= refining.expanded
        return None

    def _affordable(self, budget: int) -> int:
        """At most what the limits leave, so that a limited run repeats exactly."""
        nodes, cached = self.limits["node_limit"], self.limits["cache_limit"]
        if nodes is not None:
            budget = min(budget, nodes - self.search.progress().expanded)
        if cached is not None:  # one expansion adds at most a child for each antecedent
            room = cached - self.search.progress().cached
            budget = min(budget, max(1, room // self.problem.n_antecedents))
        return budget

    def _limit_reached(self, share: float = 1.0) -> Stopped | None:
        """share: of the time limit."""
        if self.ctrl_c.pressed:
            return Stopped.INTERRUPTED
        if self.clock.expired(share):
            return Stopped.TIME_LIMIT
        due = not self._begun or self.clock.due()
        if due or any(self.limits[name] is not None for name in COUNTED):
            return self._look(due=due)
        return None

    def _look(self, *, due: bool) -> Stopped | None:
        """Take a snapshot: for the display now and then, for the limits always."""
        nodes = self.limits["node_limit"]
        snapshot = self.search.progress()
        if self._begun and due:
            self._told_at = self.clock.elapsed
            self._remember(snapshot)
            self._tell("progress", self._with_time_left(snapshot), self.search)
        if nodes is not None and snapshot.expanded >= nodes:
            return Stopped.NODE_LIMIT
        if self._memory is not None and self._held(snapshot) > self._memory:
            return Stopped.MEMORY_LIMIT
        cached = self.limits["cache_limit"]
        if cached is not None and snapshot.cached >= cached:
            return Stopped.CACHE_LIMIT
        return None

    def _held(self, snapshot: Progress) -> int:
        """Bytes of the search; by how much the process has grown, if the search does not say."""
        if snapshot.memory or self._before is None:
            return snapshot.memory
        return (process_memory() or 0) - self._before

    def _remember(self, snapshot: Progress) -> None:
        """Keep what the search tells of itself, and the model that this is said of."""
        if self._said is None or self._said[0].objective != snapshot.objective:
            with suppress(InfeasibleError):  # there is none yet
                self._said = snapshot, self.search.model()
        else:
            self._said = snapshot, self._said[1]

    def _with_time_left(self, snapshot: Progress) -> Progress:
        left, limit_left = self._left.look(self.clock.elapsed, snapshot), self.clock.left()
        return replace(
            snapshot,
            seconds_left=left.seconds,
            seconds_left_least=left.least,
            seconds_left_most=left.most,
            limit_left=math.inf if limit_left is None else limit_left,
        )

    def _drain(self) -> None:
        records = self.search.events()
        if len(records):
            self._tell("events", records, self.search)

    def _tell(self, method: str, *arguments: Any) -> None:
        """Call every sink; one that fails is named and left out from then on."""
        for sink in list(self.sinks):
            try:
                getattr(sink, method)(*arguments)
            except OF_PLUGINS as error:  # a full disk must not cost what was found
                self._pass_on(error)
                self.sinks.remove(sink)
                self._warn(sink, error)
                self._close(sink)

    def _close_sinks(self) -> None:
        """Each of them, also where a signal handler raises meanwhile."""
        if self.sinks:
            try:
                self._close(self.sinks.pop(0))
            finally:
                self._close_sinks()

    def _close(self, sink: Sink) -> None:
        try:
            sink.close()
        except OF_PLUGINS as error:
            self._pass_on(error)
            self._warn(sink, error)

    def _warn(self, sink: Sink, error: BaseException) -> None:
        name = getattr(sink, "name", type(sink).__name__)
        on_purpose = isinstance(error, (CorelsError, OSError))
        told = f"{name}: {error if on_purpose else defect(error)}"
        if told not in self._warnings:  # to close a file on a full disk fails, too
            self._warnings.append(told)

    def _finished(self, stopped: Stopped, failure: str) -> Result:
        """The result, of which the sinks are told."""
        model = self.search.model()  # first: where there is none, it says why
        certificate = certificate_of(
            self.search,
            self.problem,
            self.family,
            stopped=stopped,
            seconds=self._seconds,
            failure=failure,
        )
        left = {} if certificate.optimal else self._left.to_extra()
        told = {} if self.refining is None else self.refining.told()
        weights = {"weights": self.problem.weighed} if self.problem.weighed else {}
        extra = {**certificate.extra, **left, **told, **_beside(model), **weights}
        data = data_entry(model, self.problem, self.options)
        result = Result(model, replace(certificate, extra=extra), tuple(self._warnings), data)
        self._validate(result)
        self._tell("finish", result)
        self._close_sinks()
        return replace(result, warnings=tuple(self._warnings))

    def _validate(self, result: Result) -> None:
        """Raise PluginError for a model that is not what the certificate is about."""
        from corels.model.validity import check_found

        try:
            check_found(result.model, result.certificate, self.problem.total)
        except InputError as error:
            what = f"solver {self.family.name!r} found what is no model of this problem: {error}"
            raise PluginError(what) from error


def certificate_of(
    search: Search,
    problem: Problem,
    family: Solver,
    *,
    stopped: Stopped,
    seconds: float,
    failure: str = "",
) -> Certificate:
    """What a search has proven so far, between two steps. stopped: why it goes no further."""
    snapshot = search.progress()
    parts = dict(search.describe())
    certified = stopped is Stopped.CERTIFIED
    lower_bound = snapshot.objective if certified else snapshot.lower_bound
    return Certificate(
        objective=objective_of(snapshot.objective, problem, search),
        lower_bound=objective_of(lower_bound, problem, search),
        stopped=Stopped.CERTIFIED if lower_bound == snapshot.objective else stopped,
        failure=failure,
        foreign=elsewhere(family, search),
        regularization=problem.regularization if search.scale() is None else None,
        expanded=snapshot.expanded,
        children=snapshot.children,
        pruned=dict(search.pruned()),
        merged=snapshot.merged,
        solver=family.name,
        parts=parts,
        versions=_versions(family, parts),
        data_hash=problem.data_hash,
        seconds=seconds,
        peak_memory=snapshot.peak_memory,
        extra=dict(snapshot.extra),
        limits=dict(search.limits()),
        constraints=tuple(search.constraints()),
        piece=family.model_type().piece,
    )


def _beside(model: Model) -> dict[str, Any]:
    """What people want to know of a model beside its costs; nothing where mistakes cost one."""
    if model.outcomes is None:
        return {}
    found: dict[str, Any] = {name: float(share) for name, share in model.shares().items()}
    if model.outcomes.resolution:
        found["costs_rounded_to"] = str(model.outcomes.resolution)
    return found


def _versions(family: Solver, parts: Mapping[str, str]) -> dict[str, str]:
    """Python, and every distribution of which a part took part."""
    took_part = {("solver", family.name), ("command", "run")}  # a command of the core
    for kind, names in parts.items():
        took_part |= {(kind.removesuffix("s"), name) for name in names.split()}
    found = {e.distribution: e.version for e in registry() if (e.kind, e.name) in took_part}
    return {"python": platform.python_version(), "numpy": np.__version__, **found}


def objective_of(cost: int, problem: Problem, search: Search | None = None) -> Fraction:
    """The objective that a scaled cost stands for: the search says, or else the problem."""
    exact = None if search is None else search.objective(cost)
    return problem.objective(cost) if exact is None else exact


def best_so_far(
    progress: Progress, problem: Problem, search: Search | None = None
) -> tuple[float, float]:
    """Objective and proven lower bound of a snapshot, as the numbers that people read."""
    return (
        float(objective_of(progress.objective, problem, search)),
        float(objective_of(progress.lower_bound, problem, search)),
    )
