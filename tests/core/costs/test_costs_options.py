"""Options about costs: what they mean, in every interface, and what they refuse."""

import csv
import io
import json
from fractions import Fraction

import numpy as np
import pytest
from written_pipes import written_pipe

import corels
from corels.errors import InputError, OptionError
from corels.tables import TableOptions, table_dataset

AGE_ONLY = ("--column", "*: as ignore", "--column", "age:")
TABLE = {
    "age": [20, 30, 40, 50, 60, 70, 80, 90],
    "y": ["no", "no", "yes", "no", "yes", "yes", "yes", "no"],
    "bb": ["no", "no", "yes", "no", "yes", "yes", "no", "no"],
    "cost_yes": [0.25, 1, 0, 2, 0, 0, 0.5, 3],
    "score_a": [1, 2, -3, 0, 1, 1, 0, 0],
    "score_b": [0, 0, 0.5, 0, 1, 2, 0, 1],
    "grade": [1, 1, 2, 2, 3, 4, 4, 4],
}


def costs_of(label="y", **options):
    """The costs of TABLE, in units of 1."""
    given = {"columns": ["age"], "min_support": 0, **options}
    found = table_dataset(TABLE, label, TableOptions(**given)).costs
    return found, (found.amounts / found.outcomes.scale).tolist()


def test_a_matrix_of_two_classes():
    wrong = np.array([label == "yes" for label in TABLE["y"]])
    _, amounts = costs_of(cost="fp=5, fn=1.5")
    assert amounts == [(1.5 * wrong).tolist(), (5 * ~wrong).tolist()]
    for same in ([[0, 5], [1.5, 0]], np.array([[0, 5], [1.5, 0]])):
        assert costs_of(cost=same)[1] == amounts


def test_a_matrix_in_a_file(tmp_path):
    path = tmp_path / "costs.csv"
    for end in ("\n", "\r\n", "\r"):
        path.write_text(f",yes,no{end} yes ,0,1.5{end}no,5,0{end}{end}", newline="")
        assert costs_of(cost=str(path))[1] == costs_of(cost="fp=5,fn=1.5")[1]
    assert costs_of(cost=path)[1] == costs_of(cost="fp=5,fn=1.5")[1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the classes of the rows are none: expected 'no', 'yes'"),
        (",no,yes\nno,0,1\n", "the rows are 'no': expected 'no', 'yes'"),
        (",no,yes\nno,0,1\nyes,1\n", "line 3: 1 costs for 2 classes"),
        (",no,yes\nno,0,1\nyes,-1,0\n", "line 3: a cost is -1: expected a number of at least 0"),
        (",no,yes\nno,0,1\nyes,x,0\n", "line 3: a cost is x"),
        (",no,maybe\nno,0,1\nyes,1,0\n", "the columns are 'no', 'maybe': expected 'no', 'yes'"),
        (",no,yes\nno,0,1\nno,1,0\n", "line 3: a second row for the class 'no'"),
        (",no,no\nno,0,1\nyes,1,0\n", "the columns are 'no', 'no': expected 'no', 'yes'"),
    ],
)
def test_a_file_that_is_no_matrix(tmp_path, text, message):
    path = tmp_path / "costs.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        costs_of(cost=str(path))


def test_costs_of_rows_are_exact():
    found, amounts = costs_of(outcome_cost={"yes": "cost_yes"})
    assert amounts[1] == TABLE["cost_yes"]
    assert amounts[0] == [float(label == "yes") for label in TABLE["y"]]
    assert found.outcomes.scale == 4
    assert found.outcomes.resolution == 0


def test_costs_that_are_no_fractions_are_rounded_to_a_resolution_that_is_said():
    table = {**TABLE, "cost_yes": np.sqrt(np.arange(8)) * 1e3}
    options = TableOptions(columns=["age"], min_support=0, outcome_cost={"yes": "cost_yes"})
    data = table_dataset(table, "y", options)
    step = data.costs.outcomes.resolution
    assert 0 < step <= Fraction(1, 1000)
    paid = data.costs.amounts[1] / data.costs.outcomes.scale
    assert np.abs(paid - table["cost_yes"]).max() <= step
    result = corels.solve(corels.Problem.from_dataset(data, "0.01"))
    assert result.certificate.extra["costs_rounded_to"] == str(step)


def test_abstain_and_defer_cost_what_is_said():
    found, amounts = costs_of(abstain="0.2", defer="bb", defer_cost=0.05, cost="fn=2")
    assert found.outcomes.names == ("no", "yes", "don't know", "ask bb")
    assert amounts[2] == [0.2] * 8
    wrong = [2 * (y == "yes") * (b == "no") for y, b in zip(TABLE["y"], TABLE["bb"], strict=True)]
    assert amounts[3] == [cost + 0.05 for cost in wrong]
    assert found.right[3].tolist() == [y == b for y, b in zip(TABLE["y"], TABLE["bb"], strict=True)]


def test_the_answers_of_a_model_are_read_as_the_classes_are():
    table = {**TABLE, "y": [0, 1] * 4, "bb": [0.0, 1.0] * 4}
    options = TableOptions(columns=["age"], min_support=0, defer="bb")
    assert table_dataset(table, "y", options).costs.right[2].all()


def test_actions_cost_what_is_lost():
    found, amounts = costs_of("bb", score={"a": "score_a", "b": "score_b"})
    best = np.maximum(TABLE["score_a"], TABLE["score_b"])
    assert amounts == [(best - TABLE[name]).tolist() for name in ("score_a", "score_b")]
    assert found.outcomes.kinds == ("action", "action")
    given = {"columns": ["age"], "score": {"a": "score_a", "b": "score_b"}, "min_support": 0}
    model = corels.learn(TABLE, "bb", regularization="0.01", **given).model
    assert "accuracy" not in model.to_text()
    assert set(model.predict({"age": TABLE["age"]})) <= {"a", "b"}


def test_distances_of_numbers():
    _, amounts = costs_of("grade", cost="absolute")
    assert amounts == [[abs(c - y) for y in TABLE["grade"]] for c in (1, 2, 3, 4)]
    model = corels.learn(
        {"one": ["a"] * 8, "age": TABLE["age"], "grade": TABLE["grade"]},
        "grade",
        regularization="1",
        cost="absolute",
        min_support=0,
    ).model
    assert model.default.prediction in {1, 2}  # a median


def test_falling_lists_take_columns_of_costs_that_are_the_same_in_all_rows(run, tmp_path):
    """One threshold of the probability decides: no other column goes with it."""
    lines = [f"{x},{'no' if x < 6 else 'yes'},{3 * (x < 6)},{x * (x < 6)}" for x in range(1, 11)]
    table = tmp_path / "t.csv"
    table.write_text("\n".join(["x,y,same,by_row", *lines]) + "\n")
    words = ("run", table, "--label", "y", "--min-support", 0, "--solver", "falling", "--quiet")
    found = run(*words, "--outcome-cost", "yes=same", "--ignore", "by_row")
    assert found.code == 0 and "mean cost" in found.out
    refused = run(*words, "--outcome-cost", "yes=by_row", "--ignore", "same")
    assert refused.code == 2
    assert refused.err == (
        "error: solver 'falling' charges every row of a class alike, so that costs cannot differ "
        "from row to row: expected rule-list or rule-set\n"
    )


@pytest.mark.parametrize(
    ("name", "who", "options"),
    [("don't know", "abstain", {"abstain": "0.2"}), ("ask bb", "hand over", {"defer": "bb"})],
)
def test_no_class_is_called_as_what_else_rules_say(name, who, options):
    """Formerly a list said "don't know" of rows that it was sure of, and nobody could tell."""
    table = {**TABLE, "y": [name if label == "yes" else label for label in TABLE["y"]]}
    table["bb"] = [name if label == "yes" else label for label in TABLE["bb"]]
    known = TableOptions(columns=["age"], min_support=0, **options)
    with pytest.raises(InputError, match=f"a class .*, and rules that {who} say the same"):
        table_dataset(table, "y", known)
    assert table_dataset(table, "y", TableOptions(columns=["age"], min_support=0)).costs is None


def write(path, names=tuple(TABLE)):
    rows = zip(*(TABLE[name] for name in names), strict=True)
    text = "\n".join([",".join(names), *(",".join(map(str, row)) for row in rows)])
    path.write_text(text + "\n")


def test_a_row_that_is_handed_over_says_so(run, tmp_path):
    table, model, other = (tmp_path / name for name in ("t.csv", "m.json", "other.csv"))
    write(table)
    given = (*("run", table, "--label", "y"), *AGE_ONLY, "--defer", "bb", "-r", "1")
    assert run(*given, "-o", model, "-q").code == 0  # the default hands all rows over
    answers = [str(answer) for answer in TABLE["bb"]]
    rows = csv.DictReader(io.StringIO(run("predict", model, table, "--reasons").out))
    told = [(row["prediction"], row["rule says"]) for row in rows]
    assert told == [(answer, "ask bb") for answer in answers]
    explained = run("explain-row", model, table, "2")
    assert explained.out.startswith(f"row 2: y = ask bb, which says {answers[1]}\n")
    (found,) = json.loads(run("explain-row", model, table, "2", "--json").out)
    assert (found["prediction"], found["answer"]) == ("ask bb", answers[1])
    write(other, ["age", "y"])
    predicted = run("predict", model, other)
    assert set(predicted.out.splitlines()) == {"ask bb"}
    assert f"{len(answers)} rows are handed over to 'bb', and the data has no" in predicted.err
    assert run("explain-row", model, other).out.startswith("row 1: y = ask bb\n")
    mixed = corels.learn(
        TABLE,
        "y",
        columns=["age"],
        min_support=0,
        defer="bb",
        defer_cost="0.2",
        regularization="0.01",
    ).model
    says = [mixed.says[i] == "ask bb" for i in mixed.predict_indices(TABLE)]
    at = len(says) - 1 - says[::-1].index(True)
    assert sum(says[:at]) < at  # an earlier row is not handed over, so does not count
    wrong = {**TABLE, "bb": ["maybe" if row == at else one for row, one in enumerate(TABLE["bb"])]}
    with pytest.raises(InputError, match=f"column 'bb' says 'maybe' in row {at + 1}: expected"):
        mixed.predict(wrong)


def test_from_the_command_line_to_the_check(run, tmp_path):
    table, model, proof = (tmp_path / name for name in ("t.csv", "m.json", "p"))
    write(table)
    options = ("--defer", "bb", "--defer-cost", "0.05", "--abstain", "0.4", "--cost", "fn=3")
    given = (*("run", table, "--label", "y"), *AGE_ONLY, "--min-support", 0, *options)
    assert run(*given, "-r", "0.05", "-o", model, "--proof", proof, "-q").code == 0
    found = json.loads(model.read_text())
    assert found["outcomes"]["names"] == ["no", "yes", "don't know", "ask bb"]
    assert found["data"]["reading"]["abstain"] == "2/5"
    with written_pipe(tmp_path / "pipe", table.read_text()) as pipe:
        for source in (table, pipe):  # a pipe is read once
            checked = run("check", model, source, "--proof", proof)
            assert checked.code == 0, checked.out
    shown = run("proof", proof, table, "--model", model)
    assert shown.code == 0 and shown.out.startswith("every list costs at least ")
    assert "name its model's file with --model" in run("proof", proof, table).err
    page = run("report", model, table, "--proof", proof, "-o", tmp_path / "page.html")
    assert page.code == 0, page.err
    for text in ("show", "check"):
        assert "ask bb" in run(text, model, *([table] if text == "check" else [])).out
    predicted = run("predict", model, table).out.splitlines()
    assert set(predicted) <= {"no", "yes", "don't know"}
    other = tmp_path / "other.csv"
    write(other, ["age", "y"])
    assert "ask bb" in run("predict", model, other).out
    saved = corels.load_result(str(model), problem_of(found, TABLE))
    assert saved.certificate.optimal


@pytest.mark.parametrize(
    "options", [("--abstain", 0), ("--abstain", "0.2", "--constraint", "coverage >= 0")]
)
def test_a_cost_or_a_coverage_of_0_is_kept_for_the_check(options, run, tmp_path):
    table, model = tmp_path / "t.csv", tmp_path / "m.json"
    write(table)
    given = (*("run", table, "--label", "y"), *AGE_ONLY, "--min-support", 0)
    assert run(*given, *options, "-o", model, "-q").code == 0
    kept = json.loads(model.read_text())["data"]["reading"]
    asked = {"--abstain": ("abstain", "0"), "--constraint": ("constraints", ["coverage >= 0"])}
    name, value = asked[options[-2]]
    assert kept[name] == value
    checked = run("check", model, table)
    assert checked.code == 0, checked.out


def test_an_empty_matrix_is_not_taken_for_none(run, tmp_path):
    table, matrix = tmp_path / "t.csv", tmp_path / "costs.csv"
    write(table)
    matrix.write_text("")
    ended = run(*("run", table, "--label", "y"), *AGE_ONLY, "--cost", matrix)
    assert ended.code == 2 and "costs.csv: the classes of the rows are none" in ended.err


def test_a_model_keeps_its_matrix_and_not_the_name_of_its_file(run, tmp_path):
    table, model, matrix = (tmp_path / name for name in ("t.csv", "m.json", "costs.csv"))
    write(table)
    matrix.write_text(",no,yes\nno,0,1\nyes,3/2,0\n")
    given = (*("run", table, "--label", "y"), *AGE_ONLY, "--min-support", 0, "-q")
    assert run(*given, "--cost", matrix, "-o", model).code == 0
    matrix.unlink()
    assert "costs.csv" not in model.read_text()
    for command in (("check", model, table), ("why", table, "--model", model)):
        done = run(*command)
        assert done.code == 0, done.out + done.err


def problem_of(found, table):
    kept = {k: v for k, v in found["data"]["reading"].items() if v is not None}
    data = table_dataset(table, "y", TableOptions(**kept), found["data"]["name"])
    return corels.Problem.from_dataset(data, found["certificate"]["exact"]["regularization"])


@pytest.mark.parametrize("wrong", ["costs", "then", "scale", "right"])
def test_a_model_that_was_changed_is_noticed(wrong, run, tmp_path):
    table, model = tmp_path / "t.csv", tmp_path / "m.json"
    write(table)
    given = (*("run", table, "--label", "y"), *AGE_ONLY, "--min-support", 0)
    assert run(*given, "--abstain", "0.3", "-r", "0.02", "-o", model, "-q").code == 0
    found = json.loads(model.read_text())
    rule = found["rules"][0]
    if wrong == "costs":
        rule["costs"][1] += 1
    elif wrong == "then":
        rule["then"] = "don't know"
    elif wrong == "scale":
        found["outcomes"]["scale"] *= 2
    else:
        rule["right"] = 10**6
    model.write_text(json.dumps(found))
    result = run("check", model, table)
    assert result.code in {2, 6}, result.err


def test_rule_files_take_costs_of_classes(run, tmp_path):
    (tmp_path / "r.out").write_text("{a} 0 1 1 0 1\n{b} 1 0 0 1 1\n")
    (tmp_path / "r.label").write_text("{y=0} 0 1 1 0 0\n{y=1} 1 0 0 1 1\n")
    model, given = tmp_path / "m.json", ("--cost", "fp=2", "--abstain", "0.1", "-q")
    assert run("run", tmp_path / "r.out", *given, "-o", model).code == 0
    for command in ("why", "near"):
        explained = run(command, tmp_path / "r.out", "--model", model)
        assert explained.code == 0, explained.err
    refused = run("run", tmp_path / "r.out", "--defer", "bb")
    assert refused.code == 2
    assert "option --defer bb does not go with a rule file" in refused.err


def test_learn_takes_them_all():
    result = corels.learn(
        TABLE, "y", columns=["age"], min_support=0, defer="bb", defer_where="default", abstain=1
    )
    assert result.certificate.optimal
    assert "ask bb" in result.model.says
    assert "accuracy" in str(result)
    with pytest.raises(OptionError, match="defer_where is 'rules': expected anywhere, default"):
        corels.learn(TABLE, "y", defer="bb", defer_where="rules")


def test_rules_may_abstain_where_the_default_rule_alone_may_hand_over():
    """The other model is right where x is 1, and always wrong where it is 0."""
    table = {"x": [1] * 4 + [0] * 4, "y": ["a", "b"] * 4, "other": ["a", "b"] * 2 + ["b", "a"] * 2}
    options = {"abstain": "0.25", "defer": "other", "defer_where": "default", "negations": True}
    model = corels.learn(table, "y", **options).model
    says = [str(model.says[one.outcome]) for one in model.deciders()]
    assert (str(model.rules[0].antecedent), says) == ("not x", ["don't know", "ask other"])


def test_classes_that_are_floats_are_named_as_they_are():
    """A frame with missing labels has 1.0 for 1; classes are then called 1 and 2.5."""
    table = {"x": [0, 1] * 4, "y": [1.0, 2.5] * 4, "paid": [3] * 8}
    for options in ({"cost": {1.0: 3}}, {"outcome_cost": {1.0: "paid"}}):
        assert corels.learn(table, "y", **options).model.classes == (1, 2.5)


def test_a_matrix_from_a_pipe_is_read_once_and_its_costs_are_kept(run, tmp_path):
    text = ",no,yes\nno,0,3\nyes,1,0\n"
    model = tmp_path / "model.json"
    words = ("--dataset", "titanic", "-r", "0.1", "--quiet", "--output", model)
    with written_pipe(tmp_path / "pipe", text) as pipe:
        assert run("run", "--cost", pipe, *words).code == 0
    kept = json.loads(model.read_text())["data"]["reading"]["cost"]
    assert kept == [["0", "3"], ["1", "0"]]
    assert run("check", model, "--dataset", "titanic").code == 0


def test_a_class_with_an_equals_sign_has_a_column_of_costs():
    grades = ["x <= 3", "a=b"] * 4
    table = {**TABLE, "is": grades}
    options = TableOptions(
        columns=["age"], min_support=0, outcome_cost={"x <= 3": "cost_yes", "a=b": "grade"}
    )
    found = table_dataset(table, "is", options).costs
    amounts = (found.amounts / found.outcomes.scale).tolist()
    by_class = dict(zip(found.outcomes.names, amounts, strict=True))
    assert by_class == {"x <= 3": TABLE["cost_yes"], "a=b": TABLE["grade"]}
    with pytest.raises(OptionError, match="unknown class 'a'"):
        table_dataset(table, "is", TableOptions(outcome_cost=["a=c=grade"]))
