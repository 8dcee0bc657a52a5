"""What workers do for the count service: bring equal rows together once, then count sets of them.

Rows that satisfy the same antecedents are one *point*. Its unavoidable errors are those of all its
rows, so these must be in one place: each worker splits its points by a hash of what they satisfy,
and a *bucket* takes those of one remainder from all shards. From then on buckets stay where they
are, as packed columns. All of it can be made again from the shards' files, so Dask replaces what a
lost worker had.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from corels_python.masks import Counter, Mask, full, mask, without
from numpy.typing import NDArray

from corels.problem.captures import (
    Captures,
    finished,
    group_rows_in_pieces,
    multipliers,
    supports,
    transposed_in_pieces,
    weight_planes,
)
from corels.problem.costs import summed
from corels.problem.differences import distinct_in_pieces
from corels.problem.statement import rows_hash
from corels_dask.work import Stored, read

Points = tuple[NDArray[np.uint64], NDArray[np.int64]]
"""uint64[P, W], the antecedents that each point satisfies, and int64[C, P], its weight by class."""


def split(stored: Stored, number: int, buckets: int) -> list[Points]:
    """The points of a shard, for each bucket."""
    data = read(stored, number)
    group, first, keys = finished(data.captures.groups_in_pieces())
    cells = data.labels * len(first) + group
    counts = np.bincount(cells, data.weights, minlength=len(data.classes) * len(first))
    keys, weights = keys[first], counts.reshape(-1, len(first)).astype(np.int64)
    mixed = (keys ^ keys >> np.uint64(29)) * multipliers(keys.shape[1])
    bucket = (mixed.sum(axis=1, dtype=np.uint64) >> np.uint64(32)) % np.uint64(buckets)
    return [(keys[bucket == b], weights[:, bucket == b]) for b in range(buckets)]


@dataclass(frozen=True, eq=False)
class Bucket:
    """Points of all shards: uint64[M, W] which of them each antecedent captures, and their weight
    by class, int64[C, P]."""

    captures: Captures
    weights: NDArray[np.int64]

    @property
    def unavoidable(self) -> NDArray[np.int64]:
        """int64[P]."""
        amounts = self.weights.sum(axis=0) - self.weights
        return np.asarray(amounts.min(axis=0))

    @property
    def regrets(self) -> NDArray[np.int64]:
        """int64[C, P], as of `corels.problem.instance`."""
        return np.asarray(self.weights.sum(axis=0) - self.weights - self.unavoidable)

    @property
    def told_apart(self) -> NDArray[np.intp]:
        """The points that it matters how they are predicted."""
        return np.flatnonzero(self.regrets.any(axis=0))


def bucket_of(antecedents: int, parts: Sequence[Points]) -> Bucket:
    """The points of one bucket, from all shards."""
    keys = np.concatenate([part[0] for part in parts])
    weights = np.concatenate([part[1] for part in parts], axis=1)
    group, first = finished(group_rows_in_pieces(keys))
    words = finished(transposed_in_pieces(keys[first], antecedents))
    return Bucket(Captures(words, len(first)), summed(weights, group, len(first)))


@dataclass(frozen=True)
class Summary:
    """What the client has to know of a bucket.

    apart: of its points, those with a regret; weights, regrets: by class; digests: for each
    antecedent a hash of the points that it captures, "" if there are none; told_apart: the same of
    the points with a regret.
    """

    points: int
    apart: int
    weights: tuple[int, ...]
    regrets: tuple[int, ...]
    unavoidable: int
    digests: tuple[str, ...]
    told_apart: tuple[str, ...]


def told(bucket: Bucket) -> Summary:
    left = bucket.captures.columns(bucket.told_apart)
    return Summary(
        bucket.captures.length,
        left.length,
        tuple(bucket.weights.sum(axis=1).tolist()),
        tuple(bucket.regrets.sum(axis=1).tolist()),
        int(bucket.unavoidable.sum()),
        _digests(bucket.captures.words),
        _digests(left.words),
    )


def hash_of(kept: Sequence[int], *buckets: Bucket) -> str:
    """The hash of all rows, as `Problem.data_hash` has it; kept: the antecedents that differ. The
    different rows of all buckets are in one place meanwhile."""
    keys = [finished(transposed_in_pieces(b.captures.words, b.captures.length)) for b in buckets]
    length = sum(map(len, keys))
    words = finished(transposed_in_pieces(np.concatenate(keys), len(buckets[0].captures)))
    of_all = Captures(words, length).take(kept)
    place, first, captures = finished(distinct_in_pieces(of_all))
    weights = np.concatenate([bucket.weights for bucket in buckets], axis=1)
    return rows_hash(captures, summed(weights, place, len(first)))


def _digests(words: NDArray[np.uint64]) -> tuple[str, ...]:
    return tuple(hashlib.sha256(row.tobytes()).hexdigest() if row.any() else "" for row in words)


@dataclass(frozen=True, eq=False)
class Ready:
    """A bucket laid out for counting: its points, the antecedents' sets, and what is counted."""

    everything: Mask
    masks: list[Mask]
    counter: Counter


def ready(bucket: Bucket, antecedents: NDArray[np.int32], captured: bool) -> Ready:
    """Lay out a bucket. captured: count also how much is captured, and its unavoidable errors."""
    points = np.arange(bucket.captures.length) if captured else bucket.told_apart
    # A regret that few points have, first: the set of these points is a short number then.
    worst = bucket.regrets[:, points].argmax(axis=0)
    points = points[np.argsort(np.bincount(worst)[worst], kind="stable")]
    left = bucket.captures.take(antecedents).columns(points)
    masks = [mask(row) for row in left.words]
    weights = [*bucket.regrets]
    if len(weights) > 2:  # of two regrets one is 0, and the worst is their sum
        weights.append(bucket.regrets.max(axis=0))
    if captured:
        weights += [bucket.weights.sum(axis=0), bucket.unavoidable]
    return Ready(full(len(points)), masks, Counter(masks, np.array(weights)[:, points]))


def counts(part: Ready, sets: Sequence[Sequence[int]]) -> NDArray[np.unsignedinteger]:
    """[len(sets), K, m + 1]: for what these antecedents leave, what each antecedent captures of it,
    and the whole. As few bytes as the numbers need."""
    found = []
    for rules in sets:
        left = part.everything
        for rule in rules:
            left = without(left, part.masks[rule])
        captured, whole = part.counter.count(left)
        found.append(np.hstack([captured, whole[:, None]]))
    every = np.stack(found)
    return every.astype(np.min_scalar_type(int(every.max(initial=0))))


def cells(bucket: Bucket, rules: Sequence[int]) -> NDArray[np.int64]:
    """int64[rules + 1, C]: the weight of each class that each rule captures, and the default."""
    remaining, cut = Captures.empty(1, bucket.captures.length).complement().words, []
    for rule in rules:
        cut.append(remaining & bucket.captures.words[rule])
        remaining = remaining & ~cut[-1]
    words = np.concatenate([*cut, remaining])
    return np.stack([supports(words, weight_planes(one)) for one in bucket.weights], axis=1)
