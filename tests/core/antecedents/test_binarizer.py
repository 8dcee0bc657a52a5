"""Binarizer, a scikit-learn transformer."""

import pickle

import numpy as np
import pytest

from corels.errors import InputError
from corels.tables import Binarizer

TABLE = {
    "age": [18, 25, 40, None, 70, 33],
    "sex": ["m", "f", "f", "m", "m", "f"],
    "ill": [0, 1, 0, 0, 1, 1],
}
Y = [0, 1, 0, 1, 1, 0]


@pytest.mark.parametrize(
    "parameters",
    [
        {"cuts": "uniform", "negations": True, "max_cardinality": 2},
        {"cuts": "entropy", "missing": "refuse"},
    ],
    ids=str,
)
def test_check_estimator(parameters):
    """No expected failures, and nothing skipped but the array API (an environment variable)."""
    checks = pytest.importorskip("sklearn.utils.estimator_checks")
    results = checks.check_estimator(Binarizer(**parameters), on_fail=None, on_skip=None)
    failed = [r["check_name"] for r in results if r["status"] not in ("passed", "skipped")]
    skipped = {r["check_name"] for r in results if r["status"] == "skipped"}
    assert failed == []
    assert len(results) > 40
    assert skipped <= {"check_array_api_input"}


def test_names_rows_and_text():
    binarizer = Binarizer(cuts="quantile 2", negations=True)
    matrix = binarizer.fit_transform(TABLE)
    assert matrix.dtype == np.bool_
    assert list(binarizer.get_feature_names_out()) == [
        *("age <= 18", "age > 18", "age <= 33", "age > 33", "age is missing"),
        *("sex = f", "sex = m", "ill", "age is present", "not ill"),
    ]


def test_rows_not_seen_before():
    binarizer = Binarizer().fit(TABLE)
    new = {"age": [None, 1], "sex": ["x", None], "ill": [None, 1]}
    held = [binarizer.get_feature_names_out()[row].tolist() for row in binarizer.transform(new)]
    assert held == [["age is missing"], ["age <= 18", "age <= 25", "age <= 33", "ill"]]


def test_frames_in_and_out():
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    pytest.importorskip("sklearn")
    expected = Binarizer().fit(TABLE)
    for frame, kind in (pd.DataFrame(TABLE), "pandas"), (pl.DataFrame(TABLE), "polars"):
        binarizer = Binarizer().set_output(transform=kind)
        out = binarizer.fit_transform(frame)
        assert type(out) is type(frame)
        assert binarizer.antecedents_ == expected.antecedents_
        assert list(out.columns) == list(expected.get_feature_names_out())
        assert list(binarizer.feature_names_in_) == list(TABLE)
        assert (out.to_numpy() == expected.transform(TABLE)).all()
        with pytest.raises(ValueError, match="feature names"):
            binarizer.transform(frame[["sex", "age", "ill"]])


def test_frames_whose_column_names_are_numbers():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({0: [1, 2, 3], 1: ["a", "b", "a"]})
    binarizer = Binarizer().fit(frame)
    assert "x1 = a" in binarizer.get_feature_names_out()
    assert binarizer.transform(frame).shape[0] == 3


def test_lists_of_mixed_rows_keep_their_numbers():
    rows = [[18, "m"], [25, "f"], [40, "f"]]
    names = list(Binarizer().fit(rows).get_feature_names_out())
    assert names == ["x0 <= 18", "x0 > 18", "x0 <= 25", "x0 > 25", "x1 = f", "x1 = m"]


def test_in_a_pipeline_and_a_grid():
    pytest.importorskip("sklearn")
    from sklearn.base import clone
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import Pipeline
    from sklearn.tree import DecisionTreeClassifier

    pd = pytest.importorskip("pandas")
    frame, labels = pd.DataFrame({k: v * 10 for k, v in TABLE.items()}), np.array(Y * 10)
    pipe = Pipeline([("bits", Binarizer()), ("tree", DecisionTreeClassifier(random_state=0))])
    grid = {"bits__cuts": ["quantile 1", "quantile 5", "entropy 1", "entropy 5"]}
    search = GridSearchCV(pipe, grid, cv=3).fit(frame, labels)
    assert search.best_score_ == 1.0
    assert "sex = f" in search.best_estimator_[:-1].get_feature_names_out()
    copy = clone(Binarizer(columns={"age": "as names"}, negations=True))
    assert (copy.columns, copy.negations) == ({"age": "as names"}, True)
    assert repr(Binarizer(negations=True)) == "Binarizer(negations=True)"


def test_pickling():
    binarizer = Binarizer(max_cardinality=2).fit(TABLE)
    again = pickle.loads(pickle.dumps(binarizer))
    assert (again.transform(TABLE) == binarizer.transform(TABLE)).all()


def test_names_of_an_array_can_be_given_later():
    binarizer = Binarizer().fit(np.array([[1.0, 0], [2, 1], [3, 1]]))
    assert binarizer.get_feature_names_out()[0] == "x0 <= 1"
    assert binarizer.get_feature_names_out(["größe", "y"])[0] == "größe <= 1"
    with pytest.raises(ValueError, match="input_features"):
        binarizer.get_feature_names_out(["one"])


def test_what_it_refuses():
    with pytest.raises(ValueError, match="not fitted yet"):
        Binarizer().transform(TABLE)
    with pytest.raises(InputError, match="the data has no column 'ill'"):
        Binarizer().fit(TABLE).transform({"age": [1], "sex": ["m"]})
    with pytest.raises(InputError, match="requires y to be passed"):
        Binarizer(cuts="entropy").fit(TABLE)
    complete = {"sex": TABLE["sex"]}
    fitted = Binarizer(missing="refuse").fit(complete)
    with pytest.raises(InputError, match="column 'sex' has 1 missing values, the first in row 1"):
        fitted.transform({"sex": [None, "m"]})
    with pytest.raises(InputError, match="labels for 2 rows, but the table has 6"):
        Binarizer(cuts="entropy").fit(TABLE, [0, 1])
