"""What Python saves is the file of `corels run --output`: `check` counts it again, all read it."""

import json
import random

import numpy as np
import pytest
from corels_colgen import RuleSetClassifier
from corels_falling import FallingRuleListClassifier, SoftlyFallingRuleListClassifier

import corels as package
from corels import RuleListClassifier

pandas = pytest.importorskip("pandas")


def people(rows=120):
    """Numbers, a code for "no value", text, a date as it is written in Germany, weights, groups."""
    draw = random.Random(4)
    months = [draw.choice([999, *range(60)]) for _ in range(rows)]
    table = {
        "months": months,
        "city": [draw.choice(["Bonn", "Graz", "Ulm"]) for _ in range(rows)],
        "since": [f"{draw.randrange(1, 28):02}/0{draw.randrange(1, 9)}/2024" for _ in range(rows)],
        "sex": [draw.choice("fm") for _ in range(rows)],
        "times": [draw.randrange(1, 4) for _ in range(rows)],
        "y": ["yes" if m < 25 or draw.random() < 0.2 else "no" for m in months],
    }
    return pandas.DataFrame(table)


KEPT = {"columns": {"*": "missing 999; written dmy"}, "time_limit": 20}
X = ["months", "city", "since", "sex"]
FITTED = {
    "rule list": (RuleListClassifier(0.02, **KEPT), {}),
    "costs": (RuleListClassifier("1/50", cost=[[0, 2], [3, 0]], abstain=0.4, **KEPT), {}),
    "fair": (
        RuleListClassifier(0.05, constraints=["statistical-parity within 0.3"], **KEPT),
        {"sensitive_features": "sex"},
    ),
    "auto": (RuleListClassifier("auto:0.05", **KEPT), {}),
    "one class": (RuleListClassifier(0.02, **KEPT), {"y": ["yes"] * 120}),
    "falling": (FallingRuleListClassifier(rule_cost=0.02, max_rules=2, **KEPT), {}),
    "softly falling": (SoftlyFallingRuleListClassifier(rule_cost=0.02, max_rules=2, **KEPT), {}),
    "rule set": (RuleSetClassifier(complexity=5, cuts="quantile 3", **KEPT), {}),
}


@pytest.mark.parametrize("name", FITTED)
def test_check_accepts_what_an_estimator_saves(corels, tmp_path, name):
    estimator, given = FITTED[name]
    table = people()
    table["y"] = given.pop("y", table["y"])
    more = {argument: table[column] for argument, column in given.items()}
    if name == "one class":
        table.loc[0, "y"] = "yes"
    estimator.fit(table[X], table["y"], **more)
    table.to_csv(tmp_path / "t.csv", index=False)
    estimator.save(tmp_path / "m.json")
    checked = corels("check", tmp_path / "m.json", tmp_path / "t.csv", "--label", "y")
    assert checked.code == 0, checked.out
    said = corels("predict", tmp_path / "m.json", tmp_path / "t.csv").out.split("\n")[:-1]
    assert said == list(map(str, estimator.predict(table[X])))
    found = package.load(tmp_path / "m.json")
    assert found.certificate == estimator.certificate_
    assert found.model.to_text() == getattr(estimator, _model_of(estimator)).to_text()
    if name in ("rule list", "costs", "fair", "rule set"):
        assert "problem: " in checked.out and "not compared" not in checked.out
    found.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "m.json").read_bytes()


def _model_of(estimator):
    return getattr(estimator, "_model_name", "rule_list_")


def test_weights_that_python_gave_are_asked_for(corels, tmp_path):
    table = people()
    learned = RuleListClassifier(0.02, **KEPT).fit(table[X], table["y"], table["times"])
    table.to_csv(tmp_path / "t.csv", index=False)
    learned.save(tmp_path / "m.json")
    given = ("check", tmp_path / "m.json", tmp_path / "t.csv")
    refused = corels(*given)
    assert refused.code == 2 and "(sample_weight): name the column" in refused.err
    assert corels(*given, "--weight", "times").code == 0


def test_costs_that_python_gave_cannot_be_counted_again(corels, tmp_path):
    table = people()
    prices = np.ones((len(table), 2))
    learned = RuleListClassifier(0.02, **KEPT).fit(table[X], table["y"], sample_cost=prices)
    table.to_csv(tmp_path / "t.csv", index=False)
    learned.save(tmp_path / "m.json")
    refused = corels("check", tmp_path / "m.json", tmp_path / "t.csv")
    assert refused.code == 2 and "sample_cost" in refused.err
    assert corels("predict", tmp_path / "m.json", tmp_path / "t.csv").code == 0


def test_a_table_without_names_is_called_as_it_is_in_python(corels, tmp_path):
    table = people()
    learned = RuleListClassifier(0.02).fit(table[["months", "times"]].to_numpy(), list(table["y"]))
    learned.save(tmp_path / "m.json")
    table.rename(columns={"months": "x0", "times": "x1"}).to_csv(tmp_path / "t.csv", index=False)
    assert corels("check", tmp_path / "m.json", tmp_path / "t.csv", "--label", "y").code == 0


@pytest.mark.parametrize("solver", ["rule-list", "falling", "rule-set"])
def test_a_result_of_learn_is_the_file_of_run(corels, tmp_path, solver, monkeypatch):
    monkeypatch.chdir(tmp_path)
    people().to_csv("t.csv", index=False)
    options = {"missing": "999", "column": "*: written dmy", "ignore": "times", "time_limit": "20"}
    own = {"rule-list": {}, "falling": {"rule_cost": "0.02"}, "rule-set": {"complexity": "4"}}
    options |= own[solver]
    price = ("-r", "0.02") if solver == "rule-list" else ()
    words = [word for n, v in options.items() for word in (f"--{n.replace('_', '-')}", v)]
    given = ("--label", "y", "--solver", solver, *words, *price)
    assert corels("run", "t.csv", *given, "-o", "cli.json", "-q").code == 0
    listed = {"missing": ["999"], "column": ["*: written dmy"], "ignore": ["times"]}
    priced = {"regularization": "0.02"} if price else {}
    found = package.learn("t.csv", "y", solver=solver, **priced, **options | listed)
    found.save("python.json")
    wrote, saved = (json.loads((tmp_path / f"{n}.json").read_text()) for n in ("cli", "python"))
    for one in (wrote, saved):
        for changing in ("seconds", "peak_memory", "extra"):
            one["certificate"].pop(changing, None)
    assert saved == wrote


def test_the_name_of_a_page_writes_the_page(tmp_path):
    result = package.learn(people(), "y", regularization="0.02", missing=["999"])
    result.save(tmp_path / "m.html")
    assert (tmp_path / "m.html").read_text().lower().lstrip().startswith("<!doctype")


def test_what_is_no_result_is_refused_in_a_sentence(tmp_path):
    result = package.learn(people(), "y", regularization="0.02", missing=["999"])
    (tmp_path / "model.json").write_text(json.dumps(result.model.to_document()))
    with pytest.raises(package.InputError, match="a model and no certificate"):
        package.load(tmp_path / "model.json")
    with pytest.raises(package.InputError, match="no such file"):
        package.load(tmp_path / "nothing.json")


def test_columns_that_no_rule_can_ask_for_are_told_with_what_is_saved(corels, tmp_path):
    table = people().assign(same=1, code=[f"{at:04}" for at in range(120)])
    table.to_csv(tmp_path / "t.csv", index=False)
    asked = ["months", "same", "code"]
    fitted = RuleListClassifier(0.02, **KEPT).fit(table[asked], table["y"])
    fitted.save(tmp_path / "m.json")
    found = package.learn(
        str(tmp_path / "t.csv"),
        "y",
        regularization=0.02,
        ignore=["city", "since", "sex", "times"],
        **KEPT,
    )
    unused = package.load(tmp_path / "m.json").data["unused"]
    assert unused == found.data["unused"] and unused.keys() == {"same", "code"}
    for text in (corels("show", tmp_path / "m.json").out, str(found)):
        assert "unused" in text and "same (" in text and "code (" in text
    assert corels("check", tmp_path / "m.json", tmp_path / "t.csv").code == 0


@pytest.mark.parametrize("kind", [float, int, bool])
def test_labels_of_any_kind_are_those_of_the_file(corels, tmp_path, kind):
    table = people()
    table["y"] = np.array(table["y"] == "yes").astype(kind)
    asked = {True: 3} if kind is bool else {1: 3}
    learned = RuleListClassifier(0.02, cost=asked, **KEPT).fit(table[X], table["y"])
    assert learned.predict(table[X]).dtype == kind
    table.to_csv(tmp_path / "t.csv", index=False)
    learned.save(tmp_path / "m.json")
    checked = corels("check", tmp_path / "m.json", tmp_path / "t.csv")
    assert checked.code == 0, checked.out
    assert "3 for" in corels("show", tmp_path / "m.json").out


def test_an_ending_of_another_language_is_refused(tmp_path):
    found = package.solve(package.Problem.from_dataset(package.tables.load("titanic"), "0.01"))
    with pytest.raises(package.OptionError, match=r"ends in \.json or \.html; for \.tex there is"):
        found.save(tmp_path / "m.tex")
    assert not list(tmp_path.iterdir())
