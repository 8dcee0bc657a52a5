"""If rows have weights, a model keeps rows and weights apart, on every surface."""

import json
import re

import numpy as np
import pytest
from called import code
from corels_colgen import RuleSetClassifier
from corels_falling import FallingRuleListClassifier, SoftlyFallingRuleListClassifier

import corels
from corels import RuleListClassifier
from corels.cli.exits import Exit
from corels.errors import InputError
from corels.model import Model
from corels.tables import TableOptions, binarizing, table_dataset

ROWS = """age,ill,w
30,yes,0.5
40,no,1.25
20,yes,2
50,no,1
30,yes,0.75
40,no,3
20,yes,1
55,no,2
"""
FAMILIES = ["rule-list", "falling", "softly-falling", "rule-set"]
ESTIMATORS = [
    RuleListClassifier(0.02),
    FallingRuleListClassifier(rule_cost=0.02, max_cardinality=1, min_support=0),
    SoftlyFallingRuleListClassifier(rule_cost=0.02, max_cardinality=1, min_support=0),
    RuleSetClassifier(complexity=5),
]


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text(ROWS)
    return path


@pytest.fixture
def saved(table, tmp_path, capsys):
    def run(*options):
        path = tmp_path / "model.json"
        given = [str(table), "--label", "ill", "--weight", "w", "--quiet", *options]
        assert code("run", *given, "-o", path) == 0
        return path, capsys.readouterr().out

    return run


def rows_by_hand(model, data, labels):
    """Of each decider the rows of each class, one row after another."""
    found = [[0] * len(model.classes) for _ in model.deciders()]
    for decider, label in zip(model.capturing(data), labels, strict=True):
        found[decider][list(map(str, model.classes)).index(str(label))] += 1
    return found


@pytest.mark.parametrize("family", FAMILIES)
def test_text_file_and_check_have_rows_and_weights(family, saved, table, capsys):
    path, text = saved("--solver", family)
    assert "rows; weight" in text
    assert code("show", path) == 0
    assert text.splitlines()[0] in capsys.readouterr().out
    assert code("check", path, table) == 0
    assert "ok     rows behind the weights: 8" in capsys.readouterr().out
    document = json.loads(path.read_text())
    assert document["weighed"]["unit"] == "1/4"
    of = document["weighed"]["rows"]
    of[0], of[-1] = of[0][::-1], of[-1][::-1]
    path.write_text(json.dumps(document))
    assert code("check", path, table) == Exit.CHECK_FAILED
    assert "WRONG  rows behind the weights" in capsys.readouterr().out


def test_weights_are_shown_in_the_unit_in_which_they_were_given(saved):
    _, text = saved("-r", "0.05")
    assert text.splitlines() == [
        "if age <= 20  then ill = yes   (2 of 2 rows; weight 3 of 3, 100.0%)",
        "else          then ill = no   (4 of 6 rows; weight 7.25 of 8.5,  85.3%)",
    ]


def test_costs_checks_and_new_rows_speak_in_that_unit_too(saved, table, capsys):
    path, text = saved("-r", "0.05", "--cost", "fp=3,fn=1")
    assert "weight 7.25 of 8.5,  85.3%, cost 1.25)" in text
    assert code("check", path, table, "--json") == 0
    counted = {one["what"]: one for one in json.loads(capsys.readouterr().out)["counted"]}
    assert counted["rows"]["detail"] == "8 rows, which weigh 11.5 here, 11.5 in the model"
    assert counted["default rule"]["detail"] == "captures 7.25 of no, 1.25 of yes, predicts no"
    assert counted["objective"]["detail"].startswith("1.25/11.5 + 1 x 1/20 = ")
    seen = path.with_name("seen.json")
    assert code("monitor", path, table, "--save", seen) == 0
    assert "all             11.5 " in capsys.readouterr().out
    document = json.loads(seen.read_text())
    assert document["held_out"]["unit"] == "1/4" and document["held_out"]["weight"] == 46
    card = path.with_suffix(".md")
    assert code("report", seen, table, "-o", card) == 0
    assert "| 2 | no | 7.25 of 8.5 |" in card.read_text()
    assert code("predict", seen, table, "--proba") == 0
    rows = [line.split(",") for line in capsys.readouterr().out.splitlines() if "," in line]
    assert {row[3] for row in rows[1:]} == {"3.0", "8.5"}
    document["rules"][0]["counts"] = [1, 11]
    path.write_text(json.dumps(document))
    assert code("check", path, table) == Exit.CHECK_FAILED
    assert "captures 0 of no, 3 of yes, predicts yes; the model says 0.25, 2.75" in (
        capsys.readouterr().out
    )


def test_no_command_takes_weights_for_rows(saved, table, tmp_path, capsys):
    """One row of 20 years weighs 2, the other 1; they are 3 of 11.5, in a unit of 1/4."""
    path, _ = saved("-r", "0.05", "--proof", str(tmp_path / "p.proof"))
    near = tmp_path / "near.jsonl"
    given = [str(table), "--label", "ill", "--weight", "w"]

    def said(*words):
        assert code(*words) == 0
        return capsys.readouterr().out

    listed = said("antecedents", *given)
    assert re.search(r"age <= 20 +numbers +3 ", listed) and listed.splitlines()[0].split()[2] == (
        "weight"
    )
    assert json.loads(said("antecedents", *given, "--json"))["weight"] == 11.5
    assert "lambda 0.05 a rule costs as much as 0.575 errors by weight" in said(
        "why", *given, "-r", "0.05"
    )
    assert "1.25    0.8913" in said("path", *given, "--low", "0.05", "--folds", "0")
    said("near", *given, "-r", "0.05", "--best", "1", "-o", near)
    assert json.loads(near.read_text().splitlines()[0])["errors"] == 1.25
    page, card = tmp_path / "page.html", tmp_path / "card.md"
    for to in (page, card):
        said("report", path, table, "--group", "ill", "--near", near, "-o", to)
    assert "| no | 7.25 | 0 |" in card.read_text() and "| yes | 4.25 | 1.25 |" in card.read_text()
    shown = " ".join(re.sub("<[^>]*>", " ", page.read_text()).split())
    assert "What the rows of each group weigh, and how much of it is predicted wrongly" in shown
    assert "yes 4.25 1.25 (29.4%)" in shown and "rows of a group each" not in shown
    assert code("run", *given, "-r", "0.05", "--explain") == 0
    assert "8 rows of weight 11.5, " in capsys.readouterr().err


def test_rows_without_weights_are_only_rows(table, tmp_path, capsys):
    path = tmp_path / "model.json"
    assert code("run", table, "--label", "ill", "--ignore", "w", "-o", path) == 0
    assert "weight" not in capsys.readouterr().out
    assert "weighed" not in json.loads(path.read_text())


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("class_weight", [None, {0: 1, 1: 2.5}], ids=str)
def test_estimators_count_the_rows(estimator, class_weight):
    rng = np.random.default_rng(1)
    X = rng.integers(0, 2, (60, 4))
    y = X[:, 0] & (rng.random(60) < 0.8)
    weights = None if class_weight else rng.integers(1, 9, 60) / 4
    estimator.set_params(class_weight=class_weight).fit(X, y, sample_weight=weights)
    model = estimator._model
    assert model.weighing.rows == rows_by_hand(model, {f"x{j}": X[:, j] for j in range(4)}, y)
    assert "rows; weight" in model.to_text() and "rows; weight" in str(model)
    again = type(model).from_document(model.to_document())
    assert again.weighing == model.weighing and again.to_text() == model.to_text()
    estimator.set_params(class_weight=None).fit(X, y)
    assert estimator._model.weighing is None


def test_a_constant_model_has_its_rows():
    model = RuleListClassifier(class_weight={0: 2, 1: 3}).fit(np.ones((20, 1)), [0, 1] * 10)
    assert str(model.rule_list_) == (
        "always  then class = 1   (10 of 20 rows; weight 30 of 50,  60.0%)"
    )


def test_class_weights_that_are_no_weights_leave_rows():
    rng = np.random.default_rng(2)
    X, y = rng.integers(0, 2, (40, 3)), np.arange(40) % 4 == 0
    model = RuleListClassifier(0.01, class_weight="balanced").fit(X, y).rule_list_
    assert model.weighing is None and "weight" not in str(model)


def test_equal_rows_that_are_counted_once_are_all_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(binarizing, "MANY_ROWS", 1)
    path = tmp_path / "many.csv"
    path.write_text(ROWS + "".join(ROWS.splitlines(True)[1:]) * 9)
    weighed = table_dataset(path, "ill", TableOptions(weight="w"), counting=True)
    assert weighed.counted == 80 and weighed.repeated.sum() == 80
    problem = corels.Problem.from_dataset(weighed, "0.05")
    assert problem.row_counts.sum() == 80
    assert corels.solve(problem).model.weighing.rows == [[0, 20], [40, 20]]
    plain = table_dataset(path, "ill", TableOptions(ignore=["w"]), counting=True)
    assert plain.counted == 80
    assert corels.Problem.from_dataset(plain).row_counts is None


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([[0, 2]], "not those of each decider and class"),
        ([[0, 2], [5, 2]], "add up to 9, the data has 8"),
        ([[0, 0], [6, 2]], "no row has a weight"),
    ],
)
def test_a_file_with_impossible_rows_is_refused(rows, message, saved):
    path, _ = saved("-r", "0.05")
    document = json.loads(path.read_text())
    document["weighed"]["rows"] = rows
    with pytest.raises(InputError, match=message):
        corels.RuleList.from_document(document)


def test_exports_say_rows_and_weight(saved):
    path, _ = saved("-r", "0.05")
    model: Model = corels.RuleList.from_document(json.loads(path.read_text()))
    for text in (model.export("markdown"), model.to_html(), model.export("python")):
        assert re.search(r"4 of 6 rows; weight 7\.25 of 8\.5", text)
    assert "4 of 6 rows; weight 7.25 of 8.5" in model.export("latex")
