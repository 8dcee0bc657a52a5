"""The plain checker: every claim of a proof, counted again with NumPy.

A claim (Z, v) says: whatever follows rules with the antecedents Z costs at least v. It depends on
the points S that Z leaves. It holds if to stop there costs v or more and for every antecedent r
that captures something of S one of these reasons does (T = S without r; proofs and the argument why
they do not lean on each other in a circle: docs/internals/proof.md):

    look ahead   its cost, and what T costs at once or with one rule more
    support      r saves too little: a list without it is as good and shorter
    claim        another claim of the proof is about T
    blocks       the tables of a partition bound the errors of 1, 2, .. rules in T
    prices       cells of points, each with its share of weights and of what rules cost
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
from corels.proofcheck.given import Blocks, Prices
from corels.proofcheck.reading import Proof
from corels.proofcheck.table import Table

ROOM = 1 << 22  # numbers in a batch's matrix


@dataclass(frozen=True)
class Failure:
    """Where a proof fails: the claim (-1: none is about all lists and says the bound), what it
    says, and the antecedent that is not shown to cost so much (-1: to stop costs less, `stop`)."""

    claim: int
    value: int
    antecedent: int = -1
    stop: int = 0


class Plain:
    """One proof against one table. check() gives the first failure, or None."""

    def __init__(self, table: Table, proof: Proof) -> None:
        self.table, self.proof = table, proof
        self.unit, self.rule_cost = table.unit, table.rule_cost
        self.captures = table.captures
        # Sums of whole numbers are exact in these: all are below 2^24, or else below 2^53.
        self.real = np.float32 if table.total < 1 << 24 else np.float64
        self.worst = (self.captures * table.regrets.max(axis=0, initial=0)).T.astype(self.real)
        # What each antecedent captures of each class's regret, class by class.
        self.weights = np.concatenate([(self.captures * r).T for r in table.regrets], axis=1)
        self.weights = self.weights.astype(self.real)
        self.lengths = np.diff(proof.starts)
        self.values = proof.values.copy()
        self.values[proof.relative] = (proof.bound or 0) - self.values[proof.relative]
        # What each shows of a set, to stop at once apart. The largest blocks come last in a file.
        blocks = [Blocks(table, partition).least for partition in proof.partitions]
        cells = [Prices(table, *prices).least for prices in proof.prices]
        self.reasons = [*reversed(blocks), *reversed(cells), self.claimed_of, self.one_rule]
        self._index()

    def check(self) -> Failure | None:
        """Every claim holds, and one of them is about all lists and says `bound`."""
        for claims in self._batches():
            failure = self.check_claims(claims)
            if failure is not None:
                return failure
        bound = self.proof.bound
        roots = self.values[self.lengths == 0]
        if bound is None or bound <= 0 or roots.max(initial=-1) >= bound:
            return None
        return Failure(-1, bound, -1, int(roots.max(initial=0)))

    def _batches(self) -> Iterator[NDArray[np.intp]]:
        size = max(
            1, ROOM // max(self.weights.size // max(1, len(self.weights)), *self.worst.shape)
        )
        for at in range(0, len(self.values), size):
            claims = np.arange(at, min(at + size, len(self.values)))
            yield claims[self.values[claims] > 0]

    # Sets, their numbers, and claims by their set.

    def left(self, claims: NDArray[np.intp]) -> NDArray[np.bool_]:
        """bool[n, P]: the points that the rules of each claim leave."""
        sets = np.ones((len(claims), self.captures.shape[1]), dtype=np.bool_)
        for k in range(int(self.lengths[claims].max(initial=0))):
            has = np.flatnonzero(self.lengths[claims] > k)
            sets[has] &= ~self.captures[self.proof.rules[self.proof.starts[claims[has]] + k]]
        return sets

    def _words(self, sets: NDArray[np.bool_]) -> NDArray[np.uint64]:
        octets = np.packbits(sets, axis=1)
        padded = np.zeros((len(sets), max(8, -(-octets.shape[1] // 8) * 8)), dtype=np.uint8)
        padded[:, : octets.shape[1]] = octets
        return padded.view(np.uint64)

    def _index(self) -> None:
        """The sets of all claims, sorted by a digest; digests find them, whole sets decide."""
        width = max(1, -(-self.captures.shape[1] // 64))
        if len(self.values) * width > 1 << 27:
            raise InputError("this proof is too large for the Python checker: use checker 'c'")
        random = np.random.default_rng(0)
        self.factors = random.integers(1, 1 << 63, size=width, dtype=np.uint64) * np.uint64(2) + 1
        parts = [self._words(self.left(claims)) for claims in self._batches()]
        self.claimed = np.concatenate([np.zeros((0, width), np.uint64), *parts])
        claims = np.flatnonzero(self.values > 0)
        digests = (self.claimed * self.factors).sum(axis=1, dtype=np.uint64)
        order = np.lexsort((-self.values[claims], digests))
        self.digests, self.claimed = digests[order], self.claimed[order]
        self.worth, self.number = self.values[claims][order], claims[order]

    def claimed_of(self, sets: NDArray[np.bool_]) -> NDArray[np.int64]:
        """int64[n]: the most that a claim about exactly this set says, 0 where there is none."""
        if not len(self.worth):
            return np.zeros(len(sets), dtype=np.int64)
        words = self._words(sets)
        digests = (words * self.factors).sum(axis=1, dtype=np.uint64)
        at = np.minimum(np.searchsorted(self.digests, digests), len(self.digests) - 1)
        same = (self.claimed[at] == words).all(axis=1)
        self.note(self.number[at[same]])
        return np.where(same, self.worth[at], 0)

    def note(self, claims: NDArray[np.intp]) -> None:
        """These claims were looked up; whoever trims a proof listens."""

    # One batch of claims, and the antecedents that are left to be ruled out.

    def counted(self, sets: NDArray[np.bool_]) -> tuple[Any, Any, Any]:
        """What to stop costs [n]; errors [n, M] of a rule; what stopping behind it costs [n, M]."""
        classes, antecedents = len(self.table.regrets), len(self.captures)
        as_float = sets.astype(self.real)
        counts = (as_float @ self.weights).astype(np.int64).reshape(-1, classes, antecedents)
        totals = (as_float @ self.table.regrets.T.astype(self.real)).astype(np.int64)
        closing = (totals[:, :, None] - counts).min(axis=1)
        return self.unit * totals.min(axis=1), counts.min(axis=1), self.unit * closing

    def check_claims(self, claims: NDArray[np.intp]) -> Failure | None:
        """The first of these claims that does not hold."""
        sets, values = self.left(claims), self.values[claims]
        stop, errors, closing = self.counted(sets)
        worst = (sets.astype(self.real) @ self.worst).astype(np.int64)
        need = values[:, None] - self.rule_cost - self.unit * errors  # of what follows r
        failed = np.minimum(closing, self.rule_cost) < need
        failed &= self.unit * (worst - errors) > self.rule_cost  # reduced support; captures nothing
        size = max(1, ROOM // max(self.captures.shape[1], *self.weights.shape))
        pairs = np.argwhere(failed)
        for at in range(0, len(pairs), size):
            c, r = pairs[at : at + size].T
            open_ = self._open(sets[c] & ~self.captures[r], need[c, r], closing[c, r])
            c, r = c[open_], r[open_]
            failed[pairs[at : at + size][~open_].T[0], pairs[at : at + size][~open_].T[1]] = False
            failed[c, r] = ~self.instead(sets[c] & self.captures[r], r, errors[c], worst[c])
        wrong = np.flatnonzero((stop < values) | failed.any(axis=1))
        if not len(wrong):
            return None
        i = int(wrong[0])
        claim, value = int(claims[i]), int(values[i])
        if stop[i] < value:
            return Failure(claim, value, -1, int(stop[i]))
        r = int(np.flatnonzero(failed[i])[0])
        return Failure(claim, value, r)

    def _open(self, sets: Any, need: Any, closing: Any) -> NDArray[np.bool_]:
        """bool[n]: the sets whose need no claim, no blocks and no count of one rule reaches."""
        open_ = np.ones(len(sets), dtype=np.bool_)
        for reason in self.reasons:
            at = np.flatnonzero(open_)
            open_[at] = np.minimum(closing[at], reason(sets[at])) < need[at]
        return np.asarray(open_)

    def one_rule(self, sets: Any) -> NDArray[np.int64]:
        """With one rule or more: the best single rule, or two rules."""
        _, errors, closing = self.counted(sets)
        captures = (sets.astype(self.real) @ self.worst) > 0
        one = self.rule_cost + self.unit * errors + closing
        none = np.iinfo(np.int64).max
        best = np.where(captures, one, none).min(axis=1, initial=none)
        return np.where(captures.any(axis=1), np.minimum(best, 2 * self.rule_cost), none)

    def instead(self, cells: Any, r: Any, errors: Any, worst: Any) -> NDArray[np.bool_]:
        """bool[n]: some other antecedent does as well and comes first in the order of removals.

        cells: what r captures; errors, worst: [n, M] of all antecedents in the same set.
        """
        row = np.arange(len(r))
        here, weight = errors[row, r][:, None], worst[row, r][:, None]
        missed = weight - (cells.astype(self.real) @ self.worst).astype(np.int64)
        similar = (errors + missed <= here) & (errors < here)
        first = (worst > weight) | (
            (worst == weight) & (np.arange(len(self.captures)) < r[:, None])
        )
        return np.asarray((similar | ((missed == 0) & (errors <= here) & first)).any(axis=1))
