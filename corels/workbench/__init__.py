"""The workbench: compare policies, ablate a search, judge models, on one machine or a cluster.

    compare   the same search with other parts: time to optimum, time to certificate, work, memory
    ablate    the full search, and one without each of its parts
    evaluate  accuracy, size and time of models on held-out rows, beside baselines
    Table     what they give: a row a cell, written as CSV, Parquet, JSON, Markdown or LaTeX

Names are imported when they are first asked for.
"""

from typing import TYPE_CHECKING

from corels.lazy import on_demand

if TYPE_CHECKING:
    from corels.workbench.ablating import ablate
    from corels.workbench.comparing import compare
    from corels.workbench.evaluating import evaluate
    from corels.workbench.table import Table

__all__ = ["Table", "ablate", "compare", "evaluate"]

__getattr__ = on_demand(
    __name__,
    {
        "Table": "corels.workbench.table",
        "ablate": "corels.workbench.ablating",
        "compare": "corels.workbench.comparing",
        "evaluate": "corels.workbench.evaluating",
    },
)


def __dir__() -> list[str]:
    return __all__
