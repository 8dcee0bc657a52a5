"""What rates can reach, if no list keeps to the constraints, against all lists."""

from dataclasses import replace

import numpy as np
import pytest
from demanded import best_by_force, keeps, random_constrained, rate_of
from seeds import seeds

import corels
from corels.errors import InfeasibleError
from corels.learning.reachable import _Search, reachable
from corels.tables import TableOptions, load


def furthest_by_force(data, problem, number):
    """The most, or the least, of the rate of a demand, of the lists that keep to the others."""
    demands, seen = data.demands.asked, []
    one = demands[number]
    others = replace(data.demands, asked=(*demands[:number], *demands[number + 1 :]))
    rows = np.ones(data.n_rows, dtype=bool)

    def look(data, said):
        if keeps(replace(data, demands=others), said):
            seen.append(rate_of(data, said, rows, one.word))
        return False

    assert best_by_force(data, problem, fits=look) is None
    rates = [rate for rate in seen if rate is not None]
    best = max if one.how == ">=" else min
    return bool(seen), best(rates) if rates else None


@pytest.mark.parametrize("chunk", seeds(3, 1))
def test_the_furthest_is_that_of_brute_force(chunk):
    reached = impossible = 0
    for seed in range(chunk * 80, chunk * 80 + 80):
        rng = np.random.default_rng([67, seed])
        made = random_constrained(rng)
        if made is None:
            continue
        problem, data = made
        if any(one.by for one in data.demands.asked):
            continue
        for number, one in enumerate(problem.constraints):
            if (one.least > 0) == (one.most < 1):  # any list keeps to it
                continue
            possible, best = furthest_by_force(data, problem, number)
            search = _Search(problem, "rule-list", {})
            if possible:
                assert search.furthest(problem.constraints, number) == (best, True)
                reached += 1
            else:
                impossible += 1
                with pytest.raises(InfeasibleError):
                    search.furthest(problem.constraints, number)
    assert reached > 10


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (("f1 >= 0.7",), "the most f1 that any reaches is 0.6078"),
        (("accuracy >= 0.8",), "the most accuracy that any reaches is 0.7905"),
        (
            ("recall >= 0.95", "positive-rate <= 0.4"),
            "with the others kept, the least positive rate that any reaches is 0.9165",
        ),
        (("accuracy by sex >= 0.8",), "the most accuracy of Female that any reaches is 0.7"),
        (
            ("accuracy >= 0.72", "positive-rate by sex within 0.05"),
            "the least difference between groups is 0.2259",
        ),
    ],
)
def test_it_is_said_where_no_list_keeps_to_the_constraints(asked, sentence, monkeypatch):
    monkeypatch.setattr("corels.learning.reachable.LOOK", 120.0)
    data = load("titanic", TableOptions(constraints=asked))
    problem = corels.Problem.from_dataset(data, "0.005")
    with pytest.raises(InfeasibleError, match="no rule list of these antecedents keeps to"):
        corels.solve(problem)
    assert sentence in "; ".join(reachable(problem, "rule-list", {}))


def test_a_search_that_takes_too_long_leaves_it_open(monkeypatch):
    monkeypatch.setattr("corels.learning.reachable.LOOK", 0.0)
    data = load("heart", TableOptions(constraints=("accuracy >= 1",)))
    problem = corels.Problem.from_dataset(data, "0.01")
    (said,) = reachable(problem, "rule-list", {})
    assert said.startswith("whether any has more accuracy than ")
    assert said.endswith(" is not known")
