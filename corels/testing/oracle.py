"""The optimum by enumeration, and what every result must keep."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.problem import Problem
from corels.problem.captures import unpack
from corels.run.result import Result
from corels.run.solve import solve
from corels.search import Recorder


def brute_force(problem: Problem, max_rules: int | None = None) -> Fraction:
    """The least objective over all rule lists that begin with the problem's first rules, by
    enumeration (at most 6 antecedents).

    max_rules: over those of at most so many rules.
    """
    captures = unpack(problem.masks, problem.n_points)
    amounts = problem.weights.sum(axis=0) - problem.weights
    if problem.costs is not None:
        amounts = problem.costs.amounts
    worth = Fraction(int(problem.weights.sum()) * problem.outcomes.scale)
    lam, says = problem.regularization, [problem.says([j]) for j in range(len(captures))]
    error = lam.denominator * worth.denominator  # objectives times worth * error
    rule = int(lam * worth * error)

    def least(free: NDArray[np.bool_], unused: frozenset[int], left: int) -> int:
        """Of all lists for the points that are free, with `left` more rules at most."""
        best = error * int((amounts @ free).min())
        for number in unused if left else ():
            caught = free & captures[number]
            paid = error * int((amounts[says[number]] @ caught).min()) + rule
            best = min(best, paid + least(free & ~caught, unused - {number}, left - 1))
        return best

    left, paid = np.ones(problem.n_points, dtype=bool), 0
    for number in problem.first:
        paid += error * int((amounts[says[number]] @ (left & captures[number])).min()) + rule
        left &= ~captures[number]
    unused = frozenset(range(problem.n_antecedents)) - set(problem.first)
    most = problem.n_antecedents if max_rules is None else max_rules
    return Fraction(paid + least(left, unused, most - len(problem.first)), worth * error)


def recorded(problem: Problem, **options: Any) -> tuple[Result, NDArray[Any]]:
    """Solve and keep the fine events."""
    recorder = Recorder()
    result = solve(problem, sinks=[recorder], **options)
    return result, recorder.records


def check_result(problem: Problem, result: Result) -> None:
    """The model is what the certificate says: recounted, and optimal if it claims to be."""
    model, certificate = result.model, result.certificate
    counted = model.counted_objective(certificate)
    assert counted in (None, certificate.objective), "its own counts cost something else"
    assert certificate.lower_bound <= certificate.objective, "the bound is above the objective"
    if certificate.optimal and problem.n_antecedents <= 6:
        best = brute_force(problem, certificate.max_rules)
        assert certificate.objective == best, "certified, but not optimal"
