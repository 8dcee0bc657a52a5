"""A story is told in a reader's order, and ends before the reader does."""

from __future__ import annotations

import re

import pytest

import corels
from corels.data import load
from corels.insight.story import ExplainSink
from corels.insight.story_order import OrderedStory


def told(problem, steps=10**9, **options):
    lines = []
    story = OrderedStory(lambda write: ExplainSink(problem, write), lines.append, steps)
    corels.solve(problem, sinks=[story], **options)
    return "".join(lines)


@pytest.fixture(scope="module")
def problem():
    return corels.Problem.from_dataset(load("titanic"))


def test_children_come_by_antecedent_and_a_better_list_after_its_child(problem):
    text = told(problem, preset="paper")
    names = [antecedent.name for antecedent in problem.antecedents]
    for step in text.split("\nStep ")[1:]:
        children = re.findall(r"^    \+ (.+?): captures", step, re.M)
        assert children == sorted(children, key=names.index)
    first = text.split("\nStep ")[1]
    assert first.index("+ sex = Female") < first.index("* A better list: if sex = Female")
    assert first.index("* A better list: if sex = Female") < first.index("+ sex = Male")


@pytest.mark.parametrize("options", [{"preset": "paper"}, {"search": "depth-first"}])
def test_nothing_is_lost_but_the_order(problem, options):
    lines = []
    corels.solve(problem, sinks=[ExplainSink(problem, lines.append)], **options)
    as_it_came = "".join(lines)
    in_order = told(problem, **options)
    for shape in (r"^    \+ .*$", r"^  \* A better list.*$", r"^Step.*$"):
        found = re.findall(shape, in_order, re.M)
        assert sorted(found) == sorted(re.findall(shape, as_it_came, re.M))


def test_the_rest_is_counted():
    problem = corels.Problem.from_dataset(load("tic-tac-toe"), "0.02")
    text = told(problem, steps=3, preset="paper")
    assert text.count("\nStep ") == 3
    more = re.search(r"([\d,]+) more steps are not told", text)
    expanded = corels.solve(problem, preset="paper").certificate.expanded
    assert int(more[1].replace(",", "")) == expanded - 3
    assert text.index("not told") < text.index("The incumbent is optimal")
    assert len(told(problem, steps=0, preset="paper").splitlines()) < 100
