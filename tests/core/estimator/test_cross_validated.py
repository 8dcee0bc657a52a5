"""`RuleListClassifierCV`: the limits count for each search, so the last one has its full time."""

import time
from types import SimpleNamespace

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
