"""Advice after a search, and warnings before one: what they say is true."""

from __future__ import annotations

import re

import numpy as np
import pytest
from corels_rule_list.explain.advice import advice
from corels_rule_list.explain.why import why
from corels_rule_list.solver import RuleListSolver

import corels
from corels.plugins import Registry
from corels.problem.warnings import warnings_before
from corels.tables import TableOptions, load, table_dataset
from corels.testing import random_dataset
from corels.testing.problems import dataset_of


def problem(regularization, **options):
    data = load("titanic", TableOptions(**options))
    return corels.Problem.from_dataset(data, regularization)


def said(problem, **options):
    result = corels.solve(problem, **options)
    return list(advice(problem, result.model, result.certificate, options))


def test_nothing_is_said_where_all_is_well():
    assert list(warnings_before(problem("0.01"))) == []
    assert said(problem("0.01")) == []


def test_without_the_engine_in_c_it_is_said_what_searches(monkeypatch):
    names = Registry.names
    usually = list(RuleListSolver().warnings(problem("0.01")))
    monkeypatch.setattr(
        Registry, "names", lambda own, kind: tuple(n for n in names(own, kind) if n != "c")
    )
    (sentence,) = RuleListSolver().warnings(problem("0.01"))
    assert usually == [] and "the backend python searches" in sentence
    found = corels.solve(problem("0.05"))
    assert found.certificate.parts["backend"] == "python"


def test_a_lambda_that_is_worth_less_than_two_rows():
    (sentence,) = warnings_before(problem("1/2201"))
    assert "as much as 1 of 2201 rows" in sentence
    (sentence,) = warnings_before(problem("0.0001"))
    assert "0.22 of 2201 rows" in sentence
    (sentence,) = warnings_before(problem("0"))
    assert "at lambda 0 a rule costs nothing" in sentence


def test_a_rare_class():
    captures = np.arange(200).reshape(2, 100) % 3 == 0
    labels = (np.arange(100) < 4).astype(int)
    rare = corels.Problem.from_dataset(dataset_of(captures, labels), "0.1")
    sentence = said(rare)[-1]
    assert sentence == '4.0% of the rows are 1: --cost balanced, or --constraint "recall >= 0.8"'
    often = corels.Problem.from_dataset(dataset_of(captures, 1 - labels), "0.1")
    assert said(often)[-1] == "4.0% of the rows are 0: --cost balanced"  # recall is of the last
    assert not any("balanced" in one for one in said(problem("0.4")))


def test_a_label_of_numbers():
    def said_of(classes):
        captures = np.arange(126).reshape(2, 63) % 3 == 0
        labels = np.arange(63) % classes
        return list(
            warnings_before(
                corels.Problem.from_dataset(dataset_of(captures, labels, classes), "0.1")
            )
        )

    assert said_of(20) == []
    (sentence,) = said_of(21)
    assert "21 classes, the largest of which holds 4.8% of the rows" in sentence


def test_more_antecedents_than_rows():
    data = random_dataset(np.random.default_rng(5), rows=6, antecedents=12)
    few = corels.Problem.from_dataset(data, "1/3")
    assert (few.n_antecedents, few.rows) == (6, 5)
    assert any("more antecedents (6) than rows (5)" in one for one in warnings_before(few))


def test_below_which_lambda_a_first_rule_pays():
    (sentence,) = said(problem("0.5"))
    assert "if sex = Female, needs lambda < 0.099 (exactly 218/2201)" in sentence
    below = corels.solve(problem("0.5").with_regularization("217/2201"))
    assert len(below.model) == 1


def test_a_rule_that_must_say_the_wrong_class_saves_nothing():
    table = {"x": [1] * 6 + [5] * 188 + [None] * 6, "y": ["no"] * 156 + ["yes"] * 38 + ["no"] * 6}
    up = TableOptions(columns={"x": "direction up"}, min_support="0.05")
    against = corels.Problem.from_dataset(table_dataset(table, "y", up), "0.01")
    assert [a.name for a in against.antecedents] == ["x > 1"]  # may only say yes
    assert "no single rule saves an error" in said(against)[0]
    assert why(against, corels.solve(against).model).single_pays_below == 0


@pytest.mark.parametrize("regularization", ["0.001", "0.005"])
def test_what_was_tried_is_so(regularization):
    hard = problem(regularization, max_cardinality=2)
    found = said(hard, node_limit=0, start="none")
    assert found
    for sentence in found:
        tried = re.match(
            r"lambda (\S+) is certified in .*, with (\d+) rules? and (\d+) err", sentence
        )
        if tried:
            again = corels.solve(hard.with_regularization(tried[1]))
            assert (len(again.model), again.model.errors) == (int(tried[2]), int(tried[3]))
    assert any(sentence.startswith(("lambda", "for a certificate, a larger")) for sentence in found)


def test_nothing_is_tried_where_to_prepare_it_takes_too_long(monkeypatch):
    monkeypatch.setattr("corels_rule_list.explain.advice.MOST_BYTES", 0)
    (sentence,) = said(problem("0.001"), node_limit=0, start="none")
    assert sentence.endswith("the data are too large to try some here")


def test_tries_keep_to_the_memory_limit(monkeypatch):
    """Or they would name what does not fit either."""
    asked = []

    def solve(problem, **options):
        asked.append(options)
        return corels.solve(problem, **options)

    monkeypatch.setattr("corels_rule_list.explain.advice.solve", solve)
    board = corels.Problem.from_dataset(load("tic-tac-toe"), "0.002")
    found = said(board, preset="plain", policy="bfs", memory_limit=1)
    assert found[0] == "more memory: 1 MB is not enough to go on" and asked
    assert {options["memory_limit"] for options in asked} == {1}
