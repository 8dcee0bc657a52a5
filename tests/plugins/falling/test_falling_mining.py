"""Mining by class against all conjunctions, and the same through the solver's option."""

from __future__ import annotations

from itertools import combinations

import bank_full
import numpy as np
import pytest
from corels_falling.mining import frequent_in_a_class, mine_by_class

from corels.errors import OptionError
from corels.tables import Antecedent, Condition


def singles(columns: int) -> list[Antecedent]:
    return [Antecedent.of(Condition(f"x{j}", "true")) for j in range(columns)]


def expected(captures, labels, weights, support, most):
    found = set()
    for k in range(1, most + 1):
        for chosen in combinations(range(len(captures)), k):
            mask = captures[list(chosen)].all(axis=0)
            for label in (0, 1):
                inside = weights[mask & (labels == label)].sum()
                enough = inside > 0 and inside >= support * weights[labels == label].sum()
                if enough and not mask.all():
                    found.add(chosen)
    return found


@pytest.mark.parametrize("weighted", [False, True])
def test_all_frequent_conjunctions_and_no_others(weighted):
    rng = np.random.default_rng(4)
    for _ in range(60):
        rows, columns = int(rng.integers(2, 40)), int(rng.integers(1, 6))
        captures = rng.random((columns, rows)) < rng.uniform(0.2, 0.8)
        labels = (rng.random(rows) < 0.4).astype(np.int64)
        weights = rng.integers(1, 4, rows) if weighted else np.ones(rows, dtype=np.int64)
        support, most = float(rng.choice([0, 0.125, 0.25, 0.5])), int(rng.integers(1, 4))
        mined = mine_by_class(
            singles(columns),
            captures,
            labels,
            max_cardinality=most,
            min_support=support,
            weights=weights if weighted else None,
        )
        names = {tuple(int(c.column[1:]) for c in a.conditions) for a in mined.antecedents}
        assert names == expected(captures, labels, weights, support, most)
        for antecedent, mask in zip(mined.antecedents, mined.captures, strict=True):
            chosen = [int(c.column[1:]) for c in antecedent.conditions]
            assert (mask == captures[chosen].all(axis=0)).all()


def test_a_support_that_is_no_share_is_refused():
    with pytest.raises(OptionError, match="min_support is 'much'"):
        mine_by_class(singles(1), np.ones((1, 2), bool), np.array([0, 1]), min_support="much")


@pytest.mark.skipif(not bank_full.PATH.exists(), reason="needs bank_full.csv.gz")
def test_bank_full_has_262_distinct_antecedents():
    rows, labels = bank_full.predicates()
    names, captures = [], []
    for column in rows[0]:
        values = np.array([row[column] for row in rows])
        for value in np.unique(values):
            names.append(Antecedent.of(Condition(column, "==", str(value))))
            captures.append(values == value)
    mined = mine_by_class(names, np.array(captures), labels)
    assert len(np.unique(np.packbits(mined.captures, axis=1), axis=0)) == 262
    by_class = np.stack([mined.captures @ (labels == c).astype(np.int64) for c in (0, 1)], axis=1)
    assert len(frequent_in_a_class(by_class, np.bincount(labels), 0.1)) == len(mined.antecedents)
