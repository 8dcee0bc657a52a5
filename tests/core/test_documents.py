"""Rule lists and certificates as JSON: everything survives the journey, damage is named."""

import numpy as np
import pytest

import corels
from corels.errors import InputError
from corels.tables import TableOptions, load


@pytest.fixture(scope="module")
def result():
    data = load("titanic", TableOptions(max_cardinality=2))
    return corels.solve(corels.Problem.from_dataset(data, "0.003"))


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
