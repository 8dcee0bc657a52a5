"""What to do now: what would help after a search that proved too little.

Every figure was tried, or follows from the counts. A try is a search of its own with a short limit,
so that the advice never takes longer than a fraction of what the search took.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from corels.clock import Clock
from corels.errors import InfeasibleError
from corels.model import Certificate, Model, Stopped
from corels.model.weighing import separated, unit_of
from corels.problem import Problem
from corels.problem.warnings import decimal
from corels.run.solve import solve
from corels_rule_list.model import RuleList

SHARE = 0.3  # of the search's time, at most, goes into tries
LIMITED = 0.1  # the same if a time limit ended the search
LEAST, MOST = 1.0, 5.0  # seconds
SHORTEST = 0.05  # of a try
MOST_BYTES = 32 << 20  # of antecedents; to prepare a try of more takes as long as all tries may
LARGER = (64, 32, 16, 8, 4, 2)  # times lambda
RARE = 0.2  # of the rows, or fewer, are of a class that a list without rules never says


def advice(
    problem: Problem, model: Model, certificate: Certificate, options: Mapping[str, Any]
) -> Iterator[str]:
    """What would help, a sentence each; nothing if the search has done what can be wished.

    options: of the solver; its limits of time and nodes are replaced by short ones.
    """
    if not model.antecedents:
        yield from _first_rule(problem, certificate)
        yield from _rare_class(problem)
    if certificate.optimal or certificate.stopped is Stopped.INTERRUPTED:
        return
    if certificate.stopped is Stopped.MEMORY_LIMIT:
        yield f"more memory: {options.get('memory_limit')} MB is not enough to go on"
    given = {n: v for n, v in options.items() if n not in ("time_limit", "node_limit")}
    easier = (
        "for a certificate, a larger lambda, a higher ⟨min_support⟩, fewer ⟨cuts⟩ or a smaller "
        "⟨max_cardinality⟩"
    )
    if problem.masks.nbytes > MOST_BYTES:
        yield f"{easier}; the data are too large to try some here"
        return
    share = LIMITED if certificate.stopped is Stopped.TIME_LIMIT else SHARE
    seconds = min(MOST, max(LEAST, share * certificate.seconds))
    yield from list(_larger_lambda(problem, given, seconds)) or [
        f"{easier}; of those that were tried, none was certified within {seconds:.1f} s"
    ]


def _first_rule(problem: Problem, certificate: Certificate) -> Iterator[str]:
    """Below which lambda a first rule pays, if such a list may be the answer."""
    if problem.constraints or certificate.max_rules == 0:
        return
    from corels_rule_list.explain.why import (
        best_single_rule,  # not for a warning before every search
    )

    single = best_single_rule(problem)
    assert single is not None  # there are no constraints
    below = Fraction(RuleList.of(problem, problem.first).paid - single.paid, problem.worth)
    here = decimal(problem.regularization)
    if below <= 0:  # less than 0: its direction makes the one rule say a wrong class
        what = "an error" if problem.costs is None else "anything"
        yield (
            "for a first rule, a smaller lambda or a larger max_cardinality: no single rule saves "
            f"{what}, but several together or conjunctions may"
        )
    elif below <= problem.regularization:
        best = single.rules[-1].antecedent
        yield (
            f"no single rule pays at lambda {here}: the best one, if {best}, "
            f"needs lambda < {decimal(below)} (exactly {below})"
        )


def _rare_class(problem: Problem) -> Iterator[str]:
    """What makes a list say a rare class, if mistakes on all classes cost alike."""
    counts = problem.weights.sum(axis=1)
    rare = int(counts.argmin())
    share = float(counts[rare]) / max(1, int(counts.sum()))
    if share > RARE or problem.costs is not None or problem.constraints:
        return
    floor = ', or --constraint "recall >= 0.8"' if rare == len(counts) - 1 else ""
    yield f"{share:.1%} of the rows are {problem.classes[rare]!r}: --cost balanced{floor}"


def _larger_lambda(problem: Problem, options: Mapping[str, Any], seconds: float) -> Iterator[str]:
    """The least of some larger lambdas that is certified in short time: from the easiest on, as
    long as there is time for them."""
    clock, least = Clock(seconds), None
    for times in LARGER:
        at, left = problem.regularization * times, clock.left() or 0.0
        if not 0 < at < 1:
            continue
        if left < SHORTEST:
            break
        limit = max(SHORTEST, 0.3 * left)
        try:
            result = solve(problem.with_regularization(at), time_limit=limit, **options)
        except InfeasibleError:
            break
        if not result.certificate.optimal:
            break
        least = result
    if least is None or not isinstance(model := least.model, RuleList) or not model.rules:
        return
    wrong, of = (separated(one, unit_of(model)) for one in (model.errors, model.total))
    errors = f"{wrong} {'error' if str(wrong) == '1' else 'errors'} in {of}"
    if model.outcomes is not None:
        errors = f"a mean cost of {float(model.objective(Fraction(0))):.6g}"
    rules = "1 rule" if len(model) == 1 else f"{len(model)} rules"
    at = least.certificate.regularization or Fraction(0)
    yield (
        f"lambda {decimal(at)} is certified in {least.certificate.seconds:.2f} s, "
        f"with {rules} and {errors}"
    )
