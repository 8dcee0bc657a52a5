"""Groups, the rates of other lists, and the table behind a trace: counted again row by row."""

import io
import json

import numpy as np
import pytest
from corels_page import others
from corels_page.history import points
from corels_page.others import near_lists, recount_near
from corels_page.rows import groups, held_out, members, of_training
from corels_rule_list.commands.near_files import json_lines
from corels_rule_list.near.group_rates import GroupRates

import corels
from corels.check.points import Table
from corels.errors import InputError
from corels.problem import Problem
from corels.tables import Dataset, TableOptions, as_columns, load, load_columns

pytest.importorskip("jinja2", reason="the extra `page` is not installed")


def lists_near(problem, within, data, group):
    with corels.near(problem, within=within) as found:
        lists = list(found.lists())
    rates = GroupRates(problem, data, group, "yes")
    rows = [json.loads(line) for text in json_lines(lists, rates) for line in text.splitlines()]
    return near_lists(rows), [one.rule_list for one in lists]


def weighted(data):
    weights = np.arange(len(data.labels)) % 3
    return Dataset(
        data.antecedents, data.captures, data.labels, data.classes, data.name, data.label_name,
        weights=weights.astype(np.int64),
    )  # fmt: skip


@pytest.mark.parametrize("heavy", [False, True])
def test_the_rates_of_every_list_are_those_of_its_predictions(heavy):
    data = weighted(load("titanic")) if heavy else load("titanic")
    columns = load_columns("titanic")[0]
    problem = Problem.from_dataset(data, "0.02")
    names, group = members(columns, ["class"])
    near, models = lists_near(problem, "0.04", data, [names[place] for place in group])
    assert len(models) > 20
    found = near["rates"]
    weight = np.ones(len(group), int) if data.weights is None else data.weights
    assert sorted(found["groups"]) == names
    asked = ["accuracy", "positive rate", "recall", "false positive rate"]
    assert found["rates"] == asked
    for shares, model in zip(found["lists"], models, strict=True):
        predicted = model.predict_indices(columns)
        for g, name in enumerate(found["groups"]):
            rows = group == names.index(name)
            events = [
                (predicted == data.labels, rows),
                (predicted == 1, rows),
                (predicted == 1, rows & (data.labels == 1)),
                (predicted == 1, rows & (data.labels == 0)),
            ]
            for rate, (event, among) in enumerate(events):
                expected = weight[event & among].sum() / weight[among].sum()
                assert shares[g * len(asked) + rate] == pytest.approx(expected)


ROW = {"objective": 0.3, "errors": 5, "antecedents": ["sex = Male"], "predictions": ["no", "yes"]}


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"antecedents": ["nobody"]}, "no condition 'nobody'"),
        ({"predictions": ["no", "perhaps"]}, "no outcome 'perhaps'"),
        ({}, "list 1 makes 5 errors by its file, and 493 on this data"),
    ],
)
def test_lists_of_another_table_are_refused(more, sentence):
    problem = Problem.from_dataset(load("titanic"), "0.02")
    with pytest.raises(InputError, match=sentence):
        recount_near(near_lists([{**ROW, **more}]), problem, priced=False)


def test_rates_that_are_none_are_refused_and_of_too_many_lists_the_first_are_shown(monkeypatch):
    rates = {"Male": {"accuracy": 0.5}}
    for rows in ([{**ROW, "rates": 3}], [{**ROW, "rates": rates}, ROW]):
        with pytest.raises(InputError, match=f"list {len(rows)} "):
            near_lists(rows)
    monkeypatch.setattr(others, "MOST_LISTS", 2)
    found = near_lists([ROW] * 5)
    assert len(found["lists"]) == 2
    assert "The first 2 lists of the file" in found["about"] and "3 more" in found["about"]
    assert "--sample" in found["about"]


def test_groups_count_weights():
    data, columns = load("titanic"), load_columns("titanic")[0]
    model = corels.solve(Problem.from_dataset(data, "0.01")).model
    truth = [data.classes[label] for label in data.labels]
    plain = groups(model, Table(columns, truth), ["sex"])
    double = groups(model, Table(columns, truth, [2] * len(truth)), ["sex"])
    female = plain["totals"][0]
    assert (female["rows"], female["true"]) == (470, [126, 344])
    assert sum(female["missed"]) == female["errors"]
    assert [2 * one["rows"] for one in plain["totals"]] == [one["rows"] for one in double["totals"]]


def test_columns_may_say_together_who_is_in_which_group():
    data, columns = load("titanic"), load_columns("titanic")[0]
    model = corels.solve(Problem.from_dataset(data, "0.01")).model
    rows = Table(columns, [data.classes[label] for label in data.labels])
    both, sex = groups(model, rows, ["sex", "age"]), groups(model, rows, ["sex"])
    assert both["column"] == "sex, age"
    assert both["names"] == ["Female, Adult", "Female, Child", "Male, Adult", "Male, Child"]
    counted = [one["rows"] for one in both["totals"]]
    assert [sum(counted[:2]), sum(counted[2:])] == [one["rows"] for one in sex["totals"]]
    with pytest.raises(InputError, match="the data has no column 'nobody' to group by"):
        groups(model, rows, ["sex", "nobody"])
    many = {"a": np.arange(4) % 4, "b": np.arange(4) % 2, "c": np.arange(4)}
    assert len(members(as_columns(many), ["a", "b"])[0]) == 4
    with pytest.raises(InputError, match="26 groups by n, m: a page shows up to 12"):
        members(as_columns({"n": np.arange(26) % 2, "m": np.arange(26)}), ["n", "m"])


@pytest.mark.parametrize("costs", [{}, {"cost": "fn=2", "abstain": "0.3"}])
def test_groups_and_held_out_rows_are_predicted_once(monkeypatch, costs):
    data, columns = load("titanic", TableOptions(**costs)), load_columns("titanic")[0]
    model = corels.solve(Problem.from_dataset(data, "0.01")).model
    rows = Table(columns, [data.classes[label] for label in data.labels], costs=data.costs)
    asked, capturing = [], type(model).capturing
    monkeypatch.setattr(
        type(model), "capturing", lambda self, data: asked.append(1) or capturing(self, data)
    )
    found = groups(model, rows, ["sex"])
    assert len(asked) == 1
    assert ("cost" in found["totals"][0]) == bool(costs)
    same = held_out(model, rows, "the same rows")
    assert len(asked) == 2
    assert (same["this"], same["always"]) == pytest.approx(of_training(model)[:2])


def test_points_are_the_table_without_its_order():
    data = load("titanic")
    names = [antecedent.name for antecedent in data.antecedents][::-1]
    found = points(names, data)
    assert sum(sum(counts) for _, counts in found["rows"]) == len(data.labels)
    for place, name in enumerate(names):
        held = data.labels[data.captures[len(names) - 1 - place]]
        for label in (0, 1):
            counted = sum(counts[label] for bits, counts in found["rows"] if bits[place] == "1")
            assert counted == (held == label).sum(), name
    with pytest.raises(InputError, match="no condition 'nobody'"):
        points(["nobody"], data)
    assert points([], data) is None


def test_the_command_adds_rates_and_points(tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    table = "sex,age,ill\n" + "m,30,yes\nf,40,no\nm,50,no\nf,20,no\nm,60,yes\n" * 12
    (tmp_path / "t.csv").write_text(table, encoding="utf-8")
    source = ("t.csv", "--label", "ill", "--regularization", "0.05", "--quiet")
    trace = ("--trace", "f.jsonl", "--trace-level", "fine", "--start", "none")
    assert not run("run", *source, "--output", "m.json", *trace)[0]
    assert not run("near", *source, "--within", "0.1", "--group", "sex", "--output", "n.jsonl")[0]
    more = ("--near", "n.jsonl", "--steps", "f.jsonl", "--group", "sex")
    assert run("report", "m.json", "t.csv", *more)[0] == 0
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert 'id="near-rates"' in page
    assert 'id="steps-data"' in page
    (tmp_path / "o.csv").write_text(table.replace("m,30,yes", "m,30,no", 1), encoding="utf-8")
    code, _, err = run("report", "m.json", "o.csv", *more)
    assert code == 2
    assert "o.csv is not the table that m.json was learned from" in err
    # On a slow machine reading says how far it is, too.
    said = [line for line in err.splitlines() if "columns recognised" not in line]
    assert len(said) == 1
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(table.encode())))
    code, _, err = run("report", "m.json", "-", *more)
    assert code == 2
    assert "standard input is read once" in err
