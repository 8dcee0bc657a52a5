"""The checker agrees with what is right, and finds every single thing that is made wrong."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from entries import put

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
    longer = put(document, ("rules",), [useless, rule, *document["rules"][1:]])
    for name in ("objective", "lower_bound"):
        longer = put(longer, ("certificate", "exact", name), str(objective))
        longer = put(longer, ("certificate", name), float(objective))
    assert wrong(longer) == ["not refuted"]


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
