"""Automatic lambda, values that training never saw, and what a notebook shows."""

from __future__ import annotations

import pickle
import warnings
from fractions import Fraction

import pytest

pytest.importorskip("sklearn", reason="the estimators are scikit-learn's")
pytest.importorskip("pandas")

import pandas
from sklearn import config_context

from corels import RuleListClassifier, RuleListClassifierCV
from corels.errors import InputError, OptionError

X = pandas.DataFrame(
    {
        "age": [20, 31, 45, 52, 28, 61, 39, 47] * 5,
        "job": list("abcabcab") * 5,
        "odd": list("xy") * 20,
    }
)
y = ["no" if job == "a" else "yes" for job in X["job"]]
NEW = X.head(3).assign(job=["a", "zz", "zz"])


def told(call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    assert all(one.filename == __file__ for one in caught)
    return [str(one.message) for one in caught]


def test_automatic_lambda_is_that_of_cross_validation():
    found = RuleListClassifier(regularization="auto:0.05").fit(X, y)
    usual = RuleListClassifierCV(low="0.05").fit(X, y)
    assert found.certificate_.regularization == usual.regularization_
    assert found.rule_list_ == usual.rule_list_
    assert found.regularization == "auto:0.05"  # parameters stay


def test_automatic_lambda_where_there_is_nothing_to_choose():
    found = RuleListClassifier(regularization="auto").fit(X, ["yes"] * len(X))
    assert found.certificate_.regularization == Fraction(1, 100)


@pytest.mark.parametrize("wrong", ["auto:", "auto:x", "automatic"])
def test_a_wrong_lambda_is_refused(wrong):
    with pytest.raises(OptionError):
        RuleListClassifier(regularization=wrong).fit(X, y)


@pytest.mark.parametrize("method", ["predict", "predict_proba", "apply", "decision_function"])
def test_a_value_that_training_never_saw_is_told_once(method):
    model = RuleListClassifier(regularization=0.05).fit(X, y)
    assert told(lambda: model.predict(X)) == []
    ask = getattr(model, method)
    (said,) = told(lambda: (ask(NEW), ask(NEW), model.predict(NEW)))
    assert "2 rows have a value of 'job' that training never saw ('zz')" in said
    (said,) = told(lambda: model.fit(X, y).predict(NEW))  # a new fit tells again
    assert told(lambda: model.fit(X, y).predict(X.assign(odd="?"))) == []  # no rule asks for it


def test_strict_refuses_it():
    model = RuleListClassifier(regularization=0.05, strict=True).fit(X, y)
    model.predict(X)
    for again in (model, pickle.loads(pickle.dumps(model))):
        with pytest.raises(InputError, match=r"'job' that training never saw .* \(strict=True\)"):
            again.predict(NEW)


def test_a_notebook_shows_the_box_and_what_was_learned():
    model = RuleListClassifier(regularization=0.05)
    unfitted = model._repr_html_()
    assert "sk-top-container" in unfitted and "corels-certificate" not in unfitted
    model.fit(X, y)
    for shown in (model._repr_html_(), model._repr_mimebundle_()["text/html"]):
        assert "sk-top-container" in shown
        assert "job = a" in shown and "corels-certificate" in shown
    with config_context(display="text"):
        assert not hasattr(model, "_repr_html_")
        assert list(model._repr_mimebundle_()) == ["text/plain"]
