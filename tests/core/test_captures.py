"""Captures: packed once, sliced and reordered packed, equal to what bits say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corels.problem import Captures, prepare
from corels.problem.captures import (
    _leaders_in_pieces,
    by_leader,
    finished,
    transposed_in_pieces,
    unpack,
    worked_on,
)
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


def test_supports_by_planes_are_the_sums_of_the_weights():
    rng = np.random.default_rng(8)
    bits, weights = rng.random((70, 300)) < 0.4, rng.integers(0, 900, 300)
    found = Captures.of(bits).supports(weights)
    assert (found == bits.astype(np.int64) @ weights).all()


def test_work_in_pieces_can_be_ended():
    def pieces():
        for _ in range(5):
            yield
        return "done"

    calls = []
    assert finished(pieces(), lambda: calls.append(1)) == "done" and len(calls) == 5
    with pytest.raises(ZeroDivisionError):
        finished(pieces(), lambda: 1 // 0)
