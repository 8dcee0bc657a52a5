"""The sink `story`, declared here; what it needs is imported when it is opened."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corels.errors import OptionError
from corels.options import Option
from corels.search import Context, Sink


class Story(Sink):
    name = "story"
    summary = "tells the search in sentences that a student can follow"
    options = (
        Option.whole("steps", "expansions that are told; better lists always are", 12, low=0),
    )

    @classmethod
    def open(cls, context: Context, options: Mapping[str, Any]) -> Sink:
        """Raises OptionError for a solver whose search has no story."""
        from corels_rule_list.explain.story import NARRATED, ExplainSink

        if context.solver not in NARRATED:
            raise OptionError(
                f"sink 'story' (--explain) tells the search of {NARRATED[0]!r}, not of "
                f"{context.solver!r}"
            )
        return ExplainSink(context.problem, context.write, steps=options["steps"])
