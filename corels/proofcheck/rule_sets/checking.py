"""The checker of rule sets: duals, conjunctions, rule sets, bounds.

For each class that gets a set the proof holds duals and two bounds. Checked in whole numbers:

    duals      0 <= mu <= what a point costs that is left; so, if every clause has a reduced cost
               of -short or more (clauses.py), no rule set costs less than
               sum mu - lambda * budget - (budget / 2) * short, rounded up
    proved     not above that bound; or, for short = 0: the clauses whose reduced cost is below the
               gap are enumerated, and no rule set of them costs less (closing.py)
    claimed    at least what is proved: the word of the search or of a MIP solver, reported as such
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from corels.errors import InputError
from corels.proofcheck.points import Points, read_points
from corels.proofcheck.rule_sets.clauses import Found, Limits, TooLargeError, clauses
from corels.proofcheck.rule_sets.closing import refuted
from corels.proofcheck.rule_sets.costs import Costs, budgeted, costs_of
from corels.proofcheck.rule_sets.reading import Duals, RuleSetProof
from corels.proofcheck.watch import UNWATCHED, Watch

if TYPE_CHECKING:
    from numpy.typing import NDArray

CLOSING = Limits(20_000, 20_000_000_000), 200_000  # of a closing search; and its nodes
QUICK = Limits(4_000, 300_000_000), 20_000  # where the plain searches try whether one would end
LIMIT = 1 << 60
LARGE = 5_000  # antecedents times points: beyond, the compiled searches are chosen


@dataclass(frozen=True)
class Shown:
    """`failure`: the first thing that does not hold, in a sentence; None where all does.

    objective, proved, claimed: sums over the classes that get a set, exact; None where the file
    ends early. checker: which one has looked.
    """

    failure: str | None
    antecedents: int
    checker: str
    objective: Fraction | None
    proved: Fraction | None
    claimed: Fraction | None


def check_rule_sets(  # noqa: PLR0917
    proof: RuleSetProof,
    columns: Mapping[str, Any],
    labels: Sequence[Any],
    weights: Sequence[int] | None = None,
    checker: str | None = None,
    watch: Watch = UNWATCHED,
) -> Shown:
    """Check duals, rule sets and bounds against the raw table.

    columns: name -> a column as the reader gives it, N values each. labels: N. weights: whole
    numbers, one each by default. checker: "python" or "c"; by default the compiled one for large
    tables where it is installed. Raises InputError where the proof cannot be checked on this data,
    or not by this checker, and EndedError where the time of `watch` is up.
    """
    points = read_points(proof.header, columns, labels, weights)
    name = checker or fitting(*points.captures.shape)
    search, nothing = Search.of(name, watch), (None, None, None)
    about = len(points.captures), name
    if proof.header.get("total") != points.total:
        stated = proof.header.get("total")
        return Shown(
            f"the header has total {stated}, and this data {points.total}", *about, *nothing
        )
    if not proof.ended:
        return Shown(None, *about, *nothing)
    sums = [Fraction(0)] * 3
    for target in _targets(len(points.counts)):
        failure, numbers = _check_class(proof, points, target, search)
        if failure is not None:
            failure = f"class {proof.header['classes'][target]}: {failure}"
            return Shown(failure, *about, *nothing)
        sums = [one + more for one, more in zip(sums, numbers, strict=True)]
    return Shown(None, *about, *sums)


def fitting(antecedents: int, points: int) -> str:
    """The checker for a table of this size."""
    large = antecedents * points > LARGE
    return "c" if large and find_spec("corels_checker") is not None else "python"


@dataclass(frozen=True)
class Search:
    """The two searches of a checker, plain or compiled; clauses.py and closing.py say what they
    find. They tell `watch` how far they are."""

    clauses: Callable[[Costs, Duals, int, int, Limits, Watch], Found]
    refuted: Callable[[Costs, Duals, Found, int, int, Watch], bool]
    watch: Watch
    closing: tuple[Limits, int]

    @classmethod
    def of(cls, name: str, watch: Watch = UNWATCHED) -> Search:
        """Raises InputError where the compiled one is not there."""
        if name == "python":
            return cls(clauses, refuted, watch, CLOSING)
        try:
            native = import_module("corels_checker.rule_sets")
        except ImportError:
            raise InputError(
                "the compiled checker is not installed: use checker 'python'"
            ) from None
        return cls(native.clauses, native.refuted, watch, CLOSING)


def _targets(classes: int) -> list[int]:
    return [1] if classes == 2 else list(range(classes))


def _check_class(
    proof: RuleSetProof, points: Points, target: int, search: Search
) -> tuple[str | None, list[Fraction]]:
    costs = costs_of(proof.header, points, target)
    if target not in proof.sets or target not in proof.bounds:
        return "the proof has no rule set or no bound", []
    clauses, (proved, claimed, _) = proof.sets[target], proof.bounds[target]
    if not costs.keeps_limits(clauses, budgeted=budgeted(proof.header)):
        return "the rule set breaks the limits of complexity or of conditions", []
    cost = costs.cost(clauses)
    if not proved <= claimed <= cost:
        return f"the bounds {proved} and {claimed}, and a rule set that costs {cost}", []
    name = f"class {proof.header['classes'][target]}"
    search.watch.holds(f"{name}: the rule set costs {float(costs.unit * cost):.6g}")
    failure = not_proved(costs, proof.duals.get(target), proved, search)
    if failure is None:
        search.watch.holds(f"{name}: no rule set costs less than {float(costs.unit * proved):.6g}")
    return failure, [costs.unit * value for value in (cost, proved, claimed)]


def not_proved(costs: Costs, duals: Duals | None, proved: int, search: Search) -> str | None:
    """Why the duals do not show that every rule set costs `proved`, in a sentence; or None."""
    if proved <= 0:
        return None
    if duals is None:
        return f"nothing shows that every rule set costs at least {proved}"
    wrong = _false_duals(costs, duals) or _false_clause(costs, duals, search)
    if wrong is not None or linear_bound(costs, duals) >= proved:
        return wrong
    if duals.short:
        return f"the duals do not show that every rule set costs at least {proved}"
    search.watch.holds("no conjunction has a negative reduced cost")
    base = sum(duals.mu) - duals.price * costs.budget
    return _not_closed(costs, duals, proved, duals.scale * (proved - 1) - base, search)


def check_range(costs: Costs, duals: Duals) -> None:
    """Raises InputError where a sum could leave 64 bits."""
    most = int(costs.missed.sum()) + int(costs.caught.sum())
    most += costs.clause + costs.condition * (costs.longest + 2)
    sides = [duals.scale * most, duals.price * (costs.longest + 3), sum(duals.mu), duals.short]
    sides.append(duals.price * costs.budget)
    if any(side >= LIMIT for side in sides):
        raise InputError("the duals of this proof are too large for the checker")


def _false_duals(costs: Costs, duals: Duals) -> str | None:
    if duals.scale < 1 or len(duals.mu) != len(costs.missed):
        return f"the proof has {len(duals.mu)} duals, for {len(costs.missed)} positive points"
    limits = (costs.missed * duals.scale).tolist()
    for number, (value, limit) in enumerate(zip(duals.mu, limits, strict=True), 1):
        if value > limit:
            return f"dual {number} is {value}, above what its point costs, {limit}"
    return None


def _false_clause(costs: Costs, duals: Duals, search: Search) -> str | None:
    """Whether a clause has a smaller reduced cost than the duals say."""
    check_range(costs, duals)
    if _paid_by_equal_points(costs, duals):
        return None
    try:
        spare = _spare(costs, duals)
        search.clauses(costs, duals, -duals.short, spare, Limits(0, None), search.watch)
    except TooLargeError:
        return f"some clause has a reduced cost below {-duals.short}"
    return None


def _paid_by_equal_points(costs: Costs, duals: Duals) -> bool:
    """Whether negative points with the same features weigh at least as much as the duals.

    A clause that covers a positive point covers the negative points equal to it, so no clause has a
    reduced cost below 0, and the checker need not look at any.
    """
    weights: dict[bytes, int] = {}
    for key, weight in zip(_columns(costs.negatives), costs.caught.tolist(), strict=True):
        weights[key] = weights.get(key, 0) + duals.scale * weight
    for key, dual in zip(_columns(costs.positives), duals.mu, strict=True):
        weights[key] = weights.get(key, 0) - dual
    return min(weights.values(), default=0) >= 0


def _columns(held: NDArray[np.bool_]) -> list[bytes]:
    """bool[M, points] -> for each point the features it has, as bytes: equal for equal points."""
    return [row.tobytes() for row in np.packbits(held, axis=0).T.copy()]


def _spare(costs: Costs, duals: Duals) -> int:
    """A condition that keeps out less is needless for a reduced cost."""
    return costs.condition + duals.price // duals.scale


def _not_closed(costs: Costs, duals: Duals, proved: int, slack: int, search: Search) -> str | None:
    """Here a condition is needless only where dropping it costs nothing."""
    if slack >= LIMIT:
        return f"the duals do not show that every rule set costs at least {proved}"
    (limits, nodes), watch = search.closing, search.watch
    try:
        found = search.clauses(costs, duals, slack + 1, costs.condition, limits, watch)
        if search.refuted(costs, duals, found, slack, nodes, watch):
            return f"some rule set costs less than {proved}"
    except TooLargeError:
        return f"that every rule set costs at least {proved} is beyond what this checker looks at"
    return None


def linear_bound(costs: Costs, duals: Duals) -> int:
    """What duals whose `short` is right show by themselves."""
    base = sum(duals.mu) - duals.price * costs.budget
    return max(0, -((-base + costs.budget // 2 * duals.short) // duals.scale))


def closes(costs: Costs, duals: Duals, proved: int) -> bool:
    """Whether this checker would find, from duals that are right, that every rule set costs
    `proved`."""
    if proved <= linear_bound(costs, duals):
        return True
    base = sum(duals.mu) - duals.price * costs.budget
    slack = duals.scale * (proved - 1) - base
    if duals.short:
        return False
    name = fitting(len(costs.positives), len(costs.missed) + len(costs.caught))
    search = replace(Search.of(name), closing=CLOSING if name == "c" else QUICK)
    return _not_closed(costs, duals, proved, slack, search) is None
