"""Curves: the best list for every ratio of costs, and for every bound on a rate."""

import itertools
import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from demanded import best_by_force, rate_of

import corels
from corels.problem import Problem
from corels.problem.constraints import Demands
from corels.problem.rates import Demand, demands_of
from corels.tables import TableOptions, load, load_columns, table_dataset
from corels.tables.pricing import Pricing
from corels.testing.problems import random_dataset

BOTH = ("recall", "positive-rate", "precision", "f1")


def small(seed):
    rng = np.random.default_rng([19, seed])
    return random_dataset(rng, antecedents=3, rows=12, classes=2), rng


def both_classes(data):
    weights = 1 if data.weights is None else data.weights
    return all((weights * (data.labels == one)).any() for one in (0, 1))


def priced(data, fn):
    matrix = [[Fraction(0), Fraction(1)], [Fraction(fn), Fraction(0)]]
    return replace(data, costs=Pricing(data.classes, matrix, {}).costs(data.labels))


def test_the_best_list_for_every_ratio_of_costs():
    bends = 0
    for seed in range(25):
        data, rng = small(seed)
        if not both_classes(data):
            continue
        lam = Fraction(int(rng.integers(1, 12)), 100)
        path = corels.front(priced(data, 5), "cost", lam)
        assert path.certified and (path.low, path.high) == (0, 5)
        ends = {end for segment in path for end in (segment.low, segment.high)}
        for at in ends | {Fraction(int(rng.integers(1, 50)), 10)}:
            problem = Problem.from_dataset(priced(data, at), lam)
            assert path.objective(at) == corels.solve(problem).certificate.objective
        bends += len(path) - 1
    assert bends > 10


@pytest.mark.parametrize("rate", BOTH)
def test_the_best_list_for_every_bound_on_a_rate(rate):
    """Each point is the best within its bound, and nothing better lies between two."""
    points = 0
    for seed in range(3):
        data, rng = small(seed)
        if not both_classes(data):
            continue
        lam = Fraction(int(rng.integers(1, 12)), 100)
        found = corels.front(data, rate, lam)
        assert found.certified
        everybody = np.ones(data.n_rows, dtype=bool)
        ceiling = rate == "positive-rate"
        problem = Problem.from_dataset(data, lam)

        def best(keeps, data=data, problem=problem):
            return best_by_force(data, problem, fits=keeps)

        def beyond(bound, rows=everybody, ceiling=ceiling):
            def fits(of, labels):
                value = rate_of(of, labels, rows, rate)
                return value is not None and (value < bound if ceiling else value > bound)

            return fits

        for one, after in itertools.pairwise([*found, None]):
            said = one.model.predict_indices(data)
            assert (rate_of(data, said, everybody, rate) or 0) == one.difference
            strict = best(beyond(one.difference))
            if after is None:
                assert strict is None or one.difference == (0 if ceiling else 1)
            else:
                assert strict == after.objective > one.objective
            points += 1
    assert points > 2


@pytest.mark.parametrize("rate", ["precision", "negative-predictive-value", "f1"])
def test_the_options_of_a_row_choose_its_list(rate):
    """Also if a list that is cheaper calls no row so: its rate keeps to any bound."""
    chosen = 0
    for seed in range(20):
        data, _ = small(seed)
        if not both_classes(data):
            continue
        found = corels.front(data, rate, Fraction(1, 50))
        for row, point in zip(found.to_rows(), found, strict=True):
            asked = Demands(demands_of(row["option"].split('"')[1::2]))
            problem = Problem.from_dataset(replace(data, demands=asked), Fraction(1, 50))
            assert corels.solve(problem).certificate.objective == point.objective
            chosen += point.allowed is not None
    assert chosen > 5


@pytest.mark.parametrize("rate", ["recall", "accuracy", "precision"])
@pytest.mark.parametrize("also", [{"abstain": "0.15"}, {"defer": "other", "defer_cost": "0.05"}])
def test_rows_are_of_lists_that_leave_rows_undecided_or_hand_them_over(rate, also):
    columns, label = load_columns("titanic")
    rows = {name: column.cells() for name, column in columns.items()}
    shifted = rows[label][1:] + rows[label][:1]
    rows["other"] = [*rows[label][:1500], *shifted[1500:]]
    data = table_dataset(
        rows, label, TableOptions(ignore="" if "defer" in also else "other", **also)
    )
    found = corels.front(data, rate, Fraction(1, 100), max_rules=2)
    assert found.figure().panels
    points = 0
    for row, point in zip(found.to_rows(), found, strict=True):
        said = point.model.predict_indices(data)
        everybody = np.ones(data.n_rows, dtype=bool)
        undecided = (said > 1).any()
        for name in ("recall", "precision", "positive-rate", "f1", "accuracy"):
            value, shown = rate_of(data, said, everybody, name), row[name.replace("-", "_")]
            if name == "accuracy" != rate and undecided:
                value = point.model.shares().get("accuracy")
            unknown = (said == 2).any() and "defer" in also and name not in (rate, "accuracy")
            assert shown is None if unknown or value is None else shown == float(value)
        assert row["mcc"] is None or not undecided
        points += undecided
    assert points > 0


def test_the_command_line_says_the_option_that_chooses_a_row(run, tmp_path):
    words = ("path", "--dataset", "titanic", "-r", "0.02", "--quiet")
    code, out, err = run(*words, "--over", "cost", "--cost", "fp=1,fn=20", "--plot", "c.svg")
    assert code == 0, err
    assert (tmp_path / "c.svg").stat().st_size
    (line,) = [one for one in out.splitlines() if "fn=2" in one]
    chosen = ("run", "--dataset", "titanic", "-r", "0.02", "--cost", "fp=1,fn=2", "--json")
    model = json.loads(run(*chosen, "--quiet")[1])
    assert len(model["rules"]) == 2 and line.split()[3] == "1"
    code, out, err = run(*words, "--over", "recall", "-o", "f.json", "--lists")
    assert code == 0, err
    points = json.loads((tmp_path / "f.json").read_text())["points"]
    recalls = [point["recall"] for point in points]
    assert recalls == sorted(recalls) and recalls[-1] == 1 and len(points) > 15
    assert all(point["certified"] for point in points)
    row = next(one for one in points if one["recall"] > 0.8)
    assert row["exact"]["objective"] == "57953/110050"
    asked = row["option"].partition('"')[2].rstrip('"')
    chosen = ("run", "--dataset", "titanic", "-r", "0.02", "--constraint", asked, "--json")
    model = json.loads(run(*chosen, "--quiet")[1])
    assert model["certificate"]["exact"]["objective"] == "57953/110050"


def test_a_curve_over_no_rate_names_the_rates():
    with pytest.raises(corels.OptionError, match="unknown over 'recal'; did you mean 'recall'"):
        corels.front(load("titanic"), "recal")


def test_the_exact_values_of_titanic():
    known = {
        "recall >= 0.8": Fraction(212003, 440200),
        "positive-rate <= 0.1": Fraction(28601, 110050),
        "precision >= 0.9": Fraction(98803, 440200),
        "false-positive-rate <= 0.02": Fraction(98803, 440200),
    }
    for asked, objective in known.items():
        data = load("titanic", TableOptions(constraints=asked))
        for backend in ("c", "python"):
            problem = Problem.from_dataset(data, "0.005")
            found = corels.solve(problem, backend=backend).certificate
            assert found.optimal and found.objective == objective


@pytest.mark.parametrize(
    ("rate", "never"),
    [
        ("precision", "the positive class: add a floor of recall"),
        ("negative-predictive-value", "another class than the positive one: add a ceiling"),
    ],
)
def test_a_rate_of_no_rows_keeps_to_every_floor(rate, never):
    data = replace(load("titanic"), demands=Demands((Demand(rate, (), ">=", Fraction(1)),)))
    result = corels.solve(Problem.from_dataset(data, "0.2"))
    (kept,) = result.certificate.constraints
    assert kept["rates"] == [None] and kept["value"] is None
    text = " ".join(str(result).split())
    assert f"{rate.replace('-', ' ')} of no rows, at least 1; it never says {never}" in text
