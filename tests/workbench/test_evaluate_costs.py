"""evaluate with costs: mean costs by hand, baselines that minimise the same, wrong input."""

import json
from fractions import Fraction

import numpy as np
import pytest
from called import ended
from corels_workbench.baselines import fitted, learners
from corels_workbench.evaluating import by_size, evaluate, summary
from corels_workbench.judging import EVERY_LAMBDA
from corels_workbench.labelled import Labelled
from corels_workbench.ours import ALWAYS, OTHER, Solved

from corels.errors import InputError, OptionError
from corels.tables import as_columns

pytest.importorskip("sklearn", reason="the baselines are scikit-learn's")
hash_of = pytest.importorskip("joblib").hash

FEW = {"folds": 2, "inner_folds": 2}


def table(a="yyyyyynn", b="nnnnnnny"):
    """Two folds of 80 rows that are alike: 40 with x = a, of which 30 are y, and 40 with x = b, of
    which 5 are y. The other model is right where x = a, and says y where x = b."""
    rows = [("a", one) for one in a] + [("b", one) for one in b]
    xs, labels = zip(*rows * 10, strict=True)
    return {
        "x": xs,
        "label": labels,
        "fold": [f"fold {number // 16 % 2}" for number in range(160)],
        "other": [one if x == "a" else "y" for x, one in zip(xs, labels, strict=True)],
        "price": [4.0 if one == "n" else 0.0 for one in labels],
    }


def people(rows=None, **costs):
    columns = as_columns(rows or table())
    unseen = [name for name in ("other", "price") if name not in str(costs)]
    for name in unseen:
        del columns[name]
    return Labelled.of(columns, "label", "people", fold="fold", **costs)


def judged(labelled, *models, **more):
    """Model -> its row in the summary."""
    found = evaluate({"people": labelled}, models=models, **FEW, **more)
    assert not [row["error"] for row in found.rows if "error" in row]
    return {row["model"]: row for row in summary(found).rows}


DEAR = [{"cost": "fp=4,fn=1"}, {"outcome_cost": {"y": "price"}}]


@pytest.mark.parametrize("costs", DEAR)
def test_every_learner_that_knows_costs_or_weights_minimises_them(costs):
    """To say y where x = a costs 4 x 10, to say n costs 30: without costs, all say y there."""
    names = [name for name, one in learners().items() if one.priced and one.needs == ("sklearn",)]
    names = [
        name
        for name in names
        if not learners()[name].grouped and name not in (ALWAYS, OTHER, ALWAYS)
    ]
    assert {"CART", "random forest", "SVM", "logistic regression"} <= set(names)
    names.append("rule-list")
    for name, row in judged(people(**costs), *names).items():
        assert row["mean_cost"] == (30 + 5) / 80, name
        assert row["accuracy"] == (10 + 35) / 80, name
        assert "coverage" not in row
    for name, row in judged(people(), *names).items():
        assert row["accuracy"] == (30 + 35) / 80, name
        assert "mean_cost" not in row


def test_the_size_of_a_tree_is_chosen_by_costs_too():
    settings = {"seed": 0, "inner_folds": 2}
    labels, weights = np.array(["n"] * 60 + ["y"] * 20), np.repeat([1.0, 9.0], [60, 20])
    search = fitted(
        learners()["CART"].make(settings), np.ones((80, 1)), labels, sample_weight=weights
    )
    assert set(search.predict(np.ones((80, 1)))) == {"y"}
    assert search.best_score_ == 0.75, "the share of all costs that is not paid"


@pytest.mark.parametrize("costs", DEAR)
def test_families_of_ours_get_costs_that_they_know(costs, monkeypatch):
    pytest.importorskip("highspy", reason="rule sets need the extra `rule-set`")
    told = []
    before = Solved.fit
    monkeypatch.setattr(
        Solved, "fit", lambda *given, **more: told.append(more) or before(*given, **more)
    )
    for name, row in judged(people(**costs), "rule-set", "falling").items():
        assert row["mean_cost"] == (30 + 5) / 80, name
    assert {*map(tuple, told)} == {("sample_cost",)}


def test_families_of_ours_get_weights_where_there_is_more_to_know():
    """Where x = a a class costs 10 of 40 at least, where x = b 5: none says "don't know"."""
    pytest.importorskip("highspy", reason="rule sets need the extra `rule-set`")
    for name, row in judged(people(abstain="0.2"), "rule-set", "falling").items():
        assert (row["mean_cost"], row["coverage"]) == ((10 + 5) / 80, 1), name


def test_a_learner_that_knows_no_weights_is_measured_by_costs_all_the_same(monkeypatch):
    from dataclasses import replace

    known = learners()
    deaf = {**known, "CART": replace(known["CART"], priced="")}
    monkeypatch.setattr("corels_workbench.baselines.learners", lambda: deaf)
    # Without a limit it learns here.
    row = judged(people(cost="fp=4,fn=1"), "CART", time_limit=None)["CART"]
    assert row["mean_cost"] == (4 * 10 + 5) / 80
    assert row["accuracy"] == (30 + 35) / 80


def test_lists_that_abstain_cover_less():
    """Where x = a a class costs 10 of 40 at least, don't know 8; where x = b 5, and 8."""
    labelled = people(abstain="0.2")
    ours = evaluate({"people": labelled}, models=(EVERY_LAMBDA,), **FEW).rows[0]["path"][-1]
    cart = judged(labelled, "CART")["CART"]
    assert ours["mean_cost"] == (8 + 5) / 80
    assert (ours["coverage"], cart["coverage"]) == (0.5, 1)
    assert ours["accuracy"] == 35 / 40, "of the decided rows, of which 5 are y"
    assert (ours["balanced_accuracy"], ours["tpr"], ours["fpr"]) == (0.5, 0, 0)
    assert cart["mean_cost"] == 1 - cart["accuracy"] == (10 + 5) / 80


def test_nothing_is_accurate_where_nothing_is_decided():
    labelled = people(abstain="0.01")
    row = judged(labelled, "rule-list")["rule-list"]
    assert (row["mean_cost"], row["coverage"]) == (0.01, 0)
    assert row["accuracy"] is row["balanced_accuracy"] is row["tpr"] is None
    (path,) = evaluate({"people": labelled}, models=(EVERY_LAMBDA,), **FEW).rows[0]["path"]
    assert path["training_accuracy"] is path["accuracy"] is None and path["coverage"] == 0


def test_lists_that_hand_over_beside_the_other_model():
    """Where x = a the other model is right, and costs 4; where x = b it costs 35 + 4."""
    found = judged(people(defer="other", defer_cost="0.1"), "rule-list", "the other model")
    ours, other = found["rule-list"], found["the other model"]
    assert ours["mean_cost"] == (4 + 5) / 80
    assert (ours["coverage"], ours["accuracy"]) == (0.5, (40 + 35) / 80)
    assert ours["tpr"] == 30 / 35 and ours["fpr"] == 0
    assert other["mean_cost"] == (4 + 35 + 4) / 80
    assert (other["coverage"], other["accuracy"]) == (0, (40 + 5) / 80)
    both = {"with": people(defer="other"), "without": people()}
    everybody = evaluate(both, models=("CART", OTHER), **FEW).rows
    asked = [(row["data"], row["model"]) for row in everybody if row["fold"] == "fold 0"]
    assert asked == [("with", "CART"), ("with", OTHER), ("without", "CART")]
    assert not any("error" in row for row in everybody)


def test_medians_of_more_than_two_classes():
    """Of 1, 1, 1, 2, 2, 3, 3, 3 the median costs 6, the most frequent ones 8: no weight of a row
    says so."""
    rows = table("11122333", "11122333")
    rows = {**rows, "label": [int(one) for one in rows["label"]]}
    found = judged(people(rows, cost="absolute"), "rule-list", "CART")
    assert found["rule-list"]["mean_cost"] == 6 / 8
    assert found["CART"]["mean_cost"] == 8 / 8
    assert found["rule-list"]["tpr"] is None


def test_weights_of_rows():
    matrix = [[0, 1, 3], [2, 0, 2], [5, 1, 0]]
    labels, weights = people(table("pqrrrrrr", "pqrrrrrr"), cost=matrix).weighed()
    assert labels[:3].tolist() == ["p", "q", "r"] and weights[:3].tolist() == [2, 2, 3]
    # If the true class is the dearer one, the other one is to be learned.
    labels, weights = people(outcome_cost={"y": "price"}, cost="fn=.5,fp=1").weighed()
    assert labels[5:9].tolist() == ["y", "n", "n", "n"] and weights[5:9].tolist() == [0.5, 4, 4, 4]
    rows = {**table(), "price": [3.0] * 160}
    labels, weights = people(rows, outcome_cost={"y": "price"}).weighed()
    assert set(labels.tolist()) == {"n"}
    assert weights[5:7].tolist() == [2, 3]
    _, weights = people(cost="fp=0,fn=0").weighed()
    assert set(weights.tolist()) == {1}


def test_a_class_that_a_training_fold_lacks_has_costs_where_it_is_held_out():
    rows = table()
    fold = np.array(rows["fold"])
    labels = np.where((fold == "fold 0") & (np.array(rows["label"]) == "y"), "z", rows["label"])
    found = people({**rows, "label": labels.tolist()}, cost=[[0, 1, 1], [4, 0, 2], [7, 7, 0]])
    table_ = evaluate({"people": found}, models=("rule-list", "CART"), **FEW)
    costs = {row["model"]: row["mean_cost"] for row in table_.rows if row["fold"] == "fold 0"}
    assert costs["CART"] == (35 * 7 + 10) / 80, "who says y where x = a pays 7 for each z"
    assert costs["rule-list"] == costs["CART"]


def test_paths_and_sizes_by_cost():
    labelled = people(cost="fp=1,fn=3")
    found = evaluate({"people": labelled}, models=(EVERY_LAMBDA, "CART, every size"), **FEW)
    for row in found.rows:
        assert row["path"][-1]["mean_cost"] == (10 + 3 * 5) / 80
    (row,) = by_size(found).rows
    assert row[EVERY_LAMBDA] == row["CART, every size"] == (10 + 3 * 5) / 80
    assert {panel.y_label for panel in found.figure().panels} == {"held-out mean cost"}
    assert found.figure().title == "mean cost against size"


def test_fair_lists_with_costs_that_abstain():
    rows = table()
    rows["sex"] = [("f", "m")[number // 2 % 2] for number in range(160)]
    columns = as_columns({name: rows[name] for name in ("x", "label", "fold", "sex")})
    labelled = Labelled.of(
        columns, "label", "people", group="sex", fold="fold", cost="fn=2,fp=1", abstain="0.2"
    )
    row = judged(
        labelled, "constrained rule-list", constraints=["accuracy-parity by sex within 0.1"]
    )["constrained rule-list"]
    assert row["disparity, training"] <= 0.1
    assert row["mean_cost"] <= 0.2 and row["coverage"] < 1
    most = judged(labelled, "constrained rule-list", constraints=["coverage >= 0.95"])
    assert most["constrained rule-list"]["coverage, training"] >= 0.95 > row["coverage"]


def test_what_is_fair_of_more_than_two_classes():
    """Half of the women and half of the men are called r. More of the men are q, and called p."""
    rows = {**table("pppppqqq", "rrrrrrrr"), "sex": ["f", "m"] * 80}
    columns = as_columns({name: rows[name] for name in ("x", "label", "fold", "sex")})
    labelled = Labelled.of(columns, "label", "people", group="sex", fold="fold")
    asked = ["statistical-parity by sex within 0.1", "balanced-accuracy >= 0.5"]
    row = judged(labelled, "CART", constraints=asked)["CART"]
    assert row["accuracy"] == 13 / 16 and row["disparity"] == 0
    assert row["balanced_accuracy, training"] == row["balanced_accuracy"] == 2 / 3


def test_costs_are_part_of_a_table():
    known = [people(), *(people(**one) for one in DEAR), people(cost="fp=3,fn=1")]
    known += [people(abstain=one) for one in ("0.2", "0.25")]
    assert len({hash_of(one) for one in known}) == len(known) - 1, "two of them cost the same"
    assert hash_of(known[1]) == hash_of(people(cost="fp=4"))
    assert known[2].costs.paid(np.ones(160, int)).sum() == 4 * 90
    other = people({**table(), "other": ["y"] * 160}, defer="other", cost="fp=0,fn=0")
    assert hash_of(other) != hash_of(people(defer="other", cost="fp=0,fn=0")), "other answers"
    assert people(abstain="1/3").costs.charged == {"abstain": Fraction(1, 3)}


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ({"score": {"y": "price", "n": "price"}}, "score is for what is done"),
        ({"costs": "fp=1"}, "evaluate has no option 'costs'; did you mean 'cost'"),
        ({"cost": "balanced", "outcome_cost": {"y": "price"}}, "are both given"),
        ({"defer_cost": "1"}, "defer_cost is given without defer"),
    ],
)
def test_what_cannot_be_asked_for(costs, message):
    with pytest.raises(OptionError, match=message):
        people(**costs)


def test_columns_that_hold_no_costs():
    with pytest.raises(InputError, match="there is no column of costs 'nothing'"):
        people(outcome_cost={"y": "nothing"})
    with pytest.raises(InputError, match="the cost in column 'other', row 1 is not a number"):
        people(outcome_cost={"y": "other"})
    with pytest.raises(InputError, match="'label' is predicted: name another for groups, folds or"):
        people(defer="label")


def test_costs_and_what_does_not_go_with_them():
    with pytest.raises(OptionError, match="'the other model' is given without defer"):
        judged(people(cost="fp=4"), "the other model")


@pytest.fixture
def command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = {name: table()[name] for name in ("x", "label", "fold")}
    lines = [",".join(map(str, row)) for row in zip(*rows.values(), strict=True)]
    (tmp_path / "people.csv").write_text("\n".join([",".join(rows), *lines]), encoding="utf-8")

    def run(*words):
        common = ("people.csv", "--label", "label", "--fold-column", "fold", "--inner-folds", "2")
        return ended(capsys, "evaluate", *common, "--quiet", *words)

    return run


def test_the_command(command, tmp_path):
    kept = ("--results", "kept.jsonl", "--model", "CART")
    (tmp_path / "costs.csv").write_text(",n,y\nn,0,4\ny,1,0\n", encoding="utf-8")
    outputs = ("-o", "t.json", "-o", "t.csv", "--plot", "t.svg")
    code, out, _ = command(*kept, "--cost", "costs.csv", "--abstain", "0.45", *outputs)
    assert code == 0
    assert "  mean cost  spread  coverage  accuracy  " in out
    (row,) = json.loads((tmp_path / "t.json").read_text(encoding="utf-8"))["rows"]
    assert row["mean cost"] == (30 + 5) / 80 and row["coverage"] == 1
    assert (tmp_path / "t.csv").read_text(encoding="utf-8").startswith("data,model,")
    assert "held-out mean cost" in (tmp_path / "t.svg").read_text(encoding="utf-8")
    code, _, err = command(*kept, "--cost", "fp=3,fn=1")
    assert code == 2 and "kept.jsonl holds another experiment" in err
    assert command(*kept, "--cost", "fp=4,fn=1", "--abstain", ".45")[0] == 0, "the same costs"


def test_lambda_is_a_cost_too(command):
    code, out, _ = command("--cost", "fp=400,fn=100", "--low", "2", "--model", "rule-list")
    assert code == 0 and "43.75" in out
