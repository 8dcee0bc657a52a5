"""The files of `corels compare`, `ablate` and `evaluate`: the table and the picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from corels.cli.exits import emit, written
from corels.plots.draw import opened
from corels.run.output import OutputFile
from corels_workbench.table import Table, form_of


def opened_files(settings: Mapping[str, Any]) -> Callable[[Table, Table], bool]:
    """Open where a table and its picture go, before the runs: none is for nothing.

    Returns what writes and draws a table, as it is and as it is shown: whether no file was lost.
    Raises OptionError or OutputError for a name of --output or --plot that will not do.
    """
    for name in settings["output"]:
        form_of(name)
    outputs = list(map(OutputFile, settings["output"]))
    picture = None if settings["plot"] is None else opened(settings["plot"])

    def plotted(table: Table) -> None:
        if picture is not None and (drawn := table.plot(picture)) is not None:
            emit(drawn)

    def saved(table: Table, shown: Table) -> bool:
        writes = [partial(shown.write, output) for output in outputs]
        return written(*writes, partial(plotted, table))

    return saved
