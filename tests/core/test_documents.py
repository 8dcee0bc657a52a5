"""Rule lists and certificates as JSON: everything survives the journey, damage is named."""

import json
from fractions import Fraction

import numpy as np
import pytest
from corels_rule_list.model import RuleList

import corels
from corels.errors import InputError
from corels.model import Certificate
from corels.tables import TableOptions, load
from corels.testing import random_problem


@pytest.fixture(scope="module")
def result():
    data = load("titanic", TableOptions(max_cardinality=2))
    return corels.solve(corels.Problem.from_dataset(data, "0.003"))


def through_json(document):
    return json.loads(json.dumps(document))


def test_a_rule_list_survives(result):
    model = result.model
    again = corels.RuleList.from_document(through_json(model.to_document()))
    assert again == model
    data = load("titanic", TableOptions(max_cardinality=2))
    assert (again.predict(data) == model.predict(data)).all()
    assert (again.predict_proba(data) == model.predict_proba(data)).all()


def test_random_rule_lists_survive():
    rng = np.random.default_rng(0)
    for _ in range(50):
        problem = random_problem(rng, classes=3)
        order = rng.permutation(problem.n_antecedents)[:2]
        model = RuleList.of(problem, [int(j) for j in order])
        assert corels.RuleList.from_document(through_json(model.to_document())) == model
        objective = model.objective(problem.regularization)
        assert 0 <= objective <= 1 + len(model)
        assert model.total == problem.total
        assert sum(rule.correct for rule in model) == model.total - model.errors


def test_a_certificate_survives(result):
    certificate = result.certificate
    again = Certificate.from_document(through_json(certificate.to_document()))
    assert again == certificate
    assert isinstance(again.objective, Fraction)
    early = corels.solve(
        corels.Problem.from_dataset(load("tic-tac-toe"), "1/300"), preset="plain", node_limit=3
    ).certificate
    again = Certificate.from_document(through_json(early.to_document()))
    assert again == early and not again.optimal and again.regularization == Fraction(1, 300)


def test_text_and_latex(result):
    assert str(result.model) == result.model.to_text()
    assert result.model.to_text().splitlines()[-1].startswith("else ")
    latex = result.model.export("latex")
    assert latex.count(r"\\") == len(result.model) + 2
    assert latex.startswith(r"\begin{tabular}") and latex.endswith(r"\end{tabular}")


def test_probabilities_are_frequencies(result):
    data = load("titanic", TableOptions(max_cardinality=2))
    shares = result.model.predict_proba(data)
    assert np.allclose(shares.sum(axis=1), 1)
    which = result.model.capturing(data)
    for number, rule in enumerate(result.model):
        assert (which == number).sum() == rule.captured
        assert np.allclose(shares[which == number], rule.frequencies)


def test_a_missing_column_is_named(result):
    with pytest.raises(InputError, match="age"):
        result.model.predict({"class": ["1st"], "sex": ["Male"]})
