"""Built-in data sets, which need no download.

`breast-cancer` ships with scikit-learn and needs it installed. The others are files in `shipped/`,
whose README says where they are from. The last column is the label.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from corels.errors import InputError
from corels.installed import needed
from corels.options import closest
from corels.tables.column import Column, as_columns
from corels.tables.dataset import Dataset
from corels.tables.labelled import columns_dataset
from corels.tables.options import TableOptions


class BuiltIn(NamedTuple):
    """One line of `corels datasets`; antecedents as `load` gives them by default."""

    name: str
    rows: int
    antecedents: int
    description: str


_LINES = {
    line.name: line
    for line in (
        BuiltIn("titanic", 2201, 8, "class, sex and age of everybody on board; who survived"),
        BuiltIn("tic-tac-toe", 958, 27, "the boards that end a game; whether x has won"),
        BuiltIn("breast-cancer", 569, 180, "30 measures of cell nuclei; benign or malignant"),
        BuiltIn("heart", 303, 56, "patients before a coronary angiography; diseased or not"),
        BuiltIn("blood-donors", 748, 18, "when people gave blood; who came back in March 2007"),
    )
}


def datasets() -> list[BuiltIn]:
    """The built-in data sets."""
    return list(_LINES.values())


def load(name: str, options: TableOptions | None = None) -> Dataset:
    """A built-in data set, binarised like any table.

    Args:
        name: as in `datasets()`.
        options: as for `table_dataset`.

    Raises:
        InputError: if there is no such data set, or a package that it needs is not installed.
    """
    columns, label = load_columns(name)
    options = options or TableOptions()
    columns = as_columns(columns, reading=options.reading)
    return columns_dataset(columns, label, options, f"data set {name!r}", name)


def load_columns(name: str) -> tuple[Mapping[str, Column], str]:
    """The columns of a built-in data set before binarising, and the name of its label.

    Raises InputError as `load`.
    """
    if name not in _LINES:
        close = closest(name, _LINES)
        hint = "" if close is None else f"did you mean {close!r}? "
        if os.path.exists(name) or "." in str(name):
            call = f"corels.tables.table_dataset({str(name)!r}, LABEL)"
            hint = f"a file is read without --dataset, in Python by {call}; "
        raise InputError(
            f"there is no built-in data set {name!r}; {hint}there are {', '.join(_LINES)}"
        )
    table = _breast_cancer() if name == "breast-cancer" else _shipped(name)
    return as_columns(table), list(table)[-1]


def _breast_cancer() -> dict[str, list[Any]]:
    why = "data set 'breast-cancer' comes with scikit-learn"
    bunch = needed("sklearn.datasets", why, "sklearn", InputError).load_breast_cancer()
    table: dict[str, list[Any]] = dict(
        zip(map(str, bunch.feature_names), bunch.data.T, strict=True)
    )
    table["diagnosis"] = [str(bunch.target_names[target]) for target in bunch.target]
    return table


def _shipped(name: str) -> dict[str, list[Any]]:
    """A file of `shipped/`: numbers as floats, an empty cell as a missing value."""
    with (Path(__file__).parent / "shipped" / f"{name}.csv").open(encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    return {
        name: _cells(cells) for name, cells in zip(header, zip(*rows, strict=True), strict=True)
    }


def _cells(texts: tuple[str, ...]) -> list[Any]:
    """The cells of a column, as numbers if all that are not empty are numbers."""
    try:
        return [float(text) if text else None for text in texts]
    except ValueError:
        return [text or None for text in texts]
