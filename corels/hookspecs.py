"""The hooks of a plugin, one for each kind of part. A hook is given `register` and returns nothing.

import corels

@corels.hookimpl
def register_policies(register):
    register(MyPolicy)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    import typer

    from corels.commands import Command
    from corels.export.format import Export
    from corels.search import Backend, Bound, Cache, Policy, Queue, Sink, Solver, SymmetryMap

hookspec = pluggy.HookspecMarker("corels")
hookimpl = pluggy.HookimplMarker("corels")


@hookspec
def register_policies(register: Callable[[type[Policy]], None]) -> None:
    """Register scheduling policies (subclasses of `corels.Policy`)."""


@hookspec
def register_bounds(register: Callable[[type[Bound]], None]) -> None:
    """Register bounds (subclasses of `corels.Bound`)."""


@hookspec
def register_containers(
    register: Callable[[type[Queue] | type[Cache] | type[SymmetryMap]], None],
) -> None:
    """Register queues, caches and symmetry maps for backends that take them from Python."""


@hookspec
def register_backends(register: Callable[[type[Backend]], None]) -> None:
    """Register backends (subclasses of `corels.Backend`)."""


@hookspec
def register_solvers(register: Callable[[type[Solver]], None]) -> None:
    """Register solvers: whole model families (subclasses of `corels.Solver`)."""


@hookspec
def register_sinks(register: Callable[[type[Sink]], None]) -> None:
    """Register sinks: listeners to the event stream, chosen by name."""


@hookspec
def register_exports(register: Callable[[type[Export]], None]) -> None:
    """Register languages that models are written in (subclasses of `corels.Export`)."""


@hookspec
def register_commands(register: Callable[[Command | typer.Typer], None]) -> None:
    """Register further commands: declared ones, or a typer application that joins `corels`."""
