"""What a plugin says: the hook, which is given `register` and returns nothing, and commands of the
command line, declared without importing what they need.

    @corels.hookimpl
    def register_parts(register):
        register(MyPolicy)
        register(Command("greet", "my_package.commands", summary="Says hello."))

The function of a command is one that typer can call; its docstring is the help, and lines of it
that begin with "$ corels" are examples, which stand at the end. It is imported when the command is
called, so that a plugin costs the other commands nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    from corels.plugins import Part

hookspec = pluggy.HookspecMarker("corels")
hookimpl = pluggy.HookimplMarker("corels")
PANELS = ("Learn", "Use", "Understand", "Research")


@dataclass(frozen=True, slots=True)
class Command:
    """`function` of `module`, by default that of the same name, is called as `corels NAME`.

    If its signature depends on what is installed, FUNCTION_signature of the module makes it.
    summary: a line for the list of all commands, which imports none of them. panel: the heading
    under which it stands there, one of `PANELS` or another. verbatim: the function takes a
    `typer.Context`, whose `args` are all words as they were typed. common: names of the options
    that `--help` shows, if there are more than fit a screen; `--help-all` shows all of them, and so
    does `--help` if none are named.
    """

    name: str
    module: str
    function: str = ""
    verbatim: bool = False
    common: str = ""
    summary: str = ""
    panel: str = "Commands"

    @property
    def called(self) -> str:
        """The name of the function."""
        return self.function or self.name.replace("-", "_")


@hookspec
def register_parts(register: Callable[[type[Part] | Command], None]) -> None:
    """Register parts, each a class whose base is its kind, and commands."""
