"""The estimate of the time that a search still takes, and when there is none."""

import math

import pytest

from corels.cli.columns import time_left
from corels.run.left import TimeLeft, in_words
from corels.search import Progress


def fed(left, *, every=1.0, pace=100):
    """The estimates while the search expects so much work, with `pace` done in each second."""
    told = TimeLeft()
    return [
        told.look(i * every, Progress(work_left=work, extra={"counts": int(i * every * pace)}))
        for i, work in enumerate(left)
    ]


def test_what_is_left_is_divided_by_the_pace():
    found = fed([5000.0 - 100 * i for i in range(50)])
    assert math.isnan(found[1]), "not in the first seconds"
    assert found[10] == pytest.approx(40) and found[40] == pytest.approx(10)


@pytest.mark.parametrize("work", [math.nan, math.inf])
def test_nothing_is_said_where_the_search_cannot_tell(work):
    assert all(math.isnan(seconds) for seconds in fed([work] * 30))
    later = fed([work] * 10 + [300.0] * 10)
    assert math.isnan(later[11]) and later[15] == pytest.approx(3)


def test_the_pace_is_that_of_the_later_half():
    told, done, found = TimeLeft(), 0, []
    for second in range(41):
        done += 1000 if second < 20 else 10
        found.append(told.look(second, Progress(work_left=100.0, extra={"counts": done})))
    assert found[19] == pytest.approx(0.1) and found[40] == pytest.approx(10, rel=0.1)


def test_a_search_that_stands_still_is_not_divided_by_nothing():
    assert all(math.isnan(seconds) for seconds in fed([100.0] * 30, pace=0))


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
    assert time_left(Progress(work_left=math.inf)) == "unknown"
    assert time_left(Progress(work_left=3.0, seconds_left=600.0)) == "minutes"
