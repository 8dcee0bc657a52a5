"""`RuleListClassifier` as a scikit-learn user meets it."""

import subprocess
import sys
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from corels import RuleListClassifier
from corels.installed import install_command


@parametrize_with_checks([RuleListClassifier()])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def random_table(seed, rows=60, columns=5):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 2, (rows, columns)), rng.integers(0, 2, rows)


def test_frames_of_pandas_and_polars_and_arrays_give_the_same_list():
    X, y = random_table(0)
    names = [f"x{j}" for j in range(X.shape[1])]
    settings = {"regularization": 0.02, "min_support": 0}
    from_array = RuleListClassifier(**settings).fit(X, y)
    from_pandas = RuleListClassifier(**settings).fit(pd.DataFrame(X, columns=names), y)
    from_polars = RuleListClassifier(**settings).fit(pl.DataFrame(X, schema=names), pl.Series(y))
    assert from_array.rule_list_.rules == from_pandas.rule_list_.rules
    assert from_array.rule_list_.rules == from_polars.rule_list_.rules
    assert from_pandas.feature_names_in_.tolist() == names
    assert from_polars.feature_names_in_.tolist() == names
    assert not hasattr(from_array, "feature_names_in_")
    assert (from_polars.predict(pl.DataFrame(X, schema=names)) == from_array.predict(X)).all()


def test_mixed_columns_with_missing_values():
    frame = pd.DataFrame(
        {
            "colour": ["red", "red", "blue", None, "blue", "red"] * 5,
            "size": [1.5, np.nan, 3.0, 4.0, 5.0, 6.0] * 5,
            "kind": pd.Categorical(["a", "b", "a", "b", "a", None] * 5),
        }
    )
    y = np.where(frame["colour"] == "red", "yes", "no")
    model = RuleListClassifier(regularization=0.01).fit(frame, y)
    assert model.score(frame, y) == 1
    assert str(model.rule_list_.rules[0].antecedent) in ("colour = red", "colour = blue")
    unseen = pd.DataFrame({"colour": ["green"], "size": [None], "kind": ["z"]})
    assert model.predict(unseen)[0] in ("yes", "no")


@pytest.mark.parametrize(
    "labels", [("no", "yes"), (0, 1), (-1, 1), (False, True), (2.0, 7.0), ("a", "b", "c")]
)
def test_any_labels(labels):
    X = np.eye(len(labels), dtype=int).repeat(4, axis=0)
    y = np.array(labels).repeat(4)
    model = RuleListClassifier(regularization=0.01).fit(X, y)
    assert model.classes_.tolist() == sorted(labels)
    assert (model.predict(X) == y).all()
    assert model.predict(X).dtype == y.dtype
    assert np.allclose(model.predict_proba(X).sum(axis=1), 1)
    assert model.predict_proba(X).shape == (len(X), len(labels))


def test_fitted_attributes_agree_with_the_certificate():
    X, y = random_table(1)
    model = RuleListClassifier(regularization="1/50", min_support=0).fit(X, y)
    certificate = model.certificate_
    assert model.optimal_ is True
    assert certificate.regularization == Fraction(1, 50)
    assert model.objective_ == model.lower_bound_ == float(certificate.objective)
    assert model.gap_ == 0
    assert model.n_iter_ == max(1, certificate.expanded)
    errors = int((model.predict(X) != y).sum())
    length = len(model.rule_list_)
    assert certificate.objective == Fraction(errors, len(y)) + Fraction(length, 50)


def test_whole_and_rational_weights_equal_repeated_rows():
    X, y = random_table(2, rows=30)
    counts = np.random.default_rng(3).integers(0, 4, len(y))
    repeated = RuleListClassifier(regularization=0.02).fit(X.repeat(counts, 0), y.repeat(counts))
    for weights in (counts, counts / 3, [Fraction(int(c), 7) for c in counts]):
        weighted = RuleListClassifier(regularization=0.02).fit(X, y, sample_weight=weights)
        assert weighted.certificate_.objective == repeated.certificate_.objective
        assert weighted.weight_resolution_ == 0
        assert weighted.rule_list_.rules == repeated.rule_list_.rules


def test_class_weights_are_exact():
    X, y = random_table(7)
    y[:45] = 0
    balanced = RuleListClassifier(class_weight="balanced", min_support=0).fit(X, y)
    zeros, ones = int((y == 0).sum()), int((y == 1).sum())
    by_hand = RuleListClassifier(class_weight={0: ones, 1: zeros}, min_support=0).fit(X, y)
    assert balanced.certificate_.objective == by_hand.certificate_.objective
    assert balanced.weight_resolution_ == 0 and balanced.rule_list_.training_weight == len(y)
    assert str(RuleListClassifier(cost="balanced", min_support=0).fit(X, y).rule_list_) == str(
        balanced.rule_list_
    )
    assert balanced.score(X, y) == (balanced.predict(X) == y).mean()
    model = RuleListClassifier(class_weight={1: Fraction(1, 3)}, min_support=0).fit(X, y)
    weights = np.where(y == 1, 1, 3)
    same = RuleListClassifier(min_support=0).fit(X, y, sample_weight=weights)
    assert model.certificate_.objective == same.certificate_.objective
    with pytest.raises(ValueError, match="names the class 7"):
        RuleListClassifier(class_weight={7: 1}).fit(X, y)
    with pytest.raises(ValueError, match="expected 'balanced'"):
        RuleListClassifier(class_weight="even").fit(X, y)


def test_apply():
    X, y = random_table(8, rows=200)
    model = RuleListClassifier(regularization=0.001, min_support=0).fit(X, y)
    captured_by = model.apply(X)
    assert len(model.rule_list_) > 1 and captured_by.max() <= len(model.rule_list_)
    frequencies = np.array([rule.frequencies for rule in model.rule_list_])
    assert (model.predict_proba(X) == frequencies[captured_by]).all()


def test_one_class_and_no_antecedents_give_a_certified_constant():
    X, y = random_table(10)
    one = RuleListClassifier().fit(X, np.full(len(y), "only"))
    assert set(one.predict(X)) == {"only"}
    assert one.predict_proba(X).shape == (len(X), 1)
    assert one.optimal_ and one.objective_ == 0
    none = RuleListClassifier().fit(np.zeros((len(y), 2)), y)
    assert len(none.rule_list_) == 0
    assert none.certificate_.objective == Fraction(int(min(y.sum(), (1 - y).sum())), len(y))


@pytest.mark.parametrize("backend", ["c", "python"])
@pytest.mark.parametrize(
    ("asked", "objective"),
    [
        ({"constraints": "recall >= 0.5"}, Fraction(2, 3)),
        ({"constraints": "recall <= 0.5"}, Fraction(1, 3)),
        ({"constraints": "coverage <= 0.5", "abstain": "1/2"}, Fraction(1, 2)),
    ],
)
def test_constraints_without_antecedents_choose_what_is_said_of_all_rows(backend, asked, objective):
    X, y = np.zeros((30, 1)), np.arange(30) % 3 == 0
    model = RuleListClassifier(backend=backend, **asked).fit(X, y)
    assert model.optimal_ and model.certificate_.objective == objective


@pytest.mark.parametrize("n_jobs", [2, -1, -100])
def test_threads_change_nothing_that_is_proven(n_jobs):
    X, y = random_table(20, rows=200)
    one = RuleListClassifier(regularization=0.004).fit(X, y)
    many = RuleListClassifier(regularization=0.004, n_jobs=n_jobs).fit(X, y)
    assert many.optimal_ and many.certificate_.objective == one.certificate_.objective


def test_metadata_routing_passes_weights_through_a_pipeline():
    import sklearn
    from sklearn.preprocessing import FunctionTransformer

    X, y = random_table(15)
    weights = np.arange(len(y))
    with sklearn.config_context(enable_metadata_routing=True):
        model = RuleListClassifier(min_support=0).set_fit_request(sample_weight=True)
        pipeline = make_pipeline(FunctionTransformer(), model).fit(X, y, sample_weight=weights)
    alone = RuleListClassifier(min_support=0).fit(X, y, sample_weight=weights)
    assert pipeline[-1].certificate_.objective == alone.certificate_.objective


def test_verbose_writes_to_stderr_only(capsys):
    X, y = random_table(16)
    RuleListClassifier(verbose=1).fit(X, y)
    out, err = capsys.readouterr()
    assert out == ""
    assert "better: objective" in err


def test_random_state_seeds_the_stochastic_policy():
    X, y = random_table(17, rows=100)
    settings = {"policy": "stochastic", "regularization": 0.005, "min_support": 0}
    same = [
        RuleListClassifier(random_state=seed, **settings).fit(X, y).certificate_
        for seed in (3, 3, np.random.RandomState(0), None)
    ]
    assert same[0].expanded == same[1].expanded
    assert len({certificate.objective for certificate in same}) == 1
    assert same[3].parts["seed"] == "0"


def test_without_scikit_learn_the_estimator_says_what_to_install():
    code = (
        "import sys; sys.modules['sklearn'] = None\n"
        "import corels\n"
        "from corels import *\n"
        "assert not hasattr(corels, 'RuleListClassifier')\n"
        "CorelsClassifier(verbosity=[], c=0.5).fit([[1, 0], [0, 1]], [1, 0])\n"
        "try:\n    from corels import RuleListClassifier\n"
        "except ImportError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    said = done.stdout.strip()
    assert said == f"the estimators need scikit-learn 1.6 or later: {install_command('sklearn')}"
