"""Costs, abstaining, deferring and groups in the estimator: by brute force, and as on the command
line."""

import json
from fractions import Fraction

import called
import numpy as np
import pytest
from every_list import every_list
from sklearn.tree import DecisionTreeClassifier

from corels import RuleListClassifier
from corels.errors import OptionError

ROWS, LAMBDA = 24, Fraction(1, 50)


def table(seed):
    """(X, y, further column) at random, with the label in part of the first column."""
    rng = np.random.default_rng([41, seed])
    X = rng.integers(0, 2, size=(ROWS, 3))
    X[:2] = [[0, 0, 0], [1, 1, 1]]  # no column is constant
    y = np.where(rng.random(ROWS) < 0.75, X[:, 0] ^ (X[:, 1] & X[:, 2]), rng.integers(0, 2, ROWS))
    y[:2] = 0, 1
    return X, y, rng


def best_by_force(X, costs, last=None, keeps=None):
    """The least objective of all lists, with all that they may say. costs: (O, N), in ones.

    last: how many outcomes rules may say, if the default may say more; keeps(said): whether
    predictions are allowed.
    """
    lists = every_list(X.T == 1, range(last or len(costs)), range(len(costs)))
    return min(
        sum((costs[o][i] for i, o in enumerate(said)), Fraction(0)) / ROWS + LAMBDA * length
        for length, said in lists
        if keeps is None or keeps(said)
    )


def mistakes(y, matrix=((0, 1), (1, 0))):
    return [[Fraction(matrix[true][said]) for true in y] for said in range(2)]


def asked(model, X, y, **fit):
    model.fit(X, y, **fit)
    assert model.optimal_
    return model.certificate_.objective


def test_absolute_costs_are_the_distances_of_the_classes():
    X, y, rng = table(0)
    grades = np.where(np.array(y) == 1, rng.choice([20, 50], size=ROWS), 10)
    distances = [[abs(true - said) for said in (10, 20, 50)] for true in (10, 20, 50)]
    asked_for, named = (
        RuleListClassifier("1/2", **costs, min_support=0).fit(X, grades)
        for costs in ({"cost": "absolute"}, {"cost": distances})
    )
    assert asked_for.certificate_.objective == named.certificate_.objective
    assert asked_for.optimal_ and len(asked_for.rule_list_) > 0
    away = np.abs(asked_for.predict(X) - grades).mean()
    assert asked_for.score(X, grades) == pytest.approx(-away)
    with pytest.raises(OptionError, match="cost is 'absolute', and the classes are a, b"):
        RuleListClassifier(0.1, cost="absolute").fit([[0], [1]] * 4, ["a", "b"] * 4)


@pytest.mark.parametrize("seed", range(3))
def test_costs_of_pairs_and_of_rows(seed):
    X, y, rng = table(seed)
    matrix = [[0, 5], [2, 0]]
    best = best_by_force(X, mistakes(y, matrix))
    assert asked(RuleListClassifier(LAMBDA, cost=matrix, min_support=0), X, y) == best
    by_row = rng.integers(0, 5, size=(ROWS, 2))
    model = RuleListClassifier(LAMBDA, min_support=0)
    costs = [[Fraction(int(cost)) for cost in column] for column in by_row.T]
    assert asked(model, X, y, sample_cost=by_row) == best_by_force(X, costs)
    said = model.predict(X)
    assert model.score(X, y, sample_cost=by_row) == pytest.approx(
        -by_row[np.arange(ROWS), said].mean()
    )


def test_lambda_is_chosen_by_costs_of_rows():
    X, y, rng = table(3)
    by_row = rng.integers(0, 5, size=(ROWS, 2))
    parts = RuleListClassifier(f"auto:{LAMBDA}", min_support=0, abstain="1/4")
    assert parts.fit(X, y, sample_cost=by_row).lambda_choice_.costed


@pytest.mark.parametrize("where", ["anywhere", "default"])
def test_abstaining_and_deferring(where):
    X, y, rng = table(5)
    tree = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, rng.permutation(y))
    answers = tree.predict(X)
    handed = [Fraction(int(a != t)) + Fraction(1, 20) for a, t in zip(answers, y, strict=True)]
    costs = [*mistakes(y), [Fraction(1, 4)] * ROWS, handed]
    best = best_by_force(X, costs, last=3 if where == "default" else None)
    options = {"abstain": "1/4", "defer_cost": "1/20", "defer_where": where, "min_support": 0}
    fitted = RuleListClassifier(LAMBDA, defer=tree, **options)
    given = RuleListClassifier(LAMBDA, defer=answers, **options)
    assert asked(fitted, X, y) == asked(given, X, y) == best
    assert str(fitted.rule_list_) == str(given.rule_list_)
    said = fitted.rule_list_.predict_indices(X)
    of = np.array([[float(cost) for cost in row] for row in costs])
    assert fitted.score(X, y) == pytest.approx(-of[said, np.arange(ROWS)].mean())
    words = fitted.predict(X).tolist()
    expected = [[0, 1, "don't know", answers[i]][said[i]] for i in range(ROWS)]
    assert words == expected, "the other model's own answers"


@pytest.mark.parametrize(("groups", "seed"), [(2, 7), (3, 2)])
def test_groups_two_and_more(groups, seed):
    X, y, _ = table(seed)
    members = np.arange(ROWS) % groups

    def keeps(said):
        rates = [Fraction(int(said[members == g].sum()), ROWS // groups) for g in range(groups)]
        return max(rates) - min(rates) <= Fraction(1, 8)

    model = RuleListClassifier(LAMBDA, constraints=["statistical-parity within 1/8"], min_support=0)
    found = asked(model, X, y, sensitive_features=[f"group {g}" for g in members])
    assert found == best_by_force(X, mistakes(y), keeps=keeps) and keeps(model.predict(X))
    assert found > best_by_force(X, mistakes(y)), "the constraint costs something here"


def test_the_command_line_finds_the_same(tmp_path, capsys):
    X, y, _ = table(7)
    members, answers = np.arange(ROWS) % 3, 1 - X[:, 1]
    path, model = tmp_path / "t.csv", tmp_path / "m.json"
    lines = ["a,b,c,y,g,other"]
    lines += [",".join(map(str, row)) for row in np.c_[X, y, members, answers].tolist()]
    path.write_text("\n".join(lines) + "\n")
    words = ["--defer", "other", "--defer-cost", "1/20", "--cost", "fp=3,fn=1"]
    words += [
        "--constraint",
        "statistical-parity by g within 1/4",
        "--label",
        "y",
        "-r",
        "1/50",
        "--min-support",
        "0",
    ]
    assert called.code("run", path, *words, "-q", "-o", model) == 0, capsys.readouterr().err
    document = json.loads(model.read_text())
    estimator = RuleListClassifier(
        LAMBDA, defer=answers, defer_cost="1/20", cost=[[0, 3], [1, 0]],
        constraints=["statistical-parity within 1/4"], min_support=0,
    )  # fmt: skip
    found = asked(estimator, X, y, sensitive_features=members)
    assert str(found) == document["certificate"]["exact"]["objective"]
