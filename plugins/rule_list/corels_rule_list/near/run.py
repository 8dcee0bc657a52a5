"""`corels.near`: what is asked for, and the set of lists that answers it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from fractions import Fraction
from functools import partial

from corels.errors import OptionError
from corels.plugins import registry
from corels.problem import Problem
from corels.run.memory import default_memory
from corels.run.sinks import Chosen
from corels.run.solve import MEGABYTE, Result, solve
from corels.search import Backend
from corels.search.good_lists import near_instance
from corels_rule_list.near.growth import Growth, Limits, Report
from corels_rule_list.near.request import threshold, wanted
from corels_rule_list.near.result import NearOptimal


def near(
    problem: Problem,
    *,
    within: object = None,
    best: int | None = None,
    begins_with: Sequence[str] = (),
    must_use: Sequence[str] = (),
    avoid: Sequence[str] = (),
    every_rule_matters: bool = False,
    backend: str | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    result: Result | None = None,
    report: Report | None = None,
    sinks: Sequence[Chosen] = (),
) -> NearOptimal:
    """All rule lists within a tolerance of the optimum, or the `best` ones; none is missing.

    Args:
        within: so much more than the optimal objective (0.01), or a share of it ("5%", and "1%"
            where neither `within` nor `best` is given). The optimum is that of all lists, also
            where only some count.
        best: instead, the so many best lists, and those that tie with the last of them.
        begins_with, must_use, avoid: names of antecedents; only such lists count.
        every_rule_matters: only lists in which leaving any rule out, the others as they are,
            would change the prediction of some row. The lists are gone through one by one.
        backend: "c" or "python"; as `corels.solve` chooses if not given.
        seed: of what the engine draws; it changes no result.
        time_limit: seconds, of everything. memory_limit: megabytes, half of the machine's if not
            given. Ctrl-C or a limit ends the count: `complete_to` says how far all lists are known.
        result: of `corels.solve` or `corels.load_result` on this problem, where it is known
            already. If it is not certified, the search for the optimum begins with its list.
        report: called now and then with the threshold in work and the engine's progress.
        sinks: listeners for the search for the optimum, as for `corels.solve`.

    Raises OptionError on a wrong option or name and for a result of another problem,
    TooManyListsError beyond 2^128 lists in C, InputError where a list is better than the optimum
    that `result` claims.
    """
    limits = Limits(time.perf_counter(), time_limit, report)
    asked, where = _asked(within, best), _backend(backend)
    which = wanted(problem, begins_with, must_use, avoid)
    _same_problem(result, problem)
    if result is None or not result.certificate.optimal:
        result = solve(
            problem,
            sinks=sinks,
            incumbent=None if result is None else result.model,
            backend=where.name,
            time_limit=time_limit,
            memory_limit=memory_limit,
        )
    memory = memory_limit * MEGABYTE if memory_limit else default_memory() or 0
    instance = near_instance(problem)
    make = partial(where.near, instance, which, memory, seed)
    run = Growth(problem, make, instance.base, result, limits)
    run.matters = every_rule_matters
    run.grow(asked, best)
    return NearOptimal(
        problem,
        instance,
        engine=run.engine,
        make=make,
        wanted=which,
        certificate=run.certificate(which, where.name),
        kept=run.kept,
        best=best,
    )


def _same_problem(result: Result | None, problem: Problem) -> None:
    if result is None:
        return
    of, here = result.certificate, problem
    if (of.data_hash, of.regularization) != (here.data_hash, here.regularization):
        raise OptionError("the result is of another problem: expected one of this data and lambda")


def _asked(within: object, best: int | None) -> object:
    """The tolerance; a wrong one is refused before anybody waits."""
    if within is not None and best is not None:
        raise OptionError("within and best are both given: expected one")
    if best is not None and best < 1:
        raise OptionError(f"best is {best}: expected a whole number of at least 1")
    asked = "1%" if within is None and best is None else within
    threshold(asked or 0, Fraction(1))
    return asked


def _backend(name: str | None) -> Backend:
    from corels_rule_list.solver import default_backend

    found: Backend = registry().get("backend", name or default_backend())()
    return found
