"""What a signal handler of the program raises comes out of a search as it was raised."""

import os
import signal
from itertools import count

import numpy as np
import pytest

import corels
from corels.run.interrupts import of_a_handler
from corels.search import Sink
from corels.tables import load

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGUSR1"), reason="no such signal here")


class EnoughError(Exception):
    """Raised by handlers."""


def handler(number, frame):
    raise EnoughError("of the handler")


@pytest.fixture
def handled():
    before = signal.signal(signal.SIGUSR1, handler)
    yield
    signal.signal(signal.SIGUSR1, before)


class Signalling(Sink):
    """Sends the signal while the search runs."""

    def events(self, records, search):
        os.kill(os.getpid(), signal.SIGUSR1)


class SignallingPolicy(corels.Policy):
    name = "signalling"
    summary = "sends the signal when it is asked"

    def priority(self, children):
        os.kill(os.getpid(), signal.SIGUSR1)
        return np.zeros(len(children))


def problem():
    return corels.Problem.from_dataset(load("titanic"), "0.003")


@pytest.mark.parametrize("backend", ["c", "python"])
@pytest.mark.parametrize("options", [{"sinks": [Signalling()]}, {"policy": SignallingPolicy}])
def test_it_passes_unchanged(handled, backend, options):
    with pytest.raises(EnoughError, match="of the handler"):
        corels.solve(problem(), backend=backend, start="none", **options)


def test_a_timer_ends_a_long_search(handled):
    data = np.random.default_rng(0).integers(0, 2, (400, 60))
    from corels import RuleListClassifier

    before = signal.signal(signal.SIGALRM, handler)
    # Again and again: Python itself drops what a handler raises inside the callback of a weak
    # reference, or of the garbage collector, where hypothesis has one; so a single signal may be
    # lost there. Not at once: the second ends the tests.
    signal.setitimer(signal.ITIMER_REAL, 0.3, 20)
    try:
        with pytest.raises(EnoughError):
            for seed in count():
                labels = np.random.default_rng(seed).integers(0, 2, 400)
                RuleListClassifier(0.003, search="best-first").fit(data, labels)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def ends_the_program(number, frame):
    signal.signal(number, signal.SIG_DFL)  # the next one ends it at once
    raise SystemExit(7)


@pytest.mark.parametrize("method", ["start", "progress", "finish", "close"])
def test_a_handler_that_exits_ends_the_program_wherever_it_comes(method, handled):
    closed = []

    class Exiting(Sink):
        pass

    class Other(Sink):
        def close(self):
            closed.append("other")

    setattr(Exiting, method, lambda *_: os.kill(os.getpid(), signal.SIGUSR1))
    signal.signal(signal.SIGUSR1, ends_the_program)
    with pytest.raises(SystemExit, match="7"):
        corels.solve(problem(), sinks=[Exiting(), Other()])
    assert closed == ["other"]


def test_what_others_raise_is_not_of_a_handler(handled):
    assert of_a_handler(ValueError("x")) is None
    with pytest.raises(corels.PluginError, match="faulty"):

        class Faulty(corels.Policy):
            name = "faulty"
            summary = "raises"

            def priority(self, children):
                raise EnoughError("mine")

        corels.solve(problem(), policy=Faulty, start="none")
