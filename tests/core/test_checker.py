"""The checker agrees with what is right, and finds every single thing that is made wrong."""

from __future__ import annotations

import copy
from fractions import Fraction

import numpy as np
import pytest

import corels
from corels.check.model import check_model
from corels.check.points import Table
from corels.errors import InputError
from corels.plugins import registry
from corels.tables import as_columns
from corels.testing import random_dataset

TABLE = {
    "age": [20, 31, 45, None, 28, 61, 39, 47],
    "size": ["s", "m", None, "m", "l", "s", "s", "m"],
    "smoker": [0, 1, 1, 0, 1, 0, 1, 1],
}
ILL = ["no", "yes", "yes", "no", "yes", "no", "no", "yes"]


def document_of(result):
    return {**result.model.to_document(), "certificate": result.certificate.to_document()}


def learned(regularization="1/20", **options):
    from corels.tables import TableOptions, table_dataset

    table_options = TableOptions(min_support=0.0, negations=True, max_cardinality=2)
    data = table_dataset({**TABLE, "ill": ILL}, "ill", table_options)
    problem = corels.Problem.from_dataset(data, regularization)
    return document_of(corels.solve(problem, **options))


def check(document, columns=TABLE, labels=ILL, weights=None):
    family = registry().get("solver", "rule-list")()
    return check_model(document, Table(as_columns(columns), labels, weights), family)


def wrong(document, labels=ILL, weights=None, columns=None):
    findings = check(document, columns or TABLE, labels, weights)
    return [finding.what for finding in findings if not finding.holds]


def test_a_right_model_agrees():
    for regularization in ("1/20", "1/100", "1/3"):
        assert wrong(learned(regularization)) == []


def test_a_model_that_was_stopped_early_agrees():
    document = learned("1/100", node_limit=1, preset="paper")
    assert not document["certificate"]["optimal"]
    assert wrong(document) == []


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("preset", ["fast", "paper"])
def test_random_problems_agree(seed, preset):
    rng = np.random.default_rng(seed)
    data = random_dataset(rng, rows=25, antecedents=5)
    problem = corels.Problem.from_dataset(data, Fraction(1, int(rng.integers(5, 60))))
    document = document_of(corels.solve(problem, preset=preset))
    columns = {
        a.conditions[0].column: data.captures[j].tolist() for j, a in enumerate(data.antecedents)
    }
    labels = [data.classes[label] for label in data.labels.tolist()]
    weights = None if data.weights is None else data.weights.tolist()
    assert wrong(document, labels, weights, columns) == []


def change(document, *path, value):
    found = copy.deepcopy(document)
    place = found
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return found


def test_a_false_lower_bound_is_refuted_by_a_reordering():
    """A list with a useless rule, said to be optimal: the same list without it is better."""
    document = learned("1/100")
    rule = document["rules"][0]
    useless = {
        "if": {
            "name": "age > 1000",
            "conditions": [{"column": "age", "operator": ">", "value": 1000}],
        },
        "then": "no",
        "counts": [0, 0],
    }
    objective = Fraction(document["certificate"]["exact"]["objective"]) + Fraction(1, 100)
    longer = change(document, "rules", value=[useless, rule, *document["rules"][1:]])
    for name in ("objective", "lower_bound"):
        longer = change(longer, "certificate", "exact", name, value=str(objective))
        longer = change(longer, "certificate", name, value=float(objective))
    assert wrong(longer) == ["not refuted"]


CONDITIONS = [
    ({"column": "age", "operator": "<=", "value": 31}, [1, 1, 0, 0, 1, 0, 0, 0]),
    ({"column": "age", "operator": ">", "value": 31}, [0, 0, 1, 0, 0, 1, 1, 1]),
    ({"column": "age", "operator": "missing"}, [0, 0, 0, 1, 0, 0, 0, 0]),
    ({"column": "age", "operator": "present"}, [1, 1, 1, 0, 1, 1, 1, 1]),
    ({"column": "size", "operator": "==", "value": "s"}, [1, 0, 0, 0, 0, 1, 1, 0]),
    ({"column": "size", "operator": "!=", "value": "s"}, [0, 1, 0, 1, 1, 0, 0, 1]),
    ({"column": "smoker", "operator": "true"}, [0, 1, 1, 0, 1, 0, 1, 1]),
    ({"column": "smoker", "operator": "false"}, [1, 0, 0, 1, 0, 1, 0, 0]),
    ({"column": "age", "operator": "==", "value": "31"}, [0, 1, 0, 0, 0, 0, 0, 0]),
    ({"column": "age", "operator": "!=", "value": 31}, [1, 0, 1, 0, 1, 1, 1, 1]),
]


@pytest.mark.parametrize(("condition", "holds"), CONDITIONS)
def test_every_operator(condition, holds):
    """Also against the evaluation that models use."""
    from corels.tables import Antecedent, Condition

    captured = [
        sum(h and label == c for h, label in zip(holds, ILL, strict=True)) for c in ("no", "yes")
    ]
    rest = [ILL.count(c) - n for c, n in zip(("no", "yes"), captured, strict=True)]
    document = {
        "schema": "corels/rule-list",
        "version": 1,
        "label": "ill",
        "classes": ["no", "yes"],
        "rules": [
            {
                "if": {"name": str(Condition.from_json(condition)), "conditions": [condition]},
                "counts": captured,
                "then": ("no", "yes")[captured[1] > captured[0]],
            },
            {"if": None, "counts": rest, "then": ("no", "yes")[rest[1] > rest[0]]},
        ],
    }
    assert wrong(document) == []
    evaluated = Antecedent.of(Condition.from_json(condition)).evaluate(as_columns(TABLE))
    assert evaluated.tolist() == [bool(h) for h in holds]


def test_what_cannot_be_checked():
    document = learned()
    with pytest.raises(InputError, match="schema is 'corels/other'"):
        check({**document, "schema": "corels/other"})
    with pytest.raises(InputError, match="no column"):
        check(document, {})
    with pytest.raises(InputError, match="row 2 has the class 'maybe'"):
        check(document, TABLE, ["no", "maybe", *ILL[2:]])
    with pytest.raises(InputError, match="incomplete or malformed"):
        check({"schema": "corels/rule-list", "version": 1, "classes": []})


def test_it_shares_no_code_with_the_engines():
    """What counts runs on plain data: other modules are imported for their types alone."""
    import ast
    from pathlib import Path

    import corels.check.model
    import corels.check.recount

    own = ("check.finding", "check.recount", "check.sides", "check.rated")
    own += ("model.coherence", "model.schema", "model.printable")
    names = (
        "errors",
        "options",
        "check.points",
        "check.watch",
        "problem.rates",
        *own,
    )  # see test_independence.py
    allowed = {f"corels.{name}" for name in names}
    for module in (corels.check.model, corels.check.recount):
        tree = ast.parse(Path(module.__file__).read_text())
        names = {node.module for node in tree.body if isinstance(node, ast.ImportFrom)}
        assert {name for name in names if name.startswith("corels")} <= allowed
