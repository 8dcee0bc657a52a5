"""The price bound: never above the cost of a best completion, whatever cells and prices."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from engine import brute_force, random_problem
from prices import Prices, lib
from seeds import ranges


def random_options(rng):
    """Cells of points far apart, or of near ones, which few antecedents tell apart."""
    most_splits = 250 if rng.random() < 0.5 else 13
    return {
        "most_points": int(rng.integers(2, 9)),
        "most_splits": int(rng.integers(1, most_splits)),
        "covers": int(rng.integers(1, 5)),
        "iterations": int(rng.choice([0, 1, 10, 40])),
        "first_step": float(rng.choice([0.5, 2.0, 6.0])),
        "seed": int(rng.integers(0, 1000)),
        "memory": int(rng.choice([0, 0, 0, 60_000])),
    }


def random_paths(rng, antecedents, n):
    return [
        rng.permutation(antecedents)[: int(rng.integers(0, antecedents + 1))].tolist()
        for _ in range(n)
    ]


def left_by(captures, path):
    """The points that the antecedents of `path` leave."""
    return ~captures[path].any(axis=0) if path else np.ones(captures.shape[1], dtype=bool)


def unsound(prices, least, captures, paths):
    """How many of the claims about sets behind `paths` and their children are too high."""
    bad = 0
    for path in paths:
        left = left_by(captures, path)
        whole, children = prices.least(path)
        assert prices.least(subset=left) == (whole, children)
        of_set = prices.of_set(path)
        assert of_set >= whole
        bad += of_set > least(left)
        bad += sum(
            claim > least(left & ~mask) for claim, mask in zip(children, captures, strict=True)
        )
    return bad


def of_cuts(rng, points):
    """Both sides of cuts of two columns; in one, values are missing."""
    ranks, cuts = (
        rng.integers(0, 6, size=(2, 1, points)),
        np.sort(rng.integers(0, 8, size=(40, 1)), axis=0),
    )
    known = np.array([[ranks[0, 0] != 2], [np.ones(points, dtype=bool)]])
    sides = np.stack([(ranks < cuts) & known, (ranks >= cuts) & known], axis=2)
    return sides.reshape(-1, points)


def check_one(seed, *, cut=False):
    """One random instance, before and after the ascent on visited sets."""
    rng = np.random.default_rng([29, seed])
    captures, regrets, rule_cost, unit = random_problem(rng, classes=2 + seed % 3)
    if cut:
        captures = np.concatenate([of_cuts(rng, captures.shape[1]), captures])
    exact = brute_force(captures, regrets, rule_cost, unit)
    prices = Prices(captures, regrets, rule_cost, unit, **random_options(rng))
    assert prices.ready
    assert prices.within_budget
    paths = [[], *random_paths(rng, len(captures), 6)]
    assert unsound(prices, exact, captures, paths) == 0
    sample = random_paths(rng, len(captures), 5)
    prices.again([left_by(captures, path) for path in sample], iterations=15)
    assert prices.ready
    assert prices.within_budget
    assert unsound(prices, exact, captures, paths + sample) == 0


@pytest.mark.parametrize("numbers", ranges(25, 20_000, 4))
def test_never_above_the_best_completion(numbers):
    for seed in numbers:
        check_one(seed)


@pytest.mark.parametrize("block", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_never_above_the_best_completion_with_cuts(block):
    for seed in range(6 * block, 6 * (block + 1)):
        check_one(seed, cut=True)


@pytest.mark.parametrize("seed", range(30))
def test_any_set_of_points_may_be_asked_for(seed):
    """Also sets that no rules leave."""
    rng = np.random.default_rng([37, seed])
    captures, regrets, rule_cost, unit = random_problem(rng)
    exact = brute_force(captures, regrets, rule_cost, unit)
    prices = Prices(captures, regrets, rule_cost, unit, **random_options(rng))
    for _ in range(10):
        subset = rng.random(captures.shape[1]) < rng.random()
        whole, children = prices.least(subset=subset)
        assert whole <= exact(subset)
        for claim, mask in zip(children, captures, strict=True):
            assert claim <= exact(subset & ~mask)


def near_points(seed, points=60, antecedents=9):
    """Points that few antecedents tell apart, with labels beyond them: cells worth something."""
    rng = np.random.default_rng(seed)
    captures = rng.random((antecedents, points)) < 0.3
    weight, label = rng.integers(1, 4, size=points), rng.random(points) < 0.5
    return captures, np.array([weight * label, weight * ~label])


def test_what_the_prices_before_tell_of_a_set_is_kept():
    captures, regrets = near_points(5, points=400)
    paths = [[], [0], [1, 2], [3, 4, 5]]
    prices = Prices(captures, regrets, 12, most_points=8)
    told = [[prices.least(path)[0] for path in paths]]
    for _ in range(4):
        prices.again([left_by(captures, [0, 1, 2, 3])], iterations=40)
        told.append([prices.least(path)[0] for path in paths])
        assert [prices.of_set(path) for path in paths] == np.max(told[-2:], axis=0).tolist()
    assert told[-1][0] < told[0][0], "better for the sample, worse for others"


HERE = Path(__file__).parent
ONE_ITERATION = """
import sys
sys.path[:0] = {folders!r}
from prices import Prices
from test_prices import left_by, near_points
captures, regrets = near_points(5, points=400)
told = []
for step in (0.001, 6):
    prices = Prices(captures, regrets, 6)
    sets = [left_by(captures, path) for path in ([0], [1, 2])]
    prices.again(sets, iterations=1, first_step=step, last_step=step)
    told.append([prices.least([0]), prices.least([1, 2])])
print(told[0] != told[1])
"""


@pytest.mark.parametrize("byte", ["", "127"])
def test_the_first_iteration_on_a_sample_reads_nothing_unwritten(byte):
    """It finds what cheapest lists use, so the step matters, whatever the memory held before."""
    environment = {**os.environ, "MALLOC_PERTURB_": byte}
    run = [sys.executable, "-c", ONE_ITERATION.format(folders=[str(HERE), str(HERE.parent)])]
    done = subprocess.run(run, env=environment, check=True, capture_output=True, text=True)
    assert done.stdout == "True\n"


def test_raised_prices_are_refused_and_would_be_unsound():
    """The check of the budgets sees it; and so does the property, so it is a check of something."""
    refused = caught = 0
    for seed in range(40):
        rng = np.random.default_rng([31, seed])
        captures, regrets, rule_cost, unit = random_problem(rng)
        rule_cost += 2
        prices = Prices(captures, regrets, rule_cost, unit, most_points=8, most_splits=20)
        if not lib.corels_prices_cells(prices.handle):
            continue
        exact = brute_force(captures, regrets, rule_cost, unit)
        paths = [[], *random_paths(rng, len(captures), 6)]
        assert unsound(prices, exact, captures, paths) == 0
        prices.spoil(200)
        bad = unsound(prices, exact, captures, paths)
        refused += not prices.within_budget
        assert not (bad and prices.within_budget)
        caught += bad
    assert refused > 10
    assert caught > 10


def test_a_cell_with_all_points_is_nearly_exact():
    """All points in one cell, every price the whole cost of a rule: what is lost is rounding."""
    rng = np.random.default_rng(5)
    for _ in range(20):
        captures = rng.random((6, 7)) < 0.4
        captures = np.unique(captures, axis=1)
        weight, label = (
            rng.integers(1, 9, size=captures.shape[1]),
            rng.random(captures.shape[1]) < 0.5,
        )
        regrets = np.array([weight * label, weight * ~label])
        exact = brute_force(captures, regrets, 3, 2)
        prices = Prices(captures, regrets, 3, 2, most_points=8, most_splits=60)
        whole, children = prices.least()
        everything = np.ones(captures.shape[1], dtype=bool)
        assert whole == exact(everything)
        assert children == [exact(everything & ~mask) for mask in captures]


def test_the_ascent_and_further_covers_pay():
    captures, regrets = near_points(3, points=300, antecedents=11)
    plain = Prices(captures, regrets, 40, iterations=0).least()[0]
    climbed = Prices(captures, regrets, 40, iterations=60).least()[0]
    twice = Prices(captures, regrets, 40, iterations=60, covers=3).least()[0]
    assert plain < climbed < twice


def test_the_same_tables_for_every_step_size_and_kernel(monkeypatch):
    captures, regrets = near_points(4, points=120, antecedents=40)
    answers = set()
    for kernel in ("portable", "popcnt", "avx2", "avx512"):
        if not lib.corels_kernel_named(kernel.encode()):
            continue
        monkeypatch.setenv("CORELS_KERNEL", kernel)
        for amount in (1, 17, 1 << 40):
            for points, splits in ((8, 9), (6, 60), (8, 250)):
                prices = Prices(
                    captures,
                    regrets,
                    9,
                    covers=2,
                    amount=amount,
                    most_points=points,
                    most_splits=splits,
                )
                answers.add((points, splits, str(prices.least()), str(prices.least([1, 5]))))
    assert len(answers) == 3


@pytest.mark.parametrize("kind", [{}, {"most_points": 6, "most_splits": 60, "covers": 3}])
def test_the_same_tables_for_any_number_of_threads(kind):
    captures, regrets = near_points(4, points=120, antecedents=40)
    made = [Prices(captures, regrets, 9, threads=threads, **kind) for threads in (1, 2, 5)]
    assert len({(str(one.least()), str(one.least([1, 5]))) for one in made}) == 1


def drawn_points(seed, points, antecedents):
    """Points of no particular kind, in as many distinct patterns."""
    rng = np.random.default_rng(seed)
    share = rng.uniform(0.05, 0.5, size=(antecedents, 1))
    captures = rng.random((antecedents, points)) < share
    regrets = rng.integers(0, 5, size=(2, points))
    regrets[rng.integers(0, 2, points), np.arange(points)] = 0
    return captures, regrets


@pytest.mark.parametrize("points", [700, 13000])
@pytest.mark.parametrize("memory", [0, 2_000_000, 6_000_000])
def test_the_same_cells_in_many_buckets_and_where_memory_ends(points, memory):
    """13,000 points are cut in six buckets a cover, and not all cells fit."""
    captures, regrets = drawn_points(3, points, 14)
    found = set()
    for threads in (1, 2, 3, 8):
        made = Prices(captures, regrets, 9, covers=3, iterations=2, threads=threads, memory=memory)
        assert made.ready
        assert not memory or made.most_bytes <= memory
        found.add((lib.corels_prices_cells(made.handle), str(made.least()), str(made.least([1]))))
    assert len(found) == 1


def test_it_stays_within_memory():
    captures, regrets = near_points(5, points=400, antecedents=30)
    free = Prices(captures, regrets, 20, covers=3)
    nothing = Prices(captures, regrets, 20, covers=3, memory=15_000)
    assert nothing.status == lib.CORELS_NO_MEMORY  # no cell would fit
    for memory in (60_000, 150_000):
        tight = Prices(captures, regrets, 20, covers=3, memory=memory)
        assert tight.ready
        assert tight.most_bytes <= memory
        assert tight.least()[0] <= free.least()[0]


@pytest.mark.parametrize("cells", [{}, {"most_points": 6, "most_splits": 60}])
@pytest.mark.parametrize("threads", [1, 3])
def test_better_prices_are_not_begun_beyond_the_limit(cells, threads):
    captures, regrets = near_points(5, points=400, antecedents=30)
    prices = Prices(captures, regrets, 20, covers=3, **cells)
    for _ in range(2):  # the values of earlier prices are kept from the first time on
        prices.most_bytes, every = 0, [np.ones(400, dtype=bool)]
        assert prices.again(every, threads=threads) == lib.CORELS_OK
        needed, prices.most_bytes = prices.most_bytes, 0
        for memory in (needed // 100, needed // 2, needed - 10_000):
            short = prices.again(every, threads=threads, memory=memory)
            assert short == lib.CORELS_NO_MEMORY and not prices.most_bytes
        assert prices.again(every, threads=threads, memory=2 * needed) == lib.CORELS_OK
        assert prices.most_bytes <= 2 * needed


def test_numbers_beyond_32_bits_are_scaled_down():
    rng = np.random.default_rng(6)
    for _ in range(10):
        captures, regrets, _, _ = random_problem(rng)
        unit, rule_cost = 10**12 + 7, 3 * 10**12 + 1
        exact = brute_force(captures, regrets, rule_cost, unit)
        prices = Prices(captures, regrets, rule_cost, unit, covers=2)
        paths = [[], *random_paths(rng, len(captures), 6)]
        assert unsound(prices, exact, captures, paths) == 0


@pytest.mark.parametrize("points", [300, 20_000])
def test_cells_that_leave_too_many_points_out_are_given_up(points):
    rng = np.random.default_rng(3)
    captures = rng.random((60, points)) < 0.5
    regrets = np.eye(2, dtype=np.int32)[:, rng.integers(0, 2, points)]
    assert Prices(captures, regrets, 9, iterations=0).ready
    kept = {"iterations": 0, "least_covered": 0.15}
    assert not Prices(captures, regrets, 9, **kept).ready
    assert Prices(captures, regrets, 9, **kept, most_splits=60).ready


@pytest.mark.parametrize(
    "wrong",
    [
        {"most_points": 1},
        {"most_points": 9},
        {"most_splits": 0},
        {"covers": 0},
        {"least_covered": 1.5},
        {"iterations": -1},
        {"last_step": 0.0},
        {"threads": 0},
    ],
)
def test_bad_options_are_refused(wrong):
    captures, regrets = near_points(7)
    assert Prices(captures, regrets, 5, **wrong).status == lib.CORELS_BAD_ARGUMENT


def test_more_antecedents_than_groups_can_be_numbered_are_refused():
    captures, regrets = np.ones(((1 << 20) + 1, 2), dtype=bool), np.eye(2, dtype=np.int32)
    assert Prices(captures, regrets, 5).status == lib.CORELS_BAD_ARGUMENT
