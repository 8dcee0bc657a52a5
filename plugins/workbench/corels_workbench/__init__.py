"""The workbench: compare policies, ablate a search, judge models.

    compare   the same search with other parts: time to optimum, time to certificate, work, memory
    ablate    the full search, and one without each of its parts
    evaluate  accuracy, size and time of models on held-out rows, beside baselines
    Table     what they give: a row a cell, written as CSV, Parquet, JSON, Markdown or LaTeX

Names are imported when they are first asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from corels.hookspecs import Command, hookimpl
from corels.lazy import on_demand

if TYPE_CHECKING:
    from corels_workbench.comparing import ablate, compare
    from corels_workbench.evaluating import evaluate
    from corels_workbench.table import Table

__all__ = ["Table", "ablate", "compare", "evaluate", "register_parts"]


COMMANDS = (  # file, name, panel, summary, and the options that its help shows
    ("plot", "plot", "Research", "Draw searches over time.", ""),
    ("experiments", "compare", "Research", "Compare policies, searches and configurations.",
     "label dataset regularization policy search config repeats time_limit output plot"),
    ("experiments", "ablate", "Research", "Leave out one part of the search at a time.",
     "label dataset regularization repeats time_limit output plot"),
    ("experiments", "evaluate", "Learn", "Measure models and baselines on held-out rows.",
     "label dataset model folds group time_limit output plot results"),
)  # fmt: skip


@hookimpl
def register_parts(register: Callable[[Any], None]) -> None:
    """`plot`, `compare`, `ablate` and `evaluate`."""
    for file, name, panel, summary, common in COMMANDS:
        module = f"corels_workbench.commands.{file}"
        register(Command(name, module, common=common, panel=panel, summary=summary))


__getattr__, __dir__ = on_demand(
    __name__,
    {
        "corels_workbench.comparing": "ablate compare",
        "corels_workbench.evaluating": "evaluate",
        "corels_workbench.table": "Table",
    },
)
