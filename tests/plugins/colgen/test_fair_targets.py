"""Rule sets under constraints on real tables: optima, rates and bounds as computed elsewhere, by
looking at all rule sets; each with a proof that the checker accepts and closes."""

from pathlib import Path

import pytest

pytest.importorskip("highspy", reason="HiGHS (highspy) is not installed")

from shared_data import SHARED, needs_shared

import corels
from corels.check.opening import opened
from corels.check.points import Table
from corels.check.proof import check_proof
from corels.learning.front import parity_path
from corels.problem import Problem
from corels.tables import TableOptions, columns_of, load, load_columns, table_dataset

COMPAS, HEART, ADULT = "compas_jmlr.csv", "heart_cleveland.csv", "adult.csv.gz"
FEW = {
    HEART: {"cuts": "quantile 1"},
    ADULT: {
        "cuts": "quantile 2",
        "columns": ["education_num", "marital_status", "hours_per_week", "capital_gain", "age"],
    },
}
EQUAL, ODDS = "equal-opportunity by sex within 0.02", "equalized-odds by sex within 0.05"
# Table, constraint, options: the least Hamming loss, the least errors; the rates of one if all
# sets of the least loss have the same.
TARGETS = [
    ("titanic", "statistical-parity by sex within 0.05", {"complexity": 8}, 681, 681),
    ("titanic", "equalized-odds by age within 0.1", {"complexity": 8, "form": "cnf"}, 494, 494),
    (COMPAS, EQUAL, {"complexity": 8, "max_conditions": 2}, 2609, 2609),
    (COMPAS, EQUAL, {"complexity": 8}, 2482, 2482),
    (COMPAS, EQUAL, {"complexity": 12, "max_conditions": 2}, 2500, 2500),
    (COMPAS, ODDS, {"complexity": 8, "max_conditions": 2}, 2685, 2685),
    (COMPAS, ODDS, {"complexity": 8}, 2610, 2610),
    (COMPAS, ODDS, {"complexity": 8, "form": "cnf"}, 2685, 2630),
    (COMPAS, "statistical-parity by age within 0.1", {"complexity": 8}, 2441, 2441),
    (
        COMPAS,
        "accuracy-parity by age within 0.02",
        {"complexity": 8, "max_conditions": 2},
        3389,
        3113,
    ),
    (
        HEART,
        "predictive-equality by sex within 0.02",
        {"complexity": 8, "max_conditions": 2},
        54,
        53,
    ),
    (
        ADULT,
        "equal-opportunity by sex within 0.05",
        {"complexity": 6, "max_conditions": 2},
        10374,
        9878,
    ),
    (
        ADULT,
        "statistical-parity by sex within 0.05",
        {"complexity": 6, "max_conditions": 2},
        10432,
        10301,
    ),
    (COMPAS, EQUAL, {}, 2450, None),
]
QUICK = (0, 1, 3, 12)
SLOW = pytest.mark.slow


def dataset(table, constraint):
    how = {"negations": True, "min_support": 0.01, "constraints": [constraint]}
    how |= FEW.get(table, {})
    if table == "titanic":
        return load(table, TableOptions(**how))
    return table_dataset(SHARED / "clean" / table, "label", TableOptions(**how))


def raw(table):
    """The columns and labels that a proof is checked on."""
    if table == "titanic":
        columns, label = load_columns("titanic")
    else:
        columns, label = columns_of(str(SHARED / "clean" / table)), "label"
    return columns, columns[label].cells()


def numbered(which):
    quick = pytest.mark.filterwarnings("default")
    return [
        pytest.param(*TARGETS[n], id=str(n + 1), marks=quick if n in which else SLOW)
        for n in range(len(TARGETS))
    ]


@needs_shared
@pytest.mark.parametrize(("table", "constraint", "options", "least", "_"), numbered(QUICK))
def test_the_least_loss_is_certified_and_checked(table, constraint, options, least, _, tmp_path):
    problem = Problem.from_dataset(dataset(table, constraint), 0)
    result = corels.solve(problem, "rule-set", proof=str(tmp_path / "p"), **options)
    assert result.certificate.optimal
    assert result.certificate.objective * problem.total == least
    content = Path(tmp_path / "p").read_bytes()
    stated = problem.statement_like(opened(content).header)
    shown = check_proof(content, Table(*raw(table)), stated)
    assert shown.failure is None and shown.lower_bound * problem.total == least


@needs_shared
@pytest.mark.parametrize(("table", "constraint", "options", "_", "errors"), numbered((0, 12)))
def test_the_least_errors_are_certified(table, constraint, options, _, errors):
    if errors is None:
        pytest.skip("beyond what looks certify")
    problem = Problem.from_dataset(dataset(table, constraint), 0)
    result = corels.solve(problem, "rule-set", loss="errors", **options)
    assert result.certificate.optimal and result.model.errors == errors
    assert result.certificate.objective * problem.total == errors


def test_the_front_of_titanic():
    problem = Problem.from_dataset(dataset("titanic", "statistical-parity by sex within 0"), 0)
    front = parity_path(problem, "rule-set", complexity=8)
    assert front.certified
    found = [(round(float(p.difference), 6), p.objective * 2201) for p in front]
    assert found == [(0.225829, 606), (0.204525, 630), (0.020544, 681), (0.000761, 705), (0, 711)]


@needs_shared
@SLOW
def test_the_front_of_compas():
    options = {"complexity": 8, "max_conditions": 2}
    constraint = "equal-opportunity by sex within 0"
    problem = Problem.from_dataset(dataset(COMPAS, constraint), 0)
    front = parity_path(problem, "rule-set", **options)
    found = [(round(float(p.difference), 6), p.objective * problem.total) for p in front]
    assert front.certified and len(found) == 18
    known = [(0.125242, 2325), (0.051389, 2444), (0.020682, 2524), (0.009447, 2609)]
    assert {*known, (0.000449, 2719), (0, 3196)} <= set(found)
