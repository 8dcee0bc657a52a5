"""What a search has found and proved: its model and certificate; and what directions cost.

The cost of directions is found by a search without them, once the best model that keeps to them is
known.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from corels.clock import Clock
from corels.errors import OF_PLUGINS, CorelsError
from corels.model import Certificate, Model, Stopped
from corels.model.documents import data_entry
from corels.plugins import registry
from corels.problem import Problem
from corels.run.result import Result
from corels.search import Progress, Search, Solver, stated
from corels.search.calls import elsewhere


def result_of(
    search: Search,
    problem: Problem,
    family: Solver,
    options: Mapping[str, Any],
    *,
    stopped: Stopped,
    seconds: float,
    said: tuple[Progress, Model] | None = None,
    failure: str = "",
    warnings: tuple[str, ...] = (),
) -> Result:
    """What a search has found and proven so far, between two steps.

    options: as they were given. stopped: why it goes no further. said: the last snapshot of a
    search that has failed, with its model, if it cannot give others.
    """
    snapshot, model = said or (search.progress(), search.model())
    proven = _proven(search, problem, family, snapshot, stopped=stopped, failure=failure)
    weights = {"weights": problem.weighed} if problem.weighed else {}
    extra = {**snapshot.extra, **_beside(model), **weights}
    model = model.learned_from(problem)
    data = data_entry(model, problem, options)
    return Result(model, replace(proven, seconds=seconds, extra=extra), warnings, data)


def _proven(
    search: Search,
    problem: Problem,
    family: Solver,
    snapshot: Progress,
    *,
    stopped: Stopped,
    failure: str,
) -> Certificate:
    parts = _if_able(search.describe, failure)
    certified = stopped is Stopped.CERTIFIED
    lower_bound = snapshot.objective if certified else snapshot.lower_bound
    return Certificate(
        objective=objective_of(snapshot.objective, problem, search),
        lower_bound=objective_of(lower_bound, problem, search),
        stopped=Stopped.CERTIFIED if lower_bound == snapshot.objective else stopped,
        failure=failure,
        foreign=elsewhere(family, search, parts),
        resumed=search.resumed,
        regularization=problem.regularization if search.scale() is None else None,
        expanded=snapshot.expanded,
        children=snapshot.children,
        pruned=_if_able(search.pruned, failure),
        merged=snapshot.merged,
        solver=family.name,
        parts=parts,
        versions=_versions(family, parts),
        statement=stated(problem, search, short=True),
        peak_memory=snapshot.peak_memory,
        limits=dict(search.limits()),
        constraints=tuple(search.constraints()),
        piece=family.model_type().piece,
    )


def _if_able(ask: Callable[[], Mapping[str, Any]], failure: str) -> dict[str, Any]:
    """What a search says of itself; nothing if it has failed, and fails at this, too."""
    try:
        return dict(ask())
    except OF_PLUGINS:
        if not failure:
            raise
        return {}


def _beside(model: Model) -> dict[str, Any]:
    """What people want to know of a model beside its costs; nothing if mistakes cost one."""
    if model.outcomes is None:
        return {}
    found: dict[str, Any] = {name: float(share) for name, share in model.shares().items()}
    if model.outcomes.resolution:
        found["costs_rounded_to"] = str(model.outcomes.resolution)
    return found


def _versions(family: Solver, parts: Mapping[str, str]) -> dict[str, str]:
    """Python, and every distribution whose parts took part."""
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
