"""The plain checker: every claim of a proof, counted again with NumPy.

A claim (Z, v) says: whatever follows rules with the antecedents Z costs at least v. It depends on
the points S that Z leaves. It holds if to stop there costs v or more and for every antecedent r
that captures something of S one of these reasons does (T = S without r; proofs and the argument why
they do not lean on each other in a circle: docs/internals/proof.md):

    look ahead   its cost, and what T costs at once or with one rule more
    support      r saves too little: a list without it is as good and shorter
    tables       blocks, or cells with prices: data of the proof that bound what T costs
    claim        another claim of the proof is about T
    one rule     the best single rule in T, counted; or two rules more
    instead      another antecedent does what r does (dominance, similar support)

Claims refer to smaller sets only, so their order does not matter. All numbers are whole and below
2^53, so that products of matrices of doubles are exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError
from corels.proofcheck.given import Cells
from corels.proofcheck.reading import Proof
from corels.proofcheck.table import Table
from corels.proofcheck.watch import UNWATCHED, Watch

ROOM = 1 << 22  # numbers in a batch's matrix
MOST_BITS = 1 << 33  # of the sets of all claims


@dataclass(frozen=True)
class Failure:
    """Where a proof fails: the claim (-1: none is about all lists and says the bound), what it
    says, and the antecedent that is not shown to cost so much (-1: to stop costs less, `stop`)."""

    claim: int
    value: int
    antecedent: int = -1
    stop: int = 0


class Plain:
    """One proof against one table. check() gives the first failure, or None; `watch` is told."""

    def __init__(self, table: Table, proof: Proof, watch: Watch = UNWATCHED) -> None:
        self.table, self.proof, self.watch = table, proof, watch
        self.unit, self.rule_cost, self.captures = table.unit, table.rule_cost, table.captures
        # Sums of whole numbers are exact in these: all are below 2^24, or else below 2^53.
        self.real = np.float32 if table.total < 1 << 24 else np.float64
        self.worst = (self.captures * table.regrets.max(axis=0, initial=0)).T.astype(self.real)
        # What each antecedent captures of each class's regret, class by class.
        parts = [(self.captures * regret).T for regret in table.regrets]
        self.weights = np.concatenate(parts, axis=1).astype(self.real)
        self.lengths = np.diff(proof.starts)
        self.values = proof.values.copy()
        self.values[proof.relative] = (proof.bound or 0) - self.values[proof.relative]
        # What each shows of a set, to stop at once apart. The largest blocks come last in a file.
        blocks = [Cells(table, [(b, []) for b in p], None, watch) for p in proof.partitions]
        prices = [Cells(table, cells, shift, watch) for shift, cells in proof.prices]
        tables = [cells.least for cells in (*reversed(blocks), *reversed(prices))]
        self.reasons = [*tables, self.claimed_of, self.one_rule]
        if self.captures.shape[1] * len(self.values) > MOST_BITS:
            raise InputError("this proof is too large for the Python checker: use checker 'c'")
        self.claim_of: dict[bytes, int] = {}  # by their sets; the one that says most
        for claims in self._batches("claims by their sets"):
            for claim, key in zip(claims.tolist(), self._keys(self.left(claims)), strict=True):
                if self.values[claim] > self.values[self.claim_of.setdefault(key, claim)]:
                    self.claim_of[key] = claim

    def check(self) -> Failure | None:
        """Every claim holds, and one of them is about all lists and says `bound`."""
        for claims in self._batches("claims"):
            failure = self.check_claims(claims)
            if failure is not None:
                return failure
        bound, least = self.proof.bound, self.values[self.lengths == 0].max(initial=0)
        return None if bound is None or least >= bound else Failure(-1, bound, -1, int(least))

    def _batches(self, what: str) -> Iterator[NDArray[np.intp]]:
        size = max(1, ROOM // max(1, *self.weights.shape, *self.worst.shape))
        for at in range(0, len(self.values), size):
            self.watch.tell(what, at, len(self.values))
            claims = np.arange(at, min(at + size, len(self.values)))
            yield claims[self.values[claims] > 0]

    def left(self, claims: NDArray[np.intp]) -> NDArray[np.bool_]:
        """bool[n, P]: the points that the rules of each claim leave."""
        sets = np.ones((len(claims), self.captures.shape[1]), dtype=np.bool_)
        for k in range(int(self.lengths[claims].max(initial=0))):
            has = np.flatnonzero(self.lengths[claims] > k)
            sets[has] &= ~self.captures[self.proof.rules[self.proof.starts[claims[has]] + k]]
        return sets

    def _keys(self, sets: NDArray[np.bool_]) -> Iterator[bytes]:
        return (row.tobytes() for row in np.packbits(sets, axis=1))

    def claimed_of(self, sets: NDArray[np.bool_]) -> NDArray[np.int64]:
        """int64[n]: the most that a claim about exactly this set says, 0 where there is none."""
        found = np.array([self.claim_of.get(key, -1) for key in self._keys(sets)], dtype=np.intp)
        self.note(found[found >= 0])
        return np.where(found < 0, 0, np.append(self.values, 0)[found])

    def note(self, claims: NDArray[np.intp]) -> None:
        """These claims were looked up; whoever trims a proof listens."""

    def counted(self, sets: NDArray[np.bool_]) -> tuple[Any, Any, Any, Any]:
        """What to stop costs [n]; and [n, M]: errors of a rule, what stopping behind it costs, and
        its errors if it predicts the worst class of each point, 0 where it captures nothing."""
        as_float: Any = sets.astype(self.real)
        classes = len(self.table.regrets)
        shape = len(sets), classes, len(self.captures)
        counts = (as_float @ self.weights).astype(np.int64).reshape(shape)
        totals = (as_float @ self.table.regrets.T.astype(self.real)).astype(np.int64)
        closing = (totals[:, :, None] - counts).min(axis=1)
        worst = (as_float @ self.worst).astype(np.int64)
        return self.unit * totals.min(axis=1), counts.min(axis=1), self.unit * closing, worst

    def check_claims(self, claims: NDArray[np.intp]) -> Failure | None:
        """The first of these claims that does not hold."""
        sets, values = self.left(claims), self.values[claims]
        stop, errors, closing, worst = self.counted(sets)
        need = values[:, None] - self.rule_cost - self.unit * errors  # of what follows r
        failed = np.minimum(closing, self.rule_cost) < need
        failed &= self.unit * (worst - errors) > self.rule_cost  # support; or captures nothing
        pairs, size = np.argwhere(failed), max(1, ROOM // max(1, *self.weights.shape))
        for at in range(0, len(pairs), size):
            c, r = pairs[at : at + size].T
            failed[c, r] = False
            for reason in self.reasons:
                shown = np.minimum(closing[c, r], reason(sets[c] & ~self.captures[r]))
                c, r = c[shown < need[c, r]], r[shown < need[c, r]]
            failed[c, r] = ~self.instead(sets[c] & self.captures[r], r, errors[c], worst[c])
        for i in np.flatnonzero((stop < values) | failed.any(axis=1))[:1].tolist():
            r = -1 if stop[i] < values[i] else int(np.flatnonzero(failed[i])[0])
            return Failure(int(claims[i]), int(values[i]), r, int(stop[i]) if r < 0 else 0)
        return None

    def one_rule(self, sets: NDArray[np.bool_]) -> NDArray[np.int64]:
        """With one rule or more: the best single rule, or two rules."""
        _, errors, closing, worst = self.counted(sets)
        none = np.iinfo(np.int64).max
        one = np.where(worst > 0, self.rule_cost + self.unit * errors + closing, none)
        two = np.where(worst.any(axis=1), 2 * self.rule_cost, none)
        return np.asarray(np.minimum(one.min(axis=1, initial=none), two))

    def instead(self, cells: Any, r: Any, errors: Any, worst: Any) -> NDArray[np.bool_]:
        """bool[n]: some other antecedent does as well and comes first in the order of removals.

        cells: what r captures; errors, worst: [n, M] of all antecedents in the same set.
        """
        row, first = np.arange(len(r)), np.arange(len(self.captures)) < r[:, None]
        here, weight = errors[row, r][:, None], worst[row, r][:, None]
        missed = weight - (cells.astype(self.real) @ self.worst).astype(np.int64)
        similar = (errors + missed <= here) & (errors < here)
        first = (worst > weight) | ((worst == weight) & first)
        return np.asarray((similar | ((missed == 0) & (errors <= here) & first)).any(axis=1))
