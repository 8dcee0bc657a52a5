"""Rows grouped and chosen: exactly what their bits say, in an order of their own."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corels.problem import Captures
from corels.problem.captures import finished
from corels.problem.collapsing import distinct_in_pieces


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
