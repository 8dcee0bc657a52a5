"""Explanations: why this list, why this prediction."""

import json
import re
from fractions import Fraction

import pandas as pd
import pytest
from corels_rule_list.explain.why import best_single_rule, why
from corels_rule_list.model import RuleList
from test_path import least_errors, random_problem

import corels
from corels.errors import InputError
from corels.export.explaining import explain_row
from corels.tables import TableOptions, load, load_columns


@pytest.fixture(scope="module")
def titanic():
    return corels.Problem.from_dataset(load("titanic"), "0.005")


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("seed", range(8))
def test_best_single_rule(seed, classes):
    problem = random_problem(seed, classes=classes, weighted=True)
    assert best_single_rule(problem).errors == least_errors(problem)[1]


def test_why_a_constant_list(titanic):
    problem = titanic.with_regularization("0.1")
    found = why(problem, corels.solve(problem).model)
    assert found.single_pays_below == Fraction(218, 2201)
    assert found.to_text() == (
        "lambda 0.1 is larger than what any rule gains: the best one-rule list would need "
        "lambda < 0.0990459 (218/2201).\n"
        "  if sex = Female then survived = yes saves 218 of 711 errors; a rule costs as much as "
        "220.1."
    )


def test_what_is_saved_and_what_a_rule_costs_are_in_the_same_unit():
    data = load("titanic", TableOptions(abstain="0.3"))
    problem = corels.Problem.from_dataset(data, "0.3")
    said = str(why(problem, corels.solve(problem).model))
    assert "if sex = Female then survived = yes saves 167.3 of 660.3 in costs; a rule costs" in said
    assert said.endswith("as much as 660.3.")
    problem = problem.with_regularization("0.005")
    (first, *_) = str(why(problem, corels.solve(problem).model)).splitlines()[1:]
    assert re.fullmatch(
        r"  .* the list costs [0-9.]+ more; the rule pays while lambda < 0\.\d+", first
    )


@pytest.mark.parametrize("seed", range(12))
def test_the_lambda_below_which_a_rule_pays_is_exact(seed):
    problem = random_problem(seed, rows=12, regularization="1")
    errors = least_errors(problem)
    found = why(problem, RuleList.of(problem, []))
    assert found.single_pays_below == Fraction(errors[0] - errors[1], problem.total)


def test_why_each_rule(titanic):
    model = corels.solve(titanic).model
    found = why(titanic, model)
    assert [gain.saves for gain in found.gains] == [32, 220, 16]
    assert all(gain.share >= titanic.regularization for gain in found.gains)
    assert "sex = Female: without it the list makes 220 errors more" in found.to_text()


def test_useless_rules_and_lists_that_are_not_optimal(titanic):
    problem = random_problem(0, regularization="0.5")
    flat = problem.weights.copy()
    flat[1] = flat[0] = 1  # every point is a draw: no rule helps
    from dataclasses import replace

    same = replace(problem, weights=flat)
    assert "no single rule saves an error" in str(why(same, RuleList.of(same, [])))
    assert "a list with a rule is better" in str(why(titanic, RuleList.of(titanic, [])))
    with pytest.raises(InputError, match="was not learned from this data"):
        why(problem, corels.solve(titanic).model)


def test_explain_row(titanic):
    model = corels.solve(titanic).model
    columns = load_columns("titanic")[0]
    captured_by, predicted = model.capturing(columns), model.predict(columns)
    for row in range(0, 2201, 97):
        found = explain_row(model, columns, row)
        assert found.captured_by == captured_by[row]
        assert found.prediction == predicted[row]
        assert len(found.asked) == min(captured_by[row] + 1, len(model))
        held = [all(one.holds for one in asked) for asked in found.asked]
        assert not any(held[: captured_by[row]])
        assert sum(found.frequencies.values()) == pytest.approx(1)
        json.dumps(found.to_document())


def test_text_of_a_row():
    model = corels.RuleList(
        (
            corels.Rule(
                corels.tables.Antecedent.of(
                    corels.tables.Condition("age", "<=", 25),
                    corels.tables.Condition("sex", "==", "M"),
                ),
                1,
                (1, 3),
            ),
            corels.Rule(
                corels.tables.Antecedent.of(corels.tables.Condition("smoker", "true")), 1, (0, 2)
            ),
        ),
        corels.Rule(None, 0, (6, 2)),
        ("no", "yes"),
        "ill",
    )
    frame = pd.DataFrame({"age": [20, 30, None], "sex": ["M", "M", None], "smoker": [0, 1, None]})
    assert str(explain_row(model, frame, 0)) == (
        "row 1: ill = yes\n"
        "  rule 1 holds: age <= 25 and sex = M\n"
        "    age <= 25: yes (it is 20)\n"
        "    sex = M: yes (it is M)\n"
        "  of 4 such training rows: no: 25.0%, yes: 75.0%\n"
        "  smallest change: age > 25: no"
    )
    assert str(explain_row(model, frame, 1)) == (
        "row 2: ill = yes\n"
        "  rule 1 does not hold: age <= 25 and sex = M\n"
        "    age <= 25: no (it is 30)\n"
        "  rule 2 holds: smoker (it is 1)\n"
        "  of 2 such training rows: no: 0.0%, yes: 100.0%\n"
        "  smallest change: not smoker: no"
    )
    assert str(explain_row(model, frame, 2)) == (
        "row 3: ill = no\n"
        "  rule 1 does not hold: age <= 25 and sex = M\n"
        "    age <= 25: no (it is missing)\n"
        "    sex = M: no (it is missing)\n"
        "  rule 2 does not hold: smoker (it is missing)\n"
        "  no rule holds: the default rule decides\n"
        "  of 8 such training rows: no: 75.0%, yes: 25.0%\n"
        "  smallest change: smoker: yes"
    )
    with pytest.raises(InputError, match="there is no row 4: the data has 3 rows"):
        explain_row(model, frame, 3)
    with pytest.raises(InputError, match="no column 'sex'"):
        explain_row(model, frame[["age", "smoker"]], 0)
