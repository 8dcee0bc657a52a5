"""Every combination of parts, on both backends, equals brute force over all rule lists.

2,048 random problems carry 3,072 combinations of best-first (3 maps x every subset of the nine
bounds on tables x 2 of the 6 policies in turn, each with a subset of the two bounds on sets in
turn) and, four times, 512 of depth-first (2 maps x every subset of the seven bounds that can be
left out there x 2 policies in turn). The search begins with a beam in every other turn, and four
of six turns limit the rules of a list. A ninth of the problems comes by default, all with the slow
tests; tests/fuzz draws 50,000 combinations of any policy.
"""

import pytest
from combinations import (
    COMBINATIONS,
    NAMES,
    ON_SETS,
    STARTS,
    check,
    objective_with,
    options_of,
    problem_of,
)
from seeds import seeds

from corels.testing import brute_force

PROBLEMS, CHUNKS, BY_DEFAULT = 2048, 37, 4  # odd: each chunk has all kinds of combinations


def carried_by(search, number):
    """The combinations that problem `number` carries: all of them over all problems."""
    every = COMBINATIONS[search]
    return list(enumerate(every[number % len(every) :: PROBLEMS]))


@pytest.mark.parametrize("search", COMBINATIONS)
def test_every_combination_is_carried(search):
    carried = {c for number in range(PROBLEMS) for _, c in carried_by(search, number)}
    assert carried == set(COMBINATIONS[search])
    assert len(carried) == {"best-first": 3072, "depth-first": 512}[search]


@pytest.mark.parametrize("search", COMBINATIONS)
def test_every_policy_and_map_meets_every_bound_and_its_absence_by_default(search):
    some = [c for n in range(PROBLEMS) if n % CHUNKS < BY_DEFAULT for _, c in carried_by(search, n)]
    names = {bound for _, _, bounds in COMBINATIONS[search] for bound in bounds}
    met = {(p, m, b, b in bounds) for p, m, bounds in some for b in names}
    assert met == {(p, m, b, w) for p, m, _ in some for b in names for w in (True, False)}
    assert len({(p, m) for p, m, _ in some}) == len({(p, m) for p, m, _ in COMBINATIONS[search]})


def test_every_turn_comes():
    assert len(ON_SETS) == 4 and len(STARTS) == 2 and len(NAMES) == 6
    turns = [options_of("best-first", COMBINATIONS["best-first"][0], turn) for turn in range(64)]
    assert {turn["start"] for turn in turns} == set(STARTS)


@pytest.mark.parametrize("chunk", seeds(CHUNKS, BY_DEFAULT))
@pytest.mark.parametrize("search", COMBINATIONS)
def test_backends_equal_brute_force_and_each_other(search, chunk):
    for number in range(chunk, PROBLEMS, CHUNKS):
        problem = problem_of(number)
        for turn, combination in carried_by(search, number):
            options = options_of(search, combination, number + number // 16 + turn)
            check(problem, options, f"problem {number}")
        if search == "depth-first" and number % 8 == 0:
            threads = 2 + number // 8 % 2
            expected = brute_force(problem, options["max_rules"])
            assert objective_with(problem, options, threads) == expected, (number, options)
