"""Symmetries of the data: found ones change nothing, and a search that goes by them stays exact."""

from itertools import combinations, permutations, product
from math import factorial

import numpy as np
import pytest
from engine import Engine, brute_force, ffi, lib, list_cost

EARLY = {"stages": (0, 0), "price_stages": (0, 0, 0, 6)}


def symmetries(captures, regrets):
    """int[n, M]: the images of each antecedent."""
    engine = Engine(captures, regrets, 3)
    images = np.zeros((100, len(captures)), np.int32)
    n = lib.corels_search_symmetries(engine.handle, ffi.from_buffer("int32_t[]", images), 100)
    return images[:n]


def points_of(captures, regrets):
    """The points as a sorted list: what captures each, and what it costs."""
    return sorted(zip(map(tuple, captures.T), map(tuple, regrets.T), strict=True))


def changes_nothing(captures, regrets, images):
    moved = np.zeros_like(captures)
    moved[images] = captures
    return points_of(moved, regrets) == points_of(captures, regrets)


def design(columns, classes=2, seed=0):
    """All cases of some flags; antecedents: each flag, its opposite, and each two flags. What a
    class costs depends on how many flags are set."""
    rng = np.random.default_rng(seed)
    cases = np.array(list(product([False, True], repeat=columns))).T
    pairs = [cases[a] & cases[b] for a, b in combinations(range(columns), 2)]
    costs = rng.integers(0, 5, size=(classes, columns + 1))
    costs[np.arange(columns + 1) % classes, np.arange(columns + 1)] += 1
    costs -= costs.min(axis=0)
    return np.vstack([cases, ~cases, pairs]), costs[:, cases.sum(axis=0)]


@pytest.mark.parametrize("columns", [2, 3, 4])
def test_all_orders_of_the_columns_of_a_design(columns):
    captures, regrets = design(columns)
    found = symmetries(captures, regrets)
    assert len(found) == factorial(columns)
    assert len({tuple(images) for images in found}) == len(found)
    assert found[0].tolist() == list(range(len(captures)))
    assert all(changes_nothing(captures, regrets, images) for images in found)


def test_found_symmetries_are_a_group_also_where_there_are_too_many():
    captures, regrets = design(6)  # 720
    found = symmetries(captures, regrets)
    known = {tuple(images) for images in found}
    assert 20 <= len(found) <= 64
    assert all(changes_nothing(captures, regrets, images) for images in found)
    assert all(tuple(a[b]) in known for a in found for b in found)


def test_the_regret_of_one_point_breaks_a_symmetry():
    captures, regrets = design(4)
    first = captures[0] & ~captures[1:4].any(axis=0)
    regrets = regrets + 3 * first * (np.arange(2)[:, None] == 0) * (regrets[0] > 0)
    regrets[1, first & (regrets[0] == 0)] += 3
    assert len(symmetries(captures, regrets)) == factorial(3)


def test_all_symmetries_of_random_tables():
    """Against all permutations of the antecedents."""
    rng, with_some, complete = np.random.default_rng(0), 0, 0
    for _ in range(300):
        m, n = int(rng.integers(2, 6)), int(rng.integers(2, 9))
        captures = rng.random((m, n)) < 0.5
        _, first = np.unique(captures.T, axis=0, return_index=True)
        captures = captures[:, first]
        if len(np.unique(captures, axis=0)) < m:
            continue
        cost = rng.integers(1, 3, size=captures.shape[1])
        side = rng.integers(0, 2, size=captures.shape[1])
        regrets = np.array([cost * (side == 0), cost * (side == 1)])
        found = {tuple(images) for images in symmetries(captures, regrets)}
        all_of_them = {
            images
            for images in permutations(range(m))
            if changes_nothing(captures, regrets, np.array(images))
        }
        assert found <= all_of_them
        with_some += len(all_of_them) > 1
        complete += len(all_of_them) > 1 and found == all_of_them
    assert with_some > 15 and complete == with_some


def test_two_antecedents_that_capture_the_same():
    captures, regrets = design(3)
    captures = np.vstack([captures, captures[:3], captures[:1]])
    for images in symmetries(captures, regrets):
        assert changes_nothing(captures, regrets, images)
        assert sorted(images) == list(range(len(captures)))


def test_too_large_a_table_is_not_looked_at():
    captures = np.zeros((1000, 8100), dtype=bool)
    captures[:, :1000] = np.eye(1000, dtype=bool)
    regrets = np.array([np.ones(8100, int), np.zeros(8100, int)])
    assert len(symmetries(captures, regrets)) == 0


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("classes", [2, 3])
def test_searches_that_go_by_symmetries_are_exact(threads, classes):
    rng, used = np.random.default_rng([threads, classes]), 0
    for seed in range(5):
        captures, regrets = design(int(rng.integers(3, 6)), classes, seed)
        keep = rng.permutation(len(captures))[: int(rng.integers(6, len(captures) + 1))]
        captures, unit = captures[np.sort(keep)] if rng.integers(2) else captures, 2
        rule_cost = int(rng.integers(2, 12))
        exact = brute_force(captures, regrets, rule_cost, unit)
        best = exact((1 << regrets.shape[1]) - 1)
        options = {"start": bool(rng.integers(2)), "threads": threads, **EARLY}
        engine = Engine(captures, regrets, rule_cost, unit, **options)
        if threads > 1 and rng.integers(2):
            lib.corels_search_take_turns(engine.handle, 1)
        end = engine.run(int(rng.choice([1, 3, 1000])))
        assert end.objective == end.lower_bound == best
        assert list_cost(captures, regrets, engine.rules(), rule_cost, unit) == best
        used += end.symmetries > 1
        for _ in range(100):  # what the memo claims of a set, and so of its images
            rules = rng.permutation(len(captures))[: int(rng.integers(0, 5))]
            left = ~captures[rules].any(axis=0)
            as_number = sum(1 << int(i) for i in np.flatnonzero(left))
            assert engine.claim(left) <= exact(as_number)
    assert used > 1, "the test is about symmetries"


def test_images_of_sets_are_not_searched_again():
    """monk2's table in small: a design whose labels ask for exactly two flags of five."""
    captures, _ = design(5)
    two = captures[:5].sum(axis=0) == 2
    regrets = np.array([two, ~two]).astype(int)
    uneven = 1000 * regrets + (regrets > 0) * np.arange(32)  # no two points cost the same any more
    whole = Engine(captures, regrets, 1000, 2000, **EARLY).run()
    apart = Engine(captures, uneven, 1000, 2, **EARLY).run()
    assert whole.symmetries > 1 and apart.symmetries == 0
    assert whole.expanded * 2 < apart.expanded, (whole.expanded, apart.expanded)
