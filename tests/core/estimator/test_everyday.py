"""Automatic lambda, values that training never saw, and what a notebook shows."""

from __future__ import annotations

import operator
import pickle
import warnings
from fractions import Fraction

import pytest

pytest.importorskip("sklearn", reason="the estimators are scikit-learn's")
pytest.importorskip("pandas")

import numpy as np
import pandas
from sklearn import config_context

from corels import Binarizer, RuleListClassifier
from corels.errors import InputError, OptionError
from corels.tables import as_columns

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
    choice = found.lambda_choice_
    assert found.certificate_.regularization == choice.chosen.regularization >= Fraction("0.05")
    assert choice.certified and choice.folds == 5
    usual = RuleListClassifier(choice.regularization).fit(X, y)
    assert found.rule_list_ == usual.rule_list_ and not hasattr(usual, "lambda_choice_")
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


@pytest.mark.parametrize(
    "kind, expected",
    [
        ("Int64", [0, 1]),
        ("boolean", [False, True]),
        ("bool", [False, True]),
        ("string", ["0", "1"]),
    ],
)
@pytest.mark.parametrize("objects", [False, True])
def test_labels_keep_their_kind(kind, expected, objects):
    labels = pandas.Series([int(one == "yes") for one in y])
    labels = labels.astype("int64" if kind == "Int64" else "bool" if kind != "string" else "str")
    labels = labels.astype(kind).astype(object if objects else kind)
    model = RuleListClassifier().fit(X, labels)
    assert model.score(X, labels) > 0.5
    classes = model.classes_.tolist()
    assert classes == expected and [*map(type, classes)] == [*map(type, expected)]


@pytest.mark.parametrize("wrong, why", [(None, "row 7 is missing"), (3, "different types")])
def test_a_label_that_is_none_is_named(wrong, why):
    with pytest.raises(InputError, match=why):
        RuleListClassifier().fit(X, np.array([*y[:7], wrong, *y[8:]], dtype=object))


@pytest.mark.parametrize(
    "table, why",
    [
        (X[[]], "0 feature"),
        ({}, "0 feature"),
        (X.head(0), "0 sample"),
        (X[["age", "age"]], "'age'"),
    ],
)
def test_a_table_without_columns_rows_or_with_a_name_twice(table, why):
    with pytest.raises(InputError, match=why):
        RuleListClassifier().fit(table, y)


def test_masked_values_are_missing():
    ages = np.ma.masked_array(X[["age"]].to_numpy(), X[["age"]] > 50)
    names = Binarizer().fit(ages, y).get_feature_names_out()
    assert "x0 is missing" in names and len(names) > 2


@pytest.mark.parametrize("labels", [[(1,), (1, 2)], [1, 2**70]])
def test_labels_that_are_no_array_of_numbers(labels):
    objects = np.empty(len(y), dtype=object)
    objects[:] = [labels[int(one == "yes")] for one in y]
    with pytest.raises(ValueError, match="label"):
        RuleListClassifier().fit(X, objects)


@pytest.mark.parametrize("make", ["table", "RecordBatch.from_pydict"])
def test_arrow_tables_keep_their_names(make):
    arrow = pytest.importorskip("pyarrow")
    pytest.importorskip("polars")
    table = operator.attrgetter(make)(arrow)(X.to_dict("list"))
    model = RuleListClassifier(regularization=0.05).fit(table, y)
    assert model.feature_names_in_.tolist() == list(X)
    assert (model.predict(table) == model.predict(X)).all()


def test_arrays_of_arrow_are_columns():
    arrow = pytest.importorskip("pyarrow")
    columns = {"age": arrow.array([1, None, 2, 3]), "y": arrow.chunked_array([[0, 1], [0, 1]])}
    age, label = as_columns(columns).values()
    assert age.values[[0, 2, 3]].tolist() == [1, 2, 3] and age.missing.tolist()[:2] == [False, True]
    assert age.categories is None and label.values.tolist() == [0, 1, 0, 1]


def test_arrow_tables_that_polars_does_not_read():
    arrow = pytest.importorskip("pyarrow")
    pytest.importorskip("polars")
    spans = arrow.array([(1, 2, 3)] * 4, arrow.month_day_nano_interval())
    twice = arrow.table([[0, 1]] * 2, names=["a", "a"])
    for wrong, why in ((twice, "more than once"), (arrow.table({"a": spans}), "interval")):
        with pytest.raises(InputError, match=f"this Table of pyarrow cannot be read: .*{why}"):
            RuleListClassifier().fit(wrong, [0, 1])


@pytest.mark.parametrize(
    "wrong",
    [
        {"class_weight": {"yes": -1}}, {"class_weight": {"yes": float("nan")}},
        {"memory_limit": 10**20}, {"cuts": "quantil"},
    ],
)  # fmt: skip
def test_a_wrong_parameter_is_named(wrong):
    with pytest.raises(OptionError, match=next(iter(wrong))):
        RuleListClassifier(**wrong).fit(X, y)


def test_text_for_numbers_and_for_lists_of_words():
    assert len(Binarizer(cuts="quantile 1").fit(X[["age"]], y).antecedents_) == 2
    assert "job = a" not in Binarizer(missing="a").fit(X, y).get_feature_names_out()
    assert "job = b" in Binarizer(missing="ab").fit(X, y).get_feature_names_out()


def test_a_label_that_is_called_as_a_feature_prints_as_class():
    model = RuleListClassifier().fit(X, (X["age"] > 40).rename("age"))
    assert str(model.rule_list_).splitlines()[0].startswith("if age <= ")
    assert "then class = False" in str(model.rule_list_)
    assert "then old = False" in str(model.fit(X, (X["age"] > 40).rename("old")).rule_list_)
