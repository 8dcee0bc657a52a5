"""PMML and DMN: the files that engines of others have run, and what the two languages refuse."""

import json
import sys
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import numpy as np
import pytest
from corels_languages.dmn import conjunctions, identifiers, to_dmn
from corels_languages.pmml import to_pmml

import corels
from corels.errors import InputError
from corels.model.decider import Clause, Decider, in_order
from corels.tables import Antecedent, Condition, as_columns, load
from corels.testing.exports import odd_case

ENGINES = Path(__file__).resolve().parents[2] / "engines"
KEPT = json.loads((ENGINES / "golden.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def cases():
    sys.path.insert(0, str(ENGINES))
    from cases import random_cases

    sys.path.remove(str(ENGINES))
    return random_cases(len(KEPT))


@pytest.mark.parametrize("number", range(len(KEPT)))
def test_files_are_those_that_engines_have_run(cases, number):
    kept, case = KEPT[number], cases[number]
    assert (case["pmml"], case["dmn"]) == (kept["pmml"], kept["dmn"])
    for engine, answers in kept["answers"].items():
        assert answers == case["said"], engine
    assert {"jpmml", "pmml4s"} <= {*kept["answers"]} or kept["pmml"] is None
    assert "feelin" in kept["answers"] or kept["dmn"] is None


def rule_list(*conditions, label="y"):
    rule = corels.Rule(Antecedent.of(*conditions), 1, (0, 1))
    return corels.RuleList((rule,), corels.Rule(None, 0, (1, 0)), ("no", "yes"), label)


@pytest.mark.parametrize(
    ("conditions", "write", "sentence"),
    [
        ([Condition("d", "<=", "2024-01-02")], to_pmml, "PMML engines know no order of dates"),
        ([Condition("a", "==", 1), Condition("a", "!=", "x")], to_pmml, "numbers and texts"),
        ([Condition("a", "==", 1), Condition("a", "!=", "x")], to_dmn, "numbers and texts"),
        ([Condition("a\x01", "==", 1)], to_dmn, "has the character '\\x01'"),
        ([Condition("y", "==", 1)], to_pmml, "has the name of the label"),
        ([Condition("m", "<=", "2024-01")], to_dmn, "no months or times of day alone"),
        ([Condition("t", ">", "10:30:00")], to_dmn, "no months or times of day alone"),
        ([Condition(" ", "==", 1)], to_pmml, "needs columns with names"),
    ],
)
def test_what_cannot_be_written_is_one_sentence(conditions, write, sentence):
    with pytest.raises(InputError, match=sentence.replace("\\", "\\\\")) as found:
        write(rule_list(*conditions))
    assert "\n" not in str(found.value)


def test_cells_of_a_decision_table():
    conditions = [
        Condition("age", ">", 22), Condition("age", "<=", 28),
        Condition("grade", "not in", ("a", 'b"')), Condition("days", "<=", "2024-01-02"),
        Condition("home owner", "missing"), Condition("smokes", "true"), Condition("x", "present"),
    ]  # fmt: skip
    root = ElementTree.fromstring(to_dmn(rule_list(*conditions), booleans="boolean"))
    space = {"d": "https://www.omg.org/spec/DMN/20191111/MODEL/"}
    first = root.find(".//d:rule", space)
    assert [entry.text for entry in first.findall("d:inputEntry/d:text", space)] == [
        "(22..28]", '? != null and not(? in ("a","b\\""))',
        '<= date and time("2024-01-02T00:00:00")', "null", "true", "? != null",
    ]  # fmt: skip
    labels = [one.get("label") for one in root.findall(".//d:input", space)]
    assert labels == ["age", "grade", "days", "home owner", "smokes", "x"]


def test_a_rule_set_is_its_clauses():
    problem = corels.Problem.from_dataset(load("tic-tac-toe"))
    options = {"solver": "rule-set", "complexity": 8, "time_limit": 20}
    either = corels.solve(problem, **options).model
    rows = ElementTree.fromstring(to_dmn(either)).findall(".//{*}rule")
    assert len(rows) == sum(len(one.clauses) for one in either.deciders()[:-1]) + 1
    every = corels.solve(problem, form="cnf", **options).model
    assert "CompoundPredicate" in to_pmml(every)


@pytest.mark.parametrize("seed", range(60))
def test_conjunctions_hold_where_their_decider_does(seed):
    model, table = odd_case(Random(seed), points=True)
    columns = as_columns(table)
    first = np.full(len(next(iter(table.values()))), len(model.deciders()) - 1)
    deciding, _ = in_order(model.deciders())
    for decider in reversed(deciding):
        for asked in conjunctions(decider):
            held = np.all([one.holds(columns[one.column]) for one in asked], axis=0)
            first[held] = model.deciders().index(decider)
    outcomes = [model.deciders()[one].outcome for one in first]
    assert outcomes == model.predict_indices(table).tolist()


def test_a_conjunctive_form_of_many_rows_is_refused():
    either = [Antecedent.of(Condition(name, "true")) for name in "abcdefghij"]
    clauses = tuple(Clause(tuple(either), "or", (1, 1)) for _ in range(5))
    rows = conjunctions(Decider(1, (1, 1), clauses[:2], "all"))
    assert len(rows) == 100 and len(rows[0]) == 1 and len(rows[1]) == 2
    with pytest.raises(InputError, match="pmml writes it"):
        conjunctions(Decider(1, (1, 1), clauses, "all"))


def test_names_of_inputs_are_identifiers():
    names = ["age", "Age", "home owner", "date", "9", "", "ü"]
    found = identifiers(names)
    assert found == ["age", "Age_2", "home_owner", "date_2", "_9", "column", "column_2"]
