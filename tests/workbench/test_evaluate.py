"""evaluate: folds that cover every row once, honest metrics, baselines on the same folds."""

import numpy as np
import pytest

from corels.data import load_columns
from corels.errors import InputError, OptionError
from corels.plugins import registry
from corels.workbench.baselines import chosen, learners
from corels.workbench.evaluating import EVERY, Labelled, _deal, evaluate, summary

pytest.importorskip("sklearn", reason="the baselines are scikit-learn's")


@pytest.fixture(scope="module")
def titanic():
    columns, label = load_columns("titanic")
    return Labelled.of(columns, label, "titanic")


def test_folds_cover_every_row_once_with_the_classes_in_equal_shares():
    labels = np.array([0] * 70 + [1] * 30)
    dealt = _deal("x", labels, 10, seed=3)
    for fold in range(10):
        assert (labels[dealt == fold] == 1).sum() == 3
        assert (dealt == fold).sum() == 10


def test_too_few_rows_of_a_class_are_named():
    with pytest.raises(InputError, match="the class b has 1 rows for 2 folds"):
        _deal("x", np.array(["a", "a", "b"]), 2, seed=0)


def test_ours_and_a_baseline_on_the_same_folds(titanic):
    table = evaluate({"titanic": titanic}, models=("rule list", "logistic regression"), folds=3)
    assert len(table) == 6
    by_model = {row["model"]: row for row in summary(table).rows}
    assert 0.74 < by_model["rule list"]["accuracy"] < 0.82
    assert by_model["rule list"]["size"] >= 1
    for row in table.rows:
        truth = titanic.labels
        assert 0 <= row["fpr"] <= row["tpr"] <= 1, "better than chance on this table"
        assert abs(row["balanced_accuracy"] - (row["tpr"] + 1 - row["fpr"]) / 2) < 1e-9
        assert len(truth)


def test_every_lambda_keeps_the_path_of_the_training_fold(titanic):
    table = evaluate({"titanic": titanic}, models=(EVERY,), folds=2, low="0.005")
    for row in table.rows:
        sizes = [one["size"] for one in row["path"]]
        assert sizes == sorted(sizes), "from the largest lambda to the least"
        assert row["certified"]


def test_a_strangers_solver_is_judged_too(titanic):
    assert set(registry().names("solver")) - {"rule-list"} <= set(learners())


def test_groups_get_rates_of_their_own():
    columns, label = load_columns("titanic")
    table = Labelled.of(columns, label, "titanic", group="sex")
    assert "sex" not in table.columns
    row = evaluate({"titanic": table}, models=("rule list",), folds=2).rows[0]
    assert {"tpr of Female", "fpr of Male"} <= set(row)


def test_what_does_not_exist_or_is_not_installed_is_named(titanic):
    with pytest.raises(OptionError, match="unknown model 'CARTS'; did you mean 'CART'"):
        chosen(("CARTS",))
    with pytest.raises(InputError, match="there is no column 'x'"):
        Labelled.of({}, "x", "table")
