"""The optimum by enumeration, and what every result must keep."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.problem import Problem
from corels.problem.captures import unpack
from corels.run.solve import Result, solve
from corels.search import Recorder


def brute_force(problem: Problem, max_rules: int | None = None) -> Fraction:
    """The least objective over all rule lists, by enumeration (at most 6 antecedents).

    max_rules: over those of at most so many rules.
    """
    captures = unpack(problem.masks, problem.n_points)
    total = int(problem.weights.sum())
    best = None
    longest = problem.n_antecedents if max_rules is None else min(max_rules, problem.n_antecedents)
    for length in range(longest + 1):
        for order in itertools.permutations(range(problem.n_antecedents), length):
            errors = list_errors(problem.weights, captures[list(order)])
            value = Fraction(errors, total) + problem.regularization * length
            best = value if best is None else min(best, value)
    assert best is not None
    return best


def list_errors(weights: NDArray[np.int64], captures: NDArray[np.bool_]) -> int:
    """Weight that a rule list predicts wrongly, rule by rule; `captures` in list order."""
    free, errors = np.ones(weights.shape[1], dtype=bool), 0
    for captured in [*captures, np.ones(weights.shape[1], dtype=bool)]:
        counts = weights[:, free & captured].sum(axis=1)
        errors += int(counts.sum() - counts.max())
        free &= ~captured
    return errors


def recorded(problem: Problem, **options: Any) -> tuple[Result, NDArray[Any]]:
    """Solve and keep the fine events."""
    recorder = Recorder()
    result = solve(problem, sinks=[recorder], **options)
    return result, recorder.records


def check_result(problem: Problem, result: Result) -> None:
    """The model is what the certificate says: recounted, and optimal where it claims to be."""
    model, certificate = result.model, result.certificate
    counted = model.counted_objective(certificate)
    assert counted is None or counted == certificate.objective
    assert certificate.lower_bound <= certificate.objective
    if certificate.optimal and problem.n_antecedents <= 6:
        best = brute_force(problem, certificate.max_rules)
        assert certificate.objective == best, "certified, but not optimal"
