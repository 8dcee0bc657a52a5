"""Warnings of `fit`: before a search that is likely to be in vain, as on the command line."""

import warnings

import numpy as np
import pandas as pd
import pytest

from corels import RuleListClassifier
from corels.errors import ColumnWarning

pytest.importorskip("sklearn", reason="the estimators are scikit-learn's")

import corels


def warned(model, X, y):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(X, y)
    return [(w.category, str(w.message)) for w in caught]


def table(rows, columns):
    rng = np.random.default_rng(5)
    return rng.integers(0, 2, (rows, columns)), rng.integers(0, 2, rows)


def test_a_lambda_worth_less_than_two_rows():
    X, y = table(100, 3)
    ((category, message),) = warned(RuleListClassifier(regularization=0.015), X, y)
    assert category is UserWarning
    assert "costs as much as 1.5 of 100 rows" in message and "lambda 0.05" in message
    assert warned(RuleListClassifier(regularization=0.02), X, y) == []


def test_nothing_is_said_of_rules_where_none_can_gain_anything():
    X, y = table(20, 30)
    assert warned(RuleListClassifier(), X, np.zeros(20)) == []
    ((_, message),) = warned(RuleListClassifier(), np.zeros((20, 1)), y)
    assert message == "unused: x0 (one value only)"


def test_more_antecedents_than_rows():
    X, y = table(20, 30)
    found = warned(RuleListClassifier(regularization=0.2), X, y)
    assert [category for category, _ in found] == [UserWarning]
    assert "more antecedents (30) than rows (20)" in found[0][1]
    assert "a higher min_support, fewer cuts or a smaller max_cardinality" in found[0][1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = corels.learn({**dict(enumerate(X.T)), "y": y}, "y", regularization=0.2)
    assert result.warnings == (found[0][1],)


def test_the_warning_points_at_the_line_that_calls_fit():
    X, y = table(100, 3)
    with pytest.warns(UserWarning, match="costs as much") as caught:
        RuleListClassifier(regularization=0.015).fit(X, y)
    assert caught[0].filename == __file__


def test_an_infinite_limit_is_refused_with_what_to_write_instead():
    X, y = table(100, 3)
    with pytest.raises(ValueError, match=r"time_limit is inf: .*, or None for no limit"):
        RuleListClassifier(regularization=0.02, time_limit=float("inf")).fit(X, y)


ROWS = pd.DataFrame(
    {"age": [1, 2, 3, 4] * 10, "day": pd.to_datetime(["2024-01-01", "2024-02-01"] * 20)}
)


def fit(columns):
    RuleListClassifier("0.2", columns=columns).fit(ROWS, [0, 0, 1, 1] * 10)


def test_a_described_column_that_is_not_there_is_said():
    for name, hint in (("agee", "; did you mean 'age'?"), ("year of age2", "")):
        with pytest.warns(ColumnWarning, match=f"'{name}', which the table does not have") as said:
            fit({name: "direction up", "*": "cuts all"})
        assert str(said[0].message).endswith(f"does not have{hint}")


def test_a_column_a_part_of_a_date_and_all_others_are_there():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fit({"age": "cuts 2", "month of day": "as names", "*": "cuts all"})
