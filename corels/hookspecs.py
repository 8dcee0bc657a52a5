"""The hook of a plugin. It is given `register`, and returns nothing.

import corels

@corels.hookimpl
def register_parts(register):
    register(MyPolicy)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    import typer

    from corels.commands import Command
    from corels.plugins import Part

hookspec = pluggy.HookspecMarker("corels")
hookimpl = pluggy.HookimplMarker("corels")


@hookspec
def register_parts(register: Callable[[type[Part] | Command | typer.Typer], None]) -> None:
    """Register parts, each a class whose base says of which kind it is, and commands, declared or
    as a typer application."""
