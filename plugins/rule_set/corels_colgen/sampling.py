"""Heuristic pricing on a sample, for tables on which exact pricing in every round is too slow.

The paper's scheme: draw about 2,000 rows, then features until the sample has about 100,000
non-zeros; search clauses of up to five conditions there by a beam; keep those whose reduced cost on
the whole table is negative. A round that finds nothing proves nothing: exact pricing comes after.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from corels_colgen.columns import Columns
from corels_colgen.duals import Duals
from corels_colgen.instance import Clause, Instance
from corels_colgen.pricing import Pricer, Query

ROWS = 2_000
NON_ZEROS = 100_000
LONGEST = 5
WIDTH = 50
CAPACITY = 300


class SampledPricing:
    """Clauses of negative reduced cost, found on random samples of one instance."""

    def __init__(self, instance: Instance, seed: int) -> None:
        self._instance = instance
        self._random = np.random.default_rng(seed)

    def begin(self, duals: Duals) -> tuple[Pricer, Query, NDArray[np.intp]] | None:
        """A sample: its pricing problem, the query, and the features that it has; None if empty."""
        positive, negative, features = self._sample(duals)
        if not len(positive) or not len(features):
            return None
        given = self._instance
        pricer = Pricer(
            given.positives[np.ix_(features, positive)],
            given.negatives[np.ix_(features, negative)],
            given.negative_weights[negative],
        )
        longest = min(LONGEST, given.max_conditions)
        return pricer, self._scaled(duals, positive, negative, longest), features

    def kept(self, found: Iterable[Clause], duals: Duals, limit: int) -> list[Clause]:
        """At most `limit` of these clauses, those with rc < 0 on the whole table, best first."""
        columns = Columns(self._instance)
        columns.add(found)
        clauses, costs = columns.clauses, duals.reduced_costs(columns)
        order = np.argsort(costs, kind="stable")
        return [clauses[k] for k in order[:limit] if costs[k] < 0]

    def _sample(self, duals: Duals) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
        """Rows of both classes in proportion, of the positives only those that pay; features."""
        given = self._instance
        paying = np.flatnonzero(duals.mu > 0)
        rejected = np.arange(given.negatives.shape[1])
        share = min(1.0, ROWS / max(1, len(paying) + len(rejected)))
        positive = self._draw(paying, share)
        negative = self._draw(rejected, share)
        features = self._random.permutation(given.n_features)
        filled = np.cumsum(
            given.positives[np.ix_(features, positive)].sum(axis=1)
            + given.negatives[np.ix_(features, negative)].sum(axis=1)
        )
        return positive, negative, np.sort(features[filled <= NON_ZEROS])

    def _draw(self, rows: NDArray[np.intp], share: float) -> NDArray[np.intp]:
        count = min(len(rows), max(1, round(share * len(rows)))) if len(rows) else 0
        return np.sort(self._random.choice(rows, size=count, replace=False))

    def _scaled(
        self, duals: Duals, positive: NDArray[np.intp], negative: NDArray[np.intp], longest: int
    ) -> Query:
        """The query with the costs of a clause scaled down like the sample."""
        given = self._instance
        query = duals.query(given, max_conditions=longest)
        total = len(given.negative_weights) + int((duals.mu > 0).sum())
        share = (len(positive) + len(negative)) / max(1, total)
        return replace(
            query,
            duals=duals.mu[positive],
            clause_cost=int(query.clause_cost * share),
            condition_cost=int(query.condition_cost * share),
            redundant=0,
            capacity=CAPACITY,
        )
