"""What many lists predict, all at once: as the cells of each say, and soon."""

import time
from dataclasses import replace

import numpy as np
import pytest
from corels_rule_list.near import extremes, near

import corels
from corels.problem.captures import unpack
from corels.search.good_lists import OneByOne, near_instance
from corels.tables import load
from corels.tables.folds import subset
from corels.testing import random_problem
from corels.testing.problems import dataset_of


def drawn(rng, antecedents, number):
    lengths = rng.integers(0, min(4, antecedents) + 1, number)
    return [tuple(rng.choice(antecedents, n, replace=False).tolist()) for n in lengths]


def cells_of(rules, said, instance, captures):
    """Each rule's antecedent, cell and class, the default rule's (-1) last."""
    left, found = instance.point >= 0, []
    regrets = np.zeros((len(instance.regrets), instance.bits), dtype=np.int64)
    regrets[:, : instance.front] = instance.regrets
    for place, rule in enumerate((*rules, -1)):
        cell = left if rule < 0 else left & captures[rule]
        may = len(regrets) if rule < 0 else instance.for_rules
        best = int(regrets[:may, cell].sum(axis=1).argmin())
        found.append((rule, cell, best if said is None else said[place]))
        left = left & ~cell
    return found


def labels(cells, captures, without=None):
    """Of the points, where one rule is left out and the others say what they said."""
    left = np.any([cell for _, cell, _ in cells], axis=0)
    found = np.zeros(len(left), dtype=np.int64)
    for at, (rule, _, label) in enumerate(cells):
        if at != without:
            here = left if rule < 0 else left & captures[rule]
            found[here] = label
            left = left & ~here
    return found


def test_predictions_are_those_of_the_cells():
    rng = np.random.default_rng(5)
    for trial in range(100):
        instance = near_instance(random_problem(rng, classes=2 + trial % 4))
        captures, classes = unpack(instance.masks, instance.bits), len(instance.regrets)
        lists = drawn(rng, len(captures), trial % 6)
        said = [
            None if rng.random() < 0.5 else tuple(rng.integers(0, classes, len(one) + 1).tolist())
            for one in lists
        ]
        alone = OneByOne(instance)
        found, matter = alone.predicted(lists, said)
        shares = alone.shares(zip(lists, said, strict=True))
        uses, first, predicted = (np.zeros_like(np.array(part)) for part in vars(shares).values())
        for one, chosen, planes, needed in zip(lists, said, found, matter, strict=True):
            cells = cells_of(one, chosen, instance, captures)
            for rule, cell, label in cells:
                predicted[label, cell] += 1
                if rule >= 0:
                    uses[rule, label] += 1
            if one:
                first[one[0]] += 1
            own = labels(cells, captures)
            digits = unpack(planes, instance.bits).astype(np.int64)
            assert (sum(plane << digit for digit, plane in enumerate(digits)) == own).all()
            shorter = [labels(cells, captures, at) for at in range(len(one))]
            assert needed == all((other != own).any() for other in shorter)
            assert chosen is not None or (alone.labels(one) == own).all()
        assert (shares.uses, shares.first) == (uses.tolist(), first.tolist())
        assert shares.predicted == predicted.tolist()


def test_lists_on_many_points_are_compared_soon():
    """Point by point, this took a second."""
    rng = np.random.default_rng(5)
    captures = rng.random((14, 20_000)) < rng.uniform(0.1, 0.6, (14, 1))
    data = dataset_of(captures, rng.integers(0, 2, 20_000))
    instance = near_instance(corels.Problem.from_dataset(data, "0.01"))
    assert instance.bits > 4000
    lists, one_by_one = drawn(rng, len(instance.masks), 2000), OneByOne(instance)
    began = time.process_time()
    for start in range(0, len(lists), 200):
        one_by_one.predicted(lists[start : start + 200])
    assert time.process_time() - began < 0.3


def halves():
    """Tic-tac-toe in two: boards of one half are like none of the other."""
    data = load("tic-tac-toe")
    order = np.random.default_rng(0).permutation(data.n_rows)
    first, second = order[:500], order[500:]
    return subset(data, first), subset(data, second)


@pytest.fixture(scope="module")
def found():
    problem = corels.Problem.from_dataset(halves()[0], "0.03")
    with near(problem, within="12%") as lists:
        assert lists.count > 10
        yield lists


def test_held_out_rows_are_gone_through_list_by_list(found):
    test = halves()[1]
    group = ["even" if i % 2 == 0 else "odd" for i in range(test.n_rows)]
    rates = found.group_rates(group, data=test, positive=found.problem.classes[0])
    assert sum(rates.rows.values()) == test.n_rows
    for metric in ("accuracy", "precision", "recall"):
        ranges = found.range_of(metric, group, data=test, positive=found.problem.classes[0])
        for value, one in ranges.items():
            listed = [rates.values(x, [metric])[value][metric] for x in found]
            listed = [v for v in listed if v is not None]
            assert (one.low, one.high) == (min(listed), max(listed))
    one = found.range_of("accuracy", data=test)["all"]
    right = (one.low_list.predict_indices(test) == test.labels).mean()
    assert float(one.low) == pytest.approx(right) and one.weight == test.n_rows


def test_too_many_lists_to_go_through_are_refused(found, monkeypatch):
    monkeypatch.setattr(extremes, "MOST_ONE_BY_ONE", 5)
    with pytest.raises(corels.OptionError, match="lists one by one, 5 at most, and here are"):
        found.range_of("accuracy", data=halves()[1])


def test_what_is_no_group_is_refused(found):
    data = halves()[0]
    with pytest.raises(corels.OptionError, match="a group for each of its rows"):
        found.range_of("accuracy", ["a"], data=data)
    with pytest.raises(corels.OptionError, match="unknown class 'maybe'"):
        found.group_rates(None, data=data, positive="maybe")
    weightless = replace(data, weights=np.arange(data.n_rows) % 2)
    assert found.range_of("accuracy", data=weightless)["all"].weight == data.n_rows // 2
