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
without the equivalent-points bound, need the points with zero regret, too: they are kept where
one of the chosen parts says so (`captured=True`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corels.problem.captures import equal_rows, pack, popcounts, unpack
from corels.problem.problem import Problem


@dataclass(frozen=True, eq=False)
class Instance:
    """`m` antecedents over `P` points with regrets, and the integer costs.

    masks: uint64[m, W]; regrets: int32[C, P]; captured (weight of a point) and minority (its
    unavoidable errors): int32[P], zeros where nothing reads them; origin: int32[m] and points:
    int32[P], the index of an antecedent and of a point in the problem.
    """

    masks: NDArray[np.uint64]
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

    @property
    def n_antecedents(self) -> int:
        return len(self.masks)

    @property
    def n_points(self) -> int:
        return int(self.regrets.shape[1])

    @property
    def n_classes(self) -> int:
        return len(self.regrets)


def prepare(problem: Problem, *, captured: bool = False) -> Instance:
    """The instance of a problem; `captured` keeps the points whose regrets are all zero."""
    weights = problem.weights
    majority = weights.max(axis=0)
    regrets = majority - weights
    minority = weights.sum(axis=0) - majority
    points = _order(regrets)
    if not captured:
        points = points[regrets[:, points].any(axis=0)]
    masks = pack(unpack(problem.masks, problem.n_points)[:, points])
    kept, _ = equal_rows(masks)
    kept = kept[popcounts(masks[kept]) > 0]
    zeros = np.zeros(len(points), dtype=np.int32)
    return Instance(
        masks=np.ascontiguousarray(masks[kept]),
        regrets=np.ascontiguousarray(regrets[:, points], dtype=np.int32),
        captured=weights.sum(axis=0)[points].astype(np.int32) if captured else zeros,
        minority=minority[points].astype(np.int32) if captured else zeros,
        counts_captured=captured,
        unit=problem.unit,
        rule_cost=problem.rule_cost,
        base=problem.unit * int(minority.sum()),
        total=problem.total,
        origin=kept.astype(np.int32),
        points=points.astype(np.int32),
    )


def _order(regrets: NDArray[np.int64]) -> NDArray[np.intp]:
    """Points by the first class that they have regret for, the heaviest first; stable.

    Bit-planes of the regrets are then short runs of words.
    """
    has = regrets > 0
    first_class = np.where(has.any(axis=0), has.argmax(axis=0), len(regrets))
    return np.lexsort((-regrets.max(axis=0), first_class))
