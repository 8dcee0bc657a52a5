"""The tree of a search: every prefix that the events name is in it, with what became of it."""

from __future__ import annotations

import xml.dom.minidom
from dataclasses import replace

import corels_rule_list.commands.tree
import numpy as np
import pytest
from called import ended as run
from corels_rule_list.explain.tree import STATES, Node, TreeSink, rows, to_svg, to_text

import corels
from corels.model import Stopped
from corels.search import Kind, Recorder
from corels.tables import load
from corels.testing import random_problem

SEARCHES = (
    {"preset": "paper"},
    {"preset": "plain", "policy": "dfs"},
    {"search": "depth-first", "start": "none"},
)


def walked(node):
    yield node
    for child in node.children:
        yield from walked(child)


def test_without_a_limit_the_command_ends_by_itself(monkeypatch, capsys):
    """It asks for a time limit, and says so if that ends the search. Here a count does."""
    asked = []

    def stopping(problem, solver, **options):
        asked.append(options)
        found = corels.solve(problem, solver, **options | {"time_limit": None, "node_limit": 1})
        return replace(found, certificate=replace(found.certificate, stopped=Stopped.TIME_LIMIT))

    monkeypatch.setattr(corels_rule_list.commands.tree, "solve", stopping)
    for typed in ([], ["--node-limit", "1"]):
        code, _, err = run(capsys, "tree", "--dataset", "tic-tac-toe", *typed)
        assert code == 3 and ("stopped after 60 s: --time-limit or" in err) is not bool(typed)
    assert 0 < asked[0]["time_limit"] <= 60
    assert asked[1].get("time_limit") is None


@pytest.mark.parametrize("options", SEARCHES)
@pytest.mark.parametrize("seed", range(3))
def test_every_prefix_has_its_place(seed, options):
    problem = random_problem(np.random.default_rng(seed), antecedents=7, rows=60)
    tree, recorder = TreeSink(problem), Recorder()
    corels.solve(problem, sinks=[tree, recorder], **options)
    found = list(walked(tree.root))
    assert tree.omitted == 0
    popped = int((recorder.records["kind"] == Kind.POP).sum())
    assert tree.expanded == popped
    pushed = recorder.records[recorder.records["kind"] == Kind.PUSH]
    assert len(found) >= len(pushed) + 1
    assert {node.state for node in found} <= set(STATES)
    for node in found:
        assert node.bound is not None or node is tree.root or node.best is not None
        if node.state in ("dropped", "merged"):
            assert node.why


def test_the_limit_counts_what_it_leaves_out():
    problem = corels.Problem.from_dataset(load("titanic"), "0.001")
    tree = TreeSink(problem, limit=5)
    corels.solve(problem, preset="plain", sinks=[tree], node_limit=20)
    assert len(list(walked(tree.root))) <= 6
    assert tree.omitted > 0


def small():
    root = Node("no rule yet", "expanded", bound=0.1)
    root.children = [Node(f"x{j}", "dropped", "lookahead", 0.5) for j in range(9)]
    root.children.append(Node('a "quoted" <b>\\\n', "kept", bound=0.2, best=0.3))
    return root


def test_groups_are_cut_short_and_text_is_escaped():
    root = small()
    text = to_text(root)
    assert "and 6 more dropped by lookahead" in text
    assert text.count("\n") == len(rows(root)) - 1
    picture = xml.dom.minidom.parseString(to_svg(root, "a & b"))
    words = [node.firstChild.data for node in picture.getElementsByTagName("text")]
    assert any('a "quoted" <b>' in word for word in words)


def test_a_deep_tree_needs_no_recursion():
    root = node = Node("no rule yet", "expanded")
    for depth in range(3000):
        node.children = [Node(f"x{depth}", "expanded", bound=float(np.float64(depth)))]
        node = node.children[0]
    assert len(rows(root)) == 3001


def test_the_command(capsys, tmp_path):
    path = tmp_path / "t.svg"
    code, out, err = run(capsys, "tree", "--dataset", "titanic", "-o", path)
    assert (code, err) == (0, "")
    assert out.startswith("no rule yet")
    assert path.stat().st_size > 100
    code, _, err = run(
        capsys, "tree", "--dataset", "tic-tac-toe", "--prefixes", 5, "--node-limit", 3
    )
    assert code == 3
    assert "more prefixes are not drawn" in err
    code, _, err = run(capsys, "tree", "--dataset", "titanic", "--prefixes", 0)
    assert code == 2 and err.startswith("error: --prefixes is '0'")
