"""The steps of a search, one by one: fields and sentences, from Python and with --explain."""

import re
from fractions import Fraction
from itertools import islice

import numpy as np
import pytest
from corels_python.best_first import BestFirst
from corels_rule_list.explain.tree import TreeSink
from corels_rule_list.model import RuleList

import corels
from corels.run.explain import MOST_SAID, SENTENCES, ExplainSink
from corels.search import Context, Kind, Recorder
from corels.tables import Antecedent, Condition, Dataset, load
from corels.testing import random_dataset

OPTIONS = [
    {"preset": "paper"},
    {"policy": "curiosity"},
    {"search": "depth-first", "start": "none"},
    {"map": "captured", "policy": "bfs"},
]


def problem_of(seed, classes=2):
    data = random_dataset(np.random.default_rng(seed), antecedents=5, rows=20, classes=classes)
    return corels.Problem.from_dataset(data, "1/20")


@pytest.mark.parametrize("backend", ["c", "python"])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_each_step_is_an_event_with_its_names(backend, options):
    for seed in range(4):
        problem, recorder = problem_of(seed), Recorder()
        given = {"backend": backend, **options}
        found = corels.solve(problem, sinks=[recorder], **given)
        told = list(corels.steps(problem, **given))
        records = recorder.records
        assert [step.kind for step in told] == [Kind(k).name.lower() for k in records["kind"]]
        assert (told[0].kind, told[-1].kind) == ("start", "done")
        assert told[-1].objective == told[-1].lower_bound == found.certificate.objective
        best = [step.objective for step in told if step.objective and step.kind == "incumbent"]
        assert best == sorted(best, reverse=True)
        names = set(map(str, problem.antecedents))
        for step, record in zip(told, records, strict=True):
            assert str(step).endswith(".") and "\n" not in str(step) and "{" not in str(step)
            assert set(step.prefix) <= names
            if step.kind in ("pop", "push", "prune", "merge", "stale"):
                assert len(step.prefix) == record["length"] or not step.prefix
            assert (step.kind == "prune") is bool(step.bound)
            if step.bound:
                assert step.bound in str(step)


def least(problem, prefix, more=0):
    """The objective of the best list that begins so, with at least so many rules more."""
    names = list(map(str, problem.antecedents))
    found = [] if more else [RuleList.of(problem, list(map(names.index, prefix)))]
    best = [one.objective(problem.regularization) for one in found]
    rest = [name for name in names if name not in prefix]
    best += [least(problem, (*prefix, name), max(0, more - 1)) for name in rest]
    return min(best, default=Fraction(10))


def walked(node, prefix=()):
    yield node, prefix
    for child in node.children:
        yield from walked(child, (*prefix, child.name))


@pytest.mark.parametrize("backend", ["c", "python"])
@pytest.mark.parametrize("options", [{}, *OPTIONS], ids=str)
def test_no_list_costs_less_than_a_step_or_the_tree_says(backend, options):
    closed, longer = 0, re.compile("longer ones cost at least ([0-9.]+):")
    for seed in range(8):
        data = random_dataset(np.random.default_rng([7, seed]), antecedents=4, rows=14)
        problem = corels.Problem.from_dataset(data, "1/12")
        for step in corels.steps(problem, backend=backend, **options):
            if step.lower_bound is not None and step.kind != "done":
                assert step.lower_bound <= least(problem, step.prefix), step
            if step.kind == "push":
                assert least(problem, step.prefix) <= step.objective
            if found := longer.search(str(step)):
                assert float(found[1]) <= float(least(problem, step.prefix, 2)) + 1e-4, step
                closed += 1
        tree = TreeSink(problem)
        corels.solve(problem, sinks=[tree], backend=backend, **options)
        for node, prefix in walked(tree.root):
            assert node.bound is None or node.bound <= float(least(problem, prefix)) + 1e-9
    assert closed or options


def test_both_backends_say_the_same():
    problem = problem_of(1)
    for options in OPTIONS[:2]:
        told = [
            list(map(str, corels.steps(problem, backend=b, **options))) for b in ("c", "python")
        ]
        assert told[0] == told[1]


def tiny():
    """Ten rows, three antecedents; `hot` is right but for one row."""
    bits = np.zeros((3, 10), dtype=bool)
    bits[0, :4] = bits[1, [0, 1, 4, 5]] = bits[2, 9] = True
    names = ("hot", "wet", "rare")
    return Dataset(
        antecedents=tuple(Antecedent.of(Condition(name, "true")) for name in names),
        captures=bits,
        labels=np.array([1, 1, 1, 0, 0, 0, 0, 0, 0, 0]),
        classes=("no", "yes"),
        label_name="rain",
    )


def test_the_sentences_of_a_tiny_problem():
    problem = corels.Problem.from_dataset(tiny(), "1/5")
    told = list(map(str, corels.steps(problem, preset="paper", policy="bfs")))
    assert told[0] == "10 rows, 3 antecedents, lambda 0.2. Without rules the objective is 0.3000."
    assert told[1] == "Take the empty prefix: whatever follows, the cost is at least 0.1000."
    assert told[2] == (
        "Drop [rare], which costs at least 0.3000: ruled out by support (Theorem 10), and it drops "
        "a child if its new rule captures less than lambda * N."
    )
    assert told[-1] == (
        "Everything was searched or ruled out: objective 0.3000, no model costs less than 0.3000."
    )


class Short(corels.Bound):
    """Lists of more than two rules are never worth their price here.

    A second paragraph is left out.
    """

    name = "short"
    summary = "drops a child if it has more than two rules"
    theorem = "docs/short.md"

    def keep(self, children, incumbent):
        return children.length <= 2


@pytest.mark.parametrize("backend", ["c", "python"])
def test_the_docstring_of_a_stranger_says_more(backend):
    problem = problem_of(3)
    options = {"preset": "plain", "bound": (Short,), "backend": backend}
    dropped = [str(step) for step in corels.steps(problem, **options) if step.bound == "short"]
    assert dropped[0].endswith(
        "ruled out by short (docs/short.md), and it drops a child if it has more than two rules; "
        "Lists of more than two rules are never worth their price here."
    )
    assert dropped[1].endswith("ruled out by short (docs/short.md).") and len(dropped) > 2


def test_leaving_the_loop_closes_the_search(monkeypatch):
    closed, problem = [], problem_of(0)
    close = BestFirst.close
    monkeypatch.setattr(BestFirst, "close", lambda self: (closed.append(self), close(self)))
    first = list(islice(corels.steps(problem, preset="paper", backend="python"), 3))
    assert [step.kind for step in first] == ["start", "pop", first[2].kind] and closed
    with pytest.raises(corels.OptionError, match="unknown policy"):
        next(corels.steps(problem, policy="nobody"))


def test_every_kind_has_a_sentence_and_other_families_have_steps():
    assert set(SENTENCES) == set(Kind)
    for solver in ("falling", "rule-set"):
        told = list(corels.steps(problem_of(2), solver))
        assert told[0].kind == "start" and all(map(str, told))
        assert "lambda" not in str(told[0])


@pytest.mark.parametrize("backend", ["c", "python"])
def test_first_rules_are_counted(backend, capsys):
    problem = corels.Problem.from_dataset(load("titanic"), "1/20").beginning(["class = Crew"])
    told = [str(step) for step in corels.steps(problem, backend=backend)]
    assert "Without further rules the objective is 0.3730." in told[0]
    found = corels.solve(problem, backend=backend, sinks=["progress"]).model
    last = [one for one in told if one.startswith("A better model")][-1]
    assert f"found: {len(found)} rules" in last and len(found) == 2
    assert "better: objective 0.33171, length 2" in capsys.readouterr().err


def test_after_so_many_steps_only_better_models_are_said():
    problem, said = corels.Problem.from_dataset(load("titanic"), "0.001"), []
    sink = ExplainSink(Context(problem, "rule-list", said.append))
    corels.solve(problem, sinks=[sink], preset="plain", node_limit=30)
    late = said[MOST_SAID + 1 :]
    assert len(said) > MOST_SAID and said[MOST_SAID].startswith("From here on")
    assert late[-1].startswith("Stopped (node limit): no model is better by more than")
    assert all(line.startswith("A better") for line in late[:-1])
