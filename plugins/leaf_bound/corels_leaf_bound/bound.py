"""The leaf bound: how much any one leaf of a list can gain over one outcome for all rows.

Let a be the points' regrets of one outcome, and weights 0 <= c <= a such that every conjunction l
of at most K conditions (negations of antecedents, and at most one antecedent itself) has c(l) less
its regret of any other outcome no larger than the cost of a rule. Each leaf of a list with at most
K rules is such a conjunction. So what i rules leave, T, costs at least c(T) with k rules more, as
long as i + k <= K, unless all leaves have other outcomes: then at least c(T) - rule_cost, and b(T)
+ k * rule_cost, where b is the least regret of another outcome at each point. Longer lists cost at
least the K - i + 1 rules that they have too many. The proof is in docs/internals/leaves.md.

Here is the plain form, for problems of some hundred points: each conjunction that gains too much
takes the excess off its points in turn. For the C engine the bound has tables, whose code is in
`plugins/leaf_bound/src`: it looks for weights that leave much.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from corels.problem.captures import unpack
from corels.search import SETS, Bound, Children, Expansion

Keep = NDArray[np.bool_]
Whole = NDArray[np.int64]

CONDITIONS = 3
SCALE = 15  # parts of an error in which weights are whole


class Weights:
    """c for each outcome, in parts of an error: int64[O, P], and the conditions it is verified to.

    others: int64[O, P], the least regret of another outcome.
    """

    def __init__(self, expansion: Expansion, rule_cost: int, unit: int, longest: int) -> None:
        self.made_from, self.longest = (expansion.masks.tobytes(), rule_cost, unit), longest
        self.regrets = expansion.regrets
        captured = unpack(expansion.masks, expansion.regrets.shape[1])
        leaves = list(_conjunctions(captured, longest))
        most = rule_cost * SCALE // unit
        others = [np.delete(self.regrets, base, axis=0) for base in range(len(self.regrets))]
        self.others = np.array([one.min(axis=0) for one in others])
        self.kept = np.array(
            [
                _lowered(SCALE * own, SCALE * other, leaves, most)
                for own, other in zip(self.regrets, others, strict=True)
            ]
        )

    def least(self, left: NDArray[np.bool_], rule_cost: int, unit: int) -> int:
        """What completions of `left` by a rule or more cost at least, if they are short enough."""
        kept = -(-unit * self.kept[:, left].sum(axis=1) // SCALE)
        all_other = unit * self.others[:, left].sum(axis=1) + rule_cost
        return int(np.minimum(kept, np.maximum(kept - rule_cost, all_other)).max())


def _conjunctions(captured: NDArray[np.bool_], longest: int) -> Iterator[NDArray[np.bool_]]:
    """bool[P] of every conjunction of 1 to `longest` conditions: what some antecedents leave, and
    what one more captures of it."""
    for negated in range(longest + 1):
        for rules in combinations(range(len(captured)), negated):
            left = np.logical_not(np.any(captured[list(rules)], axis=0))
            if rules and left.any():
                yield left
            for row in captured if negated < longest else ():
                leaf = left & row
                if leaf.any():
                    yield leaf


def _lowered(gives: Whole, takes: Whole, leaves: list[NDArray[np.bool_]], most: int) -> Whole:
    """What points keep of what they give, so that no leaf keeps `most` more than any other outcome
    takes."""
    kept = gives.copy()
    for leaf in leaves:
        excess = int(kept[leaf].sum() - takes[:, leaf].sum(axis=1).min()) - most
        while excess > 0:
            some = np.flatnonzero(leaf & (kept > 0))[:excess]
            kept[some] -= 1
            excess -= len(some)
    return kept


class Leaves(Bound):
    """The bound, from weights that are made once for each instance.

    The engine in C takes it up if it knows how many rules a better list can have at most. In
    Python it is for those who ask for it by name. The options are those of the tables in C
    (`include/corels_leaf_bound/leaf_bound.h`): any values give the same optimum.
    """

    scope = "set"
    reads = frozenset({SETS})
    rank = 0  # it adds numbers up, before sets are compared
    by_name = frozenset({"python"})
    joins = "max_rules"
    checker = "corels_leaf_bound.proofcheck:Leaves"

    name = "leaves"
    summary = "drops a child if no leaf of a short list can gain enough over one prediction for all"
    theorem = "docs/internals/leaves.md#leaves"

    def __init__(
        self,
        patience: float = 0.3,
        after: int = 2000,
        longest: int = 5,
        rounds: int = 12,
        megabytes: float = 512,
    ) -> None:
        self._weights: Weights | None = None
        self._options = patience, after, longest, rounds, megabytes * (1 << 20)

    @cached_property
    def tables(self) -> int | None:  # type: ignore[override]
        """The address of the bound with tables; None if its C was not built."""
        try:
            from corels_leaf_bound._native import ffi, lib
        except ImportError:
            return None
        options = ffi.new("corels_leaf_options *", self._options)
        bound = ffi.new("corels_table_bound *")
        lib.corels_leaf_bound(bound, options)
        self._alive = bound, options
        return int(ffi.cast("uintptr_t", bound))

    def keep(self, children: Children, incumbent: int) -> Keep:
        if children.expansion is None or not len(children):
            return np.ones(len(children), dtype=np.bool_)
        return self._costs(children, children.expansion) < incumbent

    def least(self, dropped: Children, incumbent: int) -> int | None:
        if dropped.expansion is None or not len(dropped):
            return incumbent
        return int(self._costs(dropped, dropped.expansion).min())

    def _costs(self, children: Children, expansion: Expansion) -> Whole:
        """int64[n]: what every list behind each child costs, by the weights of what it leaves; 0
        if there is one class only."""
        if len(expansion.regrets) == 1:
            return np.zeros(len(children), dtype=np.int64)
        length, left = int(children.length[0]), children.rules_left
        limit = length + left if left >= 0 else CONDITIONS + 1
        rule_cost, unit = children.rule_cost, children.unit
        longest, weights = min(limit, CONDITIONS), self._weights
        made_from = (expansion.masks.tobytes(), rule_cost, unit)
        if weights is None or (weights.made_from, weights.longest) != (made_from, longest):
            weights = self._weights = Weights(expansion, rule_cost, unit, longest)
        behind = expansion.remaining & ~expansion.masks[children.antecedent]
        sets = unpack(behind, expansion.regrets.shape[1])
        least = np.array([weights.least(row, rule_cost, unit) for row in sets], dtype=np.int64)
        if limit > weights.longest:
            least = np.minimum(least, max(0, weights.longest - length + 1) * rule_cost)
        return np.asarray(children.lower_bound + least)
