"""One clock for all: limits, lines that are due, the rest of equal pieces, the budget of a step."""

from itertools import pairwise
from types import SimpleNamespace

import pytest

from corels.clock import Clock
from corels.run.limits import MOST_BUDGET, STEP_SECONDS, Steps


@pytest.fixture
def time(monkeypatch):
    made = SimpleNamespace(now=7.0)
    made.perf_counter = lambda: made.now
    monkeypatch.setattr("corels.clock.time", made)
    return made


def test_a_limit_is_reached_when_its_seconds_are_gone(time):
    clock, endless = Clock(10), Clock()
    assert (clock.left(), endless.left()) == (10.0, None)
    time.now += 6
    assert clock.left() == 4.0 and clock.expired(0.5) and not clock.expired()
    time.now += 5
    assert clock.left() == 0.0 and clock.expired() and not endless.expired()
    clock.restart()
    assert clock.elapsed == 0.0 and not clock.expired()
    assert Clock(0).expired(), "no time at all is gone at once"


def test_a_part_may_take_a_share_of_what_is_left_and_no_more_than_its_own_limit(time):
    clock, endless = Clock(10), Clock()
    time.now += 2
    assert (clock.within(), clock.within(share=0.5), clock.within(3, 0.5)) == (8.0, 4.0, 3.0)
    assert (clock.within(30), endless.within(3), endless.within()) == (8.0, 3, None)
    time.now += 20
    assert clock.within(3) == 0.0


def due_times(time, clock, looks, apart):
    """When a line is due, of so many looks at the clock."""
    due = []
    for _ in range(looks):
        time.now += apart
        if clock.due():
            due.append(clock.elapsed)
    return due


def test_lines_are_due_at_steady_times_where_these_are_given(time):
    assert due_times(time, Clock(first=1.0, every=5.0), 48, 0.25) == [1.0, 6.0, 11.0]
    at_once = Clock(first=0.0, every=1.0)
    assert at_once.due() and not at_once.due()


def test_a_line_comes_before_a_piece_of_work_that_would_be_waited_for_too_long(time):
    due = due_times(time, Clock(first=1.0, every=2.0), 20, 0.75)
    assert due[0] == 1.5, "the first line is never early"
    assert {after - before for before, after in pairwise(due)} == {1.5}


def test_the_rest_of_equal_pieces_takes_as_long_for_each(time):
    clock = Clock()
    time.now += 30
    assert clock.pieces_left(3, 5) == 20.0


def test_the_budget_follows_what_steps_take(time):
    steps, given = Steps(), []
    steps._budget = 4

    def took(seconds):
        def step(budget):
            time.now += seconds
            given.append(budget)
            return seconds

        assert steps.take(step) == seconds

    for parts in (0, 0.3, 1, 3, 3, 0):
        took(parts * STEP_SECONDS)
    assert given == [4, 32, 64, 64, 32, 16]
    for _ in range(9):
        took(1.0)
    assert given[-1] == 1, "never less than one unit of work"
    for _ in range(50):
        took(0.0)
    assert given[-1] == MOST_BUDGET


def test_the_parts_of_a_command_are_not_silent_one_after_another(time, monkeypatch):
    told = []
    monkeypatch.setattr(Clock, "said", time.now)  # a command begins
    for part in range(5):  # each is over before its first line would come
        clock = Clock(report=lambda what, done, total: told.append(time.now - 7))
        for step in range(3):
            time.now += 0.25
            clock.tell(f"part {part}", step)
    assert told == [2.0]
    monkeypatch.setattr(Clock, "said", None)  # nobody counts what a program that calls us says
    time.now += 60
    Clock(report=lambda *_: told.append("no")).tell("part", 1)
    assert told == [2.0]
