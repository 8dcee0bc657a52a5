"""Captures, points and instances: packed, grouped and reordered, equal to what bits say; regrets in
place of weights, nothing lost (docs/internals/reduction.md)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corels.problem import prepare
from corels.problem.captures import (
    Captures,
    _leaders_in_pieces,
    by_leader,
    finished,
    group_rows_in_pieces,
    pack,
    pack_columns,
    popcounts,
    transposed_in_pieces,
    unpack,
    words_for,
    worked_on,
)
from corels.problem.collapsing import distinct_in_pieces
from corels.problem.instance import instance_in_pieces
from corels.testing import random_problem

shapes = st.tuples(st.integers(1, 140), st.integers(1, 200), st.integers(0, 2**32))


@given(shapes)
def test_everything_equals_what_bits_say(shape):
    count, length, seed = shape
    rng = np.random.default_rng(seed)
    bits = rng.random((count, length)) < rng.random()
    captures = Captures.of(bits)
    assert captures.shape == bits.shape and len(captures) == count
    assert (np.asarray(captures) == bits).all()
    assert (captures[count - 1] == bits[-1]).all() and (captures[-1] == bits[-1]).all()
    assert [row.tolist() for row in captures] == bits.tolist()
    points = rng.integers(0, length, size=rng.integers(1, 2 * length))
    assert (captures.columns(points).unpack() == bits[:, points]).all()
    mask = rng.random(length) < 0.5
    assert (captures.columns(mask).unpack() == bits[:, mask]).all()
    rows = rng.integers(0, count, size=5)
    assert (captures.take(rows).unpack() == bits[rows]).all()
    weights = rng.integers(0, 1000, length)
    assert (captures.supports() == bits.sum(axis=1)).all()
    assert (captures.supports(weights) == bits @ weights).all()
    turned = finished(transposed_in_pieces(captures.words, length))
    assert (unpack(turned, count) == bits.T).all()


@given(st.integers(1, 300), st.integers(1, 400), st.integers(0, 2**32))
def test_leaders_are_the_first_rows_of_their_digests(rows, different, seed):
    digest = np.random.default_rng(seed).integers(0, different, rows).astype(np.uint64)
    first = {value: at for at, value in reversed(list(enumerate(digest.tolist())))}
    leader = finished(_leaders_in_pieces(digest))
    assert leader.tolist() == [first[value] for value in digest.tolist()]
    group, firsts = by_leader(leader)
    assert firsts.tolist() == sorted(first.values())
    assert (firsts[group] == leader).all()


def test_pieces_change_nothing(monkeypatch):
    bits = np.random.default_rng(0).random((70, 300)) < 0.3
    points = np.random.default_rng(1).permutation(300)
    whole = Captures.of(bits).columns(points), Captures.of(bits).groups()
    monkeypatch.setattr("corels.problem.captures.PIECE", 64)
    pieces = Captures.of(bits).columns(points), Captures.of(bits).groups()
    assert (whole[0].words == pieces[0].words).all()
    assert all((a == b).all() for a, b in zip(whole[1], pieces[1], strict=True))


def test_bits_behind_the_last_row_stay_zero():
    captures = Captures.of(np.ones((3, 70), dtype=bool))
    for found in (captures, captures.columns(np.arange(66))):
        used = found.length - 64
        assert (found.words[:, -1] == (1 << used) - 1).all()


def test_out_of_range_and_wrong_shapes():
    with pytest.raises(IndexError):
        Captures.of(np.zeros((2, 3)))[2]
    with pytest.raises(ValueError, match="1 dimensions, expected 2"):
        Captures.of(np.zeros(3))


def test_a_preparation_in_steps_is_the_instance():
    rng = np.random.default_rng(3)
    for captured in (False, True):
        problem = random_problem(rng)
        preparation = instance_in_pieces(problem, captured=captured)
        steps = 0
        while (found := worked_on(preparation, 0)) is None:
            steps += 1
        assert steps > 1 and worked_on(preparation, 1) is None  # it is given once
        expected = prepare(problem, captured=captured)
        for name in ("masks", "regrets", "captured", "minority", "origin"):
            assert (getattr(found, name) == getattr(expected, name)).all()
        assert (found.unit, found.rule_cost, found.base) == (
            *(expected.unit, expected.rule_cost, expected.base),
        )


def test_work_in_pieces_can_be_ended():
    def pieces():
        for _ in range(5):
            yield
        return "done"

    calls = []
    assert finished(pieces(), lambda: calls.append(1)) == "done" and len(calls) == 5
    with pytest.raises(ZeroDivisionError):
        finished(pieces(), lambda: 1 // 0)


def cuts(rng, rows, columns, values):
    """Both sides of all cuts of columns with missing values, some left out, and other sets."""
    sets = [rng.random(rows) < rng.random() for _ in range(rng.integers(0, 4))]
    for _ in range(columns):
        column = rng.integers(-1, values, rows)
        for cut in range(values):
            low = (column >= 0) & (column <= cut)
            sets += [side for side in (low, (column >= 0) & ~low) if rng.random() < 0.8]
    return np.array(sets or [np.zeros(rows)], dtype=bool)


@pytest.fixture
def many_pieces(monkeypatch):
    """Work is done in many pieces."""
    monkeypatch.setattr("corels.problem.captures.PIECE", 16)


def said_by_bits(bits):
    """Points by what they are: those in the first set first."""
    found = np.unique(~bits.T, axis=0, return_index=True, return_inverse=True)
    return found[2].reshape(-1), found[1]


@pytest.mark.usefixtures("many_pieces")
@given(st.integers(0, 2**32), st.integers(1, 200), st.integers(0, 3), st.integers(1, 30))
def test_points_and_columns_equal_what_bits_say(seed, rows, columns, values):
    rng = np.random.default_rng(seed)
    bits = cuts(rng, rows, columns, values)
    captures = Captures.of(bits)
    group, first, points = finished(distinct_in_pieces(captures))
    wanted = said_by_bits(bits)
    assert (group == wanted[0]).all() and (first == wanted[1]).all()
    assert (points.words == Captures.of(bits[:, first]).words).all()
    chosen = rng.permutation(rows)[: rng.integers(1, rows + 1)]
    found = captures.columns(chosen)
    assert (found.words == Captures.of(bits[:, chosen]).words).all()


@pytest.mark.usefixtures("many_pieces")
def test_rows_that_share_a_digest_are_told_apart(monkeypatch):
    bits = cuts(np.random.default_rng(0), 90, 2, 9)
    monkeypatch.setattr(
        "corels.problem.captures.multipliers", lambda count: np.zeros(count, dtype=np.uint64)
    )
    group, first, points = finished(distinct_in_pieces(Captures.of(bits)))
    assert (group == said_by_bits(bits)[0]).all()
    assert (points.unpack() == bits[:, first]).all()


def test_sets_are_taken_by_numbers_by_a_mask_and_none_at_all():
    captures = Captures.of(np.eye(2, 5, dtype=bool))
    assert captures.take([0, 1]) is captures
    assert captures.take(np.array([False, True])).unpack().tolist() == [[False, True] + [False] * 3]
    assert len(captures.take([])) == 0


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
