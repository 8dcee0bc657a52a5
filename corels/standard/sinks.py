"""The built-in sinks, declared here; what they need is imported when one is opened."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corels.errors import OptionError
from corels.options import Option
from corels.search import LEVELS, Context, Sink


class Trace(Sink):
    name = "trace"
    summary = "writes the events to a file, one JSON line each"
    options = (
        Option("file", "text", None, "the file; compressed if its name ends in .gz"),
        Option("level", "text", "coarse", "how much of them", choices=LEVELS),
    )

    @classmethod
    def open(cls, context: Context, options: Mapping[str, Any]) -> Sink:
        """Raises OutputError at once where the file cannot be written."""
        from corels.run.trace import TraceSink

        return TraceSink(
            options["file"], context.problem, level=options["level"], solver=context.solver
        )


class Story(Sink):
    name = "story"
    summary = "tells the search in sentences that a student can follow"
    options = (
        Option("steps", "int", 12, "expansions that are told; better lists always are", low=0),
    )

    @classmethod
    def open(cls, context: Context, options: Mapping[str, Any]) -> Sink:
        """Raises OptionError for a solver whose search has no story."""
        from corels.insight.story import NARRATED, ExplainSink

        if context.solver not in NARRATED:
            raise OptionError(
                f"sink 'story' (--explain) tells the search of {NARRATED[0]!r}, not of "
                f"{context.solver!r}"
            )
        return ExplainSink(context.problem, context.write, steps=options["steps"])


SINKS: tuple[type[Sink], ...] = (Trace, Story)
