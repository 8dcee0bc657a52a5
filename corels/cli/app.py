"""The commands of `corels`, and those that plugins add."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from importlib import import_module
from typing import Annotated, Any

import typer

from corels.cli.command import Command, Group
from corels.plugins import PluginWarning, registry


@dataclass(frozen=True, slots=True)
class _Ours:
    """A command: where its function is, and the function that makes its signature, if one does."""

    module: str
    function: str
    signature: str = ""
    settings: dict[str, Any] = field(default_factory=lambda: {"cls": Command})


_AS_TYPED = {
    "context_settings": {
        "allow_extra_args": True,
        "ignore_unknown_options": True,
        "help_option_names": [],
    }
}
_OURS = {
    "run": _Ours("run", "run", "command_signature"),
    "predict": _Ours("apply", "predict"),
    "explain-row": _Ours("why", "explain"),
    "show": _Ours("apply", "show"),
    "check": _Ours("apply", "check"),
    "export": _Ours("export", "export"),
    "path": _Ours("path", "path", "path_signature"),
    "why": _Ours("why", "explain_list", "why_signature"),
    "plugins": _Ours("lists", "plugins"),
    "datasets": _Ours("lists", "datasets"),
    "antecedents": _Ours("antecedents", "antecedents", "antecedents_signature"),
    "legacy": _Ours("legacy", "legacy", settings=_AS_TYPED),
}


def _version(wanted: bool) -> None:
    if wanted:
        from corels import __version__

        typer.echo(f"corels {__version__}")
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


def build(wanted: str | None = None) -> typer.Typer:
    """The application, with the commands of all plugins.

    wanted: the only command that will be called. To import and declare the others takes longer
    than an easy search.
    """
    app = typer.Typer(cls=Group, no_args_is_help=True, pretty_exceptions_enable=False)
    app.callback()(_root)
    if wanted == "--version":
        return app
    for name in [wanted] if wanted in _OURS else _OURS:
        _declare(app, str(name), _OURS[str(name)])
    if wanted not in _OURS:
        for name in registry().names("command"):
            _join(app, name, registry().get("command", name))
    return app


def _declare(app: typer.Typer, name: str, ours: _Ours) -> None:
    module = import_module(f"corels.cli.{ours.module}")
    function = getattr(module, ours.function)
    if ours.signature:
        function.__signature__ = getattr(module, ours.signature)()
    app.command(name, help=_flowing(function.__doc__ or ""), **ours.settings)(function)


def _flowing(text: str) -> str:
    """A docstring as paragraphs without line breaks: the width of the terminal decides those."""
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))


def _join(app: typer.Typer, name: str, part: Any) -> None:
    """Add a plugin's application; ours keep their names."""
    if name in _OURS:
        warnings.warn(
            f"command {name!r} of a plugin was not added: the name is taken",
            PluginWarning,
            stacklevel=2,
        )
    else:
        app.add_typer(part, name=name)
