"""The scikit-learn face of rule sets."""

import numpy as np
import pytest
from corels_colgen.ruleset import ClauseSet, RuleClause, RuleSet

from corels.tables import Antecedent, Condition

pytest.importorskip("sklearn", reason="scikit-learn is not installed")
pytest.importorskip("highspy", reason="HiGHS (highspy) is not installed")

from corels_colgen import RuleSetClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import parametrize_with_checks

FAST = {"complexity": 6, "max_conditions": 2, "cuts": "quantile 4", "node_limit": 20_000}


@parametrize_with_checks([RuleSetClassifier(form="cnf", **FAST)])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def exclusive_or(rows=40, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (rows, 4))
    return X, X[:, 0] ^ X[:, 1]


def test_learns_what_needs_two_clauses():
    X, y = exclusive_or()
    model = RuleSetClassifier(complexity=6).fit(X, y)
    assert model.optimal_ and model.score(X, y) == 1
    assert len(model.rule_set_) == 2 and model.rule_set_.complexity == 6
    assert model.objective_ == model.lower_bound_ == model.gap_ == 0
    assert (model.predict_proba(X).argmax(axis=1) == y).all()
    cnf = RuleSetClassifier(complexity=6, form="cnf").fit(X, y)
    assert cnf.optimal_ and cnf.score(X, y) == 1


def test_several_classes_one_against_the_rest():
    X = np.array([[i, j] for i in range(6) for j in range(6)])
    y = np.where(X[:, 0] <= 1, "low", np.where(X[:, 1] <= 2, "middle", "high"))
    model = RuleSetClassifier(complexity=4).fit(X, y)
    assert model.optimal_ and model.score(X, y) == 1
    assert [model.rule_set_.classes[one.target] for one in model.rule_set_.sets] != []
    assert set(model.predict(X)) == {"low", "middle", "high"}
    assert model.predict_proba(X).shape == (36, 3)
    short = RuleSetClassifier(complexity=2).fit(X, y)
    assert (short.classes_[short.decision_function(X).argmax(axis=1)] == short.predict(X)).all()


def test_a_limit_gives_the_best_so_far_and_warns():
    rng = np.random.default_rng(2)
    X, y = rng.integers(0, 2, (200, 12)), rng.integers(0, 2, 200)
    with pytest.warns(ConvergenceWarning, match="node limit"):
        model = RuleSetClassifier(complexity=20, node_limit=3).fit(X, y)
    assert 0 <= model.lower_bound_ < model.objective_
    assert model.certificate_.extra["bound from"]


def test_a_frame_with_words_numbers_and_gaps():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        {"colour": ["red", "blue", None, "red"] * 10, "size": [1.0, 5.0, 9.0, None] * 10}
    )
    y = (frame["colour"] == "red").to_numpy()
    model = RuleSetClassifier(complexity=2).fit(frame, y)
    assert model.score(frame, y) == 1
    assert "colour = red" in str(model.rule_set_)


def test_rows_that_weigh_next_to_nothing_are_left_out():
    X, y = exclusive_or()
    model = RuleSetClassifier(complexity=6, class_weight={0: 1000, 1: 0.0001}).fit(X, y)
    assert set(model.predict(X)) == {0}
    assert 0 < model.weight_resolution_ < 1
    exact = RuleSetClassifier(complexity=6, class_weight={0: 1000, 1: 1}).fit(X, y)
    assert exact.weight_resolution_ == 0 and exact.score(X, y) == 1


def test_a_large_cnf_is_written_as_it_is():
    """Multiplied out it would have 4^8 clauses."""
    nothing = (0, 0)
    clauses = tuple(
        RuleClause(tuple(Antecedent.of(Condition(f"c{i}_{j}", "true")) for j in range(4)), nothing)
        for i in range(8)
    )
    model = RuleSet("cnf", (ClauseSet(1, clauses, nothing, 0),), 0, nothing, ("no", "yes"))
    assert model.export("python").count("_holds(row") == model.export("sql").count(" = 1") == 32
