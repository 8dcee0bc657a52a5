"""The files of `corels compare`, `ablate` and `evaluate`: the table and the picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from corels.cli.exits import emit, written
from corels.errors import OptionError
from corels.plots.draw import opened
from corels.run.output import OutputFile
from corels_workbench.table import FORMS, Table


@dataclass(frozen=True, slots=True)
class Files:
    """Where a table and its picture go, open from the beginning: no run is for nothing."""

    tables: list[OutputFile]
    plot: OutputFile | str | None

    @classmethod
    def opened(cls, settings: Mapping[str, Any]) -> Files:
        """Raises OptionError or OutputError for a name of --output or --plot that will not do."""
        tables = []
        for name in settings["output"]:
            if not name.lower().endswith(tuple(FORMS)):
                raise OptionError(f"{name}: expected a name that ends in {', '.join(FORMS)}")
            tables.append(OutputFile(name))
        plot = settings["plot"]
        return cls(tables, None if plot is None else opened(plot))


def saved(table: Table, shown: Table, files: Files) -> bool:
    """Write and draw a table; whether no file was lost."""
    todo = [partial(shown.write, output) for output in files.tables]
    if files.plot is not None:
        todo.append(partial(_plotted, table, files.plot))
    return written(*todo)


def _plotted(table: Table, path: OutputFile | str) -> None:
    picture = table.plot(path)
    if picture is not None:
        emit(picture)
