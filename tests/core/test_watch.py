"""A step that computes for long is interrupted: at the time limit, and by a signal."""

import os
import signal
import threading
import time

import numpy as np
import pytest
from corels_rule_list.model import RuleList
from corels_rule_list.solver import RuleListSolver
from waiting import PATIENCE

import corels
from corels.model import Stopped
from corels.run.interrupts import AGAIN
from corels.search import EVENT, Search, Solver, Status, begun
from corels.tables import load


class Sleeper(Search):
    """A search whose only step lasts until it is interrupted, as if an engine computed."""

    def __init__(self, inner):
        self.inner = inner
        self.called = threading.Event()

    def interrupt(self):
        self.called.set()

    def begun(self):
        """A step begins."""

    def step(self, budget):
        self.begun()
        assert self.called.wait(PATIENCE), "nobody interrupted the step"
        return Status.RUNNING

    def events(self):
        return np.empty(0, dtype=EVENT)

    def progress(self):
        return self.inner.progress()

    def pruned(self):
        return {}

    def model(self):
        return self.inner.model()

    def describe(self):
        return {}


class SleepingSolver(Solver):
    name = "sleeping"
    summary = "sleeps"
    options = ()

    def search(self, problem, options, *, fine_events=False, memory_limit=None):
        given = {option.name: option.default for option in RuleListSolver.options}
        return Sleeper(begun(RuleListSolver().search(problem, given)))

    def model_type(self):
        return RuleList


def test_a_time_limit_interrupts_a_long_step(problem, registered):
    registered("solver", SleepingSolver)
    result = corels.solve(problem, "sleeping", time_limit=0.05)
    assert result.certificate.stopped is Stopped.TIME_LIMIT


class Endless(corels.Policy):
    name = "endless"
    summary = "never answers"

    def priority(self, children):
        while True:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(2 * AGAIN)


@pytest.mark.parametrize("backend", ["c", "python"])
def test_the_second_ctrl_c_ends_a_part_that_never_answers(registered, backend):
    registered("policy", Endless)
    board = corels.Problem.from_dataset(load("tic-tac-toe"), "0.005")
    result = corels.solve(board, policy="endless", backend=backend, start="none")
    assert result.certificate.stopped is Stopped.INTERRUPTED
    assert result.certificate.gap > 0


def test_ctrl_c_interrupts_a_long_step(problem, registered, monkeypatch):
    registered("solver", SleepingSolver)
    timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
    monkeypatch.setattr(Sleeper, "begun", lambda self: timer.start())
    result = corels.solve(problem, "sleeping")
    timer.join()
    assert result.certificate.stopped is Stopped.INTERRUPTED


def test_outside_the_main_thread_the_deadline_counts(problem, registered):
    registered("solver", SleepingSolver)
    found = []

    def run():
        found.append(corels.solve(problem, "sleeping", time_limit=0.05))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(PATIENCE)
    assert found[0].certificate.stopped is Stopped.TIME_LIMIT


def test_no_thread_is_left_behind(problem):
    before = threading.active_count()
    for _ in range(5):
        corels.solve(problem, time_limit=60)
    assert threading.active_count() <= before  # threads of earlier tests may end meanwhile


@pytest.fixture
def problem():
    from corels.tables import load

    return corels.Problem.from_dataset(load("titanic"), "0.01")
