"""Boolean rule sets (DNF and CNF) by column generation: the plugin `colgen`.

Dash, Gunluk, Wei, "Boolean Decision Rules via Column Generation", NeurIPS 2018.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from corels.hookspecs import hookimpl
from corels.lazy import on_demand
from corels.search import Solver

if TYPE_CHECKING:
    from corels_colgen.estimator import RuleSetClassifier
    from corels_colgen.ruleset import RuleSet
    from corels_colgen.solver import RuleSetSolver

__all__ = ["RuleSet", "RuleSetClassifier", "RuleSetSolver"]


@hookimpl
def register_parts(register: Callable[[type[Solver]], None]) -> None:
    """Register `rule-set`."""
    from corels_colgen.solver import RuleSetSolver

    register(RuleSetSolver)


__getattr__, __dir__ = on_demand(
    __name__,
    {
        "corels_colgen.estimator": "RuleSetClassifier",
        "corels_colgen.ruleset": "RuleSet",
        "corels_colgen.solver": "RuleSetSolver",
    },
)
