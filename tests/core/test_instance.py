"""The instance: regrets instead of weights, nothing lost (docs/internals/reduction.md)."""

import numpy as np
import pytest

from corels.problem import prepare
from corels.problem.captures import (
    Captures,
    finished,
    group_rows_in_pieces,
    pack,
    pack_columns,
    popcounts,
    unpack,
    words_for,
)
from corels.testing import random_problem


def test_two_classes_give_signed_points():
    rng = np.random.default_rng(3)
    for _ in range(20):
        instance = prepare(random_problem(rng))
        assert (instance.regrets.min(axis=0) == 0).all()
        assert (instance.regrets.max(axis=0) > 0).all(), "points without regret are dropped"
        assert (popcounts(instance.masks) > 0).all(), "empty antecedents are dropped"


def test_points_are_kept_where_original_weights_are_read():
    rng = np.random.default_rng(4)
    problem = random_problem(rng)
    instance = prepare(problem, captured=True)
    assert instance.counts_captured
    assert instance.captured.sum() == problem.total
    assert instance.unit * int(instance.minority.sum()) == instance.base


@pytest.mark.parametrize("points", [0, 1, 63, 64, 65, 200])
def test_packing_is_inverted(points):
    rng = np.random.default_rng(points)
    bits = rng.random((7, points)) < 0.4
    masks = pack(bits)
    assert masks.shape == (7, words_for(points)) and words_for(points) >= 1
    assert (unpack(masks, points) == bits).all()
    assert (popcounts(masks) == bits.sum(axis=1)).all()
    if points > 3:
        assert masks[0, 0] >> np.uint64(3) & np.uint64(1) == bits[0, 3], "bit i = point i"


def test_grouping_numbers_groups_by_their_first_member():
    rng = np.random.default_rng(5)
    for _ in range(20):
        bits = rng.random((int(rng.integers(1, 100)), int(rng.integers(1, 12)))) < 0.5
        bits = bits[:, rng.integers(0, bits.shape[1], size=20)]
        group, first = Captures.of(bits).groups()
        assert (bits[:, first][:, group] == bits).all()
        assert (np.diff(first) > 0).all(), "the first columns, in order"
        assert [list(group).index(g) for g in range(len(first))] == first.tolist()
        assert len({column.tobytes() for column in bits.T}) == len(first)
        kept_as, kept = finished(group_rows_in_pieces(pack_columns(bits)))
        assert (kept == first).all() and (kept_as == group).all()


def test_rows_with_one_digest_are_told_apart(monkeypatch):

    monkeypatch.setattr(
        "corels.problem.captures._digest", lambda keys: np.zeros(len(keys), dtype=np.uint64)
    )
    keys = np.array([[1, 2], [3, 4], [1, 2]], dtype=np.uint64)
    group, first = finished(group_rows_in_pieces(keys))
    assert group.tolist() == [0, 1, 0] and first.tolist() == [0, 1]
