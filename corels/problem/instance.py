"""The instance: what both backends search, prepared once from a Problem.

**Regret form.** Every list pays, at each point, at least the weight of the point's minority: that
sum is `base`, paid once. What is left is, per point i and class c, the *regret* rho[c][i]: the
errors beyond the unavoidable ones if point i is predicted c. A cell (the points that one rule
captures) then costs min over c of the sum of rho[c], so

    cost(d) = rule_cost * length + unit * avoidable_errors(d) + base.

For two classes a point has regret for one class only: it is a *signed point* of weight
|n+ - n-|. A point whose regrets are all zero can be predicted in any way; it is dropped, and
antecedents that have become equal are merged. The bound of Theorem 20 (equivalent points) is
thereby part of every cost. Proof: docs/internals/reduction.md.

Parts that ask how much a rule captures (the paper's support bounds, curiosity), or a search
without the equivalent-points bound, need the points with zero regret, too: they are kept if
one of the chosen parts says so (`captured=True`).

**In pieces.** With 3,000 antecedents over 40,000 points this takes a few tenths of a second, with
20,000 antecedents or a million points longer. So that a search can mind its limits meanwhile,
`instance_in_pieces` yields every few milliseconds (`worked_on` in `captures.py` runs it for a
while). It holds the transposed captures meanwhile: at most three times the memory of the problem's
own. `prepare` is the same in one go.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from corels.problem.captures import (
    Captures,
    Indices,
    OverPoints,
    WorkInPieces,
    alike,
    finished,
    group_rows_in_pieces,
    pieces,
)
from corels.problem.problem import Problem


@dataclass(frozen=True, eq=False)
class Instance(OverPoints):
    """`m` antecedents over `P` points with regrets, and the integer costs.

    captures: m sets of P points; regrets: int32[C, P]; captured (weight of a point) and minority
    (its unavoidable errors): int32[P], zeros if nothing reads them; origin: int32[m] and points:
    int32[P], the index of an antecedent and of a point in the problem. for_rules: rules predict one
    of so many classes, the first ones, and the default rule any. may_say: of these, what each
    antecedent's rule may predict, bool[m, C]; None: all.
    """

    captures: Captures
    regrets: NDArray[np.int32]
    captured: NDArray[np.int32]
    minority: NDArray[np.int32]
    counts_captured: bool
    unit: int
    rule_cost: int
    base: int
    total: int
    origin: NDArray[np.int32]
    points: NDArray[np.int32]
    for_rules: int
    may_say: NDArray[np.bool_] | None = None

    @property
    def n_classes(self) -> int:
        """C, the classes."""
        return len(self.regrets)

    def without_points(self, *, lent: bool) -> Instance:
        """What names antecedents and points: the rest is most of the memory, and a backend that has
        copied it needs it no more. lent: it reads the captures where they are."""
        none = np.zeros((self.n_classes, 0), dtype=np.int32)
        captures = self.captures if lent else Captures.empty(self.n_antecedents, 0)
        return replace(self, captures=captures, regrets=none, captured=none[0], minority=none[0])


def prepare(problem: Problem, *, captured: bool = False) -> Instance:
    """The instance of a problem; `captured` keeps the points whose regrets are all zero."""
    return finished(instance_in_pieces(problem, captured=captured))


def instance_without_rules(problem: Problem, *, captured: bool = False) -> Instance:
    """The instance without antecedents: the list without rules costs the same, and no list less
    than `base`. All regrets of an outcome are at one point."""
    regrets, unavoidable, weight = _regrets(problem)
    left = problem.behind_first
    regret = regrets[:, left].sum(axis=1, dtype=np.int64)
    first = np.arange(len(regret)) == 0
    total, least = int(weight[left].sum()), int(unavoidable[left].sum())
    return Instance(
        captures=Captures.empty(0, len(regret)),
        regrets=np.diag(regret).astype(np.int32),
        captured=(first * total).astype(np.int32),
        minority=(first * least).astype(np.int32),
        counts_captured=captured,
        unit=problem.unit,
        rule_cost=problem.rule_cost,
        base=problem.base,
        total=total,
        origin=np.zeros(0, dtype=np.int32),
        points=np.arange(len(regret), dtype=np.int32),
        for_rules=problem.outcomes.for_rules,
    )


def instance_in_pieces(problem: Problem, *, captured: bool = False) -> WorkInPieces[Instance]:
    """As `prepare`, as a generator that yields between pieces."""
    regrets, unavoidable, weight = _regrets(problem)
    base, total = problem.base, int(weight[problem.behind_first].sum())
    order, decided = _order(regrets)
    points = (order if captured else order[:decided]).astype(np.int32)
    if problem.first:
        points = points[problem.behind_first[points]]
        decided = len(points)
    if captured:
        held, minority = (of[points].astype(np.int32) for of in (weight, unavoidable))
    else:
        held = minority = np.zeros(decided, dtype=np.int32)
    del weight, unavoidable, order  # what follows needs their room
    regrets = np.ascontiguousarray(regrets[:, points])
    yield
    captures = yield from problem.captures.columns_in_pieces(points)
    kept: Indices
    _, kept = yield from group_rows_in_pieces(alike(captures.words, problem.may_say))
    some = np.zeros(len(captures), dtype=np.bool_)
    for part in pieces(captures.words):
        captures.words[part].any(axis=1, out=some[part])
        yield
    kept = kept[some[kept]]
    captures = yield from captures.take_in_pieces(kept)
    return Instance(
        captures=captures,
        regrets=regrets,
        captured=held,
        minority=minority,
        counts_captured=captured,
        unit=problem.unit,
        rule_cost=problem.rule_cost,
        base=base,
        total=total,
        origin=kept.astype(np.int32),
        points=points,
        for_rules=problem.outcomes.for_rules,
        may_say=None if problem.may_say is None else problem.may_say[kept],
    )


def _regrets(problem: Problem) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
    """(int32[O, P] regrets, int64[P] what nothing can avoid, int64[P] what is at stake).

    Without costs the regret of a class is what it weighs less than the heaviest one: nothing else
    of the size of a problem is made, which may have most of the memory.
    """
    if problem.costs is None:
        of, best = problem.weights, problem.weights.max(axis=0)
        weight = problem.weights.sum(axis=0)
        unavoidable = weight - best
    else:
        of = problem.amounts
        best = unavoidable = of.min(axis=0)
        weight = of.max(axis=0)
    regrets = np.empty(of.shape, dtype=np.int32)
    for row, amounts in zip(regrets, of, strict=True):
        high, low = (best, amounts) if problem.costs is None else (amounts, best)
        np.subtract(high, low, out=row, casting="unsafe")
    return regrets, unavoidable, weight


def _order(regrets: NDArray[np.int32]) -> tuple[NDArray[np.intp], int]:
    """(points by the first class that they have regret for, the heaviest first, those without any
    last, stable; how many have any).

    Bit-planes of the regrets are then short runs of words.
    """
    classes = len(regrets)
    most = int(regrets.max(initial=0))
    small = (classes + 1) * (most + 1) <= 1 << 16  # NumPy sorts 16 bits in linear time
    kind = np.uint16 if small else np.int64
    key: NDArray[np.integer] = np.full(regrets.shape[1], classes, dtype=kind)
    for number in reversed(range(classes)):
        key[regrets[number] > 0] = number
    decided = int((key < classes).sum())
    np.multiply(key, most + 1, out=key)
    np.add(key, (most - regrets.max(axis=0)).astype(kind), out=key)
    return np.argsort(key, kind="stable"), decided
