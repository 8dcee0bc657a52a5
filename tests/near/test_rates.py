"""Ranges over rows that are not training rows, and what is refused."""

from dataclasses import replace

import numpy as np
import pytest
from corels_rule_list.near import extremes, near

import corels
from corels.tables import load
from corels.tables.folds import subset


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
