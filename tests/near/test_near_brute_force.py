"""Sets of lists, counts, order, shares, ranges and classes against all lists of small problems."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from brute import all_lists, keep, matters, random_dataset
from corels_rule_list.near import near
from corels_rule_list.near.group_rates import METRICS
from seeds import ranges

import corels

LAMBDAS = ("0.3", "0.1", "0.05", "0.02", "1/7", "0")
BACKENDS = ("c", "python")


def draw_filters(rng, problem, lists):
    """Names and indices of antecedents to begin with, use, avoid; mostly none."""
    picked = [(), (), ()]
    order = rng.permutation(problem.n_antecedents)
    if rng.random() < 0.5:
        return picked
    if rng.random() < 0.4:
        possible = [one.rules for one in lists if 1 <= len(one.rules) <= 2]
        if possible:
            picked[0] = possible[rng.integers(len(possible))]
    if rng.random() < 0.5:
        picked[1] = tuple(int(i) for i in order[: rng.integers(1, 3)])
    free = [int(i) for i in order if i not in picked[0] and i not in picked[1]]
    if free and rng.random() < 0.5:
        picked[2] = tuple(free[: rng.integers(1, 3)])
    return picked


def check(seed, backend):
    rng = np.random.default_rng(seed)
    data = random_dataset(seed)
    problem = corels.Problem.from_dataset(data, rng.choice(LAMBDAS))
    lists = all_lists(problem)
    slack = Fraction(int(rng.integers(0, 40)), 100)
    filters = draw_filters(rng, problem, lists)
    names = [[problem.antecedents[i].name for i in part] for part in filters]
    options = dict(zip(("first", "must_use", "avoid"), names, strict=True))
    if seed % 2:
        options["max_rules"] = max(seed % 8 // 2, len(filters[0]), len({*filters[0], *filters[1]}))
    short = [one for one in lists if len(one.rules) <= options.get("max_rules", 99)]
    begun = [one for one in short if one.rules[: len(filters[0])] == tuple(filters[0])]
    optimum = Fraction(begun[0].cost, problem.scale)
    expected = keep(short, optimum + slack, problem, filters)
    with near(problem, within=slack, backend=backend, **options) as found:
        assert found.certificate.search.max_rules == options.get("max_rules")
        assert found.certificate.optimum == optimum
        compare(found, expected, problem, data, rng)
    return len(short) < len(lists)


def compare(found, expected, problem, data, rng):
    assert found.certificate.complete
    assert found.count == len(expected)
    assert [one.antecedents for one in found.lists()] == [one.rules for one in expected]
    assert [one.objective for one in found.lists()] == [
        Fraction(one.cost, problem.scale) for one in expected
    ]
    assert found.lengths() == dict(sorted(Counter(len(one.rules) for one in expected).items()))
    if not expected:
        return
    compare_shares(found, expected, problem)
    compare_ranges(found, expected, problem, data, rng)
    labels = {tuple(one.labels(problem.n_points)) for one in expected}
    assert found.classes() == len(labels)
    for _ in range(3):
        index = int(rng.integers(found.count))
        assert found[index].antecedents == expected[index].rules


def compare_shares(found, expected, problem):
    uses, first = Counter(), Counter()
    predicted = np.zeros((problem.n_points, len(problem.classes)), dtype=object)
    for one in expected:
        for r, label in zip(one.rules, one.classes, strict=False):
            uses[r, problem.classes[label]] += 1
        first.update(one.rules[:1])
        for cell, label in zip(one.cells, one.classes, strict=True):
            predicted[cell, label] += 1
    usage = found.usage()
    assert {(u.index, c): n for u in usage for c, n in u.predictions.items()} == dict(uses)
    assert {u.index: u.first for u in usage if u.first} == dict(first)
    point = found.instance.point
    bits = np.array(found._shares.predicted, dtype=object)[:, point >= 0]
    assert (predicted[point[point >= 0]] == bits.T).all()


def compare_ranges(found, expected, problem, data, rng):
    metric = str(rng.choice(list(METRICS)))
    group = rng.integers(0, 2, data.n_rows).tolist()
    ranges = found.range_of(metric, group, data=data)
    assert set(ranges) <= set(group)
    for value in set(group) - set(ranges):
        members = [other == value for other in group]
        assert not any(metric_of(metric, members, data, e, problem) for e in expected)
    for value, one in ranges.items():
        members = [other == value for other in group]
        all_values = [metric_of(metric, members, data, e, problem) for e in expected]
        defined = [v for v in all_values if v is not None]
        assert (one.low, one.high) == (min(defined), max(defined))
        rates = found.group_rates(group, data=data)
        listed = [rates.values(x, [metric])[value][metric] for x in found.lists(stop=20)]
        assert listed == all_values[:20]


def metric_of(metric, members, data, one, problem):
    """Row by row, from the list's rules."""
    counted = {(t, s): 0 for t in (False, True) for s in (False, True)}
    right_ones, everybody = 0, 0
    names = {a.name: j for j, a in enumerate(data.antecedents)}
    rules = [names[problem.antecedents[r].name] for r in one.rules]
    weights = np.ones(data.n_rows, dtype=int) if data.weights is None else data.weights
    captures = np.asarray(data.captures)
    for i in range(data.n_rows):
        truth = data.classes[data.labels[i]] == problem.classes[-1]
        if not members[i]:
            continue
        hits = [k for k, r in enumerate(rules) if captures[r, i]]
        label = problem.classes[one.classes[hits[0] if hits else -1]]
        says = label == problem.classes[-1]
        counted[truth, says] += int(weights[i])
        right_ones += int(weights[i]) * (label == data.classes[data.labels[i]])
        everybody += int(weights[i])
    tp, fn = counted[True, True], counted[True, False]
    fp, tn = counted[False, True], counted[False, False]
    above, below = {
        "accuracy": (right_ones, everybody),
        "positive-rate": (tp + fp, everybody),
        "recall": (tp, tp + fn),
        "false-positive-rate": (fp, fp + tn),
        "precision": (tp, tp + fp),
        "negative-predictive-value": (tn, tn + fn),
        "f1": (2 * tp, 2 * tp + fp + fn),
    }[metric]
    return Fraction(above, below) if below else None


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("numbers", ranges(20, 10_000))
def test_all_lists_and_no_others(backend, numbers):
    limited = sum(check(seed, backend) for seed in numbers)
    assert limited > 2, "the limit of rules should matter"


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_rule_matters(backend):
    for seed in range(20):
        data = random_dataset(seed)
        problem = corels.Problem.from_dataset(data, "0.02")
        lists = all_lists(problem)
        optimum = Fraction(lists[0].cost, problem.scale)
        expected = [
            one for one in keep(lists, optimum + Fraction(1, 5), problem) if matters(problem, one)
        ]
        with near(problem, within="0.2", every_rule_matters=True, backend=backend) as found:
            assert [one.antecedents for one in found] == [one.rules for one in expected]
            assert found.count == len(expected)
            labels = {tuple(one.labels(problem.n_points)) for one in expected}
            assert found.classes() == len(labels)
            if expected:
                compare_shares(found, expected, problem)


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_best_lists_and_those_that_tie_with_the_last(backend):
    for seed in range(20):
        problem = corels.Problem.from_dataset(random_dataset(seed), "0.05")
        lists = all_lists(problem)
        for best in (1, 3, 10_000):
            with near(problem, best=best, backend=backend) as found:
                last = lists[min(best, len(lists)) - 1].cost
                expected = [one.rules for one in lists if one.cost <= last]
                assert [one.antecedents for one in found] == expected
