"""The loop over sets, driven through the facade: every subset of its bounds equals brute force."""

import itertools

import numpy as np
import pytest

import corels
from corels.errors import OptionError
from corels.search import Recorder
from corels.testing import brute_force, check_result, random_problem

SWITCHED = (
    "reduced_support",
    "lookahead",
    "one_rule",
    "blocks",
    "second_rule",
    "dominance",
    "similar_support",
)
SUBSETS = [s for k in range(len(SWITCHED) + 1) for s in itertools.combinations(SWITCHED, k)]
CHUNKS = 8


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_every_subset_of_bounds_equals_brute_force(chunk):
    for number, bounds in list(enumerate(SUBSETS))[chunk::CHUNKS]:
        rng = np.random.default_rng([2025, number])
        problem = random_problem(rng, antecedents=5, rows=14, classes=3 if number % 5 == 0 else 2)
        result = corels.solve(
            problem,
            backend="c",
            policy="memo_dfs",
            map=("captured", "none")[number % 2],
            no_bound=[name for name in SWITCHED if name not in bounds],
            bound=bounds,
            threads=1 + number % 2,
            seed=number,
        )
        assert result.certificate.objective == brute_force(problem)
        assert result.certificate.optimal
        check_result(problem, result)


def test_both_loops_find_the_same_objective_and_say_what_happened():
    problem = random_problem(np.random.default_rng(5), antecedents=5, rows=14)
    recorder = Recorder(fine=False)
    sets = corels.solve(problem, backend="c", policy="memo_dfs", sinks=[recorder])
    queue = corels.solve(problem, backend="c", policy="objective")
    assert sets.certificate.objective == queue.certificate.objective
    assert sets.certificate.parts["policy"] == "memo_dfs"
    assert [int(k) for k in recorder.records["kind"][[0, -1]]] == [0, 3], "start first, done last"


def test_the_preset_is_the_fastest_that_the_backend_has():
    problem = random_problem(np.random.default_rng(6))
    assert corels.solve(problem, backend="c").certificate.parts["policy"] == "memo_dfs"
    assert corels.solve(problem, backend="python").certificate.parts["policy"] == "objective"


@pytest.mark.parametrize(
    "options", [{"bound": ["support"]}, {"map": "permutation"}, {"no_bound": ["hierarchical"]}]
)
def test_what_only_the_queue_can_do_is_done_by_the_queue(options):
    problem = random_problem(np.random.default_rng(7))
    assert corels.solve(problem, backend="c", **options).certificate.parts["policy"] == "objective"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"policy": "memo_dfs", "backend": "python"}, "backend 'python' lacks"),
        ({"policy": "memo_dfs", "bound": ["support"]}, "does not work with policy 'memo_dfs'"),
        ({"backend": "python", "bound": ["blocks"]}, "bound 'blocks' is written in C"),
        ({"policy": "memo_dfs", "map": "permutation"}, "maps none and captured"),
        ({"policy": "memo_dfs", "no_bound": ["hierarchical"]}, "cannot do without"),
    ],
)
def test_combinations_that_cannot_run_are_refused(options, words):
    problem = random_problem(np.random.default_rng(8))
    with pytest.raises(OptionError, match=words):
        corels.solve(problem, **{"backend": "c", **options})
