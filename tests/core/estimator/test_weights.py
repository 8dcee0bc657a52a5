"""Sample weights become whole numbers, exactly if that is possible."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corels.errors import InputError
from corels.problem.weights import exact_weights


@pytest.mark.parametrize(
    ("weights", "whole", "unit"),
    [
        ([1, 2, 3], [1, 2, 3], 1),
        ([2, 4, 6], [1, 2, 3], 2),
        ([0.5, 0.25, 0], [2, 1, 0], Fraction(1, 4)),
        ([0.1, 0.2, 0.3], [1, 2, 3], Fraction(1, 10)),
        ([1 / 3, 2 / 3, 1], [1, 2, 3], Fraction(1, 3)),
        ([Fraction(1, 7), Fraction(3, 14), 1], [2, 3, 14], Fraction(1, 14)),
        ([Decimal("0.01"), Decimal("1.5"), Decimal(0)], [1, 150, 0], Fraction(1, 100)),
        (np.array([0.1, 0.2, 0.7], dtype=np.float32), [1, 2, 7], Fraction(1, 10)),
        ([True, False, True], [1, 0, 1], 1),
        (2.5, [1, 1, 1], Fraction(5, 2)),
        (None, [1, 1, 1], 1),
    ],
)
def test_rational_weights_are_exact(weights, whole, unit):
    found = exact_weights(weights, 3)
    assert found.values.tolist() == whole
    assert found.unit == unit
    assert found.resolution == 0


def test_other_floats_are_rounded_to_the_stated_resolution():
    weights = np.random.default_rng(0).random(1000)
    found = exact_weights(weights, 1000)
    assert found.resolution > 0
    assert abs(found.resolution * 2**29 - Fraction(weights.sum())) < Fraction(1, 10**9)
    assert (
        np.abs(found.values * float(found.unit) - weights).max() <= float(found.resolution) * 0.51
    )
    assert int(found.values.sum()) < 2**31


def test_rounding_up_stays_below_what_every_family_counts():
    weights = np.r_[np.full(100, 0.0026881720430107525), np.full(100, 0.035714285714285705)]
    assert 0 < int(exact_weights(weights, 200).values.sum()) < 2**30


def test_whole_numbers_too_large_for_counts_are_rounded_and_say_so():
    found = exact_weights([2**40, 1], 2)
    assert found.resolution == Fraction(2**40 + 1, 2**29)
    assert found.values.tolist() == [2**29, 0]
    assert exact_weights([2**40, 2**39], 2).values.tolist() == [2, 1]  # exact after reduction


def test_groups_multiply_weights_exactly():
    groups = np.array([0, 1, 1])
    found = exact_weights([1, 2, 3], 3, groups, [Fraction(1, 3), 0.5])
    assert [value * found.unit for value in found.values.tolist()] == [
        Fraction(1, 3),
        1,
        Fraction(3, 2),
    ]


@given(
    st.lists(
        st.fractions(min_value=0, max_value=100, max_denominator=50), min_size=1, max_size=6
    ).filter(any)
)
def test_fractions_keep_their_ratios(weights):
    found = exact_weights(weights, len(weights))
    if found.resolution == 0:
        assert [value * found.unit for value in found.values.tolist()] == weights
        assert np.gcd.reduce(found.values) == 1
    else:
        assert float(sum(weights) / found.resolution) == pytest.approx(2**29)


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ([1, -1], "Negative values in data passed to sample_weight: -1 in row 1"),
        ([1, float("nan")], "nan in row 1"),
        ([float("inf"), 1], "inf in row 0"),
        (["a", 1], "'a' in row 0"),
        ([0, 0.0], "all zero"),
        ([1], "1 sample weights were given for 2 rows"),
        ([[1, 2]], "1D array"),
    ],
)
def test_what_is_no_weight_is_refused(weights, said):
    with pytest.raises(InputError, match=said):
        exact_weights(weights, 2)
