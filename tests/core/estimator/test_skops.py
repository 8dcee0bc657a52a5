"""Estimators as files of skops: `TRUSTED_TYPES` is what they hold, and they predict alike."""

import warnings

import numpy as np
import pandas as pd
import pytest
from corels_colgen.estimator import RuleSetClassifier
from corels_falling.estimator import FallingRuleListClassifier, SoftlyFallingRuleListClassifier

import corels
from corels.sklearn import TRUSTED_TYPES
from corels.tables import Binarizer

pytest.importorskip("skops")

RULES = corels.RuleListClassifier
KINDS = {
    "plain": RULES(),
    "auto": RULES("auto"),
    "cost": RULES(cost={"yes": 5}),
    "abstain": RULES(abstain=0.2),
    "constraint": RULES(constraints=["positive-rate by name within 0.5"]),
    "columns": RULES(columns={"num": {"direction": "up", "cuts": [0.0]}}),
    "weights": RULES(class_weight="balanced"),
    "falling": FallingRuleListClassifier(),
    "falling cost": FallingRuleListClassifier(cost={"yes": 5}),
    "softly falling": SoftlyFallingRuleListClassifier(),
    "rule set": RuleSetClassifier(),
    "rule set cost": RuleSetClassifier(cost={"yes": 5}),
}


def table(rows=60):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "num": rng.normal(size=rows),
            "name": rng.choice(list("abc"), rows),
            "flag": rng.integers(0, 2, rows),
            "day": pd.date_range("2024-01-01", periods=rows).astype(str),
            "gap": np.where(rng.random(rows) < 0.1, np.nan, rng.integers(0, 5, rows)),
        }
    )
    return frame, np.where((frame["num"] > 0) ^ (rng.random(rows) < 0.1), "yes", "no")


@pytest.fixture(scope="module")
def fitted():
    """kind -> an estimator, and what skops writes of it."""
    from skops import io as sio  # it looks at all of scipy: a second

    X, y = table()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {kind: (model.fit(X, y), sio.dumps(model)) for kind, model in KINDS.items()}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", KINDS)
def test_a_file_of_skops_holds_trusted_types_and_predicts_alike(kind, fitted):
    from skops import io as sio

    (X, _), (model, written) = table(), fitted[kind]
    assert set(sio.get_untrusted_types(data=written)) <= set(TRUSTED_TYPES)
    read = sio.loads(written, trusted=[*TRUSTED_TYPES])
    assert (read.predict(X) == model.predict(X)).all()
    assert read._model == model._model and read.certificate_ == model.certificate_
    assert read.reasons(X).equals(model.reasons(X))


def test_every_trusted_type_is_found_in_some_estimator(fitted):
    from skops import io as sio

    files = [*(content for _, content in fitted.values()), sio.dumps(Binarizer().fit(table()[0]))]
    held = {one for content in files for one in sio.get_untrusted_types(data=content)}
    own = {one for one in TRUSTED_TYPES if one.startswith(("corels.", "fractions"))}
    assert own <= held
