"""The files of `corels compare`, `ablate` and `evaluate`: the table and the picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from corels.cli.exits import emit, written
from corels.errors import OptionError
from corels.plots.draw import opened
from corels.run.output import OutputFile
from corels_workbench.table import FORMS, Table


def opened_files(settings: Mapping[str, Any]) -> Callable[[Table, Table], bool]:
    """Open where a table and its picture go, before the runs: none is for nothing.

    Returns what writes and draws a table, as it is and as it is shown: whether no file was lost.
    Raises OptionError or OutputError for a name of --output or --plot that will not do.
    """
    outputs, picture = [], None
    for name in settings["output"]:
        if not name.lower().endswith(tuple(FORMS)):
            raise OptionError(f"{name}: expected a name that ends in {', '.join(FORMS)}")
        outputs.append(OutputFile(name))
    if settings["plot"] is not None:
        picture = opened(settings["plot"])

    def saved(table: Table, shown: Table) -> bool:
        drawn = [] if picture is None else [partial(_plotted, table, picture)]
        return written(*(partial(shown.write, output) for output in outputs), *drawn)

    return saved


def _plotted(table: Table, path: OutputFile | str) -> None:
    picture = table.plot(path)
    if picture is not None:
        emit(picture)
