"""The commands of `corels`, and those that plugins add."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Annotated, Any

import typer

from corels.cli.command import Command, Group
from corels.cli.streams import emit
from corels.hookspecs import PANELS
from corels.hookspecs import Command as Declared
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
    than an easy search, so the list of all commands knows no more of them than their summaries.
    """
    app = typer.Typer(
        cls=Group, no_args_is_help=True, pretty_exceptions_enable=False, context_settings=HELP
    )
    app.callback()(_root)
    names = registry().names("command")
    listed = wanted not in names and "_CORELS_COMPLETE" not in os.environ
    shown = (wanted,) if wanted in names else names
    parts = [registry().get("command", name) for name in shown]
    for part in sorted(parts, key=_panel):
        if listed:
            app.command(part.name, help=part.summary, rich_help_panel=part.panel)(lambda: None)
        else:
            _join(app, part)
    return typer.main.get_command(app)


def _panel(part: Declared) -> int:
    """The place of a command's panel: our own first, in the order of `PANELS`."""
    return PANELS.index(part.panel) if part.panel in PANELS else len(PANELS)


def _join(app: typer.Typer, part: Declared) -> None:
    """Add a declared command."""
    module = import_module(part.module)
    function = getattr(module, part.called)
    if (declared := getattr(module, f"{part.called}_signature", None)) is not None:
        function.__signature__ = declared()
    common = part.common.split()
    own = type("Command", (Command,), {"common": common, "verbatim": part.verbatim})
    help, examples = _flowing(function.__doc__ or "")
    about: dict[str, Any] = {
        "help": help,
        "epilog": examples or None,
        "rich_help_panel": part.panel,
    }
    app.command(part.name, cls=own, context_settings=HELP, **about)(function)


def _flowing(text: str) -> tuple[str, str]:
    """A docstring as paragraphs without line breaks: the width of the terminal decides those.

    And its examples, each a paragraph.
    """
    lines = [line.strip() for line in text.splitlines()]
    examples = [line[2:] for line in lines if line.startswith(EXAMPLE)]
    text = "\n".join(line for line in lines if not line.startswith(EXAMPLE))
    paragraphs = (" ".join(part.split()) for part in text.strip().split("\n\n"))
    return "\n\n".join(paragraphs), "\n\n".join(["Examples:", *examples] if examples else [])
