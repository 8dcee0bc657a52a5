"""Falling and softly falling rule lists, certified: a plugin of `corels`.

Chen and Rudin, "An Optimization Approach to Learning Falling Rule Lists", AISTATS 2018. Their
Monte-Carlo search, and an exact branch and bound that proves its optimum.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from corels import hookimpl

__all__ = [
    "FallingRuleListClassifier",
    "SoftlyFallingRuleListClassifier",
    "register_solvers",
]


@hookimpl
def register_solvers(register: Callable[[Any], None]) -> None:
    """The solvers `falling` and `softly-falling`."""
    from corels_falling.solver import FallingSolver, SoftlyFallingSolver

    register(FallingSolver)
    register(SoftlyFallingSolver)


def __getattr__(name: str) -> Any:
    """The estimators, only when somebody asks: they need scikit-learn."""
    if name in ("FallingRuleListClassifier", "SoftlyFallingRuleListClassifier"):
        from corels_falling import estimator

        return getattr(estimator, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
