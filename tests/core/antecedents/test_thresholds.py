"""Thresholds: where columns of numbers are cut."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corels.tables import cuts as ways
from corels.tables.cuts import nearest_cuts, shortest_between


def quantile_cuts(values, n_cuts):
    return ways.quantile_cuts(*np.unique(values, return_counts=True), n_cuts)


def uniform_cuts(values, n_cuts):
    return ways.uniform_cuts(np.unique(values), n_cuts)


values = st.lists(
    st.integers(-50, 50) | st.floats(-1e6, 1e6) | st.floats(allow_nan=False, allow_infinity=False),
    min_size=1,
    max_size=40,
).map(lambda found: np.array(found, dtype=float))


def test_numbers_of_32_bits_are_cut_beside_their_decimals():
    values = np.array([0.1, 0.2, 0.3, 0.7, 0.9, 1.1], dtype=np.float32)
    wide, decimals = values.astype(float), np.array([float(str(one)) for one in values])
    for cut in nearest_cuts(wide, wide):
        assert ((wide <= cut) == (decimals <= cut)).all()
    low, high = 0.699999988079071, 0.69999999  # low is 0.7 with 32 bits; 0.7 is above high
    assert low <= shortest_between(low, high) < high


@given(values, st.integers(1, 6), st.sampled_from([quantile_cuts, uniform_cuts]))
def test_cuts_split_the_data_in_different_ways(found, n_cuts, method):
    cuts = method(found, n_cuts)
    distinct = np.unique(found)
    assert len(cuts) <= n_cuts
    splits = [tuple(found <= cut) for cut in cuts]
    assert len(set(splits)) == len(cuts)
    assert all(any(split) and not all(split) for split in splits)
    assert cuts == sorted(cuts)
    if len(distinct) <= n_cuts + 1:
        assert len(cuts) == len(distinct) - 1  # nothing is lost


@given(values, st.integers(1, 6))
def test_quantile_groups_are_as_even_as_ties_allow(found, n_cuts):
    """Between two cuts lies no more than one share of the rows, ties aside."""
    edges = [-np.inf, *quantile_cuts(found, n_cuts), np.inf]
    most_tied = np.unique(found, return_counts=True)[1].max()
    for low, high in itertools.pairwise(edges):
        inside = ((found > low) & (found <= high)).sum()
        assert inside <= len(found) / (n_cuts + 1) + 1 + most_tied


@given(values, st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=5))
def test_given_cuts_split_as_asked(found, wanted):
    cuts = nearest_cuts(np.unique(found), wanted)
    asked = {tuple(found <= w) for w in wanted if found.min() <= w < found.max()}
    assert asked <= {tuple(found <= cut) for cut in cuts}


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (25, 26, 25),
        (0.1371, 0.1419, 0.14),
        (14.4542, 14.4583, 14.455),
        (0.5, 9.75, 1.0),
        (-0.25, 0.25, 0.0),
        (-3.75, -3.5, -3.7),
        (1e-9, 3e-9, 1e-9),
        (0.1, 0.1 + 2**-54, 0.1),
        (123456.5, 123456.75, 123456.5),
        (1.5e300, 1.7e308, 1.5e300),
    ],
)
def test_shortest_decimal(low, high, expected):
    assert shortest_between(low, high) == expected


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(allow_nan=False))
def test_the_decimal_is_in_the_gap(low, high):
    if low < high < np.inf:
        assert low <= shortest_between(low, high) < high


def test_integers_stay_integers():
    cuts = quantile_cuts(np.array([1, 5, 9, 2**53 + 1]), 2)
    assert all(isinstance(cut, int) for cut in cuts)
    assert quantile_cuts(np.arange(1, 101), 3) == [25, 50, 75]
    assert uniform_cuts(np.arange(1, 101), 3) == [25, 50, 75]
    assert quantile_cuts(np.array([7.0, 7.0]), 3) == []
