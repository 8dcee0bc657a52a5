"""Estimators go on from the proof of an earlier fit, and say why they cannot."""

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="the estimators are scikit-learn's")

from corels_rule_list.proofcheck.reading import read_proof
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from corels import RuleListClassifier
from corels.errors import InputError, OptionError

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

BARE = {"start": "none", "time_limit": None}


def table(rows=400, columns=12):
    random = np.random.default_rng(3)
    X = random.integers(0, 2, (rows, columns))
    noise = random.random(rows) < 0.2
    return X, ((X[:, 0] & X[:, 1]) | X[:, 2]) ^ noise


def stopped(path, X, y, **options):
    with pytest.warns(ConvergenceWarning):
        RuleListClassifier(0.01, proof=path, **BARE, node_limit=10, **options).fit(X, y)


def test_a_fit_goes_on_from_the_proof_of_an_earlier_one(tmp_path):
    X, y = table()
    stopped(tmp_path / "part.gz", X, y)
    whole = RuleListClassifier(0.01, **BARE).fit(X, y)
    more = RuleListClassifier(0.01, **BARE, resume=tmp_path / "part.gz", proof=tmp_path / "all")
    more.fit(X, y)
    assert more.optimal_
    assert more.certificate_.objective == whole.certificate_.objective
    assert more.n_iter_ < whole.n_iter_
    proof = read_proof((tmp_path / "all").read_bytes())
    assert proof.bound is not None
    assert clone(more).resume == tmp_path / "part.gz"


def test_what_cannot_be_gone_on_from_is_refused(tmp_path):
    X, y = table()
    path = tmp_path / "part.gz"
    stopped(path, X, y)
    for wrong, error, message in (
        (
            RuleListClassifier(0.02, resume=path),
            InputError,
            "lambda is stated as 1/100, and here 1/50",
        ),
        (
            RuleListClassifier(0.01, resume=path, max_cardinality=2),
            InputError,
            "antecedents are stated",
        ),
        (RuleListClassifier(0.01, resume=tmp_path / "no"), InputError, "no"),
        (RuleListClassifier(0.01, resume=path, proof=path), OptionError, "written over"),
        (RuleListClassifier(0.01, resume=path, backend="python"), OptionError, "on backend 'c'"),
        (RuleListClassifier(0.01, resume=7), OptionError, "resume is 7: expected a path, or None"),
    ):
        with pytest.raises(error, match=message):
            wrong.fit(X, y)
    with pytest.raises(InputError, match="stated"):
        RuleListClassifier(0.01, resume=path).fit(X, np.zeros(len(X), int))


def test_the_folds_of_a_choice_of_lambda_write_no_proof(tmp_path):
    """Only the last search does, on all rows."""
    X, y = table()
    path = tmp_path / "p.gz"
    model = RuleListClassifier("auto:0.05", proof=path, time_limit=None).fit(X, y)
    proof = read_proof(path.read_bytes())
    assert proof.header["total"] == len(X)
    assert proof.header["regularization"] == str(model.certificate_.regularization)
