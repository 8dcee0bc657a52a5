"""evaluate: folds that cover every row once, honest metrics, baselines on the same folds."""

from dataclasses import replace
from fractions import Fraction

import called
import numpy as np
import pytest
from corels_workbench import judging
from corels_workbench.baselines import learners, missing
from corels_workbench.commands.experiments import EVALUATED
from corels_workbench.evaluating import _deal, by_size, evaluate, summary
from corels_workbench.judging import EVERY_LAMBDA, judge_fold
from corels_workbench.labelled import Labelled
from corels_workbench.ours import Solved, dataset_of
from corels_workbench.table import Table

from corels.errors import InputError, OptionError
from corels.plugins import registry
from corels.tables import (
    TABLE_OPTIONS,
    TableOptions,
    as_columns,
    columns_of,
    load_columns,
    table_dataset,
)

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
    table = evaluate({"titanic": titanic}, models=("rule-list", "logistic regression"), folds=3)
    assert len(table) == 6
    by_model = {row["model"]: row for row in summary(table).rows}
    assert 0.74 < by_model["rule-list"]["accuracy"] < 0.82
    assert by_model["rule-list"]["size"] >= 1
    for row in table.rows:
        assert 0 <= row["fpr"] <= row["tpr"] <= 1, "better than chance on this table"
        assert abs(row["balanced_accuracy"] - (row["tpr"] + 1 - row["fpr"]) / 2) < 1e-9


def test_every_lambda_keeps_the_path_of_the_training_fold(titanic):
    table = evaluate({"titanic": titanic}, models=(EVERY_LAMBDA,), folds=2, low="0.005")
    for row in table.rows:
        sizes = [one["size"] for one in row["path"]]
        assert sizes == sorted(sizes), "from the largest lambda to the least"
        assert row["certified"]


def test_lists_have_at_most_max_rules(titanic):
    models = ("rule-list", EVERY_LAMBDA, "falling")
    tables = {"titanic": titanic}
    table = evaluate(tables, models=models, folds=2, inner_folds=2, low="0.002", max_rules=1)
    sizes = [one["size"] for row in table.rows for one in row.get("path", [row])]
    assert max(sizes) == 1


def test_a_strangers_solver_is_judged_too(titanic):
    assert set(registry().names("solver")) - {"rule-list"} <= set(learners())


def test_groups_get_rates_of_their_own():
    columns, label = load_columns("titanic")
    table = Labelled.of(columns, label, "titanic", group="sex")
    assert "sex" not in table.columns
    row = evaluate({"titanic": table}, models=("rule-list",), folds=2).rows[0]
    assert {"tpr of Female", "fpr of Male"} <= set(row)


@pytest.mark.parametrize("odd", ["3.0", "-"])
def test_columns_that_are_categories_make_the_conditions_of_a_run(tmp_path, odd):
    """Though what models are given are names that look like numbers, with an odd cell or none."""
    cells = ["1.0", "2.5"] * 100 + [odd]
    lines = [f"{cell},{cell},{'np'[at % 2]}" for at, cell in enumerate(cells)]
    (tmp_path / "t.csv").write_text("\n".join(["a,b,y", *lines]) + "\n")
    made = table_dataset(tmp_path / "t.csv", "y", TableOptions(columns={"a": "as names"}))
    columns = columns_of(tmp_path / "t.csv")
    table, seen = Labelled.of(columns, "y", "t", columns={"a": "as names"}), []

    def remember(columns, labels, how, **also):
        seen.append(dataset_of(columns, labels, how, **also))
        return seen[-1]

    settings = {"time_limit": 10, "low": "0.1", "max_rules": None}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judging, "dataset_of", remember)
        held_out = np.arange(len(cells)) < 2
        judge_fold(EVERY_LAMBDA, table, held_out, settings | {"antecedents": {}})
    (found,) = seen
    assert [one.name for one in found.antecedents] == [one.name for one in made.antecedents]


def test_what_does_not_exist_or_is_not_installed_is_named(titanic):
    with pytest.raises(OptionError, match="unknown model 'CARTS'; did you mean 'CART'"):
        evaluate({"titanic": titanic}, models=["CARTS"])
    with pytest.raises(InputError, match="there is no column 'x'"):
        Labelled.of({}, "x", "table")


def test_columns_are_read_as_they_are_asked_for():
    columns = as_columns(
        {"code": ["01", "2", "03", "4"], "kind": [1, 2, 1, 2], "x": [1, 2, 3, 4], "y": list("aabb")}
    )
    found = Labelled.of(
        columns, "y", "t", columns={"code": "as numbers", "kind": "as names"}, ignore=["x"]
    )
    assert found.columns["code"].tolist() == [1, 2, 3, 4]
    assert found.columns["kind"].tolist() == ["1", "2", "1", "2"]
    assert set(found.columns) == {"code", "kind"}
    assert set(Labelled.of(columns, "y", "t", columns=["x"]).columns) == {"x"}
    for options, error, message in (
        ({"columns": {"z": "as numbers"}}, InputError, "t: there is no column 'z'"),
        ({"column": ["x"]}, InputError, 'expected "NAME: field value"'),
        ({"numeric": ["x"]}, OptionError, "evaluate has no option 'numeric'"),
    ):
        with pytest.raises(error, match=message):
            Labelled.of(columns, "y", "t", **options)


def test_antecedents_of_our_models_are_made_as_asked():
    columns = as_columns({"x": range(90), "y": [0] * 20 + [1] * 70})
    table = {"t": Labelled.of(columns, "y", "t")}

    def accuracies(model, **options):
        found = evaluate(table, models=[model], folds=2, antecedents=options)
        members = [one for row in found.rows for one in (row, *row.get("path", ()))]
        return [one["accuracy"] for one in members if "accuracy" in one]

    for model in ("rule-list", "falling", EVERY_LAMBDA):
        assert max(accuracies(model, cuts="quantile 1")) < 0.9
        assert max(accuracies(model, cuts="all")) > 0.9
    with pytest.raises(OptionError, match="evaluate has no option 'cut'"):
        accuracies("falling", cut=1)


def test_options_of_tables_are_those_of_run(capsys):
    """Beside rows that count several times, and what the estimators do not have."""
    known = {option.name for panel in EVALUATED.values() for option in panel}
    missing = {option.name for option in TABLE_OPTIONS} - known
    assert missing == {"weight", "max_antecedents", "first"}
    for flag in ("-r", "--regularization"):
        assert called.code("evaluate", "--dataset", "titanic", flag, "0.1") == 2
        assert f"no such option: {flag}" in capsys.readouterr().err


def test_what_makes_an_estimator_is_no_part_of_its_time(titanic, monkeypatch):
    """It imports the package, in the first fold alone."""
    known, held_out = learners(), np.arange(len(titanic.labels)) % 2 == 0
    settings = {"seed": 0, "inner_folds": 2, "time_limit": None, "constraints": []}

    made, begun, clock = [], [], judging.Clock

    def make(settings):
        made.append(known["CART"].make(settings))
        return made[-1]

    def begin():
        begun.append(len(made))
        return clock()

    watched = {**known, "CART": replace(known["CART"], make=make)}
    monkeypatch.setattr(judging.baselines, "learners", lambda: watched)
    monkeypatch.setattr(judging, "Clock", begin)
    judge_fold("CART", titanic, held_out, settings)
    assert begun[-1] == len(made) == 1


def test_learners_of_every_size_beside_lists_of_that_size(titanic):
    models = (EVERY_LAMBDA, "CART, every size")
    table = evaluate({"titanic": titanic}, models=models, folds=2)
    rows = by_size(table).rows
    assert [row["size"] for row in rows] == list(range(1, len(rows) + 1))
    for row in rows:
        assert all(0.6 < row[model] < 0.9 for model in models)
    alone = by_size(evaluate({"titanic": titanic}, models=models[1:], folds=2)).rows
    assert len(alone) == 10 and alone[0][models[1]] == rows[0][models[1]]
    trees = [row["path"] for row in table.rows if row["model"] == "CART, every size"]
    assert abs(rows[1][models[1]] - np.mean([path[1]["accuracy"] for path in trees])) < 1e-12


@pytest.fixture
def cells(monkeypatch):
    """The cells that would be run; none is."""
    found = []

    def noted(command, settings, wanted, hashes, how):
        found[:] = wanted
        return Table(())

    monkeypatch.setattr("corels_workbench.evaluating.run", noted)
    return found


def test_families_are_run_where_they_are_shown_and_nothing_else_then(titanic, cells):
    def models(**options):
        evaluate({"titanic": titanic}, folds=2, **options)
        return list(dict.fromkeys(cell.arguments["model"] for cell in cells))

    assert {"rule-list", "CART"} <= set(models())
    assert not {EVERY_LAMBDA, "CART, every size"} & set(models())
    assert {EVERY_LAMBDA, "CART, every size"} <= set(models(by_size=True))
    assert "rule-list" not in models(by_size=True)
    assert models(by_size=True, models=["CART", EVERY_LAMBDA]) == ["CART, every size", EVERY_LAMBDA]
    with pytest.raises(OptionError, match="model 'SVM' has no sizes and is given with by_size"):
        models(by_size=True, models=["CART", "SVM"])


def test_a_model_is_asked_for_by_the_name_of_its_solver(titanic, cells):
    def models(*asked):
        evaluate({"titanic": titanic}, folds=2, models=asked)
        return list(dict.fromkeys(cell.arguments["model"] for cell in cells))

    assert models("rule-list", "rule-list", "falling", "CART") == ["rule-list", "falling", "CART"]
    assert models("rule-list, every lambda") == [EVERY_LAMBDA]
    with pytest.raises(OptionError, match=r"\(there are: rule-list, .*, rule-list, every lambda, "):
        models("rule lists")


def test_each_fold_has_the_same_share_of_the_time(titanic, cells):
    def shares(limit):
        models = ["rule-list", "CART"]
        evaluate({"titanic": titanic}, models=models, folds=2, time_limit=limit)
        return [cell.arguments["settings"]["time_limit"] for cell in cells]

    assert shares(60.0) == [30.0] * 4
    assert shares(None) == [None] * 4


def test_no_time_gives_models_that_say_so(titanic):
    models = ("rule-list", "falling", EVERY_LAMBDA)
    table = evaluate({"titanic": titanic}, models=models, folds=2, time_limit=0.0)
    assert {row["model"]: row["certified"] for row in table.rows if "error" not in row} == {
        "rule-list": False, "falling": False, EVERY_LAMBDA: False,
    }  # fmt: skip


def test_a_table_may_bring_its_folds():
    columns, label = load_columns("titanic")
    sex = columns["sex"]
    table = Labelled.of(columns, label, "titanic", fold="sex")
    assert "sex" not in table.columns
    found = evaluate({"titanic": table}, models=("AdaBoost",), folds=7)
    assert {row["fold"] for row in found.rows} == set(sex.categories)
    with pytest.raises(InputError, match="there is no column 'side'"):
        Labelled.of(columns, label, "titanic", fold="side")
    with pytest.raises(InputError, match="is predicted: name another"):
        Labelled.of(columns, label, "titanic", fold=label)


def test_a_fold_without_the_positive_class_takes_no_other_one_for_it():
    part = np.array(["a", "b", "c"] * 20)
    x = np.arange(60) % 7 > 3
    labels = np.where((part != "c") & x, "yes", "no")
    table = Labelled({"x": x.astype(str)}, labels, folds=part)
    settings = {"models": ("CART",), "constraints": ["recall >= 0.5"]}
    rows = {row["fold"]: row for row in evaluate({"t": table}, **settings).rows}
    assert rows["a"]["recall"] == rows["a"]["tpr"] is not None
    said = rows["c"]
    assert said["recall"] is None and said["tpr"] is None and "auc" not in said
    assert said["fpr"] == pytest.approx(1 - said["accuracy"]) and said["fpr"] > 0


NEEDS = {"RIPPER": "wittgenstein", "greedy list": "imodels", "optimal tree": "pystreed"}


@pytest.mark.parametrize("model", NEEDS)
def test_baselines_of_further_packages(titanic, model):
    pytest.importorskip(NEEDS[model], reason=f"{model} comes from the extra `baselines`")
    words = np.where(titanic.labels == titanic.labels[0], "one", "another")
    table = Labelled(titanic.columns, words)
    row = evaluate({"titanic": table}, models=(model,), folds=2).rows[0]
    assert "error" not in row, row
    assert 0.7 < row["accuracy"] < 0.85
    assert 1 <= row["size"] <= 20


def test_packages_are_named(titanic):
    about = evaluate({"titanic": titanic}, models=("AdaBoost",), folds=2).about
    assert "scikit-learn" in about["packages"]
    assert set(about["not installed"]) == set(missing())


def test_ripper_learns_rules_for_the_rarer_class(titanic):
    pytest.importorskip("wittgenstein", reason="RIPPER comes from the extra `baselines`")
    classes = np.unique(titanic.labels)
    rarer = titanic.labels == min(classes, key=lambda one: (titanic.labels == one).sum())
    found = []
    for names in (("a", "b"), ("b", "a")):
        folds = np.arange(len(rarer)) % 2
        table = Labelled(titanic.columns, np.where(rarer, *names), folds=folds)
        found.append(evaluate({"titanic": table}, models=("RIPPER",), folds=2).rows[0])
    assert found[0]["accuracy"] == pytest.approx(found[1]["accuracy"])
    assert found[0]["auc"] == pytest.approx(found[1]["auc"])
    assert found[0]["auc"] > 0.6


def test_what_is_fair_is_kept_and_judged(titanic):
    grouped = replace(titanic, groups=titanic.columns["sex"].astype(str))
    table = evaluate(
        {"titanic": grouped}, models=["constrained rule-list", "CART"], folds=2, inner_folds=2,
        constraints=["statistical-parity by sex within 0.05"],
    )  # fmt: skip
    ours, cart = (
        [r for r in table.rows if r["model"] == m] for m in ("constrained rule-list", "CART")
    )
    for row in ours:
        assert row["certified"] and row["disparity, training"] <= 0.05
    assert min(row["disparity, training"] for row in cart) > 0.05  # and nobody kept it to that
    with pytest.raises(OptionError, match="constraints are about groups: name their column"):
        evaluate(
            {"titanic": titanic},
            models=["CART"],
            folds=2,
            constraints=["statistical-parity by sex within 0.05"],
        )
    with pytest.raises(OptionError, match="keeps to constraints of its own kind, and here: none"):
        evaluate({"titanic": grouped}, models=["constrained rule-list"], folds=2)


def test_fairlearn_over_a_tree(titanic):
    pytest.importorskip("fairlearn", reason="it comes from the extra `fairness`")
    grouped = replace(titanic, groups=titanic.columns["sex"].astype(str))
    table = evaluate(
        {"t": grouped},
        models=["exponentiated gradient"],
        folds=2,
        constraints=["statistical-parity by sex within 0.1"],
    )
    for row in table.rows:
        assert row["disparity, training"] < 0.2 and row["size"] > 0, row


def test_every_family_is_judged_in_one_way(titanic, registered):
    """Scores and size are the model's; lambda, if it is paid, is chosen on held-out rows."""
    import two_rules  # noqa: F401 - writes what follows
    from corels_two_rules import TwoRules

    registered("solver", TwoRules)
    models = ("rule-list", "falling", "two-rules")
    table = evaluate({"titanic": titanic}, models=models, folds=2, inner_folds=2)
    rows = {row["model"]: row for row in summary(table).rows}
    for name in models:
        assert 0.6 < rows[name]["auc"] < 0.85 and 1 <= rows[name]["size"] <= 4, rows[name]
    settings = {"antecedents": {}, "low": "0.001", "inner_folds": 3}
    settings |= {"time_limit": None, "max_rules": None}
    found = Solved("two-rules", settings).fit(titanic.columns, titanic.labels)
    price = found.certificate_.regularization
    assert price > Fraction("0.001"), "one step of a standard error is simpler"
    assert float(price) in [0.001 * 2**step for step in range(6)]
