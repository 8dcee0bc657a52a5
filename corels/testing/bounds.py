"""Looking for a bound that loses the optimum, and the smallest case that shows it.

A bound is tried on random problems of three kinds: small ones of every shape; ones whose best lists
are long; and ones with more than a hundred rows. On each problem the search runs with the bound
alone and together with the others, in both searches if its scope allows it, without a start and
in orders that find good lists late: a bound does harm only while the incumbent is not optimal. The
true optimum is known from brute force or from the built-in bounds.

A case that fails is made smaller: antecedents and rows are left out as long as it still fails.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corels.errors import CorelsError
from corels.plugins import registry
from corels.problem import Problem
from corels.problem.captures import unpack
from corels.run.solve import solve
from corels.search import BEST_FIRST, DEPTH_FIRST, Bound, Children
from corels.search.calls import kept
from corels.search.parts import SCOPES
from corels.testing.oracle import brute_force
from corels.testing.parts import check_named, check_native, tables
from corels.testing.problems import dataset_of, planted_problem, random_problem

PROBLEMS = (50, 30, 16)  # small ones, with long lists, with many rows
CHEAP = ("hierarchical", "lookahead", "equivalent_points")  # so that larger problems end
MOST_TRIALS = 600  # searches that making a case smaller may take
BRUTE = 5  # antecedents up to which brute force is quick

Options = Mapping[str, Any]


def check_bound(bound: type[Bound], *, backends: Sequence[str] | None = None) -> None:
    """A bound: named, documented, and sound alone and together with the others.

    Raises AssertionError with the smallest problem found on which it loses the optimum.
    """
    check_named(bound)
    assert getattr(bound, "theorem", ""), "a bound names its theorem or the page with its proof"
    assert bound.scope in SCOPES, f"unknown scope {bound.scope!r}: expected set or prefix"
    assert bound.summary.startswith("drops "), "a summary says when the bound drops a child"
    for children, incumbent in tables():
        found = kept(bound(), children, incumbent)
        assert np.array_equal(found, kept(bound(), children, incumbent)), "it must repeat itself"
        if bound.scope == "set":
            _check_scope(bound(), children, incumbent, found)
    if bound.native is not None:
        check_native(bound())
    where = sorted(bound.backends) or list(backends or registry().names("backend"))
    for number, (problem, best) in enumerate(_cases(*PROBLEMS)):
        for options in _trials(bound, problem, where, number):
            if _loses(problem, options, best):
                raise AssertionError(explain(bound, *smallest(problem, options)))


def _check_scope(
    bound: Bound, children: Children, incumbent: int, found: NDArray[np.bool_]
) -> None:
    """The same set behind a longer and dearer prefix, with the same need."""
    other = replace(
        children,
        length=children.length + np.int32(17),
        serial=children.serial + 5,
        lower_bound=children.lower_bound + 7,
        objective=children.objective + 7,
    )
    assert np.array_equal(kept(bound, other, incumbent + 7), found), (
        f"bound {bound.name!r} has the scope 'set' and looks at the prefix"
    )


@cache
def _cases(small: int, long: int, large: int) -> list[tuple[Problem, Fraction | None]]:
    """The problems and their optima, the same for every bound."""
    problems = _problems(np.random.default_rng(1), small, long, large)
    return [(problem, _optimum(problem)) for problem in problems]


def _problems(rng: np.random.Generator, small: int, long: int, large: int) -> Iterator[Problem]:
    for number in range(small):
        yield random_problem(rng, antecedents=4, rows=10, classes=3 if number % 5 == 4 else 2)
    for number in range(long):
        rules = int(rng.integers(4, 9))
        yield planted_problem(
            rng,
            rules=rules,
            antecedents=rules + int(rng.integers(2)),
            rows=int(rng.integers(40, 90)),
            classes=3 if number % 6 == 5 else 2,
            weights=number % 3 == 2,
        )
    for _ in range(large):
        rules = int(rng.integers(3, 7))
        rows = int(rng.integers(101, 400))
        yield planted_problem(rng, rules=rules, antecedents=rules + 1, rows=rows)


def _trials(
    bound: type[Bound], problem: Problem, backends: Sequence[str], number: int
) -> Iterator[dict[str, Any]]:
    """The searches of one problem. The large ones run if it is fast."""
    small = problem.n_antecedents <= BRUTE
    for backend in backends if small else [b for b in backends if b == "c"] or backends[:1]:
        searches = [BEST_FIRST] + [DEPTH_FIRST] * (bound.scope == "set")
        for search in searches:
            base = {
                "backend": backend,
                "search": search,
                "policy": ("bfs", "lower_bound", "stochastic")[number % 3],
                "seed": number,
                "start": "none",
                "time_limit": 10.0,
            }
            alone = () if small and search == BEST_FIRST else CHEAP
            yield {**base, "no_bound": ("all",), "bound": (*alone, bound)}
            yield {**base, "bound": (bound,)}


def _optimum(problem: Problem) -> Fraction | None:
    if problem.n_antecedents <= BRUTE:
        return brute_force(problem)
    certificate = solve(problem, time_limit=10.0).certificate
    return certificate.objective if certificate.optimal else None


def _loses(problem: Problem, options: Options, best: Fraction | None) -> bool:
    """Whether the search certifies something that is not the optimum, if that is known."""
    certificate = solve(problem, **options).certificate
    return best is not None and certificate.optimal and certificate.objective > best


# Making a case smaller.


def smallest(problem: Problem, options: Options) -> tuple[Problem, dict[str, Any]]:
    """The problem without the antecedents and rows that the failure does not need."""
    case, trials = _Case.of(problem), iter(range(MOST_TRIALS))

    def failing() -> Iterator[_Case]:
        for smaller, _ in zip(case.smaller(), trials, strict=False):
            if _fails(smaller.problem(), options):
                yield smaller

    while (found := next(failing(), None)) is not None:
        case = found
    return case.problem(), dict(options)


def _fails(problem: Problem, options: Options) -> bool:
    try:
        return _loses(problem, options, _optimum(problem))
    except CorelsError:  # too small for a search, or for the bound
        return False


class _Case(NamedTuple):
    """Rows of a table as distinct patterns with class weights, and lambda."""

    captures: NDArray[np.bool_]
    weights: NDArray[np.int64]
    lam: Fraction

    @classmethod
    def of(cls, problem: Problem) -> _Case:
        captures = unpack(problem.masks, problem.n_points)
        return cls(captures, problem.weights, problem.regularization)

    def smaller(self) -> Iterator[_Case]:
        """Without an antecedent; without rows, in ever smaller groups; with half of a weight."""
        for j in range(len(self.captures)):
            yield self._replace(captures=np.delete(self.captures, j, axis=0))
        points = self.weights.shape[1]
        size = points // 2
        while size:
            for first in range(0, points, size):
                some = range(first, min(first + size, points))
                left = np.delete(self.weights, some, axis=1)
                if left.sum():
                    yield _Case(np.delete(self.captures, some, axis=1), left, self.lam)
            size //= 2
        for i in np.flatnonzero(self.weights.sum(axis=0) > 1):
            halved = self.weights.copy()
            halved[:, i] = (halved[:, i] + 1) // 2
            if (halved != self.weights).any():
                yield self._replace(weights=halved)

    def problem(self) -> Problem:
        points, classes = np.nonzero(self.weights.T)
        data = dataset_of(
            self.captures[:, points], classes, len(self.weights), self.weights.T[points, classes]
        )
        return Problem.from_dataset(data, self.lam)


def explain(bound: type[Bound], problem: Problem, options: Options) -> str:
    """The case as a small table, the list that was lost, and what was certified instead."""
    found = solve(problem, **options)
    best = solve(problem)
    shown = ", ".join(
        f"{name}={getattr(value, '__name__', value)!r}"
        for name, value in options.items()
        if name not in ("bound", "time_limit")
    )
    others = [b if isinstance(b, str) else b.name for b in options["bound"]]
    return "\n".join(
        [
            f"bound {bound.name!r} loses the optimum (bound={others!r}, {shown})",
            f"lambda = {problem.regularization}",
            *_table(problem),
            f"the best list, objective {best.certificate.objective}:",
            *("  " + line for line in str(best.model).splitlines()),
            f"certified with the bound, objective {found.certificate.objective}:",
            *("  " + line for line in str(found.model).splitlines()),
        ]
    )


def _table(problem: Problem) -> Iterator[str]:
    captures = unpack(problem.masks, problem.n_points)
    names = [str(antecedent) for antecedent in problem.antecedents]
    yield "  ".join(["rows of class " + " ".join(map(str, problem.classes)), *names])
    for i in range(problem.n_points):
        rows = " ".join(f"{n:3}" for n in problem.weights[:, i].tolist())
        cells = ("x" if captured else "." for captured in captures[:, i])
        marks = (cell.center(len(name)) for cell, name in zip(cells, names, strict=True))
        yield "  ".join([rows.rjust(len("rows of class ") + 3), *marks])
