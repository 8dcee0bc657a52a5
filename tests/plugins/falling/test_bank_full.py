"""The reference figures on bank-full: certified optima to eight digits."""

from __future__ import annotations

from functools import cache

import bank_full
import pytest

import corels
from corels.problem import Problem
from corels.tables import Antecedent, Condition, Dataset

pytestmark = pytest.mark.skipif(not bank_full.PATH.exists(), reason="needs bank_full.csv.gz")


@cache
def problem() -> Problem:
    names, captures, labels = bank_full.antecedents()
    antecedents = tuple(Antecedent.of(Condition(name, "true")) for name in names)
    return Problem.from_dataset(Dataset(antecedents, captures, labels, (0, 1), name="bank-full"))


def test_the_binarisation_is_that_of_the_literature():
    assert problem().total == 45211
    assert problem().n_antecedents == 262
    assert problem().n_points == 16278


def solve(solver: str, weight: int, cost: str, **options):
    return corels.solve(
        problem(), solver, positive_weight=weight, rule_cost=cost, **options
    ).certificate


@pytest.mark.parametrize(
    ("weight", "cost", "length", "optimum"),
    [
        (1, "1e-6", None, "0.10696812"),
        (5, "1e-6", None, "0.43328651"),
        (7, "0.1", None, "0.73349627"),
        pytest.param(7, "0.01", None, "0.60720466", marks=pytest.mark.slow),
        pytest.param(7, "1e-6", None, "0.55942938", marks=pytest.mark.slow),
        pytest.param(7, "1e-6", 3, "0.57720766", marks=pytest.mark.slow),
        pytest.param(7, "1e-6", 4, "0.56909117", marks=pytest.mark.slow),
        pytest.param(7, "1e-6", 5, "0.55947062", marks=pytest.mark.slow),
    ],
)
def test_hard_optima(weight, cost, length, optimum):
    certificate = solve("falling", weight, cost, max_rules=length)
    assert certificate.optimal
    assert f"{float(certificate.objective):.8f}" == optimum


@pytest.mark.parametrize(
    ("weight", "cost", "length", "optimum"),
    [
        (3, "1e-6", None, "0.29221265"),
        (7, "0.1", None, "0.73349627"),
        pytest.param(7, "0.01", 3, "0.60720466", marks=pytest.mark.slow),
        pytest.param(5, "1e-6", 4, "0.43332775", marks=pytest.mark.slow),
        pytest.param(7, "1e-6", 4, "0.56909117", marks=pytest.mark.slow),
    ],
)
def test_soft_optima(weight, cost, length, optimum):
    certificate = solve("softly-falling", weight, cost, violation_cost="0.5", max_rules=length)
    assert certificate.optimal
    assert f"{float(certificate.objective):.8f}" == optimum


@pytest.mark.parametrize(
    ("cost", "optimum"),
    [("0.01", "0.47248081"), pytest.param("1e-6", "0.43328651", marks=pytest.mark.slow)],
)
def test_soft_without_a_cap_where_a_rise_is_dear(cost, optimum):
    certificate = solve("softly-falling", 5, cost, violation_cost=1)
    assert certificate.optimal
    assert f"{float(certificate.objective):.8f}" == optimum
