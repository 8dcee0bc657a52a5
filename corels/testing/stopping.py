"""What a family's contract says of limits: those of a run, and those of its own options."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from mmap import mmap
from time import thread_time
from typing import Any

from corels.errors import InputError
from corels.model import Stopped
from corels.model.coherence import keeps
from corels.options import Option, check_all
from corels.run.limits import process_memory
from corels.run.result import Result
from corels.search import Search, Sink, Solver, Status, begun
from corels.testing.cases import Case, check_uses, solved

STEP = 1.0  # seconds of the processor that one unit of work on 40 rows may take
MEMORY = 1 << 24  # bytes
CHEAP = Fraction(1, 1000)


class _Press(Sink):
    """Ctrl-C before the first step."""

    def start(self, search: Search) -> None:
        signal.raise_signal(signal.SIGINT)


class _Hold(Sink):
    """The process takes more memory than one megabyte while the search goes on."""

    def start(self, search: Search) -> None:
        self.held = mmap(-1, MEMORY)  # from the system: freed memory would be given again
        self.held.write(bytes(MEMORY))


def check_stopped(family: Solver, case: Case, options: Mapping[str, Any]) -> None:
    """A search that was stopped has a model and a bound that is true."""
    whole = solved(case.problem, family.name, **options)
    limits = [("time_limit", 0), ("node_limit", 0), ("node_limit", 1), ("node_limit", 3)]
    stopped = [
        solved(case.problem, family.name, **{name: value, **options}) for name, value in limits
    ]
    if threading.current_thread() is threading.main_thread():
        stopped.append(solved(case.problem, family.name, sinks=[_Press()], **options))
    stopped.append(_short_of_memory(family, case, options))
    for result in stopped:
        check_uses(result.model, case.table)
        if whole.certificate.optimal:
            assert result.certificate.lower_bound <= whole.certificate.objective, (
                "a search that was stopped claims too much"
            )
            assert result.certificate.objective >= whole.certificate.objective, (
                "a search that was stopped finds what cannot be"
            )
        assert result.certificate.expanded <= whole.certificate.expanded, (
            "a search that was stopped expands more than the whole one"
        )


def _short_of_memory(family: Solver, case: Case, options: Mapping[str, Any]) -> Result:
    """What is found under a memory limit that is met at once."""
    result = solved(case.problem, family.name, sinks=[_Hold()], **{"memory_limit": 1, **options})
    chosen = check_all(family.options, options, family.name)
    search = begun(family.search(case.problem, chosen))
    now = search.progress()
    search.close()
    assert 0 <= now.memory <= max(now.memory, now.peak_memory), "memory in bytes, not below 0"
    unsettled = now.lower_bound < now.objective
    if unsettled and not now.memory and process_memory() is not None:
        assert result.certificate.stopped is Stopped.MEMORY_LIMIT, (
            "a search that does not say what it holds ends when the process holds too much"
        )
    return result


def check_steps(family: Solver, case: Case, options: Mapping[str, Any]) -> None:
    """A unit of work is short, and a search can be interrupted and closed twice."""
    chosen = check_all(family.options, options, family.name)
    search = begun(family.search(case.problem, chosen))
    search.interrupt()
    status, steps = Status.RUNNING, 0
    while status is Status.RUNNING and steps < 200:
        before, began = search.progress(), thread_time()
        assert before.lower_bound <= before.objective, "the lower bound is above the objective"
        status, steps = search.step(1), steps + 1
        assert isinstance(status, Status), f"step gave {status!r}: expected a Status"
        took = thread_time() - began
        assert took < STEP, f"step(1) takes {took:.1f} s: a unit of work takes milliseconds"
    check_uses(search.model(), case.table)
    search.close()
    search.close()


def check_options(family: Solver, case: Case, options: Mapping[str, Any]) -> None:
    """What an option leaves out, the certificate does not speak of: `Search.limits` says so."""
    problem = case.problem.with_regularization(CHEAP)  # large models are worth their price
    limit = {"node_limit": 5_000, **options}
    best = solved(problem, family.name, **limit)
    for option, value in _least(family):
        if option.name in options:
            continue
        limited = solved(problem, family.name, **{**limit, option.name: value})
        check_uses(limited.model, case.table)
        certificate, cost = limited.certificate, None
        with suppress(InputError):  # a certificate of another option is not of this model
            cost = best.model.counted_objective(certificate)
        if not certificate.optimal or cost is None or cost >= certificate.objective:
            continue
        assert _excludes(certificate.limits, best), (
            f"with {option.name} {value} a model of {certificate.objective} is certified, and "
            f"there is one of {cost}: what the option leaves out belongs into Search.limits"
        )


def _excludes(limits: Mapping[str, int | str], best: Result) -> bool:
    """Whether a model may be outside of the limits, by what it says of itself."""
    for name, limit in limits.items():
        found = best.model.within(name)
        if found is None or not keeps(name, found, int(limit)):
            return True
    return False


def _least(family: Solver) -> Iterator[tuple[Option, Any]]:
    """Each option at its least value, or at each of its choices."""
    for option in family.options:
        if option.choices:
            yield from ((option, choice) for choice in option.choices)
        elif option.low is not None and option.kind in ("int", "float", "fraction"):
            yield option, int(option.low) if option.kind == "int" else option.low
