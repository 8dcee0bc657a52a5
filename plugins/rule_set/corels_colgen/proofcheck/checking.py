"""The checker of rule sets: duals, conjunctions, rule sets, bounds.

For each class that gets a set the proof holds duals and two bounds. Checked in whole numbers:

    duals      0 <= mu <= what it saves to cover a point, at the prices of the constraints; so, if
               every clause has a reduced cost of -short or more (clauses.py), no rule set costs
               less than base (priced.py) - (budget / 2) * short, rounded up
    proved     not above that bound; or, for short = 0: the clauses whose reduced cost is below the
               gap are enumerated, and no rule set of them that keeps to the constraints costs
               less (closing.py)
    claimed    at least what is proved: the word of the search, reported as such
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.check.points import Points, read_points
from corels.check.verdict import UNWATCHED, Verdict, Watch
from corels_colgen.proofcheck.clauses import Clauses, Limits, TooLargeError
from corels_colgen.proofcheck.closing import Closing
from corels_colgen.proofcheck.costs import (
    LIMIT,
    Costs,
    Demanded,
    Priced,
    costs_of,
    demanded_of,
    keeps_limits,
    priced,
    stated_limits,
)
from corels_colgen.proofcheck.reading import Duals, RuleSetProof

PRICES = ("positive_weight", "penalty_clause", "penalty_condition")
WORD = "by the search, which has looked at all rule sets of some clauses"
LIMITS = {
    "max_complexity": "a complexity of at most {}",
    "max_conditions_a_clause": "clauses of at most {} conditions",
}


# What a closing search may look at: clauses and entries of the table; and its own nodes.
CLOSING, NODES = Limits(20_000, 20_000_000_000), 200_000


def check_rule_sets(proof: RuleSetProof, table: Any, watch: Watch) -> Verdict:
    """Check duals, rule sets and bounds against the raw table (`corels.check.points.Table`).

    The verdict's costs are sums over the classes that get a set. Raises InputError if the proof
    cannot be checked on this data, and EndedError if the time of `watch` is up.
    """
    header = proof.header
    points = read_points(header, table, watch)
    failure, sums = None, None
    if header.get("total") != points.total:
        failure = f"the header has total {header.get('total')}, and this data {points.total}"
    elif proof.ended:
        demanded, amounts = demanded_of(header, points, table)
        failure, sums = _classes(proof, points, (amounts, demanded), watch)
    cost, proved, claimed = sums or (None, None, None)
    antecedents = header["antecedents"]
    return Verdict(
        failure=failure,
        sentence=_sentence(proof, proved, claimed),
        checker="python",
        objective=cost,
        lower_bound=proved,
        claimed=claimed,
        found={
            str(header["classes"][target]): [
                [antecedents[j]["conditions"] for j in clause] for clause in clauses
            ]
            for target, clauses in proof.sets.items()
        },
        prices={name: header.get(name) for name in PRICES} | {"loss": _errors(header)},
        constraints=header.get("constraints", ()),
        limits={"form": header.get("form"), **stated_limits(header)},
        rest=WORD,
    )


def _errors(header: Any) -> str | None:
    """The loss, unless it is the one that certificates do not name."""
    return None if header.get("loss") == "hamming" else str(header.get("loss"))


def _sentence(proof: RuleSetProof, proved: Fraction | None, claimed: Fraction | None) -> str:
    if proved is None or claimed is None:
        return "the file ends before its conclusion (checker python)"
    limits = stated_limits(proof.header)
    words = [what.format(limits[name]) for name, what in LIMITS.items() if limits[name] is not None]
    limited = f" with {' and '.join(words)}" if words else ""
    kept = " that keep to the constraints" if proof.header.get("constraints") else ""
    sentence = (
        f"at least {float(proved):.6g} is proved, for all rule sets{limited} of conjunctions of "
        f"these {len(proof.header['antecedents'])} antecedents{kept} (checker python)"
    )
    if claimed > proved:
        sentence += f"; {float(claimed):.6g} is claimed {WORD}"
    return sentence


def _classes(
    proof: RuleSetProof, points: Points, asked: tuple[Any, Sequence[Demanded]], watch: Watch
) -> tuple[str | None, list[Fraction] | None]:
    """The first thing that does not hold; or the costs and bounds of all classes, summed."""
    sums = [Fraction(0)] * 3
    for target in _targets(len(points.counts)):
        costs = costs_of(proof.header, points, target, *asked)
        failure, numbers = _check_class(proof, costs, target, watch)
        if failure is not None:
            return f"class {proof.header['classes'][target]}: {failure}", None
        sums = [one + more for one, more in zip(sums, numbers, strict=True)]
    return None, sums


def _targets(classes: int) -> list[int]:
    return [1] if classes == 2 else list(range(classes))


def _check_class(
    proof: RuleSetProof, costs: Costs, target: int, watch: Watch
) -> tuple[str | None, list[Fraction]]:
    if target not in proof.sets or target not in proof.bounds:
        return "the proof has no rule set or no bound", []
    clauses, (proved, claimed) = proof.sets[target], proof.bounds[target]
    if not keeps_limits(proof.header, clauses):
        return "the rule set breaks the limits of complexity or of conditions", []
    if not costs.sums.kept(costs.covered(clauses)):
        return "the rule set does not keep to the constraints", []
    cost = costs.cost(clauses)
    if not proved <= claimed <= cost:
        return f"the bounds {proved} and {claimed}, and a rule set that costs {cost}", []
    name = f"class {proof.header['classes'][target]}"
    watch.holds(f"{name}: the rule set costs {float(costs.unit * cost):.6g}")
    failure = not_proved(costs, proof.duals.get(target), proved, watch)
    if failure is None:
        watch.holds(f"{name}: no rule set costs less than {float(costs.unit * proved):.6g}")
    return failure, [costs.unit * value for value in (cost, proved, claimed)]


def not_proved(costs: Costs, duals: Duals | None, proved: int, watch: Watch) -> str | None:
    """Why the duals do not show that every rule set costs `proved`, in a sentence; or None."""
    if proved <= 0:
        return None
    if duals is None:
        return f"nothing shows that every rule set costs at least {proved}"
    own = priced(costs, duals)
    wrong = _false_duals(own) or _false_clause(costs, own, duals.short, watch)
    if wrong is not None or linear_bound(costs, duals) >= proved:
        return wrong
    if duals.short:
        return f"the duals do not show that every rule set costs at least {proved}"
    watch.holds("no conjunction has a negative reduced cost")
    return _not_closed(costs, own, proved, watch)


def _false_duals(duals: Priced) -> str | None:
    limits = np.maximum(duals.saved, 0)
    wrong = np.flatnonzero((duals.mu < 0) | (duals.mu > limits))
    if not len(wrong):
        return None
    at = int(wrong[0])
    return f"dual {at + 1} is {duals.mu[at]}, above what it saves to cover its point, {limits[at]}"


def _false_clause(costs: Costs, duals: Priced, short: int, watch: Watch) -> str | None:
    """Whether a clause has a smaller reduced cost than the duals say."""
    if not duals.mu.any() or _paid_by_equal_points(costs, duals):
        return None
    # What keeps out no more is needless.
    times = costs.longest + 1 if costs.by_errors else duals.scale
    spare = (duals.scale * costs.condition + duals.price) // times
    try:
        Clauses(costs, duals, -short, spare, Limits(0, None), watch)
    except TooLargeError:
        return f"some clause has a reduced cost below {-short}"
    return None


def _paid_by_equal_points(costs: Costs, duals: Priced) -> bool:
    """Whether negative points with the same features weigh at least as much as the duals.

    A clause that covers a positive point covers the negative points equal to it, so no clause has a
    reduced cost below 0, and the checker need not look at any.
    """
    weights: dict[bytes, int] = {}
    for key, weight in zip(_columns(costs.negatives), costs.caught.tolist(), strict=True):
        weights[key] = weights.get(key, 0) + duals.scale * weight
    for key, dual in zip(_columns(costs.positives), duals.mu.tolist(), strict=True):
        weights[key] = weights.get(key, 0) - dual
    return min(weights.values(), default=0) >= 0


def _columns(held: NDArray[np.bool_]) -> list[bytes]:
    """bool[M, points] -> for each point the features it has, as bytes: equal for equal points."""
    return [row.tobytes() for row in np.packbits(held, axis=0).T.copy()]


def _not_closed(costs: Costs, duals: Priced, proved: int, watch: Watch) -> str | None:
    """Here a condition is needless only if dropping it costs nothing, and changes no sum."""
    slack = duals.scale * (proved - 1) - duals.base
    if slack >= LIMIT:
        return f"the duals do not show that every rule set costs at least {proved}"
    try:
        spare, limits = (
            0 if costs.by_errors else costs.condition,
            replace(CLOSING, apart=costs.touched),
        )
        found = Clauses(costs, duals, slack + 1, spare, limits, watch).found
        if Closing(costs, duals, found, slack, NODES).refuted(watch):
            return f"some rule set costs less than {proved}"
    except TooLargeError:
        return f"that every rule set costs at least {proved} is beyond what this checker looks at"
    return None


def linear_bound(costs: Costs, duals: Duals) -> int:
    """What duals whose `short` is right show by themselves."""
    short, base = costs.budget // 2 * duals.short, priced(costs, duals).base
    return max(0, -((short - base) // duals.scale))


def closes(costs: Costs, duals: Duals, proved: int) -> bool:
    """Whether a check finds, from duals that are right, that every rule set costs `proved`.

    A search that writes a proof waits for it: at most some minutes, by the limits of `CLOSING`."""
    if proved <= linear_bound(costs, duals):
        return True
    own = priced(costs, duals)
    return not duals.short and _not_closed(costs, own, proved, UNWATCHED) is None
