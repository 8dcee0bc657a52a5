"""The story of a search says what the events say, in the paper's numbers."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np
import pytest
from corels.antecedents import Antecedent, Condition
from corels.data import Dataset, load
from corels_rule_list.explain.story import ExplainSink
from corels_rule_list.explain.telling import Event, Price, Reasons, fields
from corels_rule_list.model import RuleList

import corels
from corels.plugins import registry
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
    sink = ExplainSink(problem, parts.append, steps=options.pop("steps", None))
    corels.solve(problem, sinks=[sink, recorder], **options)
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


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"start": "none", "no_bound": ("one_rule", "second_rule", "leaves", "prices")},
        {"search": "best-first"},
        {"preset": "paper"},
        {"preset": "plain"},
        {"search": "best-first", "map": "none", "start": "none"},
    ],
)
@pytest.mark.parametrize("seed", range(6))
def test_every_number_agrees_with_the_events(options, seed):
    data = random_dataset(np.random.default_rng(seed), rows=12, antecedents=4)
    problem = corels.Problem.from_dataset(data, "1/20")
    options = {"no_bound": ("leaves", "prices"), **options}
    texts = {}
    for backend in ("python", "c"):
        text, records = story(problem, backend=backend, **options)
        texts[backend] = text
    assert texts["python"] == texts["c"]
    listed = children_of(records)
    found = [match.groupdict() for match in map(CHILD.search, text.splitlines()) if match]
    assert len(found) == len(listed)
    for line, record in zip(found, listed, strict=True):
        bound = problem.objective(int(record["lower_bound"]))
        assert float(bound) == pytest.approx(float(line["bound"]), abs=6e-5)
        rules = int(line["rules"] or 0)
        assert Fraction(int(line["errors"]), int(line["total"])) + rules * Fraction(1, 20) == bound
        assert rules == record["length"]
        counts = re.findall(r"(\d+) ", line["counts"] or "")
        assert sum(map(int, counts)) == int(line["support"])


def children_of(records):
    """The records that list children, those of each expansion by antecedent."""
    found, open_node, here, pushed = [], None, [], set()
    for record in records:
        kind, node = record["kind"], record["node"]
        if kind == Kind.POP:
            found += sorted(here, key=lambda r: r["antecedent"])
            open_node, here, pushed = node, [], set()
        listed = kind == Kind.PUSH and record["count"] == open_node
        if kind in (Kind.PRUNE, Kind.MERGE):
            listed = node == open_node and record["antecedent"] not in pushed
        if listed and record["antecedent"] >= 0:
            here.append(record)
        if kind == Kind.PUSH:
            pushed.add(record["antecedent"])
        if kind in (Kind.SETTLE, Kind.COLLECT, Kind.STALE):
            found += sorted(here, key=lambda r: r["antecedent"])
            open_node, here = None, []
    return found + sorted(here, key=lambda r: r["antecedent"])


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


def test_a_bound_of_a_stranger_is_told_by_its_own_summary():
    class Short(corels.Bound):
        name = "short"
        summary = "drops a child if it has more than one rule"
        theorem = "the test"

        def keep(self, children, incumbent):
            return children.length <= 0

    problem = corels.Problem.from_dataset(tiny(), "1/20")
    for backend in ("c", "python"):
        text, _ = story(problem, preset="plain", bound=(Short,), backend=backend)
        assert "pruned by short" in text
        assert "the bound drops a child if it has more than one rule" in text


BOUNDS = [entry.part for entry in registry() if entry.kind == "bound"]


@pytest.mark.parametrize("bound", BOUNDS, ids=lambda bound: bound.name)
def test_the_story_of_every_bound_can_be_told(bound):
    problem = corels.Problem.from_dataset(tiny(), "1/20")
    child = RuleList.of(problem, [0])
    event = Event(Kind.PRUNE, 0, 0, 1, 0, 0, 20, 0)

    class Said:
        bounds = (bound(),)

    reasons = Reasons(Said, [bound.name])
    told = reasons.why(0, fields(child, event, Price(problem), 30, problem.rule_cost))
    assert told and "{" not in told
    assert "keeps" not in told, "a story says why the child is dropped"
    assert bound.summary.startswith("drops "), "a summary says when a child is dropped"
    if any(bound.story):
        assert all(bound.story), "numbers, and what they mean"
        again = reasons.why(0, fields(child, event, Price(problem), 30, problem.rule_cost))
        assert told == f"{again}. {bound.story[1]}."


def test_a_better_list_is_told_after_the_child_that_it_comes_from():
    problem = corels.Problem.from_dataset(load("titanic"), "0.003")
    text, _ = story(problem, search="best-first", start="none", no_bound=("leaves", "prices"))
    for better in re.finditer(r"\+ (.+): captures .*\n.*\n  \* A better list: (.*)\n", text):
        assert f"if {better[1]} then" in better[2]


def test_only_so_many_steps_are_told():
    problem = corels.Problem.from_dataset(load("tic-tac-toe"), "0.01")
    text, _ = story(problem, start="none", steps=3)
    assert text.count("\nStep ") == 3
    assert "After 3 steps only better lists are told" in text
    assert "The incumbent is optimal" in text
    assert len(text.splitlines()) < 400


def test_a_search_that_is_stopped():
    problem = corels.Problem.from_dataset(load("tic-tac-toe"), "0.01")
    text, _ = story(problem, node_limit=2)
    assert "The search was stopped (node limit); the best list so far may be beaten by" in text
