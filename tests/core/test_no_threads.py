"""Where the system has no room for one more thread."""

import threading

import pytest

import corels
from corels.errors import ResourceError
from corels.tables import load
from corels.threads import started


@pytest.fixture
def no_threads(monkeypatch):
    def refuse(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)


@pytest.mark.usefixtures("no_threads")
def test_a_thread_that_cannot_be_started_is_a_lack_of_resources():
    with pytest.raises(ResourceError, match="no thread can be started"):
        started(threading.Thread())


@pytest.mark.usefixtures("no_threads")
@pytest.mark.parametrize("backend", ["c", "python"])
def test_a_search_goes_on_without_one(backend):
    """Between two steps it looks at the clock and at signals all the same."""
    board = corels.Problem.from_dataset(load("tic-tac-toe"), "0.03")
    assert corels.solve(board, backend=backend).certificate.optimal
    long = corels.Problem.from_dataset(load("tic-tac-toe"), "0.001")
    assert corels.solve(long, backend=backend, preset="plain", time_limit=0.5).certificate.gap > 0


@pytest.mark.usefixtures("no_threads")
def test_other_searches_name_the_reason():
    board = corels.Problem.from_dataset(load("tic-tac-toe"), "0.03")
    with pytest.raises(ResourceError, match="no thread can be started"):
        corels.solve(board, solver="rule-set", complexity=4)
