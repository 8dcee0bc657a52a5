"""A set of good lists as an object: its length, and what is closed."""

import pytest

import corels
from corels.tables import load

TITANIC = corels.Problem.from_dataset(load("titanic"), "0.01")


def test_of_nothing():
    problem = corels.Problem.from_dataset(load("tic-tac-toe"), "0.001")
    with corels.near(problem, time_limit=0) as found:
        assert len(found) == 0


def test_closed_lists_and_searches_say_so():
    class Keep(corels.search.Sink):
        name = "keep"

        def start(self, search):
            self.search = search

    problem = corels.Problem.from_dataset(load("titanic"), "0.05")
    with corels.near(problem, within="5%", backend="c") as found:
        assert found[0].number == 1
    with pytest.raises(corels.OptionError, match="these lists are closed"):
        found[0]
    found.close()
    kept = Keep()
    corels.solve(problem, sinks=[kept], backend="c")
    for ask in (kept.search.progress, kept.search.model, lambda: kept.search.step(1)):
        with pytest.raises(corels.OptionError, match="the search is closed"):
            ask()
    kept.search.interrupt()
