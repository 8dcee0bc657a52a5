"""The files of `corels compare`, `ablate` and `evaluate`: the table and the picture."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from corels.cli.exits import emit, error
from corels.errors import OptionError, OutputError
from corels.run.output import OutputFile
from corels_workbench.table import FORMS, Table


def refuse_files(settings: Mapping[str, Any]) -> None:
    """Raise OptionError or OutputError for a name of --output or --plot that will not do."""
    from corels.plots.draw import ENDINGS

    plots = [name for name in (settings["plot"],) if name not in (None, "-")]
    for names, endings in ((settings["output"], tuple(FORMS)), (plots, ENDINGS)):
        for name in names:
            if not name.lower().endswith(endings):
                raise OptionError(f"{name}: expected a name that ends in {', '.join(endings)}")
            OutputFile(name).discard()


def written(table: Table, shown: Table, settings: Mapping[str, Any]) -> bool:
    """Write and draw a table; whether a file was lost."""
    lost = False
    todo = [partial(shown.write, path) for path in settings["output"]]
    if settings["plot"] is not None:
        todo.append(partial(_plotted, table, settings["plot"]))
    for write in todo:
        try:
            write()
        except OutputError as failed:
            error(failed)
            lost = True
    return lost


def _plotted(table: Table, path: str) -> None:
    picture = table.plot(path)
    if picture is not None:
        emit(picture)
