"""`--first` and directions, from the command line and through a model file."""

import json

import numpy as np
import pandas as pd
import pytest
from called import ended as run

import corels
from corels import RuleListClassifier
from corels.errors import OptionError
from corels.tables import load, load_columns

FIRST = ("--first", "sex = Male and class = 3rd then no", "--first", "age = Child")
TITANIC = ("--dataset", "titanic", "-r", "0.01")


def test_a_list_begins_with_the_rules_and_is_certified_and_proved(capsys, tmp_path):
    model, proof = tmp_path / "m.json", tmp_path / "m.proof"
    code, out, err = run(capsys, "run", *TITANIC, *FIRST, "-o", model, "--proof", proof)
    assert code == 0
    assert "no rule list that begins with these rules is better" in out + err
    listed = json.loads(model.read_text())["rules"]
    assert listed[0]["if"]["name"] == "sex = Male and class = 3rd" and listed[0]["then"] == "no"
    assert listed[1]["if"]["name"] == "age = Child"
    for checker in ("python", "c"):
        words = "check", model, "--dataset", "titanic", "--proof", proof, "--checker", checker
        code, out, _ = run(capsys, *words)
        assert code == 0, out
        assert "ok     first rules: if sex = Male and class = 3rd then no; if age = Child" in out
        assert "no rule list that begins with 2 given rules" in out


def swap(document):
    document["rules"][0], document["rules"][1] = document["rules"][1], document["rules"][0]


def say_otherwise(document):
    document["certificate"]["statement"]["first"][0]["then"] = "yes"


def leave_out(document):
    document["certificate"]["statement"].pop("first")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (swap, "WRONG  first rules: rule 1 is not 'if sex = Male and class = 3rd'"),
        (say_otherwise, "WRONG  first rules"),
        (leave_out, "WRONG  problem: the first rules are stated as none"),
    ],
)
def test_a_forged_model_is_found(capsys, tmp_path, change, words):
    model = tmp_path / "m.json"
    run(capsys, "run", *TITANIC, *FIRST, "-o", model)
    change(document := json.loads(model.read_text()))
    model.write_text(json.dumps(document))
    code, out, _ = run(capsys, "check", model, "--dataset", "titanic")
    assert code == 6 and words in out, out


def test_other_families_and_too_few_rules_are_refused(capsys):
    code, _, err = run(capsys, "run", *TITANIC[:2], "--solver", "falling", *FIRST)
    assert code == 2 and "takes no first rules: expected rule-list" in err
    code, _, err = run(capsys, "run", *TITANIC, *FIRST, "--max-rules", "1")
    assert code == 2 and "--max-rules is 1: expected at least 2, the number of first rules" in err


def test_a_rule_without_rows_stays_with_a_warning(capsys):
    code, out, err = run(capsys, "run", *TITANIC, "--first", "age = Teenager then no")
    assert code == 0 and "captures no row: it stays" in err
    assert "if age = Teenager" in out


@pytest.mark.parametrize("said", ["", " then no", " then yes"])
def test_a_condition_that_is_asked_again_is_refused(capsys, said):
    twice = ("sex = Male", f"sex = Male{said}")  # what the second says would bind the first
    code, _, err = run(capsys, "run", *TITANIC, "--first", twice[0], "--first", twice[1])
    assert code == 2 and f"first rule '{twice[1]}' asks the same as an earlier one" in err
    with pytest.raises(OptionError, match="asks the same as an earlier one"):
        corels.solve(corels.Problem.from_dataset(load("titanic"), "0.05"), first=twice)


def test_a_number_is_that_number_however_it_is_written(capsys, tmp_path):
    table, model = tmp_path / "t.csv", tmp_path / "m.json"
    rows = "".join(f"{at % 4},{'no' if at % 4 > 1 else 'yes'}\n" for at in range(40))
    table.write_text("a,y\n" + rows)
    for text in ("a = 2e0 then yes", "a = 02 then yes", "a in {2.0} then yes"):
        run(capsys, "run", table, "--label", "y", "--first", text, "-o", model)
        code, out, _ = run(capsys, "show", model)
        assert code == 0 and "(0 of 10,   0.0%)" in out.splitlines()[0]
    for text in ("a = 3", "a in {1, 3}"):
        given = (table, "--label", "y", "--column", "a: missing 3", "--first", text)
        code, _, err = run(capsys, "run", *given)
        assert code == 2 and "3 means 'no value' in column 'a': expected 'a is missing'" in err
    code, _, err = run(capsys, "run", table, "--label", "y", "--first", "a = two")
    assert code == 2 and "'two' is no number, and column 'a' has numbers" in err


def test_in_python_the_condition_need_not_be_mined():
    columns, label = load_columns("heart")
    frame = pd.DataFrame({name: column.cells() for name, column in columns.items()})
    text = "age <= 40.5 and sex = male then no"
    learned = corels.learn(frame, label, regularization="0.02", first=[text]).model
    rest = frame.drop(columns=label)
    estimator = RuleListClassifier(0.02, first=[text]).fit(rest, frame[label])
    for model in (learned, estimator.rule_list_):
        rule = model.rules[0]
        assert str(rule.antecedent) == "age <= 40.5 and sex = male"
        assert model.says[rule.prediction] == "no"
        captured = (frame["age"] <= 40.5) & (frame["sex"] == "male")
        assert sum(rule.counts) == int(captured.sum())
        assert (np.asarray(model.predict(rest))[captured] == "no").all()


def test_near_counts_lists_that_begin_so(capsys):
    code, out, _ = run(capsys, "near", *TITANIC, "--first", "class = 3rd", "--within", "5%")
    assert code == 0 and "beginning with class = 3rd" in out
    assert out.count("if class = 3rd") == out.count("objective 0.")
