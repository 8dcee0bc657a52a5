"""The driver: resolve names, step the search, drain its events, mind the limits, certify.

An engine only ever does one step; what happens between two steps is here and nowhere else.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, Any

from corels.clock import Clock
from corels.errors import (
    OF_PLUGINS,
    CorelsError,
    InfeasibleError,
    InputError,
    OptionError,
    PluginError,
    ResourceError,
    blamed,
    raised_by,
)
from corels.model import Model, Stopped
from corels.options import check_all
from corels.plugins import DEFAULT_SOLVER, registry
from corels.problem import PlainRules, Problem, check_problem
from corels.run.able import check_able
from corels.run.certifying import result_of, with_price
from corels.run.interrupts import CtrlC
from corels.run.limits import LIMITS, STEP_SECONDS, Limits, Steps
from corels.run.result import Result
from corels.run.sinks import Chosen, Listeners, open_sink
from corels.run.time_left import TimeLeft
from corels.search import Context, Progress, Search, Solver, Status
from corels.search.calls import proof_of

if TYPE_CHECKING:
    from corels.proof.writer import ProofWriter

PROGRESS_SECONDS = 0.1


def solve(
    problem: Problem,
    solver: str | Solver = DEFAULT_SOLVER,
    *,
    sinks: Sequence[Chosen] = (),
    incumbent: Model | None = None,
    proof: str | PathLike[str] | None = None,
    resume: str | PathLike[str] | None = None,
    first: Sequence[str] = (),
    **options: Any,
) -> Result:
    """Learn a model of one family and certify it.

    solver: its name, or a solver. options: those of the solver (`corels run --help-all`) and
    `time_limit`, `node_limit`, `memory_limit`, `cache_limit`. A part may be given by its name, as a
    class or as an instance. Ctrl-C or a limit ends the search with the best model and its gap.
    sinks: listeners, as objects, classes, or texts as on the command line
    ("trace:file=run.jsonl"). incumbent: a model that is known already; it is counted again on this
    problem, and the search looks only for better ones. proof: a file for everything that is proved,
    for `corels check --proof`. resume: the file of an earlier search of the same problem, to go on
    from what it has proved. first: rules that the model begins with, as of `Problem.beginning`.
    Raises OptionError on a wrong option, PluginError (with the best result
    as `.result`) if a part fails.
    """
    clock = Clock(first=0.0, every=PROGRESS_SECONDS)
    check_problem(problem, "solve")
    asked_for = problem.beginning(first) if first else problem
    family = solver if isinstance(solver, Solver) else registry().get("solver", solver)()
    costs = () if problem.costs is None else problem.costs.kinds
    able = {"constrained": bool(problem.constraints), "directed": bool(problem.directions)}
    check_able(family, **able, begun=bool(asked_for.first), costs=costs)
    problem = family.fitted(asked_for)
    files = {"proof": _path("proof", proof), "resume": _path("resume", resume)}
    known = None if incumbent is None else _known(incumbent)
    result = _run(problem, family, options, clock, sinks=sinks, known=known, **files)
    if not problem.directions:
        return result
    own = {n: value for n, value in options.items() if n not in ("node_limit", "time_limit")}
    return with_price(result, asked_for, partial(solve, solver=family.sharing(), **own), clock)


def _run(
    problem: Problem,
    family: Solver,
    options: Mapping[str, Any],
    clock: Clock,
    *,
    sinks: Sequence[Chosen],
    known: PlainRules | None,
    **files: str | None,
) -> Result:
    """One search within its limits. known: rules to begin with. files: as of `_proof_writer`."""
    chosen = check_all((*family.options, *LIMITS), options, f"solver {family.name!r}")
    asked = {option.name: chosen.pop(option.name) for option in LIMITS}
    clock.limit = asked["time_limit"]
    with CtrlC() as ctrl_c, Listeners() as listeners:
        context = Context(problem, family.name, to_stderr)
        for sink in sinks:
            listeners.add(open_sink(sink, context))
        writer = _proof_writer(family, problem, **files)
        if writer is not None:
            listeners.add(writer)
        limits = Limits(asked, clock, ctrl_c)
        fine = any(sink.wants_fine for sink in listeners.sinks)
        with blamed("solver", family, but=CorelsError):
            search = family.search(problem, chosen, fine_events=fine, memory_limit=limits.memory)
            if not isinstance(search, Search):
                raise TypeError(f"search gave {search!r}: expected a Search")
            if known is not None:
                search.offer(known)
        return _Run(problem, family, search, limits, options, listeners, writer, clock).run()


def _path(option: str, given: Any) -> str | None:
    """Raises OptionError for what is no path."""
    if given is not None and not isinstance(given, (str, PathLike)):
        raise OptionError(f"⟨{option}⟩ is {given!r}: expected a path, or None")
    return None if given is None else os.fspath(given)


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


def _known(incumbent: Any) -> PlainRules:
    """A warm start, without its numbers. Raises OptionError for what is not a model of the core."""
    if isinstance(incumbent, Model):
        return incumbent.plain_rules()
    conversion = getattr(incumbent, "conversion", "")  # what makes a model of it, in words
    convert = f" ({conversion})" if conversion else ""
    raise OptionError(f"incumbent is a {type(incumbent).__name__}: expected a model{convert}")


def to_stderr(text: str) -> None:
    """Wherever that is by then."""
    sys.stderr.write(text)


@dataclass(eq=False)
class _Run:
    """One run of a search, from the first step to the certificate.

    options: as they were given. listeners: the proof is one of them.
    """

    problem: Problem
    family: Solver
    search: Search
    limits: Limits
    options: Mapping[str, Any]
    listeners: Listeners
    proof: ProofWriter | None
    clock: Clock

    def __post_init__(self) -> None:
        self._said: tuple[Progress, Model] | None = None  # what the search said of itself last
        self._begun = False  # whether the sinks know of the search
        self._failure: CorelsError | None = None  # the first one
        self._left = TimeLeft()

    def run(self) -> Result:
        """Search, certify, and give everything back. Raises what failed, with the result."""
        result = None
        try:
            stopped = self._searched()
            seconds = self.clock.elapsed
            if not self._managed(self._drain):  # what a search says is not what it found
                stopped = Stopped.FAILED
            result = self._certified(stopped, seconds)
        finally:
            self.listeners.close()
            self._managed(self.search.close)
        if self._failure is None and result is not None:
            return replace(result, warnings=tuple(self.listeners.warnings))
        assert self._failure is not None
        self._failure.result = result  # type: ignore[attr-defined]
        raise self._failure from self._failure.__cause__

    def _searched(self) -> Stopped:
        """Why the search ended."""
        try:
            with self.limits.waking(lambda: self.search.interrupt()):  # noqa: PLW0108 - it changes
                return self._loop()
        except KeyboardInterrupt:
            return Stopped.INTERRUPTED
        except OF_PLUGINS as error:
            if isinstance(error, MemoryError) and not isinstance(error, CorelsError):
                self._failure = ResourceError("there is not enough memory")
                return Stopped.OUT_OF_MEMORY
            if isinstance(error, CorelsError) and not self._begun:  # what was asked for cannot be
                raise
            self._failed(error)
            return Stopped.FAILED

    def _loop(self) -> Stopped:
        """Step until the search is done or a limit is reached; returns why it ended."""
        stopped = self._prepare()
        self._begin()
        if stopped is not None:
            return stopped
        steps = Steps()
        while (stopped := self._limit_reached()) is None:
            status = steps.take(self._step)
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
        while (ready := self.search.prepare(STEP_SECONDS)) is None:
            if self.clock.due():
                self.listeners.tell("preparing")
            if (stopped := self._limit_reached()) is not None:
                return stopped
        self.search = ready
        return None

    def _begin(self) -> None:
        if self.proof is not None:
            self.proof.begin(self.search)
        self._begun = True
        self.listeners.tell("start", self.search)

    def _step(self, budget: int) -> Status:
        affordable = self.limits.affordable(budget, self.search, self.problem.n_antecedents)
        return self.search.step(affordable)

    def _drain(self) -> None:
        records = self.search.events()
        if len(records):
            self.listeners.tell("events", records, self.search)

    def _limit_reached(self) -> Stopped | None:
        if (stopped := self.limits.over()) is not None:
            return stopped
        due = not self._begun or self.clock.due()
        if not (due or self.limits.counting):
            return None
        snapshot = self.search.progress()
        if self._begun and due:
            self._show(snapshot)
        return self.limits.counted(snapshot)

    def _show(self, snapshot: Progress) -> None:
        """Tell the sinks how far the search is; keep that, and the model that it is said of."""
        if self._said is None or self._said[0].objective != snapshot.objective:
            with suppress(InfeasibleError):  # there is none yet
                self._said = snapshot, self.search.model()
        else:
            self._said = snapshot, self._said[1]
        left, limit_left = self._left.look(self.clock.elapsed, snapshot), self.clock.left()
        limit_left = math.inf if limit_left is None else limit_left
        snapshot = replace(snapshot, seconds_left=left, limit_left=limit_left)
        self.listeners.tell("progress", snapshot, self.search)

    def _managed(self, part: Callable[[], object]) -> bool:
        """Whether a part of the search did not fail."""
        try:
            part()
        except OF_PLUGINS as error:
            self._failed(error)
            return False
        return True

    def _certified(self, stopped: Stopped, seconds: float) -> Result | None:
        """The result; from what the search said last if it fails when it is asked now."""
        try:
            self._said = self.search.progress(), self.search.model()
            return self._result(self._said, stopped, seconds)
        except OF_PLUGINS as error:
            self._failed(error)
        with suppress(*OF_PLUGINS):
            if self._said is not None:
                return self._result(self._said, Stopped.FAILED, seconds)
        return None

    def _result(self, said: tuple[Progress, Model], stopped: Stopped, seconds: float) -> Result:
        result = result_of(
            self.search,
            self.problem,
            self.family,
            self.options,
            stopped=stopped,
            seconds=seconds,
            said=said,
            failure=str(self._failure or ""),
            warnings=tuple(self.listeners.warnings),
        )
        self._validate(result)
        self.listeners.tell("finish", result)
        return result

    def _validate(self, result: Result) -> None:
        """Raise PluginError for a model that is not what the certificate is about."""
        from corels.model.coherence import check_found

        try:
            check_found(result.model, result.certificate, self.problem.total)
        except InputError as error:
            what = f"solver {self.family.name!r} found what is no model of this problem: {error}"
            raise PluginError(what) from error

    def _failed(self, error: BaseException) -> None:
        """Keep the first error, which names the family, with its cause; never its own, which Dask
        follows without end."""
        if self._failure is None and isinstance(error, CorelsError):
            self._failure = error
        elif self._failure is None:
            self._failure = raised_by(f"solver {self.family.name!r}", error)
            self._failure.__cause__ = error
