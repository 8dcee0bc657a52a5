"""The commands of `corels`, and those that plugins add."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated, Any

import typer

from corels.cli.command import CONSTRAINTS, Command, Group
from corels.cli.exits import emit
from corels.commands import Command as Declared
from corels.plugins import registry

HELP = {"help_option_names": ["-h", "--help"]}
EXAMPLE = "$ corels"  # how a line of a docstring begins that is an example


def _version(wanted: bool) -> None:
    if wanted:
        from corels import __version__

        emit(f"corels {__version__}")
        raise typer.Exit()


def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show the traceback of an error (or CORELS_DEBUG=1).")
    ] = False,
) -> None:
    """Certifiably optimal rule models: learn them, prove them, use them."""


def build(wanted: str | None = None) -> Any:
    """The group of all commands, those of plugins among them.

    wanted: the only command that will be called. To import and declare the others takes longer
    than an easy search.
    """
    app = typer.Typer(
        cls=Group, no_args_is_help=True, pretty_exceptions_enable=False, context_settings=HELP
    )
    app.callback()(_root)
    names = () if wanted == "--version" else registry().names("command")
    for name in [wanted] if wanted in names else names:
        _join(app, str(name), registry().get("command", str(name)))
    return typer.main.get_command(app)


def _join(app: typer.Typer, name: str, part: Any) -> None:
    """Add a declared command, or a whole typer application."""
    if not isinstance(part, Declared):
        app.add_typer(part, name=name)
        return
    module = import_module(part.module)
    function = getattr(module, part.called)
    signature = part.signature or f"{part.called}_signature"
    if (declared := getattr(module, signature, None)) is not None:
        function.__signature__ = declared()
    common = part.common.split() if isinstance(part.common, str) else part.common
    absent = {**CONSTRAINTS, **part.absent}
    members = {"common": common, "verbatim": part.verbatim, "absent": absent}
    own = type("Command", (Command,), members)
    told, examples = _flowing(function.__doc__ or "")
    end = examples or None
    app.command(name, cls=own, context_settings=HELP, help=told, epilog=end)(function)


def _flowing(text: str) -> tuple[str, str]:
    """A docstring as paragraphs without line breaks: the width of the terminal decides those.

    And its examples, each a paragraph.
    """
    lines = [line.strip() for line in text.splitlines()]
    examples = [line[2:] for line in lines if line.startswith(EXAMPLE)]
    told = "\n".join(line for line in lines if not line.startswith(EXAMPLE))
    paragraphs = (" ".join(part.split()) for part in told.strip().split("\n\n"))
    return "\n\n".join(paragraphs), "\n\n".join(["Examples:", *examples] if examples else [])
