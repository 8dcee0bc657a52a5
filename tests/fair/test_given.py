"""Constraints beside directions of columns and first rules: brute force, proofs, good lists."""

from fractions import Fraction

import numpy as np
import pytest
from demanded import best_by_force, keeps, may_say, random_constrained, said_by
from seeds import seeds
from test_constrained_proofs import verdict
from test_good_lists import all_keeping

import corels
from corels import near
from corels.errors import InfeasibleError

BACKENDS, CHECKERS = ("c", "python"), ("python", "c")


def kept_to(model, data):
    """Whether a list begins with the first rules and keeps to the directions."""
    place = {antecedent: number for number, antecedent in enumerate(data.antecedents)}
    rules = [(place[rule.antecedent], rule.prediction) for rule in model.rules]
    may = may_say(data, range(9))
    begun = zip(data.first, rules, strict=False)
    captures = data.captures.unpack()
    return all(said in may[rule] for rule, said in rules) and all(
        (captures[one.antecedent] == captures[rule]).all() and one.outcome in (None, said)
        for one, (rule, said) in begun
    )


@pytest.mark.parametrize("part", seeds(6, 1))
def test_the_optimum_is_that_of_brute_force_and_proved(part, tmp_path):
    answered = 0
    for seed in range(30 * part, 30 * part + 30):
        rng = np.random.default_rng([68, seed])
        if (made := random_constrained(rng, given=True)) is None:
            continue
        problem, data = made
        most = len(data.first) + int(rng.integers(0, 3)) if rng.random() < 0.3 else None
        best = best_by_force(data, problem, most)
        options = {} if most is None else {"max_rules": most}
        for backend in BACKENDS:
            proof = tmp_path / f"{seed}{backend}"
            try:
                found = corels.solve(problem, backend=backend, proof=str(proof), **options)
            except InfeasibleError:
                assert best is None, seed
                continue
            assert found.certificate.optimal and found.certificate.objective == best, seed
            assert kept_to(found.model, data), seed
            assert keeps(data, said_by(found.model, data))
            for checker in CHECKERS:
                shown = verdict(proof.read_bytes(), data, checker)
                assert shown.failure is None, (seed, backend, checker, shown.failure)
                assert shown.lower_bound <= best == shown.objective
            answered += 1
    assert answered > 20


@pytest.mark.parametrize("part", seeds(4, 1))
def test_good_lists_are_those_of_brute_force(part):
    lists = 0
    for seed in range(15 * part, 15 * part + 15):
        rng = np.random.default_rng([69, seed])
        if (made := random_constrained(rng, given=True)) is None:
            continue
        problem, data = made
        best, slack = best_by_force(data, problem), Fraction(int(rng.integers(0, 60)), 100)
        if best is None:
            continue
        expected = [
            (objective, rules, said)
            for objective, _, rules, said, _ in all_keeping(data, problem, best + slack)
            if rules[: len(problem.first)] == problem.first
            and all(problem.says([r])[o] for r, o in zip(rules, said, strict=False))
        ]
        with near(problem, within=slack, backend=BACKENDS[seed % 2]) as found:
            own = [(one.objective, one.antecedents, one.said) for one in found]
            assert own == expected, seed
        lists += len(expected)
    assert lists > 10
