"""The workbench: compare policies, ablate a search, judge models, on one machine or a cluster.

    compare   the same search with other parts: time to optimum, time to certificate, work, memory
    ablate    the full search, and one without each of its parts
    evaluate  accuracy, size and time of models on held-out rows, beside baselines
    Table     what they give: a row a cell, written as CSV, Parquet, JSON, Markdown or LaTeX

Names are imported when they are first asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from corels.commands import Command
from corels.hookspecs import hookimpl
from corels.lazy import on_demand

if TYPE_CHECKING:
    from corels_workbench.comparing import ablate, compare
    from corels_workbench.evaluating import evaluate
    from corels_workbench.table import Table

__all__ = ["Table", "ablate", "compare", "evaluate", "register_parts"]


EXPERIMENTS = {  # name -> the options that its help shows
    "compare": "label dataset regularization policy search config repeats time_limit output plot",
    "ablate": "label dataset regularization repeats time_limit output plot",
    "evaluate": "label dataset model folds group time_limit output plot results",
}
SAID = {  # name -> the panel of the list of commands, and the line there
    "compare": ("Research", "Compare policies, searches and configurations."),
    "ablate": ("Research", "Leave out one part of the search at a time."),
    "evaluate": ("Learn", "Measure models and baselines on held-out rows."),
}


@hookimpl
def register_parts(register: Callable[[Any], None]) -> None:
    """`plot`, `compare`, `ablate` and `evaluate`."""
    register(
        Command(
            "plot",
            "corels_workbench.commands.plot",
            panel="Research",
            summary="Draw searches over time.",
        )
    )
    for name, common in EXPERIMENTS.items():
        panel, summary = SAID[name]
        module = "corels_workbench.commands.experiments"
        register(Command(name, module, common=common, panel=panel, summary=summary))


__getattr__, __dir__ = on_demand(
    __name__,
    {
        "corels_workbench.comparing": "ablate compare",
        "corels_workbench.evaluating": "evaluate",
        "corels_workbench.table": "Table",
    },
)
