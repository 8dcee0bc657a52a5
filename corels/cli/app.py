"""The commands of `corels`, and those that plugins add."""

from __future__ import annotations

import warnings
from typing import Annotated, Any

import typer

from corels.cli import apply, export, legacy, lists, path, why
from corels.cli.command import Command, Group
from corels.cli.run import command_signature, run
from corels.plugins import PluginWarning, registry

_OURS = (
    "run",
    "predict",
    "explain-row",
    "show",
    "check",
    "export",
    "path",
    "why",
    "plugins",
    "datasets",
    "legacy",
)
_AS_TYPED = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}


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


def build() -> typer.Typer:
    """The application, with the commands of all plugins."""
    app = typer.Typer(cls=Group, no_args_is_help=True, pretty_exceptions_enable=False)
    app.callback()(_root)
    run.__signature__ = command_signature()  # type: ignore[attr-defined]
    path.path.__signature__ = path.path_signature()  # type: ignore[attr-defined]
    why.explain_list.__signature__ = why.why_signature()  # type: ignore[attr-defined]
    add = app.command
    add("run", cls=Command)(run)
    add("predict", cls=Command)(apply.predict)
    add("explain-row", cls=Command)(why.explain)
    add("show", cls=Command)(apply.show)
    add("check", cls=Command)(apply.check)
    add("export", cls=Command)(export.export)
    add("path", cls=Command)(path.path)
    add("why", cls=Command)(why.explain_list)
    add("plugins", cls=Command)(lists.plugins)
    add("datasets", cls=Command)(lists.datasets)
    add("legacy", context_settings=_AS_TYPED)(legacy.legacy)
    for name in registry().names("command"):
        _join(app, name, registry().get("command", name))
    return app


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
