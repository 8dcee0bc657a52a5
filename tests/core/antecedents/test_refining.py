"""`cuts="auto"`: few cuts first, then those around the cuts that the best model uses."""

from fractions import Fraction

import numpy as np
import pytest

import corels
from corels.problem import Problem
from corels.run.refining import Cuts
from corels.tables import TableOptions, table_dataset


def table(rows=120, seed=0):
    rng = np.random.default_rng(seed)
    x, z = rng.normal(size=(2, rows)).round(3)
    y = ((x > 0.21) ^ (rng.random(rows) < 0.1)).astype(int)
    return {"x": x, "z": z, "y": y}


def problem(regularization="0.05", **options):
    data = table_dataset(table(), "y", TableOptions(**options))
    return Problem.from_dataset(data, regularization)


def test_the_antecedents_and_the_certified_objective_are_those_of_all_cuts():
    """A list that few cuts cannot write is found and certified on all of them."""
    every, auto = problem(cuts="all"), problem(cuts="auto")
    assert every.data_hash == auto.data_hash
    found, wanted = corels.solve(auto), corels.solve(every)
    coarse = corels.solve(problem())
    assert found.certificate.optimal and wanted.certificate.optimal
    assert found.certificate.objective == wanted.certificate.objective
    assert found.certificate.objective < coarse.certificate.objective
    assert found.certificate.extra["refined_rounds"] > 1
    assert found.certificate.extra["refined_antecedents"] < auto.n_antecedents / 4
    assert set(found.model.antecedents) <= set(auto.antecedents)


def test_the_first_cuts_are_spread_over_the_rows_and_refined_until_no_cut_is_left():
    auto = problem(cuts="auto 3")
    cuts = Cuts(auto, auto.first_cuts)
    assert [len(used) for used in cuts.used.values()] == [3, 3]
    for column, used in cuts.used.items():
        shares = np.sort(cuts.below[column][sorted(used)]) / auto.total
        assert np.allclose(shares, [0.25, 0.5, 0.75], atol=0.03)
    model = corels.solve(auto).model
    rounds = 0
    while cuts.refine(model):
        rounds += 1
    assert 2 <= rounds <= 8
    for antecedent in model.antecedents:
        for condition in antecedent.conditions:
            at = cuts.places[condition.column][condition.value]
            around = {at - 1, at, at + 1} & set(cuts.places[condition.column].values())
            assert around <= cuts.used[condition.column]


def test_a_restricted_problem_counts_as_the_whole_one_does():
    auto = problem(cuts="auto")
    kept = Cuts(auto, 2).in_use()
    pieces = auto.restricted_in_pieces(kept)
    with pytest.raises(StopIteration) as end:
        while True:
            next(pieces)
    found = end.value.value
    assert found.n_points < auto.n_points
    assert found.antecedents == tuple(auto.antecedents[k] for k in kept)
    assert (found.class_supports == auto.class_supports[:, kept]).all()
    assert (found.weights.sum(axis=1) == auto.weights.sum(axis=1)).all()


@pytest.mark.parametrize("limit", [{"time_limit": 0.0}, {"node_limit": 0}])
def test_limits_hold_from_the_first_moment(limit):
    found = corels.solve(problem(cuts="auto"), **limit)
    assert not found.certificate.optimal
    assert found.certificate.lower_bound == Fraction(0) or found.certificate.gap > 0


@pytest.mark.parametrize("limit", [1, 7, 40])
def test_a_node_limit_counts_the_searches_with_few_cuts_too(limit):
    hard = problem("0.005", cuts="auto")
    certificate = corels.solve(hard, node_limit=limit).certificate
    before = certificate.extra["refined_expanded"]
    assert before == limit // 2
    assert before + certificate.expanded == limit
    assert str(certificate.stopped) == "node limit"


def test_paths_and_good_lists_are_those_of_all_cuts():
    every, auto = problem(cuts="all"), problem(cuts="auto")
    found, wanted = corels.near(auto), corels.near(every)
    assert found.count == wanted.count
    assert found.certificate.search.extra["refined_rounds"] > 1
    one, other = (corels.regularization_path(each, low="0.05") for each in (auto, every))
    assert one.certified
    assert all(one.objective(at) == other.objective(at) for at in ("0.05", "0.1", "0.4"))


def test_an_estimator_and_learn_take_it():
    columns = table()
    labels = columns.pop("y")
    model = corels.RuleListClassifier(cuts="auto", regularization=0.05)
    model.fit(np.column_stack(list(columns.values())), labels)
    assert model.optimal_ and model.certificate_.extra["refined_rounds"] > 1
    learned = corels.learn(table(), label="y", cuts="auto", regularization="0.05")
    assert learned.certificate.objective == model.certificate_.objective
    with pytest.raises(corels.OptionError, match="cuts is 'autos'; did you mean 'auto'"):
        corels.learn(table(), label="y", cuts="autos")
