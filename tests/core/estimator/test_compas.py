"""What the paper reports on COMPAS, through the estimator. The data is not part of the project."""

import numpy as np
import polars as pl
import pytest
from shared_data import SHARED, needs_shared
from sklearn.model_selection import GridSearchCV, PredefinedSplit
from sklearn.pipeline import make_pipeline

from corels import Binarizer, RuleListClassifier

FOLDS = SHARED / "extra" / "compas_jmlr_folds.csv"
pytestmark = needs_shared
MINED = {"max_cardinality": 2, "min_support": 0.005}  # as in the paper


@pytest.fixture(scope="module")
def compas():
    """(features, labels, fold of each row) with the published folds."""
    table = pl.read_csv(FOLDS)
    return table.drop("fold", "label"), table["label"].to_numpy(), table["fold"].to_numpy()


def test_ten_fold_accuracy_is_the_papers(compas):
    """JMLR 2018, section 6: 0.665 +- 0.018 over ten folds at lambda = .005."""
    X, y, fold = compas
    scores, lengths = [], []
    for k in range(10):
        inside, outside = np.flatnonzero(fold != k), np.flatnonzero(fold == k)
        model = RuleListClassifier(regularization=0.005, **MINED).fit(X[inside], y[inside])
        assert model.optimal_
        scores.append(model.score(X[outside], y[outside]))
        lengths.append(len(model.rule_list_))
    assert np.mean(scores) == pytest.approx(0.665, abs=0.002)
    assert np.std(scores, ddof=1) == pytest.approx(0.018, abs=0.002)
    assert set(lengths) <= {3, 4}


def test_the_papers_list_on_the_first_fold(compas):
    X, y, fold = compas
    inside = np.flatnonzero(fold != 0)
    model = RuleListClassifier(regularization=0.005, **MINED).fit(X[inside], y[inside])
    assert model.objective_ == pytest.approx(0.35236, abs=5e-6)
    assert {str(rule.antecedent) for rule in model.rule_list_.rules} == {
        "sex = Male and age = 18-20",
        "age = 21-22 and priors = 2-3",
        "priors = >3",
    }


def test_grid_search_over_lambda_in_a_pipeline_with_binarizer(compas):
    X, y, fold = compas
    pipeline = make_pipeline(
        Binarizer(**MINED).set_output(transform="pandas"), RuleListClassifier(min_support=0)
    )
    search = GridSearchCV(
        pipeline, {"rulelistclassifier__regularization": [0.01, 0.1]}, cv=PredefinedSplit(fold % 2)
    ).fit(X, y)
    assert search.best_score_ > 0.655
    assert search.best_params_["rulelistclassifier__regularization"] == 0.01
    best = search.best_estimator_
    assert best[-1].optimal_
    names = set(best[0].get_feature_names_out())
    asked = {c.column for r in best[-1].rule_list_.rules for c in r.antecedent.conditions}
    assert asked <= names


def test_the_binarizer_inside_and_outside_give_the_same_objective(compas):
    X, y, _ = compas
    inside = RuleListClassifier(regularization=0.01, **MINED).fit(X, y)
    matrix = Binarizer(**MINED).fit_transform(X)
    outside = RuleListClassifier(regularization=0.01, min_support=0).fit(matrix, y)
    assert inside.certificate_.objective == outside.certificate_.objective
    assert (inside.predict(X) == outside.predict(matrix)).all()
