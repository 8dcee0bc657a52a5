"""From chosen clauses to a rule set: the counts, and the Hamming loss, from the data alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from corels.problem import Problem
from corels.problem.captures import unpack
from corels_colgen.instance import Bools, Ints
from corels_colgen.ruleset import ClauseSet, RuleClause, RuleSet


def rule_set(problem: Problem, form: str, chosen: Mapping[int, Sequence[Sequence[int]]]) -> RuleSet:
    """The rule set with these clauses (antecedent numbers) for each class; counts from the data."""
    captures = unpack(problem.masks, problem.n_points)
    satisfied = {target: _satisfied(captures, form, clauses) for target, clauses in chosen.items()}
    join = np.any if form == "dnf" else np.all
    held = {target: np.asarray(join(rows, axis=0)) for target, rows in satisfied.items()}
    free = np.ones(problem.n_points, dtype=np.bool_)
    sets = []
    for target in sorted(chosen, key=lambda target: -_precision(problem, held[target], target)):
        clauses = (
            RuleClause(tuple(problem.antecedents[j] for j in clause), _counts(problem, rows))
            for clause, rows in zip(chosen[target], satisfied[target], strict=True)
        )
        loss = _hamming(problem.weights, form, satisfied[target], target)
        decided = held[target] & free
        costs, paid = _costs(problem, decided), (0, 0)
        if problem.costs is not None:  # of two classes
            paid = _hamming(problem.costs.amounts[::-1], form, satisfied[target], target)
        counts = _counts(problem, decided)
        sets.append(ClauseSet(target, tuple(clauses), counts, *loss, costs, *paid))
        free &= ~held[target]
    rest = _counts(problem, free)
    default = _default(problem, rest, chosen)
    return RuleSet(
        form=form,
        sets=tuple(sets),
        default=default,
        default_counts=rest,
        classes=problem.classes,
        label_name=problem.label_name,
        outcomes=None if problem.costs is None else problem.outcomes,
        default_costs=_costs(problem, free),
    ).learned_from(problem)


def _costs(problem: Problem, points: Bools) -> tuple[int, ...]:
    """What each class costs for these points; nothing if classes have no costs."""
    if problem.costs is None:
        return ()
    return tuple(problem.costs.amounts[:, points].sum(axis=1).tolist())


def _satisfied(captures: Bools, form: str, clauses: Sequence[Sequence[int]]) -> Bools:
    """bool[clauses, points]: all conditions of a clause hold (DNF), or any of them (CNF)."""
    join = np.all if form == "dnf" else np.any
    found = [join(captures[list(clause)], axis=0) for clause in clauses]
    return np.array(found, dtype=np.bool_).reshape(len(clauses), captures.shape[1])


def _hamming(weights: Ints, form: str, satisfied: Bools, target: int) -> tuple[int, int]:
    """The Hamming loss, and how much of it is missed. weights: int64[C, P], what a row of each
    class costs that is predicted wrongly.

    In a DNF a positive row that no clause catches costs 1 (it is missed), a negative row costs 1
    for each clause that catches it; in a CNF the same of the negated data.
    """
    inside = weights[target]
    outside = weights.sum(axis=0) - inside
    if form == "cnf":
        inside, outside, satisfied = outside, inside, ~satisfied
    times = satisfied.sum(axis=0)
    missed = int(inside[times == 0].sum())
    return missed + int((outside * times).sum()), missed


def _counts(problem: Problem, points: Bools) -> tuple[int, ...]:
    return tuple(int(count) for count in problem.weights[:, points].sum(axis=1))


def _precision(problem: Problem, held: Bools, target: int) -> float:
    counts = _counts(problem, held)
    return counts[target] / sum(counts) if sum(counts) else 0.0


def _default(
    problem: Problem, rest: tuple[int, ...], chosen: Mapping[int, Sequence[Sequence[int]]]
) -> int:
    """With one set the other class; with more the majority of the rest, or of all."""
    if len(chosen) == 1 and len(problem.classes) == 2:
        return 1 - next(iter(chosen))
    if sum(rest):
        return int(np.argmax(rest))
    return int(problem.weights.sum(axis=1).argmax())
