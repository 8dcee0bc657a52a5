"""Falling and softly falling rule lists, certified: a plugin of `corels`.

Chen and Rudin, "An Optimization Approach to Learning Falling Rule Lists", AISTATS 2018, by an exact
branch and bound that proves its optimum.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from corels import hookimpl
from corels.lazy import on_demand

if TYPE_CHECKING:
    from corels_falling.estimator import FallingRuleListClassifier, SoftlyFallingRuleListClassifier

__all__ = ["FallingRuleListClassifier", "SoftlyFallingRuleListClassifier", "register_parts"]


@hookimpl
def register_parts(register: Callable[[Any], None]) -> None:
    """The solvers `falling` and `softly-falling`."""
    from corels_falling.solver import FallingSolver, SoftlyFallingSolver

    register(FallingSolver)
    register(SoftlyFallingSolver)


__getattr__, __dir__ = on_demand(
    __name__,
    {"corels_falling.estimator": "FallingRuleListClassifier SoftlyFallingRuleListClassifier"},
)
