"""What directions cost: a search without them, once the best model that keeps to them is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from corels.clock import Clock
from corels.errors import CorelsError
from corels.problem import Problem
from corels.run.result import Result

LEAST_NODES = 1000  # of the search without directions; else it may take
TIMES = 4  # as many as the search with them

OBJECTIVE = "objective_without_directions"


def with_price(
    result: Result, problem: Problem, search: Callable[..., Result], clock: Clock
) -> Result:
    """The result, whose certificate names the least objective without directions if that is proved
    with a few times the effort that the result took.

    problem: before the family has taken the directions into account. search: of a problem, with a
    known model and limits. clock: of the whole run, with its limit.
    """
    certificate = result.certificate
    if not problem.directions or not certificate.optimal:
        return result
    left = None if clock.limit is None else clock.limit - clock.elapsed
    if left is not None and left <= 0:
        return result
    nodes = max(LEAST_NODES, TIMES * certificate.expanded)
    free = replace(problem, directions=(), may_say=None)
    limits: Mapping[str, Any] = {"node_limit": nodes, "time_limit": left}
    try:
        found = search(free, incumbent=result.model, **limits).certificate
    except CorelsError:
        return result
    if not found.optimal:
        return result
    extra = {**certificate.extra, OBJECTIVE: f"{float(found.objective):.6f}"}
    return replace(result, certificate=replace(certificate, extra=extra))
