"""What is known of a rule set before the first linear program: a rule set, and a bound.

On a table of many rows the first linear programs take seconds. Until then a person would see no
model and no bound.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from corels.problem.captures import Captures
from corels.problem.costs import summed
from corels_colgen.duals import Duals
from corels_colgen.instance import Clause, Instance, complexity
from corels_colgen.pricing import Pricer

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
    return Duals(mu, 0, 1, int(mu.sum()))


def first_clauses(instance: Instance, pricer: Pricer) -> Iterator[list[Clause]]:
    """A greedy rule set: clause after clause, each the best that a beam finds beside those before.

    Yields the rule set after each clause that lowers its cost.
    """
    chosen: list[Clause] = []
    uncovered = instance.positive_weights.copy()
    while len(chosen) < MOST_CLAUSES:
        room = instance.budget - complexity(chosen) - 1
        longest = min(LONGEST, instance.max_conditions, room)
        if longest < 1:
            return
        duals = Duals(uncovered, 0, 1, int(uncovered.sum()))
        pricer.start(duals.query(instance, max_conditions=longest))
        pricer.beam(WIDTH)
        found = pricer.clauses()
        if not found:  # none costs less than the positives that it would add
            return
        clause = found[0][1]
        chosen.append(clause)
        uncovered = np.where(instance.positives[list(clause)].all(axis=0), 0, uncovered)
        yield list(chosen)
