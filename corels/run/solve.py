"""The facade: resolve names, step the search, drain its events, mind the limits, certify.

Limits, Ctrl-C and progress live here and nowhere else; an engine only ever does one step.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from corels.errors import CorelsError, PluginError, ResourceError
from corels.model import Model
from corels.model.certificate import CERTIFIED, Certificate
from corels.options import Option, check_all
from corels.plugins import registry
from corels.problem import Problem
from corels.run.interrupts import CtrlC
from corels.run.memory import default_memory
from corels.search import Progress, Search, Sink, Solver, Status

LIMITS = (
    Option("time_limit", "float", None, "stop after this many seconds", low=0, optional=True),
    Option(
        "node_limit", "int", None, "stop after expanding this many prefixes", low=0, optional=True
    ),
    Option(
        "memory_limit",
        "int",
        None,
        "megabytes that the search may hold; half of the machine's if not given",
        low=1,
        optional=True,
    ),
    Option(
        "cache_limit", "int", None, "prefixes that the search may keep alive", low=0, optional=True
    ),
)
COUNTED = ("node_limit", "memory_limit", "cache_limit")  # known from a snapshot only
MEGABYTE = 1 << 20
STEP_SECONDS = 0.05  # what a step should take: short enough for Ctrl-C and the display
PROGRESS_SECONDS = 0.1


@dataclass(frozen=True)
class Result:
    """A model and what was proven about it. `warnings`: sinks that failed on the way."""

    model: Model
    certificate: Certificate
    warnings: tuple[str, ...] = ()


def solve(
    problem: Problem,
    solver: str = "rule-list",
    *,
    sinks: Sequence[Sink] = (),
    incumbent: Model | None = None,
    proof: str | None = None,
    **options: Any,
) -> Result:
    """Learn a model of one family and certify it.

    options: those of the solver (see `corels plugins`) and `time_limit`, `node_limit`,
    `memory_limit`, `cache_limit`. Ctrl-C or a limit ends the search with the best model and its
    gap. incumbent: a model of the same problem that is known already; the search then looks only
    for better ones. proof: a file to which everything that was proved is written, for
    `corels check --proof`. Raises OptionError on a wrong option, PluginError (with the best result as
    `.result`) where a part fails.
    """
    family: Solver = registry().get("solver", solver)()
    chosen = check_all((*family.options, *LIMITS), options, f"solver {solver!r}")
    limits = {option.name: chosen.pop(option.name) for option in LIMITS}
    megabytes = limits["memory_limit"]
    search = family.search(
        problem,
        chosen,
        fine_events=any(sink.wants_fine for sink in sinks),
        memory_limit=None if megabytes is None else megabytes * MEGABYTE,
    )
    if incumbent is not None:
        search.offer(incumbent)
    if proof is not None:
        sinks = [*sinks, _proof_sink(proof, problem, search)]
    return _Run(problem, family, search, limits, sinks).run()


def _proof_sink(path: str, problem: Problem, search: Search) -> Sink:
    from corels.proof.sink import ProofSink

    try:
        return ProofSink(path, problem, search)
    except CorelsError:
        search.close()
        raise


class _Run:
    """One run of a search, from the first step to the certificate."""

    def __init__(
        self,
        problem: Problem,
        family: Solver,
        search: Search,
        limits: Mapping[str, Any],
        sinks: Iterable[Sink],
    ) -> None:
        self._problem = problem
        self._family = family
        self._search = search
        self._limits = limits
        megabytes = limits["memory_limit"]
        self._memory = default_memory() if megabytes is None else megabytes * MEGABYTE
        self._sinks = list(sinks)
        self._warnings: list[str] = []
        self._began = time.perf_counter()
        self._shown = float("-inf")
        self._seconds = 0.0
        self._ctrl_c = CtrlC()

    def run(self) -> Result:
        try:
            self._tell("start", self._search)
            stopped, failure = self._search_on()
            self._seconds = time.perf_counter() - self._began
            try:
                result = self._finished(stopped)
            except Exception as error:  # a search that failed need not know what it has found
                raise failure or self._blamed(error) from error
            if failure is not None:
                failure.result = result  # type: ignore[attr-defined]
                raise failure
            return result
        finally:
            self._close_sinks()
            self._search.close()

    def _search_on(self) -> tuple[str, CorelsError | None]:
        """Why the search ended, and the failure if it was one."""
        try:
            with self._ctrl_c:
                return self._loop(), None
        except KeyboardInterrupt:
            return "interrupted", None
        except CorelsError as error:
            return str(error), error
        except MemoryError:
            return "out of memory", ResourceError("there is not enough memory")
        except Exception as error:  # whatever a solver's search raises
            failure = self._blamed(error)
            failure.__cause__ = error
            return str(failure), failure

    def _blamed(self, error: Exception) -> CorelsError:
        if isinstance(error, CorelsError):
            return error
        raised = f"{type(error).__name__}: {error}"
        return PluginError(f"solver {self._family.name!r} raised {raised}")

    def _finished(self, stopped: str) -> Result:
        self._drain()
        result = self._result(stopped)
        self._tell("finish", result)
        self._close_sinks()
        return replace(result, warnings=tuple(self._warnings))

    def _loop(self) -> str:
        """Step until the search is done or a limit is reached; returns why it ended."""
        budget = 1
        while (stopped := self._limit_reached()) is None:
            before = time.perf_counter()
            status = self._search.step(self._affordable(budget))
            took = time.perf_counter() - before
            self._drain()
            if status is Status.DONE:
                return CERTIFIED
            if status is Status.ENDED:
                return "search ended"
            if took < STEP_SECONDS / 2:
                budget *= 2
            elif took > STEP_SECONDS * 2:
                budget = max(1, budget // 2)
        return stopped

    def _affordable(self, budget: int) -> int:
        """At most what the limits leave, so that a limited run repeats exactly."""
        nodes, cached = self._limits["node_limit"], self._limits["cache_limit"]
        if nodes is not None:
            budget = min(budget, nodes - self._search.progress().expanded)
        if cached is not None:  # one expansion adds at most a child for each antecedent
            room = cached - self._search.progress().cached
            budget = min(budget, max(1, room // self._problem.n_antecedents))
        return budget

    def _limit_reached(self) -> str | None:
        if self._ctrl_c.pressed:
            return "interrupted"
        elapsed = time.perf_counter() - self._began
        if self._limits["time_limit"] is not None and elapsed >= self._limits["time_limit"]:
            return "time limit"
        counted = any(self._limits[name] is not None for name in COUNTED)
        if not counted and elapsed - self._shown < PROGRESS_SECONDS:
            return None
        return self._look(elapsed)

    def _look(self, elapsed: float) -> str | None:
        """Take a snapshot: for the display now and then, for the limits always."""
        nodes = self._limits["node_limit"]
        snapshot = self._search.progress()
        if elapsed - self._shown >= PROGRESS_SECONDS:
            self._shown = elapsed
            self._tell("progress", snapshot, self._search)
        if nodes is not None and snapshot.expanded >= nodes:
            return "node limit"
        if self._memory is not None and snapshot.memory > self._memory:
            return "memory limit"
        cached = self._limits["cache_limit"]
        return "cache limit" if cached is not None and snapshot.cached >= cached else None

    def _drain(self) -> None:
        records = self._search.events()
        if len(records):
            self._tell("events", records, self._search)

    def _tell(self, method: str, *arguments: Any) -> None:
        """Call every sink; one that fails is named and left out from then on."""
        for sink in list(self._sinks):
            try:
                getattr(sink, method)(*arguments)
            except Exception as error:  # a full disk must not cost what was found
                self._sinks.remove(sink)
                self._warn(sink, error)
                self._close(sink)

    def _close_sinks(self) -> None:
        while self._sinks:
            self._close(self._sinks.pop(0))

    def _close(self, sink: Sink) -> None:
        try:
            sink.close()
        except Exception as error:
            self._warn(sink, error)

    def _warn(self, sink: Sink, error: Exception) -> None:
        self._warnings.append(f"{getattr(sink, 'name', type(sink).__name__)}: {error}")

    def _objective(self, cost: int) -> Fraction:
        return objective_of(cost, self._problem, self._search)

    def _result(self, stopped: str) -> Result:
        snapshot = self._search.progress()
        lower_bound = snapshot.objective if stopped == CERTIFIED else snapshot.lower_bound
        certificate = Certificate(
            objective=self._objective(snapshot.objective),
            lower_bound=self._objective(lower_bound),
            stopped=CERTIFIED if lower_bound == snapshot.objective else stopped,
            regularization=(self._problem.regularization if self._search.scale() is None else None),
            expanded=snapshot.expanded,
            children=snapshot.children,
            pruned=dict(self._search.pruned()),
            solver=self._family.name,
            parts=dict(self._search.describe()),
            versions=_versions(),
            data_hash=self._problem.data_hash,
            seconds=self._seconds,
            peak_memory=snapshot.peak_memory,
            extra=dict(snapshot.extra),
        )
        return Result(self._search.model(), certificate, tuple(self._warnings))


def _versions() -> dict[str, str]:
    """Python, and every distribution that has registered a part."""
    parts = {entry.distribution: entry.version for entry in registry()}
    return {"python": platform.python_version(), "numpy": np.__version__, **parts}


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
