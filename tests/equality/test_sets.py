"""Depth-first on problems that are larger than what brute force reaches.

The memo names a set by its closure mask if that is shorter than the set, and by the set itself
elsewhere. Both are tried, with several classes, weights, policies and bounds: the records must be
those of the teaching backend, and the optimum must not depend on the search.
"""

from operator import attrgetter

import numpy as np
import pytest
from combinations import ALWAYS, NAMES, check, objective_with
from corels_python.containers import HeapQueue
from corels_rule_list.presets import FAST_BOUNDS
from corels_rule_list.set_bounds import TABLE_BOUNDS
from seeds import seeds

import corels
from corels.errors import OptionError
from corels.testing import random_problem
from corels.testing.problems import dataset_of

DEFAULT = tuple(  # of both backends
    name
    for name in FAST_BOUNDS
    if name not in ALWAYS and name not in map(attrgetter("name"), TABLE_BOUNDS)
)
LAMBDAS = {2: ("1/30", "1/60"), 3: ("1/15", "1/30")}  # for many antecedents, for few
LEFT_OUT = ("reduced_support", "dominance")
SHAPES = {  # antecedents, rows
    "closure masks": (14, 150),
    "sets of one word": (20, 60),
    "sets of two words": (70, 110),
    "closure masks of two words": (80, 200),
}


def larger(shape, seed):
    """A problem of this shape; three rules and noise; weights and a third class in turn."""
    antecedents, rows = SHAPES[shape]
    rng = np.random.default_rng([77, antecedents, seed])
    captures = rng.random((antecedents, rows)) < rng.uniform(0.05, 0.6, size=(antecedents, 1))
    classes = 2 + (seed % 3 == 2)
    signal = np.where(captures[0] & ~captures[1], classes - 1, captures[2])
    labels = np.where(rng.random(rows) < 0.75, signal, rng.integers(0, classes, size=rows))
    data = dataset_of(captures, labels, classes, rng.integers(1, 9, rows) if seed % 2 else None)
    return corels.Problem.from_dataset(data, LAMBDAS[classes][antecedents < 50])


@pytest.mark.parametrize(
    ("shape", "seed"),
    [
        pytest.param(shape, seed, marks=[] if seed == 1 + at % 2 else pytest.mark.slow)
        for at, shape in enumerate(SHAPES)
        for seed in range(3)
    ],
)
def test_both_ways_to_name_a_set(shape, seed):
    problem = larger(shape, seed)
    known = corels.solve(problem, backend="c").certificate
    less = [name for name in DEFAULT if name != LEFT_OUT[seed % len(LEFT_OUT)]]
    more = (*DEFAULT, "support", "upper_support")  # these need the points without regret
    trials = [(DEFAULT, "memo", "none"), (less, "memo", "beam"), (more, "memo", "beam")]
    if known.expanded < 150:  # without a memo there are many times as many
        trials.append((DEFAULT, "none", "beam"))
    for turn, (bounds, merges, start) in enumerate(trials):
        options = {
            "search": "depth-first",
            "policy": "objective" if start == "none" else NAMES[(seed + turn) % len(NAMES)],
            "map": merges,
            "no_bound": ("all",),
            "bound": (*ALWAYS, *bounds),
            "start": start,
            "seed": seed,
        }
        check(problem, options, shape, expected=known.objective)


@pytest.mark.parametrize("seed", seeds(6, 3))
@pytest.mark.parametrize("shape", SHAPES)
def test_both_searches_and_any_number_of_threads_find_the_same_objective(shape, seed):
    problem = larger(shape, seed)
    expected = corels.solve(problem, backend="c").certificate.objective
    found = {objective_with(problem, {"search": "best-first"}, 1)}
    found |= {objective_with(problem, {}, threads) for threads in (2, 3)}
    assert found == {expected}


def test_the_default_is_depth_first_on_both_backends():
    problem = random_problem(np.random.default_rng(6))
    for backend in ("c", "python"):
        parts = corels.solve(problem, backend=backend).certificate.parts
        assert parts["search"] == "depth-first"
        assert (parts["policy"], parts["map"], parts["start"]) == ("objective", "memo", "beam")


def test_a_policy_alone_means_best_first():
    problem = random_problem(np.random.default_rng(6))
    best_first = {"policy": "objective"}, {"map": "captured"}, {"queue": HeapQueue}
    for options in (*best_first, {"map": "memo"}, {"map": "none"}, {}):
        search = corels.solve(problem, **options).certificate.parts["search"]
        assert search == ("best-first" if options in best_first else "depth-first")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"bound": ["prefix_length"]}, "looks at the prefix"),
        ({"search": "depth-first", "map": "permutation"}, "belongs to search 'best-first'"),
        ({"search": "depth-first", "queue": HeapQueue}, "depth-first has no queue"),
        ({"no_bound": ["hierarchical"]}, "cannot do without bound 'hierarchical'"),
        ({"backend": "python", "bound": ["prices"]}, "bound 'prices' is written in C"),
        ({"search": "best-first", "map": "memo"}, "belongs to search 'depth-first'"),
        ({"preset": "paper", "search": "depth-first"}, "leave out the one or the other"),
    ],
)
def test_combinations_that_cannot_run_are_refused(options, words):
    problem = random_problem(np.random.default_rng(8))
    with pytest.raises(OptionError, match=words):
        corels.solve(problem, **options)
