"""The estimators in other people's programs: sparse tables, margins, limits, pipelines."""

import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.ensemble import BaggingClassifier, VotingClassifier
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.inspection import permutation_importance
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from corels import Binarizer, RuleListClassifier


def table(seed=0, rows=120, classes=2):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 80, rows),
            "colour": rng.choice(["red", "green", "blue"], rows),
            "height": rng.normal(170, 10, rows).round(1),
        }
    )
    score = (frame["age"] > 50).astype(int) + (frame["colour"] == "red")
    noise = rng.random(rows) < 0.1
    return frame, np.where(noise, 0, np.minimum(score, classes - 1))


@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csc_matrix, sparse.coo_array])
def test_sparse_tables_give_the_list_of_dense_ones(form):
    rng = np.random.default_rng(1)
    X = rng.integers(0, 2, (80, 6)) * rng.choice([1, 1, 1, 3], (1, 6))
    y = rng.integers(0, 2, 80)
    dense = RuleListClassifier(regularization=0.01).fit(X, y)
    thin = RuleListClassifier(regularization=0.01).fit(form(X), y)
    assert thin.rule_list_ == dense.rule_list_
    assert (thin.predict(form(X)) == dense.predict(X)).all()
    assert (Binarizer().fit_transform(form(X)) == Binarizer().fit_transform(X)).all()


def test_one_hot_encoder_in_a_pipeline_as_it_comes():
    X, y = table()
    encoder = make_column_transformer((OneHotEncoder(), ["colour"]), remainder="passthrough")
    pipeline = make_pipeline(OneHotEncoder(), RuleListClassifier())
    assert sparse.issparse(pipeline[0].fit_transform(X[["colour"]]))
    assert pipeline.fit(X[["colour"]], y).score(X[["colour"]], y) > 0.5
    assert make_pipeline(encoder, RuleListClassifier()).fit(X, y).score(X, y) > 0.6


@pytest.mark.parametrize("classes", [2, 3])
def test_margins_agree_with_predictions(classes):
    X, y = table(2, classes=classes)
    model = RuleListClassifier(regularization=0.01).fit(X, y)
    margin = model.decision_function(X)
    if classes == 2:
        assert margin.shape == (len(X),)
        assert ((margin > 0) == (model.predict(X) == 1)).all()
        assert roc_auc_score(y, margin) == pytest.approx(
            roc_auc_score(y, model.predict_proba(X)[:, 1])
        )
    else:
        assert margin.shape == (len(X), 3)
        assert (margin.argmax(axis=1) == model.predict(X)).all()
    logs = model.predict_log_proba(X)
    assert np.allclose(np.exp(logs), model.predict_proba(X))


def test_importances():
    X, y = table(3)
    model = RuleListClassifier(regularization=0.01)
    with pytest.raises(NotFittedError):
        model.feature_importances_  # noqa: B018
    model.fit(X, y)
    found = dict(zip(model.feature_names_in_, model.feature_importances_, strict=True))
    asked = {c.column for rule in model.rule_list_.rules for c in rule.antecedent.conditions}
    assert sum(found.values()) == pytest.approx(1)
    assert {name for name, share in found.items() if share > 0} <= asked
    assert found["height"] == 0 or "height" in asked
    constant = RuleListClassifier(regularization=0.9).fit(X, y)
    assert constant.feature_importances_.tolist() == [0, 0, 0]
    assert permutation_importance(model, X, y, n_repeats=2).importances_mean.shape == (3,)


def test_importances_are_the_falls_of_impurity_by_hand():
    """10 rows, 4 of class 1; "a" takes 3 of them and none of the others."""
    X = np.array([[1, 0]] * 3 + [[0, 1]] * 4 + [[0, 0]] * 3)
    y = np.array([1] * 3 + [0] * 4 + [1] + [0] * 2)
    model = RuleListClassifier(regularization=0.01, min_support=0).fit(X, y)
    assert [str(rule.antecedent) for rule in model.rule_list_.rules] == ["x0"]
    assert model.feature_importances_.tolist() == [1, 0]


@pytest.mark.parametrize("empty", ["frame", "array", "sparse"])
def test_no_rows_give_no_predictions(empty):
    X, y = table()
    if empty != "frame":
        X = X[["age", "height"]].to_numpy()
    model = RuleListClassifier().fit(X, y)
    none = X.iloc[:0] if empty == "frame" else X[:0]
    none = sparse.csr_matrix(none) if empty == "sparse" else none
    assert model.predict(none).shape == (0,)
    assert model.predict_proba(none).shape == (0, 2)
    assert model.decision_function(none).shape == (0,)
    assert model.apply(none).shape == (0,)
    with pytest.raises(ValueError, match="0 sample"):
        RuleListClassifier().fit(none, y[:0])


def test_a_fit_has_a_limit_and_the_warning_says_what_would_help():
    assert RuleListClassifier().time_limit == 60
    rng = np.random.default_rng(4)
    X, y = rng.integers(0, 2, (300, 30)), rng.integers(0, 2, 300)
    with pytest.warns(ConvergenceWarning) as caught:
        model = RuleListClassifier(regularization=0.003, node_limit=2).fit(X, y)
    assert not model.optimal_ and model.lower_bound_ < model.objective_
    assert model.gap_ == pytest.approx(model.objective_ - model.lower_bound_)
    (message,) = [str(w.message) for w in caught if w.category is ConvergenceWarning]
    assert "node limit" in message and "gap" in message
    assert "larger regularization" in message and "time_limit=None" in message


def test_reading_counts_in_the_time_limit(monkeypatch):
    """A table that takes longer to read than the limit leaves no time to search."""
    given = []
    from corels.learning import flow

    def solve(problem, solver, **options):
        given.append(options["time_limit"])
        return searched(problem, solver, **options)

    searched = flow.solve
    monkeypatch.setattr(flow, "solve", solve)
    X, y = table()
    RuleListClassifier(time_limit=50).fit(X, y)
    assert 40 < given[0] < 50


def test_weights_in_cross_validation_and_ensembles():
    X, y = table(5)
    weights = np.random.default_rng(5).integers(1, 4, len(y))
    found = cross_validate(RuleListClassifier(), X, y, params={"sample_weight": weights}, cv=3)
    assert found["test_score"].min() > 0.5
    numbers = X[["age", "height"]].to_numpy()
    votes = VotingClassifier([("a", RuleListClassifier()), ("b", RuleListClassifier(0.05))])
    assert votes.fit(numbers, y, sample_weight=weights).score(numbers, y) > 0.5
    bag = BaggingClassifier(RuleListClassifier(), n_estimators=3, random_state=0)
    assert bag.fit(numbers, y).score(numbers, y) > 0.5
    rest = OneVsRestClassifier(RuleListClassifier()).fit(numbers, y)
    assert rest.predict(numbers).shape == y.shape


@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
def test_calibration(method):
    X, y = table(6)
    model = CalibratedClassifierCV(RuleListClassifier(), method=method, cv=3).fit(X, y)
    assert np.allclose(model.predict_proba(X).sum(axis=1), 1)


def test_pickles_and_joblib(tmp_path):
    X, y = table(7)
    model = RuleListClassifier(cuts="quantile 2").fit(X, y)
    joblib.dump(model, tmp_path / "model.joblib")
    for again in (pickle.loads(pickle.dumps(model)), joblib.load(tmp_path / "model.joblib")):
        assert (again.predict(X) == model.predict(X)).all()
    grid = GridSearchCV(RuleListClassifier(), {"regularization": [0.01, 0.1]}, cv=2, n_jobs=2)
    with joblib.parallel_config("threading"):
        assert grid.fit(X, y).best_score_ > 0.5


def test_weights_of_a_binarizer_are_repeated_rows_and_can_be_routed():
    import sklearn

    X, y = table(10)
    weights = np.random.default_rng(10).integers(0, 4, len(X))
    weighted = Binarizer(min_support=0.2).fit(X, sample_weight=weights)
    repeated = Binarizer(min_support=0.2).fit(X.iloc[np.repeat(np.arange(len(X)), weights)])
    assert weighted.antecedents_ == repeated.antecedents_
    with sklearn.config_context(enable_metadata_routing=True):
        pipeline = make_pipeline(
            Binarizer(min_support=0.2).set_fit_request(sample_weight=True),
            RuleListClassifier().set_fit_request(sample_weight=True),
        ).fit(X, y, sample_weight=weights)
    assert pipeline[0].antecedents_ == weighted.antecedents_
