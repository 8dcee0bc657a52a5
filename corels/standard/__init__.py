"""The built-in policies and bounds, defined once; every backend must agree with them.

They are registered through the same hooks as anybody's.
"""

from __future__ import annotations

from collections.abc import Callable

from corels.hookspecs import hookimpl
from corels.search import Bound, Policy, Sink, Solver


@hookimpl
def register_policies(register: Callable[[type[Policy]], None]) -> None:
    """The built-in policies."""
    from corels.standard.policies import POLICIES

    for policy in POLICIES:
        register(policy)


@hookimpl
def register_bounds(register: Callable[[type[Bound]], None]) -> None:
    """The built-in bounds, in the order of evaluation."""
    from corels.standard.blocks import Blocks
    from corels.standard.bounds import BOUNDS
    from corels.standard.prices import Prices
    from corels.standard.set_bounds import SET_BOUNDS

    bounds: tuple[type[Bound], ...] = (*BOUNDS, Prices, Blocks, *SET_BOUNDS)
    for bound in bounds:
        register(bound)


@hookimpl
def register_solvers(register: Callable[[type[Solver]], None]) -> None:
    """Rule lists."""
    from corels.standard.rule_list import RuleListSolver

    register(RuleListSolver)


@hookimpl
def register_sinks(register: Callable[[type[Sink]], None]) -> None:
    """Trace files and stories."""
    from corels.standard.sinks import SINKS

    for sink in SINKS:
        register(sink)
