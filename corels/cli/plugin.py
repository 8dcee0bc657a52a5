"""The built-in commands and the progress display, registered through the hooks of everybody."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from corels.commands import Command
from corels.hookspecs import hookimpl
from corels.search import Context, Sink

_AS_TYPED = {
    "context_settings": {
        "allow_extra_args": True,
        "ignore_unknown_options": True,
        "help_option_names": [],
    }
}

COMMANDS = (
    Command("run", "corels.cli.run", "run", "command_signature"),
    Command("predict", "corels.cli.apply", "predict"),
    Command("explain-row", "corels.cli.explain_row", "explain"),
    Command("show", "corels.cli.apply", "show"),
    Command("check", "corels.cli.apply", "check"),
    Command("proof", "corels.cli.proof", "proof"),
    Command("export", "corels.cli.export", "export"),
    Command("report", "corels.cli.report", "write_report"),
    Command("serve", "corels.cli.serve", "serve"),
    Command("path", "corels.cli.path", "path", "path_signature"),
    Command("near", "corels.cli.near", "near", "near_signature"),
    Command("why", "corels.cli.why", "explain_list", "why_signature"),
    Command("tree", "corels.cli.tree", "tree", "tree_signature"),
    Command("plot", "corels.cli.plot", "plot"),
    Command("compare", "corels.cli.workbench", "compare", "compare_signature"),
    Command("ablate", "corels.cli.workbench", "ablate", "ablate_signature"),
    Command("evaluate", "corels.cli.workbench", "evaluate", "evaluate_signature"),
    Command("plugins", "corels.cli.lists", "plugins"),
    Command("datasets", "corels.cli.lists", "datasets"),
    Command("antecedents", "corels.cli.antecedents", "antecedents", "antecedents_signature"),
    Command("legacy", "corels.cli.legacy", "legacy", settings=_AS_TYPED),
)


class ProgressDisplay(Sink):
    """The sink `progress`: the live display on a terminal, lines elsewhere."""

    name = "progress"
    summary = "shows the search on stderr: a live display on a terminal, lines elsewhere"

    @classmethod
    def open(cls, context: Context, options: Mapping[str, Any]) -> Sink:
        """The display that suits stderr."""
        from corels.cli.progress import progress_sink

        return progress_sink(context.problem)


@hookimpl
def register_commands(register: Callable[[Any], None]) -> None:
    """The commands, in the order in which the help lists them."""
    for command in COMMANDS:
        register(command)


@hookimpl
def register_sinks(register: Callable[[type[Sink]], None]) -> None:
    """The progress display."""
    register(ProgressDisplay)
