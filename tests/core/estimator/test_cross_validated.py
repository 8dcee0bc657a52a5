"""`RuleListClassifierCV`: the limits count for each search, so the last one has its full time."""

import time
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="the estimators are scikit-learn's")

from corels_rule_list import estimator_cv as rule_list_cv

from corels import RuleListClassifier, RuleListClassifierCV


def test_choosing_lambda_takes_no_time_from_the_last_search(monkeypatch):
    choose, slept = rule_list_cv.cross_validated, []

    def slowly(*arguments, **options):
        found = choose(*arguments, **options)
        slept.append(1000)
        return found

    now = SimpleNamespace(perf_counter=lambda: time.perf_counter() + sum(slept))
    monkeypatch.setattr("corels.clock.time", now)
    monkeypatch.setattr(rule_list_cv, "cross_validated", slowly)
    X = [[1, 0], [1, 1], [0, 0], [0, 1]] * 10
    model = RuleListClassifierCV(RuleListClassifier(time_limit=900), folds=4)
    model.fit(X, ["yes", "yes", "no", "no"] * 10)
    assert model.certificate_.optimal
    assert len(model.rule_list_) == 1


def test_one_time_for_all_searches_ends_those_of_the_folds_and_the_last(monkeypatch):
    choose, given = rule_list_cv.cross_validated, {}

    def noted(*arguments, **options):
        given.update(options)
        return choose(*arguments, **options)

    monkeypatch.setattr(rule_list_cv, "cross_validated", noted)
    X = np.random.default_rng(1).integers(2, size=(200, 12))
    y = (X[:, 0] ^ X[:, 1]) | X[:, 2]
    model = RuleListClassifierCV(folds=4, low=0.001, total_time=1000).fit(X, y)
    assert 700 < given["total_time"] <= 800
    assert model.cross_validation_.certified and model.certificate_.optimal
    with pytest.warns(UserWarning, match="the search stopped early"):
        model = RuleListClassifierCV(folds=4, low=0.001, total_time=0).fit(X, y)
    assert not model.cross_validation_.certified and not model.certificate_.optimal
    assert model.estimator_.time_limit == RuleListClassifier().time_limit, "it can be fitted again"
    with pytest.raises(ValueError, match="total_time is -1: expected a number of seconds of at"):
        RuleListClassifierCV(total_time=-1).fit(X, y)
