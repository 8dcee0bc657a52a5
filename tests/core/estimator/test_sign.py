"""The sign of `decision_function` is that of `predict`, whatever the classes cost or weigh."""

import numpy as np
import pytest
from corels_colgen import RuleSetClassifier
from corels_falling import FallingRuleListClassifier, SoftlyFallingRuleListClassifier
from sklearn.base import clone

from corels import RuleListClassifier

FALLING = {"rule_cost": 0.02, "max_cardinality": 1, "min_support": 0}
FAMILIES = [
    RuleListClassifier(0.02, min_support=0),
    FallingRuleListClassifier(**FALLING),
    FallingRuleListClassifier(**FALLING, positive_weight=3),
    SoftlyFallingRuleListClassifier(**FALLING),
    RuleSetClassifier(complexity=5),
    RuleSetClassifier(complexity=5, form="cnf"),
]
ASKED = [
    {},
    {"class_weight": "balanced"},
    {"class_weight": {"no": 1, "yes": 3.5}},
    {"class_weight": {"no": 5, "yes": 1}},
    {"cost": "balanced"},
    {"cost": "f1"},
    {"cost": "fp=1,fn=5"},
    {"cost": {"no": 4}},
    {"cost": "balanced", "class_weight": {"no": 2, "yes": 1}},
    {"constraints": "recall >= 0.8"},
    {"cost": "balanced", "constraints": "positive-rate <= 0.3"},
]
ROWS = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)])
WITHOUT = {  # what a family has not
    "FallingRuleListClassifier": ("f1", "constraints"),
    "RuleSetClassifier": ("f1",),
    "SoftlyFallingRuleListClassifier": ("f1", "constraints"),
}


def problem(seed):
    """40 rows, of which few are positive in some; with ties of both classes."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (40, 3))
    y = np.where(rng.random(40) < 0.1 + 0.3 * X[:, 0] * (seed % 3), "yes", "no")
    y[:2] = "no", "yes"
    return X, y, rng.integers(1, 5, 40) / 2


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("family", FAMILIES, ids=lambda one: str(one)[:60].replace("\n", ""))
@pytest.mark.parametrize("asked", ASKED, ids=str)
def test_the_sign_is_that_of_predict(family, asked):
    own = getattr(family, "estimator", family)  # what a choice of lambda chooses among
    missing = WITHOUT.get(type(own).__name__, ())
    if getattr(own, "positive_weight", 1) != 1:
        missing = (*missing, "cost", "balanced")  # both say what a missed positive costs
    names = [*asked, *(str(value) for value in asked.values())]
    if not set(asked) <= set(own.get_params()) or set(missing) & set(names):
        pytest.skip("the family has no such option")
    positive = {"positive": "yes"} if {"cost", "constraints"} & set(asked) else {}
    for seed, weighted in ((0, False), (2, True)):
        X, y, weights = problem(seed)
        model = clone(family)
        getattr(model, "estimator", model).set_params(**asked, **positive)
        model.fit(X, y, sample_weight=weights if weighted else None)
        said, margin = model.predict(ROWS), model.decision_function(ROWS)
        assert margin.shape == (len(ROWS),)
        assert ((margin > 0) == (said == model.classes_[1])).all(), (seed, margin, said)
        assert np.allclose(model.predict_proba(ROWS).sum(axis=1), 1)
