"""Boolean rule sets (DNF and CNF) by column generation: the plugin `colgen`.

Dash, Gunluk, Wei, "Boolean Decision Rules via Column Generation", NeurIPS 2018.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from corels.hookspecs import hookimpl
from corels.interfaces import Solver
from corels_colgen.ruleset import RuleSet
from corels_colgen.solver import RuleSetSolver

__all__ = ["RuleSet", "RuleSetClassifier", "RuleSetSolver"]


@hookimpl
def register_solvers(register: Callable[[type[Solver]], None]) -> None:
    """Register `rule-set`."""
    register(RuleSetSolver)


def __getattr__(name: str) -> Any:
    """The estimator, only when somebody asks: it needs scikit-learn."""
    if name == "RuleSetClassifier":
        from corels_colgen.estimator import RuleSetClassifier

        return RuleSetClassifier
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
