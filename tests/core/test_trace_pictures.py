"""Pictures of several runs: a run has one colour everywhere, and its numbers lie over no others."""

from itertools import combinations

import pytest

import corels
from corels.plots.draw import in_terminal, to_matplotlib
from corels.plots.figure import Figure, Panel, Series
from corels.problem import Problem
from corels.run.trace import TraceSink, read_trace
from corels.tables import load

pytest.importorskip("matplotlib")
searches = pytest.importorskip("corels_workbench.searches")


@pytest.fixture(scope="module")
def traces(tmp_path_factory):
    problem, found = Problem.from_dataset(load("breast-cancer"), "0.01"), {}
    for search in ("depth-first", "best-first"):
        file = tmp_path_factory.mktemp("traces") / f"{search}.jsonl"
        corels.solve(problem, search=search, sinks=[TraceSink(file, problem)])
        found[search] = read_trace(file)
    return found


def test_a_run_has_one_colour_in_every_panel(traces):
    figure = searches.trace_figure(traces)
    colours = {}
    for panel, axes in zip(figure.panels, to_matplotlib(figure).axes, strict=False):
        assert axes.get_legend() is not None, panel.title
        for line in axes.get_lines():
            run = str(line.get_label()).partition(":")[0]
            colours.setdefault(run, set()).add(line.get_color())
    assert set(colours) == set(traces)
    assert all(len(found) == 1 for found in colours.values())
    assert len(set.union(*colours.values())) == len(colours)


def overlapping(axes):
    boxes = [one.get_window_extent() for one in axes.texts]
    return [pair for pair in combinations(boxes, 2) if pair[0].overlaps(pair[1])]


def test_no_number_and_no_tick_lies_over_another(traces):
    canvas = to_matplotlib(searches.trace_figure(traces))
    canvas.draw_without_rendering()
    assert canvas.axes[0].texts, "the numbers of rules"
    for axes in canvas.axes:
        assert not overlapping(axes)
        ticks = [one.get_window_extent() for one in axes.get_xticklabels() if one.get_text()]
        assert not [pair for pair in combinations(ticks, 2) if pair[0].overlaps(pair[1])]


@pytest.mark.parametrize(
    ("columns", "y_label"), [(80, "log10 of lists"), (80, ""), (60, "objective")]
)
def test_a_picture_in_a_terminal_is_as_wide_as_that(columns, y_label, monkeypatch):
    pytest.importorskip("plotille")
    monkeypatch.setenv("COLUMNS", str(columns))
    line = Series("run", [0.0, 0.5, 1.2], [3.0, 2.0, 1.0], "step")
    text = in_terminal(Figure("", [Panel("a search", "seconds", y_label, [line])]))
    assert max(map(len, text.splitlines())) <= columns
    assert "-0.0" not in text, "nothing is before the first second"


def test_a_small_bar_is_seen_and_has_its_number():
    bars = Series("children", ["a", "b"], [3.0, 1e7], "bar")
    (axes,) = to_matplotlib(Figure("", [Panel("", "children", "", [bars])])).axes
    assert [one.get_text() for one in axes.texts] == ["3", "10,000,000"]
    assert axes.get_xscale() == "log"
