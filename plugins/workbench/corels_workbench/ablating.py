"""Ablate: the full search, and one without each bound, without the map, without the start.

The paper's Tables 4 and 5 on the user's own data. A run that reaches a limit is not certified, and
shows what it had by then. `comparing.summary` compares each search with the full one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from corels.plugins import registry
from corels.registry import DEFAULT_SOLVER
from corels_workbench.comparing import compare
from corels_workbench.experiment import Data, How
from corels_workbench.table import Table


def ablate(
    data: Data,
    *,
    options: Mapping[str, Any] | None = None,
    regularizations: Sequence[Fraction | str] = ("0.01",),
    repeats: int = 1,
    time_limit: float | None = 60.0,
    solver: str = DEFAULT_SOLVER,
    how: How | None = None,
) -> Table:
    """Search with everything, and without each part; a row a run."""
    table = compare(
        data,
        registry().get("solver", solver)().ablations(options or {}),
        regularizations=regularizations,
        repeats=repeats,
        time_limit=time_limit,
        solver=solver,
        how=how,
    )
    return replace(table, about={**table.about, "command": "ablate"})
