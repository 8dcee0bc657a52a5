"""Costs that let each class count alike: the mean cost is 1 less balanced accuracy."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from every_list import every_list

import corels
from corels import RuleListClassifier
from corels.problem import Problem
from corels.tables import TableOptions, load, table_dataset
from corels.tables.pricing import Pricing
from corels.testing.problems import random_dataset


def balanced_accuracy(labels, said, weights, classes):
    recalls = []
    for one in range(classes):
        of = weights * (labels == one)
        if of.sum():
            recalls.append(Fraction(int((of * (said == one)).sum()), int(of.sum())))
    return sum(recalls) / len(recalls)


def by_force(data, lam, classes):
    weights = np.ones(data.n_rows, np.int64) if data.weights is None else data.weights
    return min(
        1 - balanced_accuracy(data.labels, said, weights, classes) + lam * length
        for length, said in every_list(data.captures.unpack(), range(classes), range(classes))
    )


@pytest.mark.parametrize("backend", ["c", "python"])
def test_the_optimum_is_that_of_balanced_accuracy(backend):
    """Two classes and three, with and without weights."""
    checked = 0
    for seed in range(40):
        rng = np.random.default_rng([7, seed])
        classes = int(rng.choice([2, 3]))
        data = random_dataset(rng, antecedents=3, rows=12, classes=classes)
        if data.weights is not None and not data.weights.all():
            continue
        names = tuple(range(classes))
        pricing = Pricing(names, [], {}, balanced=True)
        lam = Fraction(int(rng.integers(1, 20)), 100)
        priced = replace(data, costs=pricing.costs(data.labels, data.weights))
        result = corels.solve(Problem.from_dataset(priced, lam), backend=backend)
        assert result.certificate.optimal
        assert result.certificate.objective == by_force(data, lam, classes)
        checked += 1
    assert checked > 20


def test_counts_stay_rows_and_the_mean_cost_is_exact():
    data = load("titanic", TableOptions(cost="balanced"))
    result = corels.solve(Problem.from_dataset(data, "0.01"))
    model = result.model
    said = model.predict_indices(data)
    expected = 1 - balanced_accuracy(data.labels, said, np.ones(data.n_rows, np.int64), 2)
    assert model.objective(Fraction(0)) == expected and model.training_weight == 2201
    assert result.certificate.optimal


def test_large_classes_are_rounded_and_the_certificate_says_so():
    rng = np.random.default_rng(0)
    rows = 100_003
    table = {"a": rng.random(rows) < 0.5, "b": rng.random(rows) < 0.3}
    rare = rng.random(rows) < np.where(table["a"], 0.5, 0.1)
    table = {name: column.astype(int) for name, column in table.items()} | {"y": rare.astype(int)}
    data = table_dataset(table, "y", TableOptions(cost="balanced"))
    result = corels.solve(Problem.from_dataset(data, "0.01"))
    assert result.certificate.optimal and len(result.model.rules) == 1
    assert 0 < data.costs.outcomes.resolution < Fraction(1, 1000)
    said = result.model.predict_indices(data)
    true = 1 - balanced_accuracy(data.labels, said, np.ones(rows, np.int64), 2)
    assert abs(result.model.objective(Fraction(0)) - true) < Fraction(1, 1000)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"cost": "balanced", "class_weight": "balanced"}, "are both given: expected one"),
        ({"cost": "evenly"}, "unknown class"),
    ],
)
def test_what_does_not_go_together_is_refused(options, sentence):
    X, y = [[0], [1]] * 4, [0, 1] * 4
    with pytest.raises(corels.OptionError, match=sentence):
        RuleListClassifier(0.1, **options).fit(X, y)


def test_costs_of_rows_do_not_go_with_balanced_classes():
    X, y = [[0], [1]] * 4, [0, 1] * 4
    with pytest.raises(corels.OptionError, match="sample_cost are both given"):
        RuleListClassifier(0.1, cost="balanced").fit(X, y, sample_cost=np.ones((8, 2)))
