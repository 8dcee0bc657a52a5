"""HiGHS in a thread: others can look after limits meanwhile, and end it."""

import json
import os
import signal
import subprocess
import sys
import threading
from types import SimpleNamespace

import pytest

pytest.importorskip("highspy", reason="HiGHS (highspy) is not installed")

from corels_colgen import running, search
from corels_colgen.columns import Columns
from corels_colgen.instance import make_instance
from corels_colgen.master import Master
from corels_colgen.running import Running
from corels_colgen.solver import OPTIONS
from waiting import PATIENCE

import corels
from corels.options import check_all
from corels.problem import Problem
from corels.tables import load


class Highs:
    """Runs until it is interrupted, or told to end; `deaf`: it does not ask."""

    def __init__(self, *, deaf=False):
        self.deaf, self.over, self.runs = deaf, threading.Event(), 0
        self.begun = threading.Event()
        self.cbSimplexInterrupt = SimpleNamespace(subscribe=self._subscribe)

    def _subscribe(self, asked):
        self._asked = asked

    def run(self):
        self.runs += 1
        self.begun.set()
        while not self.over.wait(0.001):
            event = SimpleNamespace(data_in=SimpleNamespace(user_interrupt=False))
            if not self.deaf:
                self._asked(event)
            if event.data_in.user_interrupt:
                break


def ended(work):
    """Whether it ends; on a busy machine that may take a while."""
    return work.wait(PATIENCE)


def at_work(highs):
    """HiGHS at work: what is cancelled earlier never reaches it."""
    work = Running(highs)
    work.start()
    assert highs.begun.wait(PATIENCE)
    return work


def test_a_run_goes_on_until_it_ends_and_another_one_may_follow():
    highs = Highs()
    work = Running(highs)
    for runs in (1, 2):
        highs.over.clear()
        work.start()
        assert not work.wait(0.02) and not work.finished and work.seconds > 0
        highs.over.set()
        assert ended(work) and work.finished and highs.runs == runs


def test_what_the_thread_raises_is_raised_where_it_is_waited_for(monkeypatch):
    def short_of_memory():
        raise MemoryError("no room for the matrix")

    highs = Highs()
    monkeypatch.setattr(highs, "run", short_of_memory)
    work = Running(highs)
    work.start()
    with pytest.raises(MemoryError, match="no room"):
        ended(work)
    work.cancel()  # at the end of a search, which has its result
    assert work.wait(0)


def test_it_is_ended_when_highs_asks():
    work = at_work(Highs())
    work.cancel()
    assert ended(work)


def test_highs_that_does_not_ask_is_left_to_itself():
    highs = Highs(deaf=True)
    work = at_work(highs)
    work.cancel()
    assert not work.finished
    highs.over.set()
    assert ended(work)


def test_after_a_cancel_nothing_starts():
    highs = Highs()
    work = Running(highs)
    work.cancel()
    with pytest.raises(RuntimeError, match="was cancelled"):
        work.start()
    assert highs.runs == 0


def test_one_run_at_a_time():
    highs = Highs()
    work = at_work(highs)
    with pytest.raises(RuntimeError, match="still runs"):
        work.start()
    work.cancel()
    assert ended(work) and highs.runs == 1


def test_a_cancelled_linear_program_stays_as_it_was():
    problem = Problem.from_dataset(load("titanic"), 0)
    instance = make_instance(problem, check_all(OPTIONS, {"complexity": 4}, "rule-set"), 1)
    columns = Columns(instance)
    master = Master(instance, columns)
    master.cancel()
    columns.add([(0,)])
    with pytest.raises(RuntimeError, match="was cancelled"):
        master.start()
    assert master._highs.getNumCol() == len(instance.positive_weights)


def test_ctrl_c_while_somebody_waits_leaves_the_run_alone():
    """In Python 3.11 `Thread.join` may say of a thread that it has ended, after a Ctrl-C in it."""
    highs = Highs(deaf=True)
    work = at_work(highs)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        work.wait(30)
    assert not work.wait(0.01) and not work.finished
    highs.over.set()
    assert ended(work)


def test_ctrl_c_before_the_thread_has_begun(monkeypatch):
    class Interrupted(threading.Thread):
        def start(self):
            raise KeyboardInterrupt

    monkeypatch.setattr(running, "Thread", Interrupted)
    highs = Highs()
    work = Running(highs)
    with pytest.raises(KeyboardInterrupt):
        work.start()
    work.cancel()
    assert highs.runs == 0


UNCLOSED = """
import sys, threading
import numpy as np
from corels.options import check_all
from corels.plugins import registry
from corels.testing import planted_problem

problem = planted_problem(np.random.default_rng(0), rules=8, antecedents=60, rows=6000)
solver = registry().get("solver", "rule-set")()
search = solver.search(problem, check_all(solver.options, {"complexity": 20}, "rule-set"))
while search.progress().extra["rounds"] < 2 or threading.active_count() == 1:
    search.step(1000)
sys.exit(7)
"""


def test_a_search_that_nobody_closes_does_not_abort_the_process():
    """Python ends threads that are still there, which inside HiGHS ended the process: code 134."""
    command = [sys.executable, "-c", UNCLOSED]
    process = subprocess.run(command, check=False, capture_output=True, text=True, timeout=500)
    assert (process.returncode, process.stderr) == (7, "")


def test_highs_prints_nothing():
    """HiGHS 1.16 greets on standard output when it is first made in a process."""
    code = "from corels.cli import main; main()"
    words = ["run", "--dataset", "titanic", "--solver", "rule-set", "--complexity", "2", "--json"]
    command = [sys.executable, "-c", code, *words, "--quiet"]
    process = subprocess.run(command, capture_output=True, text=True, timeout=500, check=True)
    assert json.loads(process.stdout)["certificate"]["optimal"] is True


def test_a_step_hands_back_while_the_linear_program_runs(monkeypatch):
    real, waits = Running.wait, []

    def slow(self, seconds):
        waits.append(seconds)
        return len(waits) > 5 and real(self, seconds)

    monkeypatch.setattr(Running, "wait", slow)
    problem = Problem.from_dataset(load("tic-tac-toe"), 0)
    steps = corels.solve(problem, "rule-set", complexity=4)
    assert len(waits) > 5 and steps.certificate.optimal


@pytest.mark.parametrize("options", [{"complexity": 8}, {"complexity": 4, "max_conditions": 2}])
def test_how_often_it_hands_back_changes_nothing(monkeypatch, options):
    data = load("titanic")
    found = []
    for seconds in (0.0, 60.0):
        monkeypatch.setattr(search, "POLL_SECONDS", seconds)
        result = corels.solve(Problem.from_dataset(data, 0), "rule-set", **options)
        certificate = result.certificate
        found.append((result.model, certificate.objective, certificate.lower_bound))
        assert certificate.optimal
    assert found[0] == found[1]
