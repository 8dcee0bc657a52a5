"""The Pareto path: the best rule set for each of several budgets of complexity.

Two passes. The first solves one budget after another, each search beginning with the clauses of
those before. The second gives every budget that is not proved optimal the clauses that all of them
have found. Accuracy against complexity comes from held-out folds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.data import Dataset
from corels.errors import OptionError
from corels.interfaces import Status
from corels.options import check_all
from corels.problem import Problem
from corels_colgen.instance import Clause
from corels_colgen.ruleset import RuleSet
from corels_colgen.solver import OPTIONS, RuleSetSearch

STEP = 4096


@dataclass(frozen=True)
class PathPoint:
    """The best rule set found within a budget, and what is proved about it."""

    budget: int
    model: RuleSet
    objective: Fraction
    lower_bound: Fraction
    seconds: float

    @property
    def optimal(self) -> bool:
        return self.objective == self.lower_bound


@dataclass(frozen=True)
class HeldOut:
    """Accuracy on held-out folds with one budget: a value for each fold."""

    budget: int
    accuracies: tuple[float, ...]
    complexities: tuple[int, ...]

    @property
    def accuracy(self) -> float:
        return float(np.mean(self.accuracies))

    @property
    def spread(self) -> float:
        """Standard deviation over the folds."""
        return float(np.std(self.accuracies))

    @property
    def complexity(self) -> float:
        return float(np.mean(self.complexities))


def rule_set_path(
    problem: Problem,
    budgets: Sequence[int],
    *,
    time_limit: float | None = None,
    polish_seconds: float = 2.0,
    prove: bool = True,
    **options: Any,
) -> list[PathPoint]:
    """The best rule set for each budget, in rising order.

    time_limit: seconds for each budget; None: until it is proved or nothing is left to try.
    polish_seconds: for each budget in the second pass, and each class. prove: also close the gaps;
    without, a search ends with its columns and its local search. options: those of the solver
    `rule-set` other than `complexity`. Raises OptionError on a wrong option.
    """
    if not budgets or min(budgets) < 2:
        raise OptionError("budgets are whole numbers of at least 2, and one at least")
    checked = check_all(OPTIONS, options, "solver 'rule-set'")
    pool: dict[int, list[Clause]] = {}
    searches: dict[int, RuleSetSearch] = {}
    seconds: dict[int, float] = {}
    for budget in sorted(set(budgets)):
        began = time.perf_counter()
        search = RuleSetSearch(problem, {**checked, "complexity": budget}, pool)
        _drive(search, time_limit, prove)
        pool = {
            target: list(dict.fromkeys([*pool.get(target, ()), *found]))
            for target, found in search.clauses().items()
        }
        searches[budget], seconds[budget] = search, time.perf_counter() - began
    return [
        _point(budget, search, pool, seconds[budget], polish_seconds)
        for budget, search in searches.items()
    ]


def _drive(search: RuleSetSearch, time_limit: float | None, prove: bool) -> None:
    began = time.perf_counter()
    try:
        while search.step(STEP) is Status.RUNNING:
            if time_limit is not None and time.perf_counter() - began >= time_limit:
                return
            if not prove and search.closing:
                return
    finally:
        search.close()


def _point(
    budget: int,
    search: RuleSetSearch,
    pool: Mapping[int, Sequence[Clause]],
    seconds: float,
    polish_seconds: float,
) -> PathPoint:
    began = time.perf_counter()
    search.polish(pool, polish_seconds)
    progress = search.progress()
    return PathPoint(
        budget,
        search.model(),
        Fraction(progress.objective, search.scale()),
        Fraction(progress.lower_bound, search.scale()),
        seconds + time.perf_counter() - began,
    )


Learn = Callable[[NDArray[np.intp]], Sequence[PathPoint]]
Score = Callable[[RuleSet, NDArray[np.intp]], float]


def held_out(
    labels: NDArray[np.int64], folds: int, seed: int, learn: Learn, score: Score
) -> list[HeldOut]:
    """Learn on all folds but one, score on that one: the accuracies of each budget."""
    found: dict[int, list[tuple[float, int]]] = {}
    for train, test in stratified_folds(labels, folds, seed):
        for point in learn(train):
            entry = (score(point.model, test), point.model.complexity)
            found.setdefault(point.budget, []).append(entry)
    return [
        HeldOut(budget, tuple(a for a, _ in entries), tuple(c for _, c in entries))
        for budget, entries in sorted(found.items())
    ]


def dataset_held_out(
    data: Dataset, budgets: Sequence[int], folds: int, seed: int = 0, **options: Any
) -> list[HeldOut]:
    """`held_out` over the rows of a data set, whose antecedents stay as they are."""

    def learn(rows: NDArray[np.intp]) -> Sequence[PathPoint]:
        return rule_set_path(
            Problem.from_dataset(subset(data, rows), 0), budgets, seed=seed, **options
        )

    def score(model: RuleSet, rows: NDArray[np.intp]) -> float:
        part = subset(data, rows)
        right = model.predict_indices(part) == part.labels
        return float(np.average(right, weights=part.weights))

    return held_out(data.labels, folds, seed, learn, score)


def subset(data: Dataset, rows: NDArray[np.intp]) -> Dataset:
    """The same data set with some of its rows."""
    weights = None if data.weights is None else data.weights[rows]
    return replace(data, captures=data.captures[:, rows], labels=data.labels[rows], weights=weights)


def stratified_folds(
    labels: NDArray[np.int64], folds: int, seed: int
) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """(train, test) row numbers; every class is dealt evenly over the folds."""
    if not 2 <= folds <= len(labels):
        raise OptionError(f"folds is {folds}: expected a number from 2 to the {len(labels)} rows")
    random = np.random.default_rng(seed)
    order = np.concatenate(
        [random.permutation(np.flatnonzero(labels == value)) for value in np.unique(labels)]
    )
    place = np.empty(len(labels), dtype=np.intp)
    place[order] = np.arange(len(labels)) % folds
    for fold in range(folds):
        yield np.flatnonzero(place != fold), np.flatnonzero(place == fold)
