"""The core's own commands, sinks and exports, registered through the public hooks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from corels.export.format import Export
from corels.hookspecs import Command, hookimpl
from corels.model import Model
from corels.options import Option
from corels.search import LEVELS, Context, Sink


def _ours(panel: str, name: str, summary: str, module: str = "", **more: Any) -> Command:
    """A command of `corels.cli`, in the module of its name if no other one is named."""
    return Command(name, f"corels.cli.{module or name}", panel=panel, summary=summary, **more)


RUN = (
    "label dataset column describe ignore regularization max_rules cost positive constraints "
    "abstain solver backend policy time_limit output proof json quiet"
)
PATH = "label dataset low folds lists max_cardinality output plot"
ANTECEDENTS = "label dataset column describe cuts max_cardinality min_support json"
COMMANDS = (
    _ours("Learn", "run", "Learn a model, and prove that no model is better.", common=RUN),
    _ours(
        "Learn", "path", "Find the best rule list for every lambda, each certified.",
        common=PATH,
    ),
    _ours("Use", "predict", "Predict the class of each row."),
    _ours("Use", "show", "Show a model and its certificate.", "apply"),
    _ours("Use", "check", "Count a model again on its data, and check its proof."),
    _ours(
        "Use", "monitor", "Say what differs on new rows, and how sure that is.",
        function="watch",
    ),
    _ours("Use", "export", "Write a model in another language."),
    _ours(
        "Understand", "explain-row", "Say which rule decides a row, and why.", "predict",
        function="explain",
    ),
    _ours(
        "Understand", "antecedents", "List the conditions that rules are made of.",
        common=ANTECEDENTS,
    ),
    _ours("Understand", "proof", "Show what a proof says."),
    _ours("Research", "plugins", "List every part, and where it comes from.", "lists"),
    _ours("Research", "datasets", "List the built-in data sets.", "lists"),
)  # fmt: skip


class Trace(Sink):
    """The sink `trace`: events as JSON lines in a file."""

    name = "trace"
    summary = "writes the events to a file, one JSON line each"
    options = (
        Option("file", "text", None, "the file; compressed if its name ends in .gz"),
        Option.text("level", "how much of them", "coarse", choices=LEVELS),
    )

    @classmethod
    def open(cls, context: Context, options: Mapping[str, Any]) -> Sink:
        """Raises OutputError at once if the file cannot be written."""
        from corels.run.trace import TraceSink

        return TraceSink(
            options["file"], context.problem, level=options["level"], solver=context.solver
        )


class ProgressDisplay(Sink):
    """The sink `progress`: the live display on a terminal, lines elsewhere."""

    name = "progress"
    summary = "shows the search on stderr: a live display on a terminal, lines elsewhere"

    @classmethod
    def open(cls, context: Context, options: Mapping[str, Any]) -> Sink:
        from corels.cli.progress import progress_sink

        return progress_sink(context.problem)


class Latex(Export):
    """The language `latex`."""

    name, title, ending = "latex", "LaTeX", ".tex"
    for_people = True
    summary = "a tabular, which needs no package"

    def write(self, model: Model, options: Mapping[str, Any]) -> str:
        from corels.export.words import latex_table, table_of

        return latex_table(table_of(model))


class Markdown(Export):
    """The language `markdown`."""

    name, title, ending = "markdown", "Markdown", ".md"
    for_people = True
    summary = "a table, as GitHub reads it"

    def write(self, model: Model, options: Mapping[str, Any]) -> str:
        from corels.export.words import markdown_table, table_of

        return markdown_table(table_of(model))


class Explain(Sink):
    """The sink `explain`: steps of the search in sentences."""

    name = "explain"
    summary = "says the first steps of the search in sentences, then better models"

    @classmethod
    def open(cls, context: Context, options: Mapping[str, Any]) -> Sink:
        from corels.run.explain import ExplainSink

        return ExplainSink(context)


@hookimpl
def register_parts(register: Callable[[Any], None]) -> None:
    """The commands, in the order in which the help lists them; sinks; the languages of texts. A
    page is the plugin `page`'s, programs are the plugin `languages`'."""
    for part in (*COMMANDS, Trace, ProgressDisplay, Explain, Latex, Markdown):
        register(part)
