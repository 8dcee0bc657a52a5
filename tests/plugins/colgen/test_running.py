"""HiGHS in a thread: others can look after limits meanwhile, and end it."""

import json
import subprocess
import sys
import threading
import time
from types import SimpleNamespace

import pytest

pytest.importorskip("highspy", reason="HiGHS (highspy) is not installed")

from corels_colgen import running, search
from corels_colgen.running import Running

import corels
from corels.data import load
from corels.problem import Problem


class Highs:
    """Runs until it is interrupted, or told to end; `deaf`: it does not ask."""

    def __init__(self, *, deaf=False):
        self.deaf, self.over, self.runs = deaf, threading.Event(), 0
        self.cbSimplexInterrupt = SimpleNamespace(subscribe=self._subscribe)

    def _subscribe(self, asked):
        self._asked = asked

    def run(self):
        self.runs += 1
        while not self.over.wait(0.001):
            event = SimpleNamespace(data_in=SimpleNamespace(user_interrupt=False))
            if not self.deaf:
                self._asked(event)
            if event.data_in.user_interrupt:
                break


def ended(work):
    """Whether it ends; on a busy machine that may take a while."""
    return any(work.wait(0.1) for _ in range(100))


def test_a_run_goes_on_until_it_ends_and_another_one_may_follow():
    highs = Highs()
    work = Running(highs)
    for runs in (1, 2):
        highs.over.clear()
        work.start()
        assert not work.wait(0.02) and not work.finished and work.seconds > 0
        highs.over.set()
        assert ended(work) and work.finished and highs.runs == runs


def test_what_comes_first_is_done_in_the_thread():
    highs, seen = Highs(), []
    highs.over.set()
    work = Running(highs)
    work.start(lambda: seen.append(threading.current_thread() is threading.main_thread()))
    assert ended(work) and seen == [False] and highs.runs == 1


def test_what_the_thread_raises_is_told_to_whoever_waits():
    def short_of_memory():
        raise MemoryError("no room for the matrix")

    highs = Highs()
    work = Running(highs)
    work.start(short_of_memory)
    with pytest.raises(MemoryError, match="no room"):
        ended(work)
    assert not work.ran and highs.runs == 0
    work.cancel()  # at the end of a search, which has its result
    assert work.wait(0)


def test_a_run_that_is_cancelled_before_it_begins_reaches_nothing():
    highs = Highs()
    work = Running(highs)
    work.start(lambda: setattr(work, "_stop", True))
    assert ended(work) and not work.ran and highs.runs == 0


def test_it_is_ended_when_highs_asks():
    work = Running(Highs())
    work.start()
    work.cancel()
    assert ended(work)


def test_highs_that_does_not_ask_is_left_to_itself(monkeypatch):
    monkeypatch.setattr(running, "_leaving", [])
    highs = Highs(deaf=True)
    work = Running(highs)
    work.start()
    began = time.perf_counter()
    work.cancel()
    assert time.perf_counter() - began < 20, "a moment, also on a busy machine"
    assert not work.finished and running._leaving == [highs]
    highs.over.set()
    assert ended(work)


def test_highs_prints_nothing():
    """HiGHS 1.16 greets on standard output when it is first made in a process."""
    code = "from corels.start import main; main()"
    words = ["run", "--dataset", "titanic", "--solver", "rule-set", "--complexity", "2", "--json"]
    command = [sys.executable, "-c", code, *words, "--quiet"]
    process = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert json.loads(process.stdout)["certificate"]["optimal"] is True


def test_a_step_hands_back_while_the_linear_program_runs(monkeypatch):
    real, waits = Running.wait, []

    def slow(self, seconds):
        waits.append(seconds)
        return len(waits) > 5 and real(self, seconds)

    monkeypatch.setattr(Running, "wait", slow)
    problem = Problem.from_dataset(load("tic-tac-toe"), 0)
    steps = corels.solve(problem, "rule-set", complexity=4, node_limit=1)
    assert len(waits) > 5 and steps.certificate.objective < 1


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
