"""The estimators as a scikit-learn user meets them."""

from __future__ import annotations

import warnings
from fractions import Fraction

import numpy as np
import pytest

pytest.importorskip("sklearn")

import pandas as pd
import sklearn
from corels_falling import FallingRuleListClassifier, SoftlyFallingRuleListClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.utils.estimator_checks import parametrize_with_checks

from corels import Problem, solve
from corels.tables import TableOptions, table_dataset

CHECKED = [SoftlyFallingRuleListClassifier(max_rules=2, max_cardinality=1)]  # a falling one is less


def mistaken(estimator):
    """scikit-learn 1.6 calls the first row's class negative, and shuffles the rows of one fit."""
    if not sklearn.__version__.startswith("1.6."):
        return {}
    names = ("dense", "sparse")
    return {f"check_sample_weight_equivalence_on_{name}_data": "shuffled labels" for name in names}


@parametrize_with_checks(CHECKED, expected_failed_checks=mistaken)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.fixture
def table():
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "age": rng.integers(20, 80, 400),
            "smoker": rng.choice(["yes", "no"], 400),
            "town": rng.choice(["A", "B", "C"], 400),
        }
    )
    chance = 0.1 + 0.4 * (frame["smoker"] == "yes") + 0.3 * (frame["age"] > 60)
    return frame, (rng.random(400) < chance).astype(int)


@pytest.mark.parametrize("family", [FallingRuleListClassifier, SoftlyFallingRuleListClassifier])
def test_probabilities_fall_and_decide_at_the_threshold(family, table):
    X, y = table
    model = family(positive_weight=3, rule_cost=0.005).fit(X, y)
    stated = model.rule_list_.proportions
    assert list(stated) == sorted(stated, reverse=True)
    assert model.optimal_
    proba = model.predict_proba(X)
    assert np.allclose(proba.sum(axis=1), 1)
    assert (model.predict(X) == (proba[:, 1] > 1 / 4).astype(int)).all()
    assert len(model.rule_list_) >= 1
    assert (model.apply(X) <= len(model.rule_list_)).all()


def test_a_block_at_the_threshold_is_negative():
    X, y = [[1]] * 4 + [[0]] * 2, [1, 0, 0, 0, 0, 0]
    model = FallingRuleListClassifier(positive_weight=3).fit(X, y)
    assert model.rule_list_.threshold == Fraction(1, 4)
    assert set(model.predict(X)) == {0}


def test_class_weight_is_the_same_as_weights_and_as_repeated_rows(table):
    X, y = table
    X = X.head(60)
    y = y[:60]
    settings = {"rule_cost": 0.01, "min_support": 0.05}
    weighted = FallingRuleListClassifier(class_weight={1: 2}, **settings).fit(X, y)
    by_sample = FallingRuleListClassifier(**settings).fit(X, y, np.where(y == 1, 2, 1))
    where = np.repeat(np.arange(60), np.where(y == 1, 2, 1))
    repeated = FallingRuleListClassifier(**settings).fit(X.iloc[where], y[where])
    assert weighted.certificate_.objective == by_sample.certificate_.objective
    assert weighted.certificate_.objective == repeated.certificate_.objective


def test_grid_search_over_the_positive_weight(table):
    X, y = table
    grid = GridSearchCV(
        FallingRuleListClassifier(rule_cost=0.01), {"positive_weight": [1, 3]}, cv=3
    ).fit(X, y)
    assert grid.best_params_["positive_weight"] in (1, 3)


def test_three_classes_are_refused(table):
    X, _ = table
    with pytest.raises(ValueError, match="Only binary"):
        FallingRuleListClassifier().fit(X, np.arange(400) % 3)


def test_a_fit_with_defaults_has_a_limit_and_its_warning_helps():
    from sklearn.datasets import load_wine
    from sklearn.exceptions import ConvergenceWarning

    assert FallingRuleListClassifier().time_limit == 60
    assert SoftlyFallingRuleListClassifier(3, 0.1, 0.2).violation_cost == 0.2
    X, y = load_wine(return_X_y=True)
    with pytest.warns(ConvergenceWarning, match="larger rule_cost or min_class_support"):
        FallingRuleListClassifier(time_limit=0.3).fit(X, y == 1)


def test_fit_warns_where_a_soft_list_predicts_otherwise_than_it_was_scored():
    """The certified objective scores raw proportions; the list predicts by the least so far."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (60, 4))
    y = (rng.random(60) < 0.3 + 0.4 * X[:, 0]).astype(int)
    found = 0
    for violation in ("0.001", "0.9"):
        model = SoftlyFallingRuleListClassifier(violation_cost=violation, rule_cost="0.001")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model.fit(X, y)
        said = [str(w.message) for w in caught if "its own predictions cost" in str(w.message)]
        own = model.rule_list_.predicted_objective()
        assert bool(said) == (own != model.certificate_.objective)
        found += len(said)
        assert all(w.category is UserWarning for w in caught if str(w.message) in said)
    assert found


@pytest.mark.parametrize("family", [FallingRuleListClassifier, SoftlyFallingRuleListClassifier])
def test_rows_of_weight_zero_count_for_nothing(family):
    rng = np.random.default_rng(1)
    X, y = rng.integers(0, 2, (40, 4)), rng.integers(0, 2, 40)
    weights = rng.integers(0, 3, 40)
    weights[X[:, 0] == 1] = 0  # what a rule "x0" captures weighs nothing
    given = {"max_cardinality": 1, "max_rules": 2}
    all_rows = family(**given).fit(X, y, weights)
    kept = weights > 0
    fewer = family(**given).fit(X[kept], y[kept], weights[kept])
    assert all_rows.certificate_.objective == fewer.certificate_.objective
    assert str(all_rows.rule_list_) == str(fewer.rule_list_)


@pytest.mark.parametrize("solver", ["falling", "softly-falling"])
def test_a_problem_with_points_of_weight_zero(solver):
    """As a table with a weight column of zeros gives it, without an estimator's filter."""
    table = {"a": [1, 1, 0, 0, 1, 0], "b": [0, 1, 1, 0, 0, 1], "y": [1, 0, 1, 0, 1, 0]}
    for weights in ([0, 3, 2, 2, 0, 1], [0, 0, 2, 2, 0, 1], [1, 3, 0, 2, 1, 0]):
        options = TableOptions(weight="w", min_support=0)
        data = table_dataset({**table, "w": weights}, "y", options)
        result = solve(Problem.from_dataset(data, 0), solver)
        assert result.certificate.optimal
        assert result.model.training_weight == sum(weights)
        stated = result.model.proportions
        assert list(stated) == sorted(stated, reverse=True)
