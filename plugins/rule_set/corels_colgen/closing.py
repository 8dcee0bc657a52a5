"""Closing the gap: every clause that a better rule set could use, and no other.

With the duals of a solved master no clause has a negative reduced cost, so a rule set of cost
below u uses only clauses with rc <= u - 1 - z (see duals.py). They are enumerated, and of those the
ones that another one makes needless are dropped: a clause is *dominated* by one that covers the
same positives and more, at no more cost and no more complexity. Of touched positives (instance.py)
both have to cover the same ones: what else it covers may cost more, or break a constraint.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from corels.problem.captures import pack, popcounts, supports, weight_planes
from corels_colgen.duals import Duals
from corels_colgen.instance import Clause, Instance, Ints
from corels_colgen.pricing import Pricer, Query

PAIRWISE = 30_000
"""Above this many clauses the pairwise search for dominated ones is not worth its time."""
AT_ONCE = 2_000_000  # words that are looked at in one piece


@dataclass(frozen=True, eq=False)
class Candidates:
    """Clauses that matter: features (K rows, -1 past the end), and what each covers and costs."""

    features: Ints
    cover: NDArray[np.uint64]  # packed positives
    cost: Ints
    complexity: Ints
    reduced: Ints  # in units of 1/scale of the duals

    def __len__(self) -> int:
        return len(self.cost)

    def take(self, rows: NDArray[np.intp]) -> Candidates:
        return Candidates(*(getattr(self, one.name)[rows] for one in fields(self)))

    def clause(self, row: int) -> Clause:
        return tuple(sorted(int(j) for j in self.features[row] if j >= 0))


def closing_query(duals: Duals, instance: Instance, below: int, capacity: int) -> Query:
    """The pricing query for all clauses of rule sets cheaper than `below`, at most `capacity`."""
    longest, cutoff = instance.max_conditions, duals.closing_cutoff(below)
    query = duals.query(instance, cutoff=cutoff, max_conditions=longest)
    # Here a condition is needless only if dropping it costs nothing: what it keeps out weighs no
    # more than its own penalty.
    return replace(
        query,
        keep_all=True,
        capacity=capacity,
        redundant=0 if instance.by_errors else instance.condition_penalty,
        touched=instance.touched if instance.touched.any() else None,
    )


def candidates(pricer: Pricer, instance: Instance) -> Generator[bool, None, Candidates]:
    """The clauses that the pricer holds, without those that are dominated.

    Yields False after each of perhaps thousands of pieces of work: it may go on if the
    budget allows.
    """
    features, lengths, reduced = pricer.table()
    table = features.astype(np.int64)
    table[np.arange(table.shape[1]) >= lengths[:, None]] = -1
    positives, negatives = pack(instance.positives), pack(instance.negatives)
    planes = weight_planes(instance.negative_weights)
    cover = np.empty((len(table), positives.shape[1]), dtype=np.uint64)
    loss = np.empty(len(table), dtype=np.int64)
    for piece in _pieces(len(table), positives.shape[1] + negatives.shape[1]):
        cover[piece] = _meet(positives, table[piece])
        loss[piece] = supports(_meet(negatives, table[piece]), planes)
        yield False
    conditions = lengths.astype(np.int64)
    costs = loss + instance.penalty(conditions)
    found = Candidates(table, cover, costs, conditions + 1, reduced)
    found = found.take((yield from _best_of_each_cover(found)))
    if len(found) > PAIRWISE or instance.touched.all():
        return found
    touched = pack(instance.touched[None])[0]
    return found.take((yield from _undominated(found, touched)))


def _pieces(rows: int, words: int) -> Iterator[slice]:
    """Rows of so many words each, some at a time."""
    step = max(1, AT_ONCE // max(1, words))
    return (slice(first, first + step) for first in range(0, rows, step))


def _meet(columns: NDArray[np.uint64], table: Ints) -> NDArray[np.uint64]:
    """The intersection of the columns of each clause's features."""
    words = columns.shape[1]
    everything = np.full((1, words), ~np.uint64(0))
    padded = np.concatenate([columns, everything])  # feature -1 holds everywhere
    result = padded[table[:, 0]]
    for place in range(1, table.shape[1]):
        result &= padded[table[:, place]]
    return result


def _best_of_each_cover(found: Candidates) -> Generator[bool, None, NDArray[np.intp]]:
    """Of clauses that cover the same positives, those that no other beats in both costs."""
    order = np.lexsort((found.cost, found.complexity))
    cheapest: dict[bytes, int] = {}
    kept = []
    for piece in _pieces(len(order), found.cover.shape[1]):
        for row in order[piece].tolist():
            key = found.cover[row].tobytes()
            cost = int(found.cost[row])
            if cost < cheapest.get(key, cost + 1):
                cheapest[key] = cost
                kept.append(row)
        yield False
    return np.array(sorted(kept), dtype=np.intp)


def _undominated(
    found: Candidates, touched: NDArray[np.uint64]
) -> Generator[bool, None, NDArray[np.intp]]:
    size = popcounts(found.cover)
    alive = np.ones(len(found), dtype=np.bool_)
    for row in np.argsort(-size, kind="stable").tolist():
        if not alive[row]:
            continue
        worse = (
            alive & (found.cost >= found.cost[row]) & (found.complexity >= found.complexity[row])
        )
        worse &= size < size[row]
        others = np.flatnonzero(worse)
        differs = found.cover[others] ^ found.cover[row]
        inside = ~(differs & (found.cover[others] | touched)).any(axis=1)
        alive[others[inside]] = False
        yield False
    return np.flatnonzero(alive)
