"""The estimate of the time that a search still takes, and when there is none."""

import math

import pytest

from corels.cli.columns import time_left
from corels.run.left import TimeLeft, in_words
from corels.search import Progress


def fed(weights, *, stages=None, every=1.0):
    """The estimates while the weight takes these values, one in `every` seconds."""
    left = TimeLeft()
    stages = stages or [0] * len(weights)
    return [
        left.look(i * every, Progress(open_weight=weight, extra={"price_stage": stage}))
        for i, (weight, stage) in enumerate(zip(weights, stages, strict=True))
    ]


def test_work_that_falls_steadily_is_told_exactly():
    found = fed([100.0 - 2 * i for i in range(50)])
    assert math.isnan(found[4]), "not in the first seconds"
    assert found[10] == pytest.approx(40) and found[40] == pytest.approx(10)


@pytest.mark.parametrize(
    "weights", [[100.0] * 30, [math.nan] * 30, [100.0 - i / 10 for i in range(30)]]
)
def test_nothing_is_said_where_hardly_anything_fell(weights):
    assert all(math.isnan(seconds) for seconds in fed(weights))


def test_new_tables_begin_the_measurement_anew():
    found = fed([100.0 - 2 * i for i in range(20)] + [10.0] * 20, stages=[0] * 20 + [1] * 20)
    assert found[19] == pytest.approx(31)
    assert all(math.isnan(seconds) for seconds in found[20:])


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (math.nan, "unknown"),
        (12, "under a minute"),
        (70, "minutes"),
        (600, "minutes"),
        (3600, "about an hour"),
        (36_000, "hours"),
        (1e6, "days"),
    ],
)
def test_words(seconds, words):
    assert in_words(seconds) == words


def test_a_search_that_never_tells_has_no_column():
    assert time_left(Progress()) == "-"
    assert time_left(Progress(open_weight=3.0)) == "unknown"
    assert time_left(Progress(open_weight=3.0, seconds_left=600.0)) == "minutes"
