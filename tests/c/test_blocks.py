"""The block bound: admissible for every number of rules, whatever the partition."""

from functools import cache

import numpy as np
import pytest
from blocks import Blocks, lib
from engine import random_problem


def least_errors(captures, regrets):
    """errors(k, subset): the least errors of any list of at most k rules, by brute force."""
    masks = [sum(1 << i for i in np.flatnonzero(row)) for row in captures]
    columns = [[int(x) for x in row] for row in regrets]

    def alone(cell):
        return min(sum(x for i, x in enumerate(row) if cell >> i & 1) for row in columns)

    @cache
    def errors(k, cell):
        if not k:
            return alone(cell)
        return min([alone(cell)] + [alone(cell & m) + errors(k - 1, cell & ~m) for m in masks])

    return errors


def noisy(seed, points=240):
    rng = np.random.default_rng(seed)
    base = rng.random((8, points)) < 0.5
    captures = np.array([base[i] & base[j] for i in range(8) for j in range(i)])
    label = rng.random(points) < 0.5
    return captures, np.array([label, ~label]) * 1, rng


def number(subset):
    return sum(1 << int(i) for i in np.flatnonzero(subset))


@pytest.mark.parametrize("seed", range(30))
def test_admissible_for_every_number_of_rules(seed):
    rng = np.random.default_rng([7, seed])
    captures, regrets, _, _ = random_problem(rng, classes=2 + seed % 2)
    exact = least_errors(captures, regrets)
    options = {
        "block_points": int(rng.choice([4, 8, 12, 16])),
        "heavy": int(rng.integers(0, 9)),
        "most_blocks": int(rng.integers(1, 8)),
        "seed": seed,
    }
    first = Blocks(captures, regrets, **options)
    sets = rng.random((int(rng.integers(4)), captures.shape[1])) < 0.5
    again = Blocks(captures, regrets, sets=sets, begin_with=first, **options)
    for blocks in (first, again) * 3:
        subset = rng.random(captures.shape[1]) < 0.7
        rule = int(rng.integers(-1, len(captures)))
        left = subset if rule < 0 else subset & ~captures[rule]
        found = blocks.errors(subset, rule)
        want = [exact(k, number(left)) for k in range(8)]
        assert all(v <= e for v, e in zip(found, want, strict=True))
        assert found == sorted(found, reverse=True)
        for lanes in range(8):  # that have a limit which need not hold
            limits = [v + int(rng.integers(-1, 2)) * (k <= lanes) for k, v in enumerate(found)]
            proved = all(found[k] >= limits[k] for k in range(1, 8))
            assert blocks.prove(subset, limits, rule) == proved


def test_the_scale_is_that_of_the_items():
    """Parts of a split point differ by one: one choice of items may need a shift, another none."""
    captures = np.ones((1, 6), dtype=bool)
    weight = np.array([16250, 16250, 16250, 16250, 32501, 32501])
    label = np.arange(6) % 2 == 0
    regrets = np.array([weight * label, weight * ~label])
    exact = least_errors(captures, regrets)
    for seed in range(200):
        blocks = Blocks(
            captures, regrets, block_points=4, most_blocks=1, heavy=16251, swaps=0, seed=seed
        )
        found = blocks.errors(np.ones(6, dtype=bool))
        assert all(v <= exact(k, 63) for k, v in enumerate(found)), seed


@pytest.mark.parametrize("points", [4, 8, 12, 16])
def test_one_block_is_exact(points):
    """Where all points fit one block, the table is the brute-force answer."""
    rng = np.random.default_rng(points)
    for _ in range(5):
        captures = rng.random((7, points)) < 0.4
        weight, label = rng.integers(1, 9, size=points), rng.random(points) < 0.5
        regrets = np.array([weight * label, weight * ~label])
        blocks = Blocks(captures, regrets, block_points=points, heavy=0)
        exact = least_errors(captures, regrets)
        for _ in range(10):
            subset = rng.random(points) < 0.8
            assert blocks.errors(subset) == [exact(k, number(subset)) for k in range(8)]


def test_every_kernel_builds_the_same_tables(monkeypatch):
    rng = np.random.default_rng(3)
    captures = rng.random((40, 150)) < 0.3
    weight, label = rng.integers(1, 60, size=150), rng.random(150) < 0.5
    regrets = np.array([weight * label, weight * ~label])
    subsets = [rng.random(150) < share for share in (0.2, 0.6, 1.0)]
    answers = {}
    for kernel in ("portable", "popcnt", "avx2", "avx512"):
        if lib.corels_kernel_named(kernel.encode()):
            monkeypatch.setenv("CORELS_KERNEL", kernel)
            blocks = Blocks(captures, regrets)
            answers[kernel] = [blocks.errors(s, r) for s in subsets for r in (-1, 0, 7)]
    assert len({str(a) for a in answers.values()}) == 1


def test_heavy_totals_are_scaled_down_and_stay_admissible():
    """Sums beyond 16 bits lose low digits, never soundness."""
    rng = np.random.default_rng(9)
    captures = rng.random((5, 20)) < 0.4
    weight, label = rng.integers(1, 10**7, size=20), rng.random(20) < 0.5
    regrets = np.array([weight * label, weight * ~label])
    blocks, exact = Blocks(captures, regrets, heavy=0), least_errors(captures, regrets)
    for _ in range(20):
        subset = rng.random(20) < 0.8
        want = [exact(k, number(subset)) for k in range(8)]
        found = blocks.errors(subset)
        assert all(v <= e for v, e in zip(found, want, strict=True))
        assert found[0] > 0


def test_the_search_for_a_partition_pays_and_repeats():
    captures, regrets, _ = noisy(11)
    everything = np.ones(240, dtype=bool)
    plain = Blocks(captures, regrets, swaps=0).errors(everything)
    better = Blocks(captures, regrets, swaps=2000).errors(everything)
    assert sum(better[1:4]) > sum(plain[1:4])
    assert better == Blocks(captures, regrets, swaps=2000).errors(everything)


def test_blocks_made_for_sets_say_more_of_these():
    """Each set lacks most points of one half; the errors of two rules count."""
    captures, regrets, rng = noisy(11)
    sets = [rng.random(240) < (0.1 if i % 2 else 0.5) for i in range(6)]
    options = {"block_points": 16, "swaps": 4000, "weights": [0, 0, 1, 0, 0]}
    whole = Blocks(captures, regrets, **options)
    fresh = Blocks(captures, regrets, sets=sets, **options)
    on = Blocks(captures, regrets, sets=sets, begin_with=whole, **options)
    of = [sum(blocks.errors(one)[2] for one in sets) for blocks in (whole, fresh, on)]
    assert of[1] > of[0] and of[2] > of[0]
    unmoved = Blocks(captures, regrets, begin_with=whole, **{**options, "swaps": 0})
    assert [unmoved.errors(one) for one in sets] == [whole.errors(one) for one in sets]
    third = [
        Blocks(captures, regrets, sets=some, **options, set_count=2) for some in (sets, sets[::3])
    ]
    assert [third[0].errors(one) for one in sets] == [third[1].errors(one) for one in sets]
    assert [third[0].errors(one) for one in sets] != [fresh.errors(one) for one in sets]
    all_points = np.ones((1, 240), dtype=bool)
    same = Blocks(captures, regrets, sets=all_points, **options)
    assert [same.errors(one) for one in sets] == [whole.errors(one) for one in sets]


@pytest.mark.parametrize(
    "wrong",
    [
        {"block_points": 13},
        {"most_blocks": 0},
        {"swaps": -1},
        {"set_count": -1},
        {"set_count": 1},
        {"begin_with": 4},
    ],
)
def test_bad_options_are_refused(wrong):
    rng = np.random.default_rng(0)
    captures, regrets, _, _ = random_problem(rng)
    if "begin_with" in wrong:
        wrong = {"begin_with": Blocks(captures, regrets, block_points=wrong["begin_with"])}
    assert Blocks(captures, regrets, **wrong).status == lib.CORELS_BAD_ARGUMENT
