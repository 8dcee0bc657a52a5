"""The story of a search says what the events say, in the paper's numbers."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np
import pytest

import corels
from corels.antecedents import Antecedent, Condition
from corels.data import Dataset, load
from corels.insight.story import ExplainSink
from corels.search import Kind, Recorder
from corels.testing import random_dataset

CHILD = re.compile(
    r"\+ (?P<name>.+): captures (?P<support>\d+)(?: \((?P<counts>[^)]*)\))?, "
    r"predicts (?P<label>\w+); lower bound (?P<errors>\d+)/(?P<total>\d+)"
    r"(?: \+ (?P<rules>\d+) rules? x (?P<price>[\d.]+))? = (?P<bound>[\d.]+)"
)


def story(problem, **options):
    parts: list[str] = []
    recorder = Recorder()
    corels.solve(problem, sinks=[ExplainSink(problem, parts.append), recorder], **options)
    return "".join(parts), recorder.records


def tiny():
    """Ten rows, three antecedents; `hot` is right but for one row."""
    bits = np.array(
        [
            [1, 1, 1, 1, 0, 0, 0, 0, 0, 0],
            [1, 1, 0, 0, 1, 1, 0, 0, 0, 0],
            [0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
        ],
        dtype=bool,
    )
    names = ("hot", "wet", "rare")
    return Dataset(
        antecedents=tuple(Antecedent.of(Condition(name, "true")) for name in names),
        captures=bits,
        labels=np.array([1, 1, 1, 0, 0, 0, 0, 0, 0, 0]),
        classes=("no", "yes"),
        label_name="rain",
    )


def test_the_story_of_a_tiny_problem():
    problem = corels.Problem.from_dataset(tiny(), "1/5")
    text, _ = story(problem, preset="paper", policy="bfs")
    assert "10 rows, 3 antecedents, lambda = 0.2: a rule must save more than 2 errors" in text
    assert "predict rain = no for all: objective 3/10 = 0.3000" in text
    assert "captures 4 (1 no, 3 yes), predicts yes" in text
    assert (
        "pruned by support (Theorem 10): it captures 1, fewer than lambda x N = 2. "
        "Without the rule, no more errors than that are added, and its price is saved."
    ) in text
    assert text.rstrip().endswith("The incumbent is optimal: objective 0.3000.")


@pytest.mark.parametrize("options", [{}, {"preset": "paper"}, {"preset": "plain"}, {"map": "none"}])
@pytest.mark.parametrize("seed", range(6))
def test_every_number_agrees_with_the_events(options, seed):
    data = random_dataset(np.random.default_rng(seed), rows=12, antecedents=4)
    problem = corels.Problem.from_dataset(data, "1/20")
    texts = {}
    for backend in ("python", "c"):
        text, records = story(problem, backend=backend, **options)
        texts[backend] = text
    assert texts["python"] == texts["c"]
    children = records[np.isin(records["kind"], [Kind.PRUNE, Kind.MERGE, Kind.PUSH])]
    found = [match.groupdict() for match in map(CHILD.search, text.splitlines()) if match]
    assert len(found) == len(children)
    for line, record in zip(found, children, strict=True):
        bound = problem.objective(int(record["lower_bound"]))
        assert float(bound) == pytest.approx(float(line["bound"]), abs=6e-5)
        rules = int(line["rules"] or 0)
        assert Fraction(int(line["errors"]), int(line["total"])) + rules * Fraction(1, 20) == bound
        assert rules == record["length"]
        counts = re.findall(r"(\d+) ", line["counts"] or "")
        assert sum(map(int, counts)) == int(line["support"])


@pytest.mark.parametrize("name", ["titanic", "tic-tac-toe"])
def test_the_counts_are_those_of_the_parts(name):
    problem = corels.Problem.from_dataset(load(name), "0.02")
    text, records = story(problem, preset="paper", node_limit=60)
    kinds = {
        "pruned by": Kind.PRUNE,
        "dropped by the symmetry map": Kind.MERGE,
        "kept: it may lead": Kind.PUSH,
        "Take ": Kind.POP,
        "* A better list": Kind.INCUMBENT,
    }
    for phrase, kind in kinds.items():
        assert text.count(phrase) == (records["kind"] == kind).sum(), phrase


def test_a_bound_of_a_stranger_is_told_by_its_own_summary(monkeypatch):
    from corels.plugins import registry
    from corels.registry import Entry

    class Short(corels.Bound):
        name = "short"
        summary = "it has at most one rule"
        theorem = "the test"

        def keep(self, children, incumbent):
            return children.length <= 0

    entry = Entry("bound", "short", Short, "toy", "1")
    monkeypatch.setitem(registry()._entries, ("bound", "short"), entry)
    problem = corels.Problem.from_dataset(tiny(), "1/20")
    text, _ = story(problem, preset="plain", bound=("short",), backend="python")
    assert "pruned by short (the test): it keeps a prefix only if it has at most one rule" in text


def test_a_search_that_is_stopped():
    problem = corels.Problem.from_dataset(load("tic-tac-toe"), "0.01")
    text, _ = story(problem, node_limit=2)
    assert "The search was stopped (node limit); the best list so far may be beaten by" in text
