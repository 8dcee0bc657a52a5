"""Templates of plugins: `corels new-plugin KIND NAME` writes a folder that can be installed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from corels.hookspecs import Command, hookimpl

__all__ = ["register_parts"]


@hookimpl
def register_parts(register: Callable[[Any], None]) -> None:
    """`corels new-plugin`."""
    register(
        Command(
            "new-plugin",
            "corels_template.command",
            panel="Research",
            summary="Write a plugin that installs and passes its tests.",
        )
    )
