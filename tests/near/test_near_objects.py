"""A set of good lists as an object: its length, what a notebook shows."""

import pytest

import corels
from corels.tables import load

TITANIC = corels.Problem.from_dataset(load("titanic"), "0.01")


def test_of_nothing():
    problem = corels.Problem.from_dataset(load("tic-tac-toe"), "0.001")
    with corels.near(problem, time_limit=0) as found:
        assert len(found) == 0
        assert "<tbody>\n\n</tbody>" in found._repr_html_()


def test_a_notebook_shows_the_best_of_them():
    with corels.near(TITANIC, within="0.05") as found:
        shown = found._repr_html_()
        assert f"{found.count:,} rule lists within" in shown
        assert shown.count("<pre>") == 10
        assert "&lt;" not in str(found[0].rule_list) and "sex = Male" in shown


@pytest.mark.parametrize("backend", ["c", "python"])
def test_names_are_counted_on_the_same_graph(backend):
    table = {"a": ["x", "y"] * 4, "b": ["p", "q"] * 4, "c": list("uuvvuuvv"), "y": [0, 1] * 4}
    problem = corels.Problem.from_dataset(corels.tables.table_dataset(table, "y"), "0.1")
    found = corels.near(problem, within=1, backend=backend)
    lists, shares = list(found.lists()), found.usage()
    assert found.count_names > found.count == len(lists)
    assert list(found.lists()) == lists and found.usage() == shares


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
