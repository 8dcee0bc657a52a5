"""The counter equals matrix products: every kernel, every shape."""

import numpy as np
import pytest
from counters import Counter, expected, lib

TOPS = [2, 100]  # weights below


def check(counter, captures, weights, subsets):
    for subset in subsets:
        counts, totals = counter.count(subset)
        want, want_totals = expected(captures, weights, subset)
        assert (counts[:, : counter.antecedents] == want).all()
        assert (counts[:, counter.antecedents :] == 0).all()
        assert (totals == want_totals).all()


def subsets_of(rng, points):
    few = np.zeros(points, dtype=bool)
    few[rng.integers(0, points, size=3)] = True
    return [rng.random(points) < share for share in (0.0, 0.05, 0.5, 0.95, 1.0)] + [few]


@pytest.mark.parametrize("top", TOPS)
@pytest.mark.parametrize("points", [1, 4, 63, 64, 65, 183, 700])
def test_random_data(kernel, top, points):
    for antecedents in (1, 15, 16, 17, 150, 300):
        rng = np.random.default_rng([antecedents, points])
        captures = rng.random((antecedents, points)) < rng.random((antecedents, 1))
        weights = rng.integers(0, top, size=(2, points))
        counter = Counter(captures, weights)
        assert counter.kernel == kernel
        check(counter, captures, weights, subsets_of(rng, points))


@pytest.mark.parametrize("together", [1, 2, 3, 4])
def test_sets_counted_together(kernel, together):
    rng = np.random.default_rng(together)
    captures = rng.random((70, 333)) < rng.random((70, 1))
    captures[40:] = ~captures[10:40]  # complements, which are not counted
    counter = Counter(captures, rng.integers(0, 2, size=(2, 333)))
    subsets = subsets_of(rng, 333)[2 : 2 + together]
    for subset, (counts, totals) in zip(subsets, counter.count_some(subsets), strict=True):
        alone, totals_alone = counter.count(subset)
        assert (counts == alone).all() and (totals == totals_alone).all()


@pytest.mark.parametrize("top", [2, 100])
@pytest.mark.parametrize("points", [5, 64, 333, 1500])
def test_counters_within_points_count_the_same(kernel, top, points):
    rng = np.random.default_rng([top, points])
    captures = rng.random((70, points)) < rng.random((70, 1))
    captures[0] = rng.random(points) < 0.8
    captures[1] &= ~captures[0]
    captures[40:] = ~captures[10:40]  # complements, which are not counted
    weights = -np.sort(-rng.integers(0, top, size=(2, points)))
    whole = Counter(captures, weights)
    some = [rng.random(points) < share for share in (1, 0.9, 0.5, 0.05, 0)]
    for within in (captures[0], *some):
        subsets = [within & subset for subset in subsets_of(rng, points)]
        check(whole.within(within), captures, weights, subsets)


@pytest.mark.parametrize("points", [5, 64, 333, 1500])
def test_what_rules_leave_is_what_is_squeezed(kernel, points):
    rng = np.random.default_rng(points)
    captures = rng.random((70, points)) < rng.random((70, 1))
    captures[40:] = ~captures[10:40]
    whole = Counter(captures, np.ones((2, points), dtype=np.int32))
    for share in (1, 0.9, 0.5, 0.05, 0):
        within = rng.random(points) < share
        inner = whole.within(within)
        for rules in ([], [3], [41], [12, 3], [0, 45, 69, 20]):
            left = within & ~captures[rules].any(axis=0)
            assert (inner.left(rules) == inner.squeezed(left)).all()


def test_large_data_is_counted_together():
    for antecedents, points, most in [(40, 3_000, 1), (700, 15_000, 4)]:
        captures = np.zeros((antecedents, points), dtype=bool)
        captures[:, :20] = np.arange(antecedents)[:, None] >> np.arange(20) & 1
        counter = Counter(captures, np.ones((1, points), dtype=np.int32))
        assert lib.corels_counter_together(counter.handle) == most


def cuts_of(rng, points):
    """Columns of numbers: both sides of each cut, rising or falling; with values missing; one side
    only; and other antecedents in between."""
    values = rng.integers(0, 90, size=(4, points))
    cuts = np.arange(90)[:, None]
    whole, falling, present = values[0] <= cuts, values[1] <= cuts[::-1], values[2] < 70
    sides = [
        np.stack([some, some ^ known], axis=1).reshape(-1, points)
        for some, known in (
            (whole, True),
            (falling, True),
            (present & (values[2] <= cuts), present),
        )
    ]
    few = rng.random((9, points)) < 0.4
    return np.concatenate([sides[0], few[:3], sides[1], sides[2], few[3:], values[3] > cuts])


@pytest.mark.parametrize("top", [2, 2000])
def test_cuts_of_columns(kernel, top):
    rng = np.random.default_rng(top)
    captures, weights = cuts_of(rng, 333), rng.integers(0, top, size=(3, 333))
    weights[2] = 0
    check(Counter(captures, weights), captures, weights, subsets_of(rng, 333))
    shuffled = rng.permutation(captures)
    check(Counter(shuffled, weights), shuffled, weights, subsets_of(rng, 333))


@pytest.mark.parametrize("measures", [1, 2, 5])
def test_heavy_weights_cross_16_bits(kernel, measures):
    rng = np.random.default_rng(measures)
    captures = rng.random((40, 500)) < 0.7
    weights = rng.integers(0, 16_000, size=(measures, 500))
    check(Counter(captures, weights), captures, weights, subsets_of(rng, 500))


def test_planes_hold_weights_up_to_int32(kernel):
    captures = np.eye(3, dtype=bool)
    weights = np.array([[2**31 - 1, 0, 0], [2**30, 2**30 - 1, 0]])
    check(Counter(captures, weights), captures, weights, [np.ones(3, dtype=bool)])


@pytest.mark.parametrize("top", TOPS)
def test_classes_sorted_by_weight(kernel, top):
    """The order the engine uses: short planes, and groups of one class."""
    rng = np.random.default_rng(5)
    points = 333
    weight = np.sort(rng.integers(1, top, size=points))[::-1]
    first = np.arange(points) < 150
    weights = np.array([weight * first, weight * ~first])
    captures = rng.random((90, points)) < 0.3
    check(Counter(captures, weights), captures, weights, subsets_of(rng, points))


def test_long_sets_of_ones(kernel):
    """Narrow lanes inside the wide kernels must be emptied in time."""
    captures = np.ones((9, 30_000), dtype=bool)
    weights = np.ones((1, 30_000), dtype=np.int32)
    check(Counter(captures, weights), captures, weights, [np.ones(30_000, dtype=bool)])


def test_no_points_and_no_weight(kernel):
    captures = np.zeros((3, 0), dtype=bool)
    weights = np.zeros((2, 0), dtype=np.int32)
    check(Counter(captures, weights), captures, weights, [np.zeros(0, dtype=bool)])
    captures, weights = np.ones((3, 70), dtype=bool), np.zeros((2, 70), dtype=np.int32)
    check(Counter(captures, weights), captures, weights, [np.ones(70, dtype=bool)])


def test_a_counter_of_nothing_is_refused():
    captures = np.ones((2, 4), dtype=bool)
    assert Counter(captures, np.zeros((0, 4))).status == lib.CORELS_BAD_ARGUMENT


def test_unknown_kernel_is_refused(monkeypatch):
    monkeypatch.setenv("CORELS_KERNEL", "abacus")
    assert Counter(np.ones((2, 4), dtype=bool), [[1, 1, 1, 1]]).status == lib.CORELS_BAD_ARGUMENT
