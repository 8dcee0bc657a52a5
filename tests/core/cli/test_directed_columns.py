"""Directions from the command line: heart, and a model that says the contrary."""

import json

import numpy as np
import pandas as pd
import pytest
from called import ended as run

import corels
from corels.tables import load_columns

UP = ("--column", "cholesterol: direction up")
HEART = ("--dataset", "heart", "-r", "0.02", *UP)


def contrary(rules):
    """The rules of a document that say the contrary of more cholesterol, more disease."""
    wrong = []
    for rule in rules[:-1]:
        for one in rule["if"]["conditions"]:
            asked = one["column"] == "cholesterol" and one["operator"] in ("<=", ">")
            if asked and (one["operator"] == ">") != (rule["then"] == "yes"):
                wrong.append(rule)
    return wrong


def test_heart_keeps_to_the_direction_and_says_what_it_costs(capsys, tmp_path):
    model, proof = tmp_path / "m.json", tmp_path / "m.proof"
    code, out, err = run(capsys, "run", *HEART, "-o", model, "--proof", proof)
    assert code == 0 and "no rule list that keeps to the directions is better" in out + err
    document = json.loads(model.read_text())
    assert not contrary(document["rules"])
    free = float(document["certificate"]["extra"]["objective_without_directions"])
    assert free <= document["certificate"]["objective"] + 1e-6
    for checker in ("python", "c"):
        words = "check", model, "--dataset", "heart", "--proof", proof, "--checker", checker
        code, out, _ = run(capsys, *words)
        assert code == 0, out
        assert "ok     directions: cholesterol up" in out


def test_a_model_that_says_the_contrary_is_found_from_the_document_alone(capsys, tmp_path):
    model = tmp_path / "m.json"
    run(capsys, "run", *HEART, "-o", model)
    document = json.loads(model.read_text())
    rule = next(rule for rule in document["rules"] if rule["then"] == "no")
    rule["if"]["conditions"] = [{"column": "cholesterol", "operator": ">", "value": 200}]
    rule["if"]["name"] = "cholesterol > 200"
    model.write_text(json.dumps(document))
    code, out, _ = run(capsys, "check", model, "--dataset", "heart")
    assert code == 6 and "WRONG  directions: cholesterol up; rule" in out, out
    assert "says the contrary" in out


def test_a_first_rule_of_the_wrong_side_is_refused(capsys):
    words = "run", *HEART, "--first", "cholesterol > 300 then no"
    code, _, err = run(capsys, *words)
    assert code == 2 and "says the contrary of a direction (cholesterol up)" in err


@pytest.mark.parametrize("solver", ["rule-list", "falling", "rule-set"])
def test_in_python_in_all_families(solver):
    columns, label = load_columns("heart")
    frame = pd.DataFrame({name: column.cells() for name, column in columns.items()})
    more = {} if solver == "rule-list" else {"time_limit": 5}
    how = {"columns": {"age": "direction up", "highest pulse": "direction down"}, **more}
    if solver == "rule-list":
        how["regularization"] = "0.03"
    result = corels.learn(frame, label, solver=solver, **how)
    assert [one["column"] for one in result.certificate.statement["directions"]] == [
        "age",
        "highest pulse",
    ]
    rest, rng = frame.drop(columns=label), np.random.default_rng(0)
    older = rest.assign(age=rest["age"] + rng.integers(0, 30, len(rest)))
    before, after = result.model.predict(rest), result.model.predict(older)
    assert not ((before == "yes") & (after == "no")).any()
    if solver != "rule-list":
        one, other = (result.model.predict_proba(table)[:, 1] for table in (rest, older))
        assert (other >= one).all()
