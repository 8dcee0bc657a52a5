"""How much work is left, told from the share of the search tree that is done."""

import math

import numpy as np
import pytest

from corels.search.work import passed_on, work_left


def test_a_weight_is_passed_on_by_the_squares_of_the_rooms():
    assert passed_on(np.array([1, 2, 0])).tolist() == pytest.approx([0.2, 0.8, 0])
    assert passed_on(np.array([3, -4])).tolist() == [1, 0], "no room, no weight"
    assert passed_on(np.array([0, -4])).tolist() == [0.5, 0.5]
    assert passed_on(np.array([], dtype=np.int64)).tolist() == []


def test_nothing_is_told_before_anything_is_done():
    assert math.isinf(work_left(0.0, 100, expanded=100))
    assert math.isinf(work_left(0.5, 0, expanded=0))


def test_what_is_left_falls_with_the_share_that_is_done():
    told = [work_left(done, 1000, expanded=500) for done in (1e-9, 1e-4, 0.1, 0.5, 0.9, 1.0)]
    assert told == sorted(told, reverse=True) and told[-1] == 0
    assert told[3] == pytest.approx(1000 * (0.5**-0.6 - 1))
    assert work_left(1 + 1e-12, 1000, expanded=500) == 0


def test_a_long_queue_tells_more_than_the_share():
    assert work_left(1e-6, 2000, expanded=1000, queued=10_000) == pytest.approx(20_000, rel=0.05)
    with_none = work_left(1e-3, 1000, expanded=1000)
    assert work_left(1e-3, 1000, expanded=1000, queued=1) == pytest.approx(with_none, rel=0.4)
