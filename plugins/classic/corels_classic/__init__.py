"""Drop-in for the `corels` package up to 1.1.29, which no longer builds: same names, same calls.

    from corels import CorelsClassifier, load_from_csv
    from corels_classic import RuleList

What differs stands in docs/how-to/coming-from-the-old-package.md: above all, the search is faster
and goes on to the proof, so that lists may be better, and files are JSON instead of pickles. New
programs are better served by `RuleListClassifier`.

`RuleList` here is the old package's class. It is a class of its own, no kind of the core's
`corels.RuleList`; its method `to_rule_list` gives one. The modules `corels.corels` and
`corels.utils` have the old names where old programs and old pickles look for them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from corels.hookspecs import Command, hookimpl
from corels.lazy import on_demand

if TYPE_CHECKING:
    from corels_classic.classifier import CorelsClassifier
    from corels_classic.files import load_from_csv
    from corels_classic.rules import ClassicRuleList, RuleList

__all__ = ["ClassicRuleList", "CorelsClassifier", "RuleList", "load_from_csv"]


@hookimpl
def register_parts(register: Callable[[Any], None]) -> None:
    """`legacy`: the old program's options, as they were."""
    register(
        Command(
            "legacy",
            "corels_classic.command",
            verbatim=True,
            panel="Research",
            summary="Run as the original program.",
        )
    )


__getattr__, __dir__ = on_demand(
    __name__,
    {
        "corels_classic.classifier": "CorelsClassifier",
        "corels_classic.rules": "ClassicRuleList RuleList",
        "corels_classic.files": "load_from_csv",
    },
)
