"""Constraints as users meet them: commands, estimator, and what is refused."""

import json
import math
import re
import tracemalloc
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from corels_rule_list.fair.prices import Prices
from corels_rule_list.solver import RuleListSolver
from demanded import FAIR, asking, of_groups, people
from shared_data import SHARED, needs_shared

import corels
from corels import RuleListClassifier
from corels.errors import CorelsError, InputError, OptionError
from corels.problem import Problem
from corels.problem.rates import ALSO, NOTIONS, Demand, demands_of
from corels.tables import TableOptions, as_column, table_dataset
from corels.tables.labelled import groups_of
from corels.testing.problems import dataset_of


def test_run_check_and_show(run, table, tmp_path):
    code, out, err = run("run", table, *FAIR, "-r", "0.005", "-o", "m.json")
    assert code == 0, err
    assert "no rule list that keeps to the constraints is better" in err
    assert "positive rate by region: north: 0." in err and "region" not in out
    code, out, _ = run("check", "m.json", table)
    assert code == 0 and re.search(r"positive rate of region: north: \S+, south: \S+, value", out)
    assert "at most 0.05" in run("show", "m.json")[1]
    document = json.loads((tmp_path / "m.json").read_text())
    (kept,) = document["certificate"]["constraints"]
    assert abs(Fraction(kept["value"])) <= Fraction(1, 20)


def test_groups_of_two_columns(run, table, tmp_path):
    words = ("--label", "yes")
    fair = ("--constraint", "statistical-parity by region, three within 0.2")
    code, _, err = run("run", table, *words, *fair, "-r", "0.005", "-o", "m.json")
    assert code == 0, err
    document = json.loads((tmp_path / "m.json").read_text())
    kept = document["certificate"]["constraints"]
    assert {one["column"] for one in kept} == {"region, three"}
    names = {group for one in kept for group in one["groups"]}
    assert names == {"north, 0", "north, 1", "south, 0", "south, 1"} and len(kept) == 6
    code, out, _ = run("check", "m.json", table)
    assert code == 0 and "ok     positive rate of region, three, each two of 4 groups:" in out
    rates = {
        g: Fraction(r) for one in kept for g, r in zip(one["groups"], one["rates"], strict=True)
    }
    assert f"value {max(rates.values()) - min(rates.values())}, allowed at most 1/5" in out
    columns = people()
    said = np.array(corels.RuleList.from_document(document).predict(columns))
    rows = np.array(columns["region"]) == "south"
    rows &= np.array(columns["three"]) == 1
    (first, *_) = [one for one in kept if one["groups"][1] == "south, 1"]
    assert Fraction(first["rates"][1]) == Fraction(int((said[rows] == 1).sum()), int(rows.sum()))
    kept[0]["rates"][0] = "1/3"
    (tmp_path / "m.json").write_text(json.dumps(document))
    code, out, _ = run("check", "m.json", table)
    assert code == 6 and "WRONG  positive rate of region, three: (north, 0): " in out
    learned = corels.learn(columns, "yes", constraints=fair[1])
    assert learned.certificate.constraints[0]["column"] == "region, three"


def test_a_row_without_a_group_is_refused_with_what_to_do(run, table):
    table.write_text(table.read_text().replace("north", "", 1))
    code, _, err = run("run", table, *FAIR)
    assert code == 2 and "'region' of the groups has no value in row 4: give such rows" in err


def test_rows_of_a_table_are_grouped_together_and_not_one_by_one(monkeypatch):
    """A million rows took two silent seconds."""
    random = np.random.default_rng(3)
    columns = {"region": random.choice(["south", "north"], 900).tolist()}
    columns |= {"child": random.integers(0, 2, 900).astype(bool), "x": [0, 1, 1] * 300}
    columns["yes"] = [0, 1] * 450
    rows = zip(columns["region"], map(str, columns["child"].tolist()), strict=True)
    texts = list(map(", ".join, rows))
    asked = []
    monkeypatch.setattr("corels.tables.labelled.whole", lambda one: asked.append(one) or one)
    options = TableOptions(constraints="statistical-parity by region, child within 0.1")
    found = table_dataset(columns, "yes", options).demands
    (own,) = found.groups.values()
    assert own.names == tuple(sorted({*texts}))
    assert [own.names[group] for group in own.members] == texts
    assert len(asked) == 2 * len(own.names) + 2  # the classes, too


def test_a_group_with_a_comma_in_its_name(run, table, tmp_path):
    table.write_text(table.read_text().replace("region", '"region, of three"'))
    words = (
        "--label",
        "yes",
        "--constraint",
        'statistical-parity by "region, of three" within 0.05',
    )
    assert run("run", table, *words, "-r", "0.005", "-o", "m.json")[0] == 0
    document = json.loads((tmp_path / "m.json").read_text())
    assert document["data"]["reading"]["constraints"] == [
        'statistical-parity by "region, of three" within 0.05'
    ]
    assert run("check", "m.json", table)[0] == 0


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (("value", "1/1000"), "positive rate of region"),
        (("rates", ["1/3", "1/3"]), "positive rate of region"),
        (("most", "1/10"), "problem: its constraints is"),
        (("groups", ["south", "north"]), "problem: its constraints is"),
    ],
)
def test_check_recounts_what_a_certificate_says_of_groups(run, table, tmp_path, change, what):
    assert run("run", table, *FAIR, "-r", "0.005", "-o", "m.json")[0] == 0
    document = json.loads((tmp_path / "m.json").read_text())
    document["certificate"]["constraints"][0] |= dict([change])
    (tmp_path / "m.json").write_text(json.dumps(document))
    code, out, _ = run("check", "m.json", table)
    assert code == 6 and f"WRONG  {what}" in out


def test_a_front_as_table_picture_and_file(run, table, tmp_path):
    words = ("--over", "parity", "-r", "0.005", "-o", "f.json", "--plot", "f.svg")
    code, out, err = run("path", table, *FAIR, *words)
    assert code == 0 and out.startswith("Best lists by positive rate of region:"), err
    document = json.loads((tmp_path / "f.json").read_text())
    points = document["points"]
    assert document["certified"] and len(points) > 1 and (tmp_path / "f.svg").stat().st_size
    differences, objectives = zip(
        *((Fraction(p["exact"]["difference"]), Fraction(p["exact"]["objective"])) for p in points),
        strict=True,
    )
    assert list(differences) == sorted(differences, reverse=True)
    assert list(objectives) == sorted(objectives) and differences[-1] <= Fraction(1, 20)
    single = json.loads(run("run", table, *FAIR, "-r", "0.005", "--json")[1])
    assert Fraction(single["certificate"]["exact"]["objective"]) == objectives[-1]


def test_a_column_of_one_value_tells_no_groups_apart(run, table):
    lines = table.read_text().splitlines()
    table.write_text("\n".join([lines[0] + ",same", *(line + ",1" for line in lines[1:])]) + "\n")
    code, _, err = run("run", table, "--label", "yes", "--constraint", "recall by same >= 0.1")
    assert code == 2 and "has only the value '1'" in err


def test_the_group_is_an_antecedent_only_where_it_is_asked_for():
    fair = "statistical-parity by region within 0.1"
    of = asking(fair).antecedents
    asked = asking(fair, columns=("one", "two", "region")).antecedents
    assert not any("region" in one.name for one in of)
    assert any("region" in one.name for one in asked)


@pytest.mark.parametrize("notion", list(NOTIONS)[:5])
def test_the_estimator_takes_sensitive_features(notion):
    columns = people()
    y, groups = np.array(columns.pop("yes")), columns.pop("region")
    X = np.array(list(columns.values())).T
    model = RuleListClassifier(0.005, constraints=[f"{notion} within 0.03"])
    model.fit(X, y, sensitive_features=groups)
    said, groups = model.predict(X), np.array(groups)
    assert model.optimal_
    shares = {
        "statistical-parity": [(said == 1, y >= 0)],
        "equal-opportunity": [(said == 1, y == 1)],
        "predictive-equality": [(said == 1, y == 0)],
        "equalized-odds": [(said == 1, y == 1), (said == 1, y == 0)],
        "accuracy-parity": [(said == y, y >= 0)],
    }
    for counted, among in shares[notion]:
        rates = [counted[among & (groups == g)].mean() for g in ("north", "south")]
        assert abs(rates[0] - rates[1]) <= 0.03 + 1e-12


@pytest.mark.parametrize(
    ("options", "groups", "sentence"),
    [
        ({"constraints": "equalized-odds within 0.1"}, None, "does not say between which groups"),
        (
            {},
            ["a", "b", "a", "b"],
            "sensitive_features is given, and no constraint is about groups",
        ),
        ({"constraints": "coverage >= 0.5"}, None, "is given without abstain or defer"),
        ({"constraints": "recall by sex >= 0.5"}, None, "there is no group column 'sex'"),
    ],
)
def test_the_estimator_refuses_half_a_constraint(options, groups, sentence):
    with pytest.raises(CorelsError, match=sentence):
        RuleListClassifier(0.1, **options).fit(
            [[0], [1]] * 2, [0, 1] * 2, sensitive_features=groups
        )


class DemographicParity:
    """As Fairlearn's, which has the bound as `eps` and no ratio unless it is asked for."""

    def __init__(self, difference_bound, ratio=1.0):
        self.eps, self.ratio = difference_bound, ratio


def test_objects_of_fairlearn_are_understood():
    twentieth = (Demand("statistical-parity", (), "within", Fraction(1, 20)),)
    assert demands_of(DemographicParity(0.05)) == twentieth
    assert demands_of(["DemographicParity within 0.05"]) == twentieth
    with pytest.raises(OptionError, match="ratio_bound"):
        demands_of([DemographicParity(0.05, 0.8)])
    with pytest.raises(OptionError, match="expected a bound from 0 to 1"):
        demands_of(DemographicParity)
    with pytest.raises(OptionError, match="unknown rate 'BoundedGroupLoss'"):
        demands_of(type("BoundedGroupLoss", (), {})())


@pytest.mark.parametrize(
    ("name", "notion"),
    [
        ("demographic_parity", "statistical-parity"),
        ("selection_rate_parity", "statistical-parity"),
        ("equal_opportunity", "equal-opportunity"),
        ("true_positive_rate_parity", "equal-opportunity"),
        ("false_negative_rate_parity", "equal-opportunity"),
        ("true_negative_rate_parity", "predictive-equality"),
        ("EqualizedOdds", "equalized-odds"),
        ("ErrorRateParity", "accuracy-parity"),
    ],
)
def test_names_of_fairlearn_however_they_are_written(name, notion):
    assert demands_of(f"{name} by x within 0.1")[0].word == notion


def test_learn_takes_texts_and_none(table):
    free = corels.learn(table, "yes", constraints=None, regularization="0.02").certificate
    assert free.constraints == ()
    with pytest.raises(OptionError, match="ratio_bound"):
        corels.learn(table, "yes", constraints=[DemographicParity(0.05, 0.8)])
    with pytest.raises(OptionError, match=r"write 'statistical-parity by COLUMN within 0\.05'"):
        corels.learn(table, "yes", constraints=DemographicParity(0.05))
    kept = corels.learn(table, "yes", constraints="recall >= 0.9", regularization="0.02")
    assert kept.certificate.constraints[0]["rate"] == "recall"


def test_rounded_weights_leave_room_for_prices_of_constraints():
    """Else few multipliers would be left: the sizes of two groups are multiplied."""
    columns = people(300)
    weights = np.random.default_rng(0).gamma(2, 1, 300)
    options = TableOptions(constraints=("statistical-parity by region within 0.05",), weight="w")
    data = table_dataset({**columns, "w": weights}, "yes", options)
    assert data.weights.sum() == pytest.approx(2**22, rel=1e-3)
    result = corels.solve(corels.Problem.from_dataset(data, "0.01"))
    assert result.certificate.optimal
    y, groups = np.array(columns.pop("yes")), columns.pop("region")
    model = RuleListClassifier(0.01, constraints="statistical-parity within 0.05")
    model.fit(np.array(list(columns.values())).T, y, weights, sensitive_features=groups)
    assert model.objective_ == pytest.approx(float(result.certificate.objective), abs=1e-4)


def test_no_constraints_may_be_none():
    model = RuleListClassifier(0.1, constraints=None).fit([[0], [1]] * 4, [0, 1] * 4)
    assert model.certificate_.constraints == ()


def test_fairlearn_itself_has_these_names_and_bounds():
    reductions = pytest.importorskip("fairlearn.reductions")
    for name, notion in list(ALSO.items())[:5]:
        bounded = getattr(reductions, name)(difference_bound=0.05)
        assert demands_of(bounded) == (Demand(notion, (), "within", Fraction(1, 20)),)
    with pytest.raises(OptionError, match="unknown rate 'BoundedGroupLoss'"):
        demands_of(reductions.BoundedGroupLoss(reductions.ZeroOneLoss()))


def test_groups_of_several_columns_and_missing_ones():
    X, y = [[0], [1], [0], [1]] * 4, [0, 1, 1, 0] * 4
    pairs = [["f", "old"], ["m", "old"], ["f", "young"], ["f", "old"]] * 4
    model = RuleListClassifier(0.1, constraints="statistical-parity within 0.5")
    model.fit(X, y, sensitive_features=pairs)
    groups = {g for one in model.certificate_.constraints for g in one["groups"]}
    assert groups == {"f, old", "m, old", "f, young"}
    model.fit(X, y, sensitive_features={"sex": list("fmff") * 4, "age": list("ooyo") * 4})
    (first, *_) = model.certificate_.constraints
    assert (first["column"], first["groups"]) == ("sex, age", ["f, o", "f, y"])
    with pytest.raises(InputError, match="is 'sex': expected a value for each row"):
        model.fit(X, y, sensitive_features="sex")
    with pytest.raises(InputError, match="column 'age' has 18 rows"):
        model.fit(X, y, sensitive_features={"sex": list("fmff") * 4, "age": ["o"] * 18})
    with pytest.raises(InputError, match="has 3 rows in 'sex': expected a group for each of 16"):
        model.fit(X, y, sensitive_features={"sex": list("fmf")})
    columns = [as_column("x", ["a, b", "a"]), as_column("y", ["c", "b, c"])]
    assert set(groups_of(columns, "g").names) == {"'a, b', 'c'", "'a', 'b, c'"}
    for gone in (None, math.nan, np.float32("nan"), Decimal("nan")):
        with pytest.raises(InputError, match="no value in row 2"):
            groups_of([as_column("x", ["a", gone, "b"])], "g")


def test_groups_of_a_table_of_pyarrow_are_called_as_its_columns():
    arrow = pytest.importorskip("pyarrow")
    pytest.importorskip("polars")
    model = RuleListClassifier(0.1, constraints="statistical-parity within 0.5")
    table = arrow.table({"sex": list("fmff") * 4, "age": list("ooyo") * 4})
    model.fit([[0], [1], [0], [1]] * 4, [0, 1, 1, 0] * 4, sensitive_features=table)
    assert model.certificate_.constraints[0]["column"] == "sex, age"


def test_small_groups_are_warned_of():
    columns = people()
    columns["region"][:7] = ["islands"] * 7
    for bound, small in (("0.1", True), ("0.2", False)):
        options = TableOptions(constraints=(f"statistical-parity by region within {bound}",))
        problem = corels.Problem.from_dataset(table_dataset(columns, "yes", options), "0.05")
        said = [one for one in RuleListSolver().warnings(problem) if "chance" in one]
        assert len(said) == small
        assert not small or said[0].startswith(
            "the positive rate of group 'islands' of column 'region' is a share of 7 rows, so one "
            "row changes it by 0.143, and it may differ by 0.1"
        )


def test_groups_whose_names_differ_in_case_or_blanks_are_warned_of():
    columns = people()
    for other, alike in (("North ", True), ("nort", False)):
        columns["region"][:100] = [other] * 100
        options = TableOptions(constraints=("statistical-parity by region within 0.5",))
        problem = corels.Problem.from_dataset(table_dataset(columns, "yes", options), "0.05")
        said = [one for one in RuleListSolver().warnings(problem) if "case or blanks" in one]
        assert len(said) == alike
        assert not alike or {"'North '", "'north'"} <= set(re.findall("'[^']*'", said[0]))


def test_a_column_that_is_named_twice_is_one(run, table, tmp_path):
    twice = ("--label", "yes", "--constraint", "statistical-parity by region, region within 0.05")
    code, _, err = run("run", table, *twice, "-r", "0.005", "-o", "m.json")
    assert code == 0 and "positive rate by region: north" in err
    document = json.loads((tmp_path / "m.json").read_text())
    assert document["data"]["reading"]["constraints"] == [
        "statistical-parity by region within 0.05"
    ]
    assert run("check", "m.json", table)[0] == 0


def test_coverage_of_lists_that_may_abstain():
    columns = people()
    for least in ("0", "0.7", "0.95"):
        options = TableOptions(
            abstain="0.05", constraints=f"coverage >= {least}", ignore=("region",)
        )
        data = table_dataset(columns, "yes", options)
        result = corels.solve(corels.Problem.from_dataset(data, "0.005"))
        (kept,) = result.certificate.constraints
        assert result.certificate.optimal and Fraction(kept["value"]) >= Fraction(least)


@needs_shared
def test_the_folds_of_faircorels():
    """Least objectives of the first two folds, as a program of its own has found them once."""
    known = {0: Fraction(8789, 20500), 1: Fraction(433, 1000)}
    text = (SHARED / "fair" / "faircorels_compas.csv").read_text()
    lines = [line.split(",") for line in text.splitlines()]
    head, fold = lines[0], lines[0].index("fold")
    options = TableOptions(
        constraints=f"statistical-parity by {head[0]} within 0.02", ignore=(head[1], "fold")
    )
    for number, objective in known.items():
        rows = [list(map(int, line)) for line in lines[1:] if line[fold] != str(number)]
        columns = dict(zip(head, map(list, zip(*rows, strict=True)), strict=True))
        problem = corels.Problem.from_dataset(table_dataset(columns, "label", options), "0.001")
        certificate = corels.solve(problem, time_limit=600).certificate
        assert certificate.optimal and certificate.objective == objective


def many_groups(rows=3000, groups=20):
    """A problem with a constraint for each two of many groups, and a point for nearly each row."""
    rng = np.random.default_rng(5)
    captures = rng.random((14, rows)) < 0.5
    labels = (captures[0] & captures[1] | (rng.random(rows) < 0.2)).astype(np.int64)
    names, members = tuple(map(str, range(groups))), rng.integers(0, groups, size=rows)
    demands = of_groups("statistical-parity by g within 0.1", "g", names, members)
    data = dataset_of(captures, labels)
    return Problem.from_dataset(replace(data, demands=demands), "0.05")


def test_sums_over_many_groups_are_those_of_their_rates():
    """The same numbers as from the values of each constraint, in a quarter of their memory."""
    problem = many_groups()
    tracemalloc.start()
    prices = Prices(problem)
    lists = prices.relabelled((0, 1))
    multipliers = tuple(int(n) for n in np.random.default_rng(1).integers(-(1 << 20), 1 << 20, 190))
    priced, peak = prices.priced(multipliers), tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    values = np.stack([one.values for one in problem.constraints])
    assert peak < values.nbytes / 4
    for found in lists:
        outcomes = prices.outcomes(found.antecedents, found.said)
        points = np.arange(problem.n_points)
        assert list(found.sums) == values[:, outcomes, points].sum(axis=1).tolist()
        assert found.cost == prices.listed(found.antecedents, found.said).cost
    exact = problem.amounts.astype(object) * (prices.q * prices.d)
    exact = exact + np.tensordot(np.array(multipliers, dtype=object), values.astype(object), 1)
    assert (priced == exact // prices.d).all()
    spreads = [max(int(np.abs(v).max(axis=0).sum()), 1) for v in values]
    assert [one.spread for one in problem.constraints] == spreads
