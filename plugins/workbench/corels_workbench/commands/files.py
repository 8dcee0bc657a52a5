"""The files of `corels compare`, `ablate` and `evaluate`: the table and the picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from corels.cli.exits import emit, error
from corels.errors import OptionError, OutputError
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
        from corels.plots.draw import ENDINGS

        tables = [_opened(name, tuple(FORMS)) for name in settings["output"]]
        plot = settings["plot"]
        return cls(tables, plot if plot in (None, "-") else _opened(plot, ENDINGS))


def _opened(name: str, endings: tuple[str, ...]) -> OutputFile:
    if not name.lower().endswith(endings):
        raise OptionError(f"{name}: expected a name that ends in {', '.join(endings)}")
    return OutputFile(name)


def written(table: Table, shown: Table, files: Files) -> bool:
    """Write and draw a table; whether a file was lost."""
    lost = False
    todo = [partial(shown.write, output) for output in files.tables]
    if files.plot is not None:
        todo.append(partial(_plotted, table, files.plot))
    for write in todo:
        try:
            write()
        except OutputError as failed:
            error(failed)
            lost = True
    return lost


def _plotted(table: Table, path: OutputFile | str) -> None:
    picture = table.plot(path)
    if picture is not None:
        emit(picture)
