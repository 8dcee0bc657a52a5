"""What is known of a rule set before the first linear program: a rule set, and a bound.

On a table of many rows the first linear programs take seconds. Until then a person would see no
model and no bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from corels.problem.captures import Captures
from corels.problem.costs import summed
from corels_colgen.duals import Duals
from corels_colgen.instance import Bools, Clause, Instance, Ints, complexity
from corels_colgen.pricing import Query

WIDTH = 20
LONGEST = 5
MOST_CLAUSES = 20


def first_duals(instance: Instance) -> Duals:
    """Duals that hold for every clause, without pricing: what equal points of both labels cost.

    mu of a positive point is the lesser of its weight and that of the negative point with the same
    features. A clause that covers the positive point covers the negative one, so it loses at least
    the mu that it covers: no clause has rc < 0, and the sum of mu is a lower bound
    (docs/internals, "Before the first linear program").
    """
    features = np.concatenate([instance.positives, instance.negatives], axis=1)
    group, first = Captures.of(features).groups()
    n = instance.positives.shape[1]
    (here,) = summed(instance.positive_weights[None], group[:n], len(first))
    (there,) = summed(instance.negative_weights[None], group[n:], len(first))
    # Positive points are distinct, but should some be equal, they share what the negatives weigh.
    mu = np.zeros(n, dtype=np.int64)
    left = np.minimum(here, there)
    for i in np.flatnonzero(left[group[:n]]):
        mu[i] = min(int(instance.positive_weights[i]), int(left[group[i]]))
        left[group[i]] -= mu[i]
    return Duals.of(instance, mu)


def next_clause(instance: Instance, chosen: Sequence[Clause]) -> Query | None:
    """The query for the clause of a greedy rule set that comes behind those chosen: a beam search
    finds a good one. None if there is no room."""
    room = instance.budget - complexity(list(chosen)) - 1
    longest = min(LONGEST, instance.max_conditions, room)
    if longest < 1 or len(chosen) == MOST_CLAUSES:
        return None
    net = np.maximum(instance.positive_weights - instance.once, 0)
    mu = np.where(instance.caught(chosen), 0, net)
    query = Duals.of(instance, mu).query(instance, max_conditions=longest)
    return replace(query, scale=1, scale_by_size=0, redundant=instance.condition_penalty)


def dear_points(instance: Instance) -> tuple[Bools, Ints]:
    """What clauses should not catch, as pricing wants it: bool[M, N] and int64[N] weights."""
    if not instance.by_errors:
        return instance.negatives, instance.negative_weights
    lost = instance.once - instance.positive_weights
    return np.ascontiguousarray(instance.positives[:, lost > 0]), lost[lost > 0]
