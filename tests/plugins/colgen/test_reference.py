"""The published optima on real tables, each certified (docs/studies/families.md)."""

import importlib.util
import sys
from pathlib import Path

import pytest
from shared_data import SHARED, needs_shared

pytest.importorskip("highspy", reason="HiGHS (highspy) is not installed")

import corels
from corels.problem import Problem

ROOT = Path(__file__).resolve().parents[3]


def benchmark():
    """benchmarks/rule_sets.py as a module: the table of optima and its features."""
    spec = importlib.util.spec_from_file_location(
        "rule_sets_benchmark", ROOT / "benchmarks/rule_sets.py"
    )
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def certified(name):
    entries = list(benchmark().optima(SHARED / "clean", [name]))
    assert len(entries) == 1
    entry = entries[0]
    assert entry["optimal"] and entry["lower_bound"] == entry["known"] == entry["hamming"]
    return entry


@needs_shared
def test_tic_tac_toe_is_eight_clauses():
    assert certified("tic-tac-toe")["complexity"] == 32


@needs_shared
@pytest.mark.parametrize(
    "name",
    [
        "transfusion",
        *(
            pytest.param(name, marks=pytest.mark.slow)
            for name in ("bank", "heart", "liver", "wdbc")
        ),
    ],
)
def test_optima(name):
    certified(name)


@needs_shared
def test_mushroom_takes_complexity_16_at_most():
    assert certified("mushroom")["complexity"] <= 16


@needs_shared
def test_penalised_transfusion():
    """The heuristic of AIX360 at its defaults finds .20886; the optimum is .20451."""
    module = benchmark()
    problem = Problem.from_dataset(
        module.reference_dataset(SHARED / "clean", module.OPTIMA["transfusion"]), 0
    )
    result = corels.solve(problem, "rule-set", penalty_clause="0.001", penalty_condition="0.001")
    assert result.certificate.optimal
    assert round(float(result.certificate.objective), 5) == 0.20451


@needs_shared
def test_accuracy_benchmark_on_two_folds():
    """A small sample of the ten-fold figures: the command runs and does better than guessing."""
    module = benchmark()
    module.BUDGETS = (3, 8)
    (entry,) = module.accuracy(SHARED / "clean", ["transfusion"], folds=2)
    assert len(entry["accuracies"]) == 2 and entry["accuracy"] > 72
    assert set(entry["budgets"]) <= {3, 8}
